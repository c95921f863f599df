//! Parts of the module that a page fetches on demand or when idle: the functions of `transfer_part.rs` and of
//! `card_part.rs`. Nothing else knows of the split.

/// Declares a function that returns a table of functions in a part of the module, under unique four hex
/// digits. In the package (`--cfg remitkit_parts`), code that is reachable only through such tables goes into
/// the part's file; otherwise the table is an ordinary static. Calling a part that is not loaded traps, so the
/// package loads it before such a call.
macro_rules! part {
    ($part:literal, $id:literal, $(#[$meta:meta])* $vis:vis fn $name:ident() -> $Table:ty { $table:expr }) => {
        #[cfg(not(remitkit_parts))]
        $(#[$meta])*
        $vis fn $name() -> &'static $Table {
            static TABLE: $Table = $table;
            &TABLE
        }

        #[cfg(remitkit_parts)]
        $(#[$meta])*
        #[allow(unsafe_code, improper_ctypes, improper_ctypes_definitions, reason = "both sides are this function")]
        $vis fn $name() -> &'static $Table {
            // The splitter recognizes these names.
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
            // SAFETY: the splitter links this import to `in_part`.
            unsafe { of_part() }
        }
    };
}
pub(super) use part;
