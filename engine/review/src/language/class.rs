//! Classes of text pieces, and how a parser of one class reacts to text of another.
//!
//! ```text
//! [1, 2]   printed as a dense array     parser of a dense array   taken
//! [1, 2]   printed as a dense array     parser of a string        refused
//! foo      printed as a case of an enum parser of the word foo    taken for that case, refused for others
//! ```

pub use odsmith_interchange::grammar::Class;

/// Kinds of first tokens, as a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct First(u32);

impl First {
    const NONE: First = First(0);
    const VALUE: First = First(1);
    const SYMBOL: First = First(1 << 1);
    const BLOCK: First = First(1 << 2);
    const PAREN: First = First(1 << 3);
    const BRACE: First = First(1 << 4);
    const SQUARE: First = First(1 << 5);
    const LESS: First = First(1 << 6);
    const STRING: First = First(1 << 7);
    const NUMBER: First = First(1 << 8);
    const MINUS: First = First(1 << 9);
    /// `!` or the name of a builtin type.
    const TYPE: First = First(1 << 10);
    /// `#` or a word that begins a builtin attribute.
    const ATTRIBUTE: First = First(1 << 11);
    /// Any other word.
    const WORD: First = First(1 << 12);
    const OTHER: First = First(1 << 13);

    const fn or(self, other: First) -> First {
        First(self.0 | other.0)
    }

    fn meets(self, other: First) -> bool {
        self.0 & other.0 != 0
    }

    fn is_in(self, other: First) -> bool {
        self.0 & !other.0 == 0
    }
}

const ANY_TYPE: First = First::TYPE.or(First::PAREN);
const ANY_ATTRIBUTE: First = ANY_TYPE
    .or(First::SYMBOL)
    .or(First::SQUARE)
    .or(First::BRACE)
    .or(First::STRING)
    .or(First::NUMBER)
    .or(First::MINUS)
    .or(First::ATTRIBUTE);

/// Words that begin a builtin type.
const TYPES: &[&str] = &[
    "bf16", "complex", "f128", "f16", "f32", "f64", "f80", "index", "memref", "none", "tensor", "tf32",
    "tuple", "vector",
];

/// Words that begin a builtin attribute.
const ATTRIBUTES: &[&str] = &[
    "affine_map",
    "affine_set",
    "array",
    "dense",
    "dense_resource",
    "distinct",
    "false",
    "loc",
    "opaque",
    "sparse",
    "strided",
    "true",
    "unit",
];

pub(super) fn is_builtin_type(word: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let integer = ["si", "ui", "i"].iter().any(|prefix| word.strip_prefix(prefix).is_some_and(is_number));
    integer
        || TYPES.contains(&word)
        || word.starts_with("f8E")
        || word.starts_with("f6E")
        || word.starts_with("f4E")
}

/// The possible reactions of a parser to a piece of text. Several are possible if the class does not determine one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reaction {
    /// True if it may take the whole piece.
    pub takes: bool,
    /// True if it may take nothing because it recognizes that something else follows.
    pub misses: bool,
    /// True if it may fail.
    pub refuses: bool,
    /// True if only C++ knows the reaction.
    pub is_unclear: bool,
}

impl Reaction {
    const TAKES: Reaction = Reaction { takes: true, misses: false, refuses: false, is_unclear: false };
    const MISSES: Reaction = Reaction { takes: false, misses: true, refuses: false, is_unclear: false };
    const REFUSES: Reaction = Reaction { takes: false, misses: false, refuses: true, is_unclear: false };
    const UNCLEAR: Reaction = Reaction { takes: false, misses: false, refuses: false, is_unclear: true };

    fn or(self, other: Reaction) -> Reaction {
        Reaction {
            takes: self.takes || other.takes,
            misses: self.misses || other.misses,
            refuses: self.refuses || other.refuses,
            is_unclear: self.is_unclear || other.is_unclear,
        }
    }
}

/// The behaviour of parsers on texts of a class.
pub(super) trait Reading: Sized {
    /// Returns true if a literal is a word rather than punctuation.
    fn is_word(text: &str) -> bool;

    /// Returns the first tokens of the text, or `None` if only C++ knows them.
    fn first(&self) -> Option<First>;

