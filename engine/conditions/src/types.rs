//! Types as conditions see them, and the table of candidates.

use std::{borrow::Cow, fmt, sync::OnceLock};

/// The signedness of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// `i32`.
    Signless,
    /// `si32`.
    Signed,
    /// `ui32`.
    Unsigned,
}

/// A dimension that is only known at run time.
pub const DYNAMIC: i64 = i64::MIN;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// `i32`, `si8`, `ui64`.
    Integer(u32, Sign),
    /// `index`.
    Index,
    /// `f32`, `bf16`, `f8E4M3FN`, by its spelling.
    Float(&'static str),
    /// `none`.
    None,
    /// `complex<f32>`.
    Complex(Box<Type>),
    /// `tuple<i32, f32>`.
    Tuple(Vec<Type>),
    /// `(i32) -> f32`.
    Function(Vec<Type>, Vec<Type>),
    /// `vector<2x[4]xf32>`: the shape, a bit for each scalable dimension (the lowest is the first one), and the element
    /// type.
    Vector(Vec<i64>, u64, Box<Type>),
    /// `tensor<4x?xf32>`, `tensor<*xf32>`; the encoding, if there is one, as it is written.
    Tensor(Option<Vec<i64>>, Box<Type>, Option<String>),
    /// `memref<4xf32, strided<[2]>, 3>`, `memref<*xf32>`; the layout and the memory space, if there are any, as they are
    /// written.
    MemRef(Option<Vec<i64>>, Box<Type>, Option<String>, Option<String>),
    /// A dialect's own type.
    Def {
        /// The C++ class with its namespace: `mlir::async::TokenType`.
        class: String,
        /// The spelling: `!async.token`.
        text: String,
        /// The parameters that are known by name; there may be others.
        parameters: Parameters,
    },
}

/// The parameters of a dialect's type by their names.
pub type Parameters = Vec<(Box<str>, Parameter)>;

/// A parameter of a dialect's type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Parameter {
    /// A type.
    Type(Type),
    /// A number.
    Number(i64),
    /// A case of an enum, by its C++ name.
    Case(Box<str>),
}

impl Parameter {
    /// Tests if two parameters are the same. `None` if that is unknown.
    fn same(&self, other: &Parameter) -> Option<bool> {
        match (self, other) {
            (Parameter::Type(one), Parameter::Type(other)) => one.same(other),
            (Parameter::Number(one), Parameter::Number(other)) => Some(one == other),
            (Parameter::Case(one), Parameter::Case(other)) => Some(one == other),
            _ => None,
        }
    }
}

impl Type {
    /// A dialect's own type of which no parameter is known.
    #[must_use]
    pub fn def(class: impl Into<String>, text: impl Into<String>) -> Self {
        Type::Def { class: class.into(), text: text.into(), parameters: Parameters::new() }
    }

    /// A signless integer.
    #[must_use]
    pub fn int(width: u32) -> Self {
        Type::Integer(width, Sign::Signless)
    }

    /// The name of its family: `tensor` for all tensors, `!d.t` whatever its parameters are; `i32` is its own.
    #[must_use]
    pub fn family(&self) -> String {
        match self {
            Type::Integer(..) | Type::Index | Type::Float(_) | Type::None => self.to_string(),
            Type::Complex(_) => "complex".to_owned(),
            Type::Tuple(_) => "tuple".to_owned(),
            Type::Function(..) => "function".to_owned(),
            Type::Vector(..) => "vector".to_owned(),
            Type::Tensor(..) => "tensor".to_owned(),
            Type::MemRef(..) => "memref".to_owned(),
            Type::Def { text, .. } => text.split(['<', ' ']).next().unwrap_or_default().to_owned(),
        }
    }

