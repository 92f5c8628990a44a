//! Classes of text: the languages of a format's pieces.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The class of a piece of text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[schema(as = model::TextClass)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// This keyword or punctuation.
    Literal(String),
    /// A case of an enum: one of these words, or one of these in quotes.
    Enum {
        /// Cases that are written without quotes.
        words: Vec<String>,
        /// Cases that are written in quotes.
        strings: Vec<String>,
    },
    /// `%value`.
    Value,
    /// `^block`.
    Successor,
    /// `{ … }` with operations.
    Region,
    /// `{ … }` with attributes.
    Dictionary,
    /// `<{ … }>`.
    PropDictionary,
    /// A type: of any class, or of this C++ class. In the second case it has no dialect and mnemonic if the class has a
    /// printer.
    Type(String),
    /// `(…) -> …`.
    FunctionType,
    /// `@name`.
    Symbol,
    /// `@name::@name`.
    SymbolPath,
    /// `true`, `false`.
    Bool,
    /// `-1`.
    Integer,
    /// `1.5`.
    Float,
    /// `"…"`.
    String,
    /// `[…]` of attributes.
    Array,
    /// `[…]` of numbers, without the name of the attribute class.
    DenseArray,
    /// `unit`.
    Unit,
    /// `affine_map<…>`.
    AffineMap,
    /// `affine_set<…>`.
    IntegerSet,
    /// `dense<…>` and the like.
    Elements,
    /// An attribute of any class, written in full.
    Attribute,
    /// An attribute or parameter in the syntax of its C++ class.
    Own(String),
    /// The text that these snippets of C++ parse and print.
    Code(String),
    /// The text that the function of a custom directive parses and prints.
    Custom(String),
}

impl Class {
    /// Creates the class of a literal.
    #[must_use]
    pub fn literal(text: &str) -> Self {
        Class::Literal(text.to_owned())
    }

    /// Creates the class of any type.
    #[must_use]
    pub fn any_type() -> Self {
        Class::Type(String::new())
    }

    /// Returns whether this is the class of any type.
    #[must_use]
    pub fn is_any_type(&self) -> bool {
        matches!(self, Class::Type(class) if class.is_empty())
    }

    /// Returns an example of this class, for people.
    #[must_use]
    pub fn sample(&self, name: &str) -> String {
        match self {
            Class::Literal(text) => text.clone(),
            Class::Enum { words, strings } => match (words.first(), strings.first()) {
                (Some(word), _) => word.clone(),
                (None, Some(string)) => format!("\"{string}\""),
                (None, None) => "\"\"".to_owned(),
            },
            Class::Value => format!("%{name}"),
            Class::Successor => format!("^{name}"),
            Class::Region => "{ … }".to_owned(),
            Class::Dictionary => "{key = 1 : i32}".to_owned(),
            Class::PropDictionary => "<{key = 1 : i32}>".to_owned(),
            Class::Type(class) if class.is_empty() => format!("type-of-{name}"),
            Class::FunctionType => format!("(…) -> type-of-{name}"),
            Class::Symbol | Class::SymbolPath => format!("@{name}"),
            Class::Bool => "true".to_owned(),
            Class::Integer => "1".to_owned(),
            Class::Float => "1.0".to_owned(),
            Class::String => format!("\"{name}\""),
            Class::Array => "[]".to_owned(),
            Class::DenseArray => "[1, 2]".to_owned(),
            Class::Unit => "unit".to_owned(),
            Class::AffineMap => "affine_map<() -> ()>".to_owned(),
            Class::IntegerSet => "affine_set<() : ()>".to_owned(),
            Class::Elements => "dense<1> : tensor<1xi32>".to_owned(),
            Class::Attribute => format!("attribute-{name}"),
            Class::Type(class) | Class::Own(class) => format!("⟨{class}⟩"),
            Class::Code(_) => format!("⟨{name}⟩"),
            Class::Custom(name) => format!("⟨custom {name}⟩"),
        }
    }
}
