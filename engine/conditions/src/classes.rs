//! The result of `isa<Class>`: builtin classes by the kind of the type, the dialects' own by their definitions.

use std::collections::BTreeSet;

use odsmith_ods::{AttrOrTypeDef, DefKind, Definition, Dialect, Trait, cpp_name};
use odsmith_tablegen::record::Records;
use rustc_hash::FxHashMap;

use super::{
    attrs::{Attr, Kind},
    functions, samples,
    types::{FLOATS, Sign, Type},
};

/// A dialect's type or attribute.
#[derive(Clone, Debug)]
struct Def {
    /// An example, if one can be written.
    sample: Option<String>,
    /// The class that the C++ class derives from, if the author chose one.
    base: Option<String>,
    /// C++ names of traits and interfaces that it declares.
    traits: BTreeSet<String>,
}

/// Types, attributes and interfaces by their C++ class.
#[derive(Debug, Default)]
pub struct Classes {
    types: FxHashMap<String, Def>,
    attrs: FxHashMap<String, Def>,
    interfaces: BTreeSet<String>,
}

impl Classes {
    /// Collects the definitions of these records.
    #[must_use]
    pub fn new(all: &[&Records]) -> Self {
        let mut classes = Classes::default();
        for records in all {
            for interface in records.derived("Interface").map(Definition::new) {
                let name = qualify(interface.cpp_namespace(), interface.cpp_class_name());
                classes.interfaces.insert(name);
            }
            for kind in DefKind::ALL {
                for rec in records.derived(kind.class()) {
                    let known = match kind {
                        DefKind::Type => &mut classes.types,
                        DefKind::Attribute => &mut classes.attrs,
                    };
                    let definition = Definition::new(rec);
                    let namespace = definition.dialect().map(Dialect::cpp_namespace).unwrap_or_default();
                    let name = qualify(namespace, definition.cpp_class_name());
                    // Every root that includes a dialect has its types again.
                    if known.contains_key(&name) {
                        continue;
                    }
                    let Ok(def) = AttrOrTypeDef::new(rec, kind) else { continue };
                    known.insert(
                        name,
                        Def {
                            sample: samples::sample(&def),
                            base: Some(qualify("", def.cpp_base_class_name()))
                                .filter(|base| !base.ends_with("TypeBase") && !base.ends_with("AttrBase")),
                            traits: Trait::closed(def.traits().iter().copied())
                                .into_iter()
                                .map(trait_class)
                                .collect(),
                        },
                    );
                }
            }
        }
        classes
    }

    /// An example of the type of this C++ class.
    #[must_use]
    pub fn type_of(&self, class: &str) -> Option<Type> {
        let class = class.trim_start_matches("::");
        let text = self.types.get(class)?.sample.clone()?;
        Some(Type::def(class, text))
    }

    /// An example of the attribute of this C++ class.
    #[must_use]
    pub fn attr_of(&self, class: &str) -> Option<Attr> {
        let class = class.trim_start_matches("::");
        Some(Attr::def(class, self.attrs.get(class)?.sample.clone()?))
    }

    /// Examples of the dialects' types that a condition names, directly or by an interface.
    #[must_use]
    pub fn types_named_in(&self, condition: &str) -> Vec<Type> {
        let mut found = Vec::new();
        for name in template_arguments(condition) {
            if self.types.contains_key(name) {
                found.extend(self.type_of(name));
                if name == functions::POINTER {
                    found.extend(functions::pointers_named_in(condition));
                }
            } else if self.interfaces.contains(name) {
                found
                    .extend(declaring(&self.types, name).into_iter().filter_map(|class| self.type_of(class)));
            }
        }
        found.dedup();
        found
    }

    /// Examples of the dialects' attributes that a condition names, directly or by an interface.
    #[must_use]
    pub fn attrs_named_in(&self, condition: &str) -> Vec<Attr> {
        let mut found = Vec::new();
        for name in template_arguments(condition) {
            if self.attrs.contains_key(name) {
                found.extend(self.attr_of(name));
            } else if self.interfaces.contains(name) {
                found
                    .extend(declaring(&self.attrs, name).into_iter().filter_map(|class| self.attr_of(class)));
            }
        }
        found
    }

    /// Tests `isa<class>` of a type; `None` if the answer is unknown.
    #[must_use]
    pub fn is_type(&self, ty: &Type, class: &str) -> Option<bool> {
        let class = class.trim_start_matches("::");
        if let Some(known) = builtin(ty, class) {
            return known;
        }
        match ty {
            Type::Def { class: own, .. } if own == class => Some(true),
            Type::Def { class: own, .. } if DIALECTS_OWN.contains(&&**own) => {
                let is_other = self.types.contains_key(class) || DIALECTS_OWN.contains(&class);
                (is_other || unqualified(class) == "FloatType").then_some(false)
            }
            Type::Def { class: own, .. } => is_def(&self.types, own, class),
            _ if self.types.contains_key(class) || DIALECTS_OWN.contains(&class) => Some(false),
            _ => None,
        }
    }