    /// The C++ class of the type, with its namespace.
    #[must_use]
    pub fn class(&self) -> Cow<'_, str> {
        let class: &str = match self {
            Type::Integer(..) => "mlir::IntegerType",
            Type::Index => "mlir::IndexType",
            Type::Float("bf16") => "mlir::BFloat16Type",
            Type::Float("tf32") => "mlir::FloatTF32Type",
            Type::Float(name) => {
                return Cow::Owned(format!("mlir::Float{}Type", name.trim_start_matches('f')));
            }
            Type::None => "mlir::NoneType",
            Type::Complex(_) => "mlir::ComplexType",
            Type::Tuple(_) => "mlir::TupleType",
            Type::Function(..) => "mlir::FunctionType",
            Type::Vector(..) => "mlir::VectorType",
            Type::Tensor(None, ..) => "mlir::UnrankedTensorType",
            Type::Tensor(..) => "mlir::RankedTensorType",
            Type::MemRef(None, ..) => "mlir::UnrankedMemRefType",
            Type::MemRef(..) => "mlir::MemRefType",
            Type::Def { class, .. } => class,
        };
        Cow::Borrowed(class)
    }

    /// The number of bits of an integer or float.
    #[must_use]
    pub fn width(&self) -> Option<i64> {
        match self {
            Type::Integer(width, _) => Some(i64::from(*width)),
            Type::Float(name) => {
                let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
                let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
                digits.get(..end)?.parse().ok().map(|width| if *name == "tf32" { 19 } else { width })
            }
            _ => None,
        }
    }

    /// The element type of a vector, tensor, memref or complex number.
    #[must_use]
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::Vector(_, _, element)
            | Type::Tensor(_, element, _)
            | Type::MemRef(_, element, ..)
            | Type::Complex(element) => Some(element),
            _ => None,
        }
    }

    /// The shape of a vector, tensor or memref; `Some(None)` if it is unranked.
    #[must_use]
    pub fn shape(&self) -> Option<Option<&[i64]>> {
        match self {
            Type::Vector(shape, ..) => Some(Some(shape)),
            Type::Tensor(shape, ..) | Type::MemRef(shape, ..) => Some(shape.as_deref()),
            _ => None,
        }
    }

    /// The same container with another element type; if the type is no container, the element type.
    #[must_use]
    pub fn with_element(&self, element: Type) -> Type {
        match self {
            Type::Vector(shape, scalable, _) => Type::Vector(shape.clone(), *scalable, Box::new(element)),
            Type::Tensor(shape, _, encoding) => {
                Type::Tensor(shape.clone(), Box::new(element), encoding.clone())
            }
            Type::MemRef(shape, _, layout, space) => {
                Type::MemRef(shape.clone(), Box::new(element), layout.clone(), space.clone())
            }
            _ => element,
        }
    }
}

/// Returns true if a dimension of a vector is scalable.
#[must_use]
pub fn is_scalable(bits: u64, dimension: usize) -> bool {
    dimension < 64 && bits >> dimension & 1 == 1
}

