/// How a record or an enumeration is declared, with its docs: the package's types are made from it. Only
/// `package-tables` reads declarations, so the module has none.
#[derive(Debug)]
pub struct Declaration {
    /// The name of the type.
    pub name: &'static str,
    /// The docs of the type.
    pub docs: Docs,
    /// The members of a record, in the order of its shape, or the values of an enumeration.
    pub members: &'static [Member],
    /// Optional texts that the service sends and only JavaScript can read.
    pub unread: &'static [&'static str],
}

/// A member of a record, or a value of an enumeration.
#[derive(Debug)]
pub struct Member {
    /// The name on the wire.
    pub name: &'static str,
    /// The docs of the member.
    pub docs: Docs,
    /// The record or enumeration that the member holds, one or many.
    pub declaration: Option<&'static Declaration>,
}

/// The lines of a doc comment; `None` for another attribute.
pub type Docs = &'static [Option<&'static str>];

/// Defines the constant of `Codec`.
macro_rules! declaration {
    ($(#[$($meta:tt)*])* $Name:ident {
        $( $(#[$($member_meta:tt)*])* $wire:literal $Type:ty ),*
    } [$($unread:literal),*]) => {
        const DECLARATION: Option<&'static $crate::api::json::Declaration> =
            Some(&$crate::api::json::Declaration {
                name: stringify!($Name),
                docs: &[$( $crate::api::json::declaration!(@doc $($meta)*) ),*],
                members: &[$( $crate::api::json::Member {
                    name: $wire,
                    docs: &[$( $crate::api::json::declaration!(@doc $($member_meta)*) ),*],
                    declaration: <$Type as $crate::api::json::Codec>::DECLARATION,
                } ),*],
                unread: &[$( $unread ),*],
            });
    };
    (@doc doc = $line:literal) => { Some($line) };
    (@doc $($other:tt)*) => { None };
}
pub(crate) use declaration;
