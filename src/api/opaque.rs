//! `Debug` for what holds personal data, secrets or handles.

/// Implements `Debug` by the name alone: `opaque_debug!([T] Name<T>)`.
macro_rules! opaque_debug {
    ([$($bound:tt)*] $Name:ident $(<$($arg:tt),*>)?) => {
        impl<$($bound)*> std::fmt::Debug for $Name $(<$($arg),*>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($Name), " { .. }"))
            }
        }
    };
}
pub(crate) use opaque_debug;
