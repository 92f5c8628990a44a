//! Attributes, as conditions look at them, and the table of candidates.

use std::sync::OnceLock;

use super::{
    Value,
    types::{Sign, Type, numbers_after},
};

/// The kind of an attribute, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true`.
    Bool(bool),
    /// `4 : i32`.
    Integer(i64, Type),
    /// `1.0 : f32`.
    Float(Type),
    /// `"text"`.
    String(String),
    /// `unit`.
    Unit,
    /// `[…]`.
    Array(Vec<Attr>),
    /// `array<i64: 1, 2>`.
    DenseArray(Type, Vec<i64>),
    /// `dense<1> : tensor<2xi64>`.
    Dense(Type),
    /// A type.
    Type(Type),
    /// `@name`.
    Symbol,
    /// `{…}`.
    Dictionary,
    /// `affine_map<…>`.
    AffineMap(MapShape),
    /// `affine_set<…>`.
    IntegerSet,
    /// `strided<[1, ?]>`, by the number of strides.
    Strided(usize),
    /// A dialect's own attribute, by its C++ class; empty if that is unknown.
    Def(String),
}

/// The counts of an affine map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapShape {
    /// Its dimensions.
    pub dimensions: usize,
    /// Its symbols.
    pub symbols: usize,
    /// Its results.
    pub results: usize,
    /// True if it maps each dimension to itself.
    pub is_identity: bool,
}

impl MapShape {
    /// The identity of one dimension.
    const LINE: MapShape = MapShape { dimensions: 1, symbols: 0, results: 1, is_identity: true };
}

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attr {
    /// The kind and the value.
    pub kind: Kind,
    /// The full spelling: `4 : i32`.
    pub text: String,
    /// The spelling where the type is known: `4`.
    pub bare: String,
}

impl Attr {
    /// Creates an attribute of a kind with its spelling.
    #[must_use]
    pub fn new(kind: Kind, text: impl Into<String>) -> Self {
        let text = text.into();
        Attr { kind, bare: text.clone(), text }
    }

    /// An integer.
    #[must_use]
    pub fn integer(value: i64, ty: &Type) -> Self {
        let bare = value.to_string();
        // Only integers of 64 bits may leave their type out.
        Attr { text: format!("{value} : {ty}"), bare, kind: Kind::Integer(value, ty.clone()) }
    }

    /// A float.
    #[must_use]
    pub fn float(ty: &Type) -> Self {
        Attr { kind: Kind::Float(ty.clone()), text: format!("1.0 : {ty}"), bare: "1.0".to_owned() }
    }

    /// A list of integers.
    #[must_use]
    pub fn dense_array(element: &Type, values: Vec<i64>) -> Self {
        let is_bool = *element == Type::int(1);
        let shown = |value: &i64| match element {
            Type::Float(_) => format!("{value}.0"),
            _ if is_bool => (*value != 0).to_string(),
            _ => value.to_string(),
        };
        let list = values.iter().map(shown).collect::<Vec<_>>().join(", ");
        let text =
            if values.is_empty() { format!("array<{element}>") } else { format!("array<{element}: {list}>") };
        Attr { kind: Kind::DenseArray(element.clone(), values), text, bare: format!("[{list}]") }
    }

    /// A list of attributes.
    #[must_use]
    pub fn array(elements: Vec<Attr>) -> Self {
        let list = elements.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join(", ");
        Attr::new(Kind::Array(elements), format!("[{list}]"))
    }

    /// A type as an attribute.
    #[must_use]
    pub fn ty(ty: &Type) -> Self {
        Attr::new(Kind::Type(ty.clone()), ty.to_string())
    }

    /// A dialect's own attribute.
    #[must_use]
    pub fn def(class: &str, text: impl Into<String>) -> Self {
        Attr::new(Kind::Def(class.to_owned()), text)
    }
}