    /// Returns the first tokens that an optional parser looks for, or `None` if only C++ knows them.
    fn first_taken(&self) -> Option<First>;

    /// Returns the reaction of a parser of `self` to a piece of text of another class.
    fn react(&self, printed: &Self, is_optional: bool) -> Reaction;

    /// Returns the reaction of a parser that reads any attribute, if one is there, and then checks its class.
    /// `is_stripped` is true if the attribute is printed without the prefix of its dialect.
    fn react_as_attribute(&self, printed: &Self, is_stripped: bool) -> Reaction;

    /// Returns true if the text can begin with this word.
    fn may_begin_with_word(&self, word: &str) -> bool;

    /// Returns the reaction to a literal that the parser's own printer does not write.
    fn react_to_literal(&self, text: &str, is_optional: bool) -> Reaction;

    /// Returns the reaction of a mandatory parser to text of another class, neither being a literal.
    fn reads(&self, printed: &Self) -> Reaction;

    /// Returns true if an optional parser takes the start of another operation after the end of its own text.
    fn takes_next_operation(&self, follows_terminator: bool) -> bool;
}

impl Reading for Class {
    fn is_word(text: &str) -> bool {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && text != "_"
    }

    fn first(&self) -> Option<First> {
        Some(match self {
            Class::Literal(text) => match text.as_str() {
                "(" => First::PAREN,
                "{" => First::BRACE,
                "[" => First::SQUARE,
                "<" => First::LESS,
                "-" => First::MINUS,
                word if is_builtin_type(word) => First::TYPE,
                word if ATTRIBUTES.contains(&word) => First::ATTRIBUTE,
                word if Class::is_word(word) => First::WORD,
                _ => First::OTHER,
            },
            Class::Enum { words, strings } => {
                let words = words.iter().filter_map(|word| Class::literal(word).first());
                let strings = if strings.is_empty() { First::NONE } else { First::STRING };
                words.fold(strings, First::or)
            }
            Class::Value => First::VALUE,
            Class::Successor => First::BLOCK,
            Class::Region | Class::Dictionary => First::BRACE,
            Class::PropDictionary => First::LESS,
            Class::Type(class) if class.is_empty() => ANY_TYPE,
            Class::FunctionType => First::PAREN,
            Class::Symbol | Class::SymbolPath => First::SYMBOL,
            Class::Integer | Class::Float => First::NUMBER.or(First::MINUS),
            Class::String => First::STRING,
            Class::Array | Class::DenseArray => First::SQUARE,
            Class::Bool | Class::Unit | Class::AffineMap | Class::IntegerSet | Class::Elements => {
                First::ATTRIBUTE
            }
            Class::Attribute => ANY_ATTRIBUTE,
            Class::Type(_) | Class::Own(_) | Class::Code(_) | Class::Custom(_) => return None,
        })
    }

    fn first_taken(&self) -> Option<First> {
        match self {
            // The parser of any attribute reads all of these.
            Class::Integer
            | Class::Float
            | Class::Bool
            | Class::DenseArray
            | Class::Unit
            | Class::AffineMap
            | Class::IntegerSet
            | Class::Elements
            | Class::Attribute => Some(ANY_ATTRIBUTE),
            Class::Type(_) => Some(ANY_TYPE),
            Class::Enum { .. } => Some(self.first()?.or(First::STRING)),
            class => class.first(),
        }
    }

