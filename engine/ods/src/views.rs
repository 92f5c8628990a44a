//! Declarations that the views share: what identifies a definition, and checks of single fields.
//!
//! Generators call the checks in the order in which the reference reads the fields, so that the first mistake is the
//! same.

/// Declares the methods that identify the definition of a view.
macro_rules! identity {
    () => {
        /// Returns the definition: its name, position and documentation.
        #[must_use]
        pub fn definition(&self) -> $crate::Definition<'r> {
            $crate::Definition::new(self.rec())
        }

        /// Returns the rules of the release.
        #[must_use]
        pub fn rules(&self) -> &'r odsmith_release::Rules {
            self.rec().records().rules()
        }
    };
}

/// Declares methods that each check one field: `check_summary: string "summary";`.
macro_rules! checks {
    ($($method:ident: $read:ident $field:literal;)*) => {
        $(
            #[doc = concat!("Checks the field `", $field, "`.")]
            ///
            /// # Errors
            /// The field is missing, unset or of another type.
            pub fn $method(&self) -> Result<(), odsmith_tablegen::diagnostic::Diagnostic> {
                self.rec().$read($field).map(drop)
            }
        )*
    };
}

/// Declares an enum of fields.
macro_rules! field_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $value:ident = $field:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of])* $value,)*
        }

        impl $name {
            /// All values, in order.
            pub const ALL: &'static [$name] = &[$($name::$value),*];

            /// Returns the field.
            #[must_use]
            pub fn field(self) -> &'static str {
                match self {
                    $($name::$value => $field,)*
                }
            }
        }
    };
}

/// Declares methods that each read one field: `summary: text name!("summary");`. A field without a value reads as an
/// empty text, nothing (`option`) or false (`bit`); `class` asks for a base class.
macro_rules! reads {
    (&$this:ident; $($items:tt)*) => {
        reads! { @each by_reference $this $($items)* }
    };
    ($this:ident; $($items:tt)*) => {
        reads! { @each by_value $this $($items)* }
    };
    (@each $receiver:ident $this:ident $($(#[$doc:meta])* $method:ident: $kind:ident $field:expr;)*) => {
        $(reads! { @$receiver $this [$(#[$doc])*] $method $kind $field })*
    };
    (@by_reference $this:ident [$($doc:tt)*] $method:ident $kind:ident $field:expr) => {
        $($doc)*
        #[must_use]
        pub fn $method(&$this) -> reads!(@type $kind) {
            reads!(@$kind $this.rec(), $field)
        }
    };
    (@by_value $this:ident [$($doc:tt)*] $method:ident $kind:ident $field:expr) => {
        $($doc)*
        #[must_use]
        pub fn $method($this) -> reads!(@type $kind) {
            reads!(@$kind $this.rec(), $field)
        }
    };
    (@type text) => { &'r str };
    (@type option) => { Option<&'r str> };
    (@type bit) => { bool };
    (@type class) => { bool };
    (@text $rec:expr, $field:expr) => { $rec.optional_string($field).unwrap_or_default() };
    (@option $rec:expr, $field:expr) => { $rec.optional_string($field) };
    (@bit $rec:expr, $field:expr) => { $rec.is_set($field) };
    (@class $rec:expr, $field:expr) => { $rec.is_subclass_of($field) };
}

/// Declares methods that each return one field, or an error if it has no value: `method: string "queryFnName";`.
macro_rules! needed {
    ($($(#[$doc:meta])* $method:ident: $read:ident $field:literal -> $value:ty;)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// The field is missing, unset or of another type.
            pub fn $method(&self) -> Result<$value, odsmith_tablegen::diagnostic::Diagnostic> {
                self.rec().$read($field)
            }
        )*
    };
}