/// The candidates, as conditions see them, the most usual first.
pub fn table() -> &'static [Value] {
    static TABLE: OnceLock<Vec<Value>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let ints = [Type::int(64), Type::int(32), Type::Index, Type::int(16), Type::int(8)];
        let signs = [Sign::Signed, Sign::Unsigned];
        let signed =
            signs.into_iter().flat_map(|sign| [64, 32, 16, 8].map(|width| Type::Integer(width, sign)));
        let mut all = vec![Attr::new(Kind::Unit, "unit")];
        all.push(Attr::new(Kind::Bool(true), "true"));
        all.push(Attr::new(Kind::Bool(false), "false"));
        for ty in ints.iter().cloned().chain(signed) {
            all.extend([1, 0, 2, 4, 8, 16].map(|value| Attr::integer(value, &ty)));
        }
        all.extend(["f64", "f32", "f16", "bf16"].map(|name| Attr::float(&Type::Float(name))));
        all.push(Attr::new(Kind::String("text".to_owned()), "\"text\""));
        all.push(Attr::new(Kind::Symbol, "@symbol"));
        for ty in [Type::int(32), Type::Float("f32"), Type::Index] {
            all.push(Attr::ty(&ty));
        }
        // The type of a function whose body needs no argument and returns nothing.
        all.push(Attr::ty(&Type::Function(Vec::new(), Vec::new())));
        all.push(Attr::ty(&Type::Function(vec![Type::int(32)], vec![Type::int(32)])));
        all.push(Attr::ty(&Type::MemRef(Some(vec![4]), Box::new(Type::Float("f32")), None, None)));
        all.push(Attr::ty(&Type::Tensor(Some(vec![4]), Box::new(Type::Float("f32")), None)));
        all.push(Attr::new(Kind::AffineMap(MapShape::LINE), "affine_map<(d0) -> (d0)>"));
        all.push(Attr::new(Kind::IntegerSet, "affine_set<(d0) : (d0 >= 0)>"));
        all.push(Attr::new(Kind::Dictionary, "{}"));
        let widths = [64, 32, 16, 8].map(Type::int);
        let lists = widths.iter().chain([&Type::Index]);
        for ty in lists {
            for count in [1, 2, 3, 4] {
                let shape = Type::Tensor(Some(vec![count]), Box::new(ty.clone()), None);
                all.push(Attr::new(Kind::Dense(shape.clone()), format!("dense<1> : {shape}")));
            }
        }
        for ty in widths.iter().chain([&Type::int(1)]) {
            for count in [1, 2, 3, 4] {
                all.push(Attr::dense_array(ty, vec![1; count]));
            }
            all.push(Attr::dense_array(ty, Vec::new()));
        }
        for ty in ["f32", "f64"] {
            all.push(Attr::dense_array(&Type::Float(ty), vec![1, 1]));
            let shape = Type::Tensor(Some(vec![4]), Box::new(Type::Float(ty)), None);
            all.push(Attr::new(Kind::Dense(shape.clone()), format!("dense<1.0> : {shape}")));
        }
        let elements: Vec<Attr> =
            all.iter().filter(|it| !matches!(it.kind, Kind::DenseArray(..))).cloned().collect();
        let mut arrays: Vec<Attr> = elements.into_iter().map(|element| Attr::array(vec![element])).collect();
        all.append(&mut arrays);
        all.push(Attr::array(Vec::new()));
        all.into_iter().map(Value::Attr).collect()
    })
}

/// Attributes that are not in the table and that the numbers in a condition suggest.
#[must_use]
pub fn named_in(condition: &str) -> Vec<Attr> {
    let mut all = Vec::new();
    let mut values = Vec::new();
    for word in ["getInt() == ", "getInt() >= ", "getInt() <= "] {
        values.extend(numbers_after(condition, word));
    }
    if let Some(tail) = condition.split("is_contained({").nth(1) {
        let list = tail.split('}').next().unwrap_or_default();
        values.extend(list.split(',').filter_map(|value| value.trim().parse::<i64>().ok()));
    }
    values.truncate(8);
    let widths = numbers_after(condition, "isSignlessInteger(");
    let widths: Vec<Type> =
        widths.into_iter().filter_map(|it| u32::try_from(it).ok()).map(Type::int).collect();
    for ty in widths.iter().chain([&Type::int(64), &Type::int(32), &Type::Index]) {
        all.extend(values.iter().map(|value| Attr::integer(*value, ty)));
    }
    all.extend(widths.iter().flat_map(|ty| [Attr::integer(1, ty), Attr::integer(0, ty)]));
    for count in numbers_after(condition, "size() == ").into_iter().filter(|count| (5..=32).contains(count)) {
        let count = usize::try_from(count).unwrap_or(0);
        all.extend([64, 32, 8].map(|width| Attr::dense_array(&Type::int(width), vec![1; count])));
        all.push(Attr::array(vec![Attr::integer(1, &Type::int(64)); count]));
    }
    for count in numbers_after(condition, "size() == ").into_iter().filter(|count| (2..=4).contains(count)) {
        let count = usize::try_from(count).unwrap_or(0);
        for ty in [Type::int(64), Type::int(32), Type::Index] {
            all.push(Attr::array(vec![Attr::integer(1, &ty); count]));
        }
        all.push(Attr::array(vec![Attr::new(Kind::Bool(true), "true"); count]));
        all.push(Attr::array(vec![
            Attr::new(Kind::AffineMap(MapShape::LINE), "affine_map<(d0) -> (d0)>");
            count
        ]));
    }
    all
}