    fn react(&self, printed: &Class, is_optional: bool) -> Reaction {
        let absent = if is_optional { Reaction::MISSES } else { Reaction::REFUSES };
        match (printed, self) {
            (Class::Literal(text), Class::Literal(wanted)) => {
                if text == wanted {
                    Reaction::TAKES
                } else {
                    absent
                }
            }
            (Class::Enum { words, strings }, Class::Literal(wanted)) => {
                let is_only = words.len() == 1 && strings.is_empty();
                match words.contains(wanted) {
                    true if is_only => Reaction::TAKES,
                    true => Reaction::TAKES.or(absent),
                    false => absent,
                }
            }
            (Class::Bool, Class::Literal(wanted)) if matches!(wanted.as_str(), "true" | "false") => {
                Reaction::TAKES.or(absent)
            }
            (printed, Class::Literal(wanted)) => match (printed.first(), self.first()) {
                // A word is distinguished from other words by its spelling.
                (Some(_), _) if Class::is_word(wanted) && !printed.may_begin_with_word(wanted) => absent,
                (Some(first), Some(own)) if !first.meets(own) => absent,
                (Some(first), Some(own)) if first == own && !Class::is_word(wanted) => Reaction::UNCLEAR,
                (Some(_), _) => Reaction::UNCLEAR.or(absent),
                (None, _) if is_optional => Reaction::MISSES,
                (None, _) => Reaction::UNCLEAR,
            },
            // An optional parser of an enum looks for its own words, and for any string.
            (Class::Enum { words, strings }, Class::Enum { words: known, strings: quoted })
                if is_optional =>
            {
                let of_words = words.iter().map(|word| match known.contains(word) {
                    true => Reaction::TAKES,
                    false => Reaction::MISSES,
                });
                // A case without a word is the default, which is not printed.
                let printed = strings.iter().filter(|text| !text.is_empty());
                let of_strings = printed.map(|text| match known.contains(text) || quoted.contains(text) {
                    true => Reaction::TAKES,
                    false => Reaction::REFUSES,
                });
                of_words.chain(of_strings).fold(Reaction::default(), Reaction::or)
            }
            (Class::Literal(text), class) => class.react_to_literal(text, is_optional),
            (printed, class) => match class.reads(printed) {
                Reaction::REFUSES if is_optional => match (printed.first(), class.first_taken()) {
                    (Some(first), Some(own)) if first.meets(own) => match first.is_in(own) {
                        true => Reaction::REFUSES,
                        false => Reaction::REFUSES.or(Reaction::MISSES),
                    },
                    _ => Reaction::MISSES,
                },
                Reaction::UNCLEAR if is_optional => match (printed.first(), class.first_taken()) {
                    (Some(first), Some(own)) if !first.meets(own) => Reaction::MISSES,
                    (Some(first), Some(own)) if first.is_in(own) => Reaction::UNCLEAR,
                    _ => Reaction::UNCLEAR.or(Reaction::MISSES),
                },
                reaction => reaction,
            },
        }
    }

    fn react_as_attribute(&self, printed: &Class, is_stripped: bool) -> Reaction {
        // `[1, 2]` is read as an array, and `<3>` begins no attribute.
        let is_unreadable = is_stripped || *self == Class::DenseArray;
        let own =
            if is_unreadable && self == printed { Reaction::REFUSES } else { self.react(printed, true) };
        if own.takes || own.is_unclear || own.refuses {
            return own;
        }
        let any = Class::Attribute.react(printed, true);
        Reaction { takes: false, refuses: any.refuses || any.takes, ..any }
    }

    fn may_begin_with_word(&self, word: &str) -> bool {
        match self {
            Class::Unit => word == "unit",
            Class::Bool => matches!(word, "true" | "false"),
            Class::AffineMap => word == "affine_map",
            Class::IntegerSet => word == "affine_set",
            Class::Elements => matches!(word, "dense" | "dense_resource" | "sparse" | "array"),
            Class::Type(_) => is_builtin_type(word),
            Class::Attribute => is_builtin_type(word) || ATTRIBUTES.contains(&word),
            _ => false,
        }
    }

    fn react_to_literal(&self, text: &str, is_optional: bool) -> Reaction {
        let absent = if is_optional { Reaction::MISSES } else { Reaction::REFUSES };
        if let Class::Enum { words, .. } = self {
            return if words.iter().any(|word| word == text) { Reaction::TAKES } else { absent };
        }
        let whole_attribute = matches!(text, "true" | "false" | "unit");
        let first = Class::literal(text).first().unwrap_or(First::NONE);
        match self.first_taken() {
            Some(own) if !first.meets(own) => absent,
            Some(_)
                if is_builtin_type(text)
                    && !matches!(text, "complex" | "memref" | "tensor" | "tuple" | "vector") =>
            {
                match self {
                    Class::Type(_) | Class::Attribute => Reaction::TAKES,
                    _ => Reaction::REFUSES,
                }
            }
            Some(_) if whole_attribute => match (self, text) {
                (Class::Attribute, _) | (Class::Bool, "true" | "false") | (Class::Unit, "unit") => {
                    Reaction::TAKES
                }
                _ => Reaction::REFUSES,
            },
            Some(_) if text == "-" => Reaction::UNCLEAR,
            Some(_) => Reaction::UNCLEAR,
            None if is_optional => Reaction::MISSES,
            None => Reaction::UNCLEAR,
        }
    }