/// The conjunction of two answers.
fn both(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// Compares parameters as they are written: two spellings can mean the same.
fn same_text(one: Option<&str>, other: Option<&str>) -> Option<bool> {
    (one == other).then_some(true)
}

impl Type {
    /// Tests if two types are the same. `None` if that is unknown: parameters with two spellings may be equal.
    #[must_use]
    pub fn same(&self, other: &Type) -> Option<bool> {
        let all = |ones: &[Type], others: &[Type]| {
            let pairs = ones.iter().zip(others).map(|(one, other)| one.same(other));
            pairs.fold(Some(ones.len() == others.len()), both)
        };
        match (self, other) {
            (Type::Complex(one), Type::Complex(other)) => one.same(other),
            (Type::Tuple(ones), Type::Tuple(others)) => all(ones, others),
            (Type::Function(inputs, results), Type::Function(other_inputs, other_results)) => {
                both(all(inputs, other_inputs), all(results, other_results))
            }
            (Type::Vector(shape, scalable, element), Type::Vector(other_shape, other_scalable, other)) => {
                both(Some(shape == other_shape && scalable == other_scalable), element.same(other))
            }
            (Type::Tensor(shape, element, encoding), Type::Tensor(other_shape, other, other_encoding)) => {
                let parts = both(Some(shape == other_shape), element.same(other));
                let encodings = match (encoding, other_encoding) {
                    (None, Some(_)) | (Some(_), None) => Some(false),
                    (one, other) => same_text(one.as_deref(), other.as_deref()),
                };
                both(parts, encodings)
            }
            (
                Type::MemRef(shape, element, layout, space),
                Type::MemRef(other_shape, other, other_layout, other_space),
            ) => {
                let parts = both(Some(shape == other_shape), element.same(other));
                let parts = both(parts, same_text(layout.as_deref(), other_layout.as_deref()));
                both(parts, same_text(space.as_deref(), other_space.as_deref()))
            }
            (
                Type::Def { class, text, parameters },
                Type::Def { class: other_class, text: other_text, parameters: others },
            ) => {
                if text == other_text {
                    return Some(true);
                }
                let is_known = !class.is_empty() && !other_class.is_empty();
                let is_plain = |text: &str| !text.contains(['<', ' ']);
                let has_other = |(name, value): &(Box<str>, Parameter)| {
                    let other = others.iter().find(|(own, _)| own == name);
                    other.is_some_and(|(_, other)| value.same(other) == Some(false))
                };
                let differ = is_known
                    && (class != other_class
                        || is_plain(text) && is_plain(other_text)
                        || parameters.iter().any(has_other));
                differ.then_some(false)
            }
            _ => Some(self == other),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Integer(width, sign) => {
                let prefix = match sign {
                    Sign::Signless => "i",
                    Sign::Signed => "si",
                    Sign::Unsigned => "ui",
                };
                write!(f, "{prefix}{width}")
            }
            Type::Index => f.write_str("index"),
            Type::Float(name) => f.write_str(name),
            Type::None => f.write_str("none"),
            Type::Complex(element) => write!(f, "complex<{element}>"),
            Type::Tuple(elements) => write!(f, "tuple<{}>", list(elements)),
            Type::Function(inputs, results) => match &results[..] {
                [Type::Function(..)] => write!(f, "({}) -> ({})", list(inputs), list(results)),
                [result] => write!(f, "({}) -> {result}", list(inputs)),
                results => write!(f, "({}) -> ({})", list(inputs), list(results)),
            },
            Type::Vector(shape, scalable, element) => {
                f.write_str("vector<")?;
                for (index, dim) in shape.iter().enumerate() {
                    if is_scalable(*scalable, index) {
                        write!(f, "[{dim}]x")?;
                    } else {
                        write!(f, "{dim}x")?;
                    }
                }
                write!(f, "{element}>")
            }
            Type::Tensor(shape, element, encoding) => {
                write!(f, "tensor<{}{element}", dims(shape.as_deref()))?;
                if let Some(encoding) = encoding {
                    write!(f, ", {encoding}")?;
                }
                f.write_str(">")
            }
            Type::MemRef(shape, element, layout, space) => {
                write!(f, "memref<{}{element}", dims(shape.as_deref()))?;
                for parameter in [layout, space].into_iter().flatten() {
                    write!(f, ", {parameter}")?;
                }
                f.write_str(">")
            }
            Type::Def { text, .. } => f.write_str(text),
        }
    }
}

/// The list `i32, f32`.
#[must_use]
pub fn list(types: &[Type]) -> String {
    types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn dims(shape: Option<&[i64]>) -> String {
    let Some(shape) = shape else { return "*x".to_owned() };
    let dim = |dim: &i64| if *dim == DYNAMIC { "?x".to_owned() } else { format!("{dim}x") };
    shape.iter().map(dim).collect()
}

/// The float types: spelling and C++ class.
pub const FLOATS: &[(&str, &str)] = &[
    ("f16", "Float16Type"),
    ("bf16", "BFloat16Type"),
    ("f32", "Float32Type"),
    ("f64", "Float64Type"),
    ("f80", "Float80Type"),
    ("f128", "Float128Type"),
    ("tf32", "FloatTF32Type"),
    ("f8E5M2", "Float8E5M2Type"),
    ("f8E4M3", "Float8E4M3Type"),
    ("f8E4M3FN", "Float8E4M3FNType"),
    ("f8E5M2FNUZ", "Float8E5M2FNUZType"),
    ("f8E4M3FNUZ", "Float8E4M3FNUZType"),
    ("f8E4M3B11FNUZ", "Float8E4M3B11FNUZType"),
    ("f8E3M4", "Float8E3M4Type"),
    ("f8E8M0FNU", "Float8E8M0FNUType"),
    ("f4E2M1FN", "Float4E2M1FNType"),
    ("f6E2M3FN", "Float6E2M3FNType"),
    ("f6E3M2FN", "Float6E3M2FNType"),
];

/// The candidates, the most usual first.
pub fn table() -> &'static [Type] {
    static TABLE: OnceLock<Vec<Type>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let boxed = |ty: &Type| Box::new(ty.clone());
        let mut all = vec![Type::int(32), Type::Float("f32"), Type::Index];
        all.extend([1, 8, 16, 64, 128].map(Type::int));
        all.extend(FLOATS.iter().filter(|(name, _)| *name != "f32").map(|(name, _)| Type::Float(name)));
        all.extend([8, 16, 32, 64].map(|width| Type::Integer(width, Sign::Signed)));
        all.extend([8, 16, 32, 64].map(|width| Type::Integer(width, Sign::Unsigned)));
        let (f32, i32) = (Type::Float("f32"), Type::int(32));
        let elements = [&f32, &i32, &Type::int(1), &Type::Index, &Type::Float("f16")];
        for element in elements {
            all.push(Type::Vector(vec![4], 0, boxed(element)));
        }
        all.push(Type::Vector(vec![2, 2], 0, boxed(&f32)));
        all.push(Type::Vector(vec![4], 1, boxed(&f32)));
        all.push(Type::Vector(vec![], 0, boxed(&f32)));
        for element in elements {
            all.push(Type::Tensor(Some(vec![4]), boxed(element), None));
        }
        all.push(Type::Tensor(Some(vec![DYNAMIC]), boxed(&f32), None));
        all.push(Type::Tensor(Some(vec![2, 2]), boxed(&f32), None));
        all.push(Type::Tensor(Some(vec![]), boxed(&f32), None));
        all.push(Type::Tensor(None, boxed(&f32), None));
        for element in elements {
            all.push(Type::MemRef(Some(vec![4]), boxed(element), None, None));
        }
        all.push(Type::MemRef(Some(vec![DYNAMIC]), boxed(&f32), None, None));
        all.push(Type::MemRef(Some(vec![2, 2]), boxed(&f32), None, None));
        all.push(Type::MemRef(Some(vec![]), boxed(&f32), None, None));
        all.push(Type::MemRef(None, boxed(&f32), None, None));
        all.push(Type::Complex(boxed(&f32)));
        all.push(Type::Complex(Box::new(Type::Float("f64"))));
        all.push(Type::Tuple(vec![i32.clone(), f32.clone()]));
        all.push(Type::Function(vec![i32], vec![f32]));
        all.push(Type::None);
        all
    })
}

