//! Parts of the module that a page fetches when it needs them, or when it is idle.

/// Declares a function that gives a table of functions, in a part of the module and under four hex digits of
/// its own. In the package (feature `parts`), whatever can be reached through such tables alone is in the
/// part's file; anywhere else it is a table like any other. A call of a part that is not there traps, so the
/// package waits for it before it calls what needs it.
macro_rules! part {
    ($part:literal, $id:literal, $(#[$meta:meta])* $vis:vis fn $name:ident() -> $Table:ty { $table:expr }) => {
        #[cfg(not(feature = "parts"))]
        $(#[$meta])*
        $vis fn $name() -> &'static $Table {
            static TABLE: $Table = $table;
            &TABLE
        }

        #[cfg(feature = "parts")]
        $(#[$meta])*
        #[allow(unsafe_code, improper_ctypes, improper_ctypes_definitions, reason = "both sides are this very code")]
        $vis fn $name() -> &'static $Table {
            // The splitter goes by these names.
            #[link(wasm_import_module = "__wasm_split_placeholder__")]
            unsafe extern "C" {
                #[link_name = concat!("__wasm_split_00", $part, "00_import_0000000000000000000000000000", $id)]
                fn of_part() -> &'static $Table;
            }
            #[unsafe(export_name = concat!("__wasm_split_00", $part, "00_export_0000000000000000000000000000", $id))]
            extern "C" fn in_part() -> &'static $Table {
                static TABLE: $Table = $table;
                &TABLE
            }
            // SAFETY: it is `in_part` that the splitter puts in its place.
            unsafe { of_part() }
        }
    };
}
pub(crate) use part;