    fn reads(&self, printed: &Class) -> Reaction {
        use Class::{
            AffineMap, Array, Attribute, Bool, Code, Custom, DenseArray, Dictionary, Elements, Enum, Float,
            FunctionType, Integer, IntegerSet, Own, PropDictionary, Region, String as Text, Successor,
            Symbol, SymbolPath, Type, Unit, Value,
        };
        if self == printed {
            return Reaction::TAKES;
        }
        match (printed, self) {
            (Custom(_) | Code(_), _) | (_, Custom(_) | Code(_)) => Reaction::UNCLEAR,
            (Value | Successor | Region | Dictionary | PropDictionary, _)
            | (_, Value | Successor | Region | Dictionary | PropDictionary) => Reaction::REFUSES,
            (Enum { words, strings }, Enum { words: known, strings: quoted }) => {
                let has = |case: &String| known.contains(case) || quoted.contains(case);
                let is_known = |case: &&String| known.contains(*case);
                let all = words.iter().all(|word| is_known(&word)) && strings.iter().all(has);
                let any = words.iter().any(|word| is_known(&word)) || strings.iter().any(has);
                match (all, any) {
                    (true, _) => Reaction::TAKES,
                    (false, true) => Reaction::TAKES.or(Reaction::REFUSES),
                    (false, false) => Reaction::REFUSES,
                }
            }
            (Enum { words, strings }, Attribute | Text) => match (words.is_empty(), strings.is_empty()) {
                (true, _) => Reaction::TAKES,
                (false, true) => Reaction::REFUSES,
                (false, false) => Reaction::TAKES.or(Reaction::REFUSES),
            },
            // The content of the string is unknown.
            (Text, Enum { .. }) => Reaction::TAKES.or(Reaction::REFUSES),
            (Own(_), _) => Reaction::UNCLEAR,
            // The parser of a class also takes the full syntax of an attribute of that class.
            (Attribute, _) => Reaction::TAKES.or(Reaction::REFUSES),
            (_, Own(_)) => Reaction::UNCLEAR,
            (_, Enum { .. }) | (Enum { .. }, _) => Reaction::REFUSES,
            // The constraint decides: see `logic`.
            (Type(class), Type(_)) if class.is_empty() => Reaction::TAKES,
            (Type(_), Type(_)) => Reaction::UNCLEAR,
            (FunctionType, Type(_)) => Reaction::TAKES,
            (Type(class), FunctionType) if class.is_empty() => Reaction::TAKES.or(Reaction::REFUSES),
            (Type(class), Attribute) if class.is_empty() => Reaction::TAKES,
            (Type(_), Attribute) => Reaction::UNCLEAR,
            (Symbol, SymbolPath) => Reaction::TAKES,
            (SymbolPath, Symbol) => Reaction::TAKES.or(Reaction::REFUSES),
            (
                Bool | Integer | Float | Text | Symbol | SymbolPath | Array | Unit | AffineMap | IntegerSet
                | Elements | FunctionType,
                Attribute,
            ) => Reaction::TAKES,
            // Empty brackets may be either.
            (Array, DenseArray) | (DenseArray, Array | Attribute) => Reaction::UNCLEAR,
            _ => Reaction::REFUSES,
        }
    }

    fn takes_next_operation(&self, follows_terminator: bool) -> bool {
        // Results, names of operations and quotes of generic ones; after a terminator only another block.
        let next = match follows_terminator {
            true => First::BLOCK,
            false => First::VALUE.or(First::WORD).or(First::STRING).or(First::BLOCK),
        };
        match self {
            // Words of literals and enums have no dot, names of operations have one.
            Class::Literal(_) => false,
            Class::Enum { .. } => !follows_terminator,
            class => class.first_taken().is_some_and(|first| first.meets(next)),
        }
    }
}