    /// Tests `isa<class>` of an attribute; `None` if the answer is unknown.
    #[must_use]
    pub fn is_attr(&self, attr: &Attr, class: &str) -> Option<bool> {
        let class = class.trim_start_matches("::");
        if let Some(known) = builtin_attr(&attr.kind, class) {
            return Some(known);
        }
        match &attr.kind {
            Kind::Def(own) => is_def(&self.attrs, own, class),
            _ if self.attrs.contains_key(class) => Some(false),
            _ => None,
        }
    }
}

/// Classes of types that have no definition, and that no other type is of.
const DIALECTS_OWN: &[&str] = &[
    "mlir::quant::QuantizedType",
    "mlir::spirv::ArrayType",
    "mlir::spirv::CooperativeMatrixType",
    "mlir::spirv::ImageType",
    "mlir::spirv::MatrixType",
    "mlir::spirv::PointerType",
    "mlir::spirv::RuntimeArrayType",
    "mlir::spirv::SampledImageType",
    "mlir::spirv::StructType",
    "mlir::spirv::TensorArmType",
];

/// The classes that declare an interface, sorted.
fn declaring<'c>(known: &'c FxHashMap<String, Def>, interface: &str) -> Vec<&'c str> {
    let declaring = known.iter().filter(|(_, def)| def.traits.contains(interface));
    let mut classes: Vec<&str> = declaring.map(|(class, _)| class.as_str()).collect();
    classes.sort_unstable();
    classes
}

fn is_def(known: &FxHashMap<String, Def>, own: &str, class: &str) -> Option<bool> {
    if own == class {
        return Some(true);
    }
    let def = known.get(own)?;
    if def.base.as_deref() == Some(class) || def.traits.contains(class) {
        return Some(true);
    }
    // An interface can be attached elsewhere, and a base class can have other derived classes.
    if known.contains_key(class) { Some(false) } else { None }
}

/// The C++ class of a trait or interface, without `::Trait`.
fn trait_class(t: Trait<'_>) -> String {
    let name = t.trait_name();
    qualify(t.cpp_namespace(), name.strip_suffix("::Trait").unwrap_or(name))
}