/// The integers that follow `word` in a text.
pub(super) fn numbers_after(text: &str, word: &str) -> Vec<i64> {
    let tails = text.split(word).skip(1);
    let mut found: Vec<i64> = tails
        .filter_map(|tail| {
            let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
            tail.get(..end)?.parse().ok()
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Types that are not in the table and that the shapes and widths in a condition suggest.
#[must_use]
pub fn named_in(condition: &str) -> Vec<Type> {
    /// A condition can mention many shapes and widths; a few of each are enough for an example.
    const MOST: usize = 10;
    let condition = &condition.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut elements: Vec<Type> = Vec::new();
    let widths = |word: &str, sign: Sign| -> Vec<Type> {
        let plausible = numbers_after(condition, word).into_iter().filter(|width| (1..=256).contains(width));
        plausible
            .filter_map(|width| u32::try_from(width).ok())
            .map(|width| Type::Integer(width, sign))
            .collect()
    };
    elements.extend(widths("isSignlessInteger(", Sign::Signless));
    elements.extend(widths("isInteger(", Sign::Signless));
    elements.extend(widths("isSignedInteger(", Sign::Signed));
    elements.extend(widths("isUnsignedInteger(", Sign::Unsigned));
    for (word, name) in [("isF16()", "f16"), ("isF32()", "f32"), ("isF64()", "f64"), ("BFloat16Type", "bf16")]
    {
        if condition.contains(word) {
            elements.push(Type::Float(name));
        }
    }
    for (name, class) in FLOATS {
        if *name != "bf16" && condition.contains(&format!("::{class}>")) {
            elements.push(Type::Float(name));
        }
    }
    let mut all = elements.clone();
    all.extend(
        elements
            .iter()
            .filter(|_| condition.contains("ComplexType"))
            .map(|it| Type::Complex(Box::new(it.clone()))),
    );
    elements.truncate(MOST);
    elements.extend([Type::Float("f32"), Type::int(32), Type::int(1), Type::Index]);
    let mut shapes: Vec<Vec<i64>> = Vec::new();
    for tail in condition.split("ArrayRef<int64_t>({").skip(1) {
        let shape = tail.split('}').next().unwrap_or_default();
        shapes.extend(shape.split(',').map(|dim| dim.trim().parse().ok()).collect::<Option<Vec<i64>>>());
    }
    for word in ["getNumElements() == ", "getNumElements() <= ", "getNumElements() >= "] {
        shapes.extend(numbers_after(condition, word).into_iter().map(|count| vec![count]));
    }
    for word in ["getRank() == ", "getRank() >= "] {
        let ranks = numbers_after(condition, word).into_iter().filter(|rank| (0..=8).contains(rank));
        shapes.extend(ranks.map(|rank| vec![4; usize::try_from(rank).unwrap_or(0)]));
    }
    if condition.contains("v == 1") {
        shapes.push(vec![1]);
    }
    shapes.truncate(MOST);
    shapes.extend([vec![4], vec![4, 4]]);
    let is_shaped = condition.contains("ShapedType");
    let takes = |class: &str| condition.contains(class);
    let (vectors, memrefs) = (takes("VectorType"), takes("MemRefType"));
    let tensors = takes("TensorType") || (is_shaped && !vectors && !memrefs);
    let last = |rank: usize| rank.checked_sub(1).map_or(0, |last| 1 << last.min(63));
    for shape in &shapes {
        for element in &elements {
            let boxed = || Box::new(element.clone());
            if vectors {
                all.push(Type::Vector(shape.clone(), 0, boxed()));
                if condition.contains("calable") {
                    all.push(Type::Vector(shape.clone(), last(shape.len()), boxed()));
                }
            }
            if tensors {
                all.push(Type::Tensor(Some(shape.clone()), boxed(), None));
            }
            if memrefs {
                all.push(Type::MemRef(Some(shape.clone()), boxed(), None, None));
            }
        }
    }
    all
}