/// Names between angle brackets, without leading colons.
fn template_arguments(condition: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for tail in condition.split('<').skip(1) {
        let list = tail.split('>').next().unwrap_or_default();
        found.extend(list.split(',').map(|name| name.trim().trim_start_matches("::")));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Tests `isa<class>` of a type for a builtin class. `None`: it is not builtin; `Some(None)`: the answer is unknown.
#[expect(clippy::option_option, reason = "not a builtin class, or one that a dialect's type may share")]
fn builtin(ty: &Type, class: &str) -> Option<Option<bool>> {
    let name = class.strip_prefix("mlir::").unwrap_or(class);
    let is_def = matches!(ty, Type::Def { .. });
    let (ranked, vector, tensor, memref) = match ty {
        Type::Vector(..) => (true, true, false, false),
        Type::Tensor(shape, ..) => (shape.is_some(), false, true, false),
        Type::MemRef(shape, ..) => (shape.is_some(), false, false, true),
        _ => (false, false, false, false),
    };
    let known = match name {
        "Type" => true,
        "IntegerType" => matches!(ty, Type::Integer(..)),
        "IndexType" => *ty == Type::Index,
        "NoneType" => *ty == Type::None,
        "FloatType" if is_def => return None,
        "FloatType" => matches!(ty, Type::Float(_)),
        "ComplexType" => matches!(ty, Type::Complex(_)),
        "TupleType" => matches!(ty, Type::Tuple(_)),
        "FunctionType" => matches!(ty, Type::Function(..)),
        "VectorType" => vector,
        "FixedVectorType" => matches!(ty, Type::Vector(_, 0, _)),
        "ScalableVectorType" => matches!(ty, Type::Vector(_, 1.., _)),
        "TensorType" => tensor,
        "RankedTensorType" => tensor && ranked,
        "UnrankedTensorType" => tensor && !ranked,
        "BaseMemRefType" => memref,
        "MemRefType" => memref && ranked,
        "UnrankedMemRefType" => memref && !ranked,
        // Interfaces: a dialect's type may have them.
        "ShapedType" if is_def => return Some(None),
        "ShapedType" => vector || tensor || memref,
        "PtrLikeTypeInterface" | "bufferization::BufferLikeType" if !is_def => memref,
        "bufferization::TensorLikeType" if !is_def => tensor,
        "LLVM::PointerElementTypeInterface" if !is_def => return Some(None),
        _ => {
            let (float, _) = FLOATS.iter().find(|(_, class)| *class == name)?;
            *ty == Type::Float(float)
        }
    };
    Some(Some(known))
}

fn builtin_attr(kind: &Kind, class: &str) -> Option<bool> {
    let name = class.strip_prefix("mlir::").unwrap_or(class);
    let is_array_of = |wanted: &Type| matches!(kind, Kind::DenseArray(element, _) if element == wanted);
    Some(match name {
        "Attribute" => true,
        "BoolAttr" => matches!(kind, Kind::Bool(_)),
        "IntegerAttr" => matches!(kind, Kind::Integer(..) | Kind::Bool(_)),
        "FloatAttr" => matches!(kind, Kind::Float(_)),
        "StringAttr" => matches!(kind, Kind::String(_)),
        "UnitAttr" => *kind == Kind::Unit,
        "ArrayAttr" => matches!(kind, Kind::Array(_)),
        "TypeAttr" => matches!(kind, Kind::Type(_)),
        "SymbolRefAttr" | "FlatSymbolRefAttr" => *kind == Kind::Symbol,
        "DictionaryAttr" => *kind == Kind::Dictionary,
        "AffineMapAttr" => matches!(kind, Kind::AffineMap(_)),
        "IntegerSetAttr" => *kind == Kind::IntegerSet,
        "StridedLayoutAttr" => matches!(kind, Kind::Strided(_)),
        "MemRefLayoutAttrInterface" if !matches!(kind, Kind::Def(_)) => {
            matches!(kind, Kind::Strided(_) | Kind::AffineMap(_))
        }
        "DenseArrayAttr" => matches!(kind, Kind::DenseArray(..)),
        "DenseBoolArrayAttr" => is_array_of(&Type::int(1)),
        "DenseI8ArrayAttr" => is_array_of(&Type::int(8)),
        "DenseI16ArrayAttr" => is_array_of(&Type::int(16)),
        "DenseI32ArrayAttr" => is_array_of(&Type::int(32)),
        "DenseI64ArrayAttr" => is_array_of(&Type::int(64)),
        "DenseF32ArrayAttr" => is_array_of(&Type::Float("f32")),
        "DenseF64ArrayAttr" => is_array_of(&Type::Float("f64")),
        "ElementsAttr" | "DenseElementsAttr" | "DenseTypedElementsAttr" | "DenseIntOrFPElementsAttr" => {
            matches!(kind, Kind::Dense(_)) || (name == "ElementsAttr" && matches!(kind, Kind::DenseArray(..)))
        }
        "DenseIntElementsAttr" => {
            matches!(kind, Kind::Dense(ty) if matches!(ty.element(), Some(Type::Integer(..) | Type::Index)))
        }
        "DenseFPElementsAttr" => {
            matches!(kind, Kind::Dense(ty) if matches!(ty.element(), Some(Type::Float(_))))
        }
        // A dialect's attribute may have the interface.
        "TypedAttr" if matches!(kind, Kind::Def(_)) => return None,
        "TypedAttr" => matches!(
            kind,
            Kind::Integer(..) | Kind::Bool(_) | Kind::Float(_) | Kind::Dense(_) | Kind::String(_)
        ),
        _ => return None,
    })
}

/// The sign of an integer type, for `isSignless()` and its like.
pub(super) fn sign(ty: &Type) -> Option<Sign> {
    match ty {
        Type::Integer(_, sign) => Some(*sign),
        _ => None,
    }
}

/// The text after the last `::`.
#[must_use]
pub fn unqualified(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// Joins `::mlir::arith` and `CmpIOp` to `mlir::arith::CmpIOp`.
#[must_use]
pub fn qualify(namespace: &str, name: &str) -> String {
    cpp_name::qualified(namespace.trim_start_matches("::"), name)
}

/// The whole names that a C++ name may have inside the namespace `from`, in the order in which they are looked up. One that
/// begins with `::` is whole. Generated code sees the names of `mlir` too.
#[must_use]
pub fn lookups(from: &str, name: &str) -> Vec<String> {
    let bare = name.trim_start_matches("::");
    let mut scope = if bare == name { from.trim_start_matches("::") } else { "" };
    let mut found = Vec::new();
    while !scope.is_empty() {
        found.push(format!("{scope}::{bare}"));
        scope = scope.rsplit_once("::").map_or("", |(outer, _)| outer);
    }
    found.push(bare.to_owned());
    found.push(format!("mlir::{bare}"));
    found
}
