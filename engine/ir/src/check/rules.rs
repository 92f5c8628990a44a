//! The rules of operations, collected from their definitions.

use std::sync::Arc;

use odsmith_conditions::{
    Condition, Judge, Type,
    classes::{lookups, qualify},
    types::Sign,
};
use odsmith_ods::{
    Model, Operation, Trait, TypeConstraint,
    format::{Element, OpFormat, TypeOf, TypeSource, Variable, VariableKind},
};
use odsmith_tablegen::record::Records;
use rustc_hash::FxHashMap;

use crate::definitions::Definitions;

/// The rules of all operations, by the number of the operation.
#[derive(Debug, Default)]
pub(super) struct Rules {
    all: Vec<Option<Box<OperationRules>>>,
}

/// The rules of an operation.
#[derive(Debug, Default)]
pub(super) struct OperationRules {
    pub operands: Vec<ValueRule>,
    pub results: Vec<ValueRule>,
    pub attributes: Vec<AttributeRule>,
    pub properties: Vec<PropertyRule>,
    pub predicates: Vec<PredicateRule>,
    pub regions: Vec<RegionRule>,
    /// The number of successors, and whether there may be more.
    pub successors: (usize, bool),
    /// The sources of the types of operands and results in the custom form; empty without a declared format.
    pub operand_types: Vec<Source>,
    pub result_types: Vec<Source>,
    /// The parts of `functional-type(…, …)`.
    pub functional_type: Option<(Typed, Typed)>,
    /// The parts of types that are given all at once.
    pub has_format: bool,
    /// Names of the attributes that the format reads or derives.
    pub in_format: Vec<String>,
    /// Operands that custom directives read.
    pub in_custom: Vec<usize>,
    /// The operations that it may be directly inside of; nothing if it may be anywhere or that is not known.
    pub parents: Vec<String>,
    pub traits: Vec<Box<str>>,
}

/// The values that a list of types belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Operands,
    Results,
    Operand(usize),
    Result(usize),
}

/// The number of values of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    One,
    Optional,
    Many,
}

/// An operand or result.
#[derive(Debug)]
pub(super) struct ValueRule {
    pub name: String,
    pub count: Count,
    pub condition: Option<Arc<Condition>>,
    pub summary: String,
}

/// An attribute.
#[derive(Debug)]
pub(super) struct AttributeRule {
    pub name: String,
    pub is_required: bool,
    pub condition: Option<Arc<Condition>>,
    pub summary: String,
    /// The type of its value, if it has only one.
    pub ty: Option<Type>,
    /// True if it is stored as a text.
    pub is_text: bool,
    /// True if the written text can be read without knowing its class.
    pub is_plain: bool,
}

/// A property with a condition.
#[derive(Debug)]
pub(super) struct PropertyRule {
    pub name: String,
    pub condition: Arc<Condition>,
    pub summary: String,
    /// The C++ type that stores it.
    pub storage: String,
}

/// A condition on several parts.
#[derive(Debug)]
pub(super) struct PredicateRule {
    pub condition: Arc<Condition>,
    pub summary: String,
}

/// A region.
#[derive(Debug)]
pub(super) struct RegionRule {
    pub name: String,
    pub is_variadic: bool,
    pub summary: String,
    /// The number of blocks, if it is fixed.
    pub blocks: Option<usize>,
}

/// The source of a type in the custom form.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// The text.
    Format,
    /// It is always this one.
    Only(Type),
    /// The type of another part, converted by a condition.
    Of(Typed, Option<Arc<Condition>>),
    /// The type of an attribute, converted by a condition.
    OfAttribute(String, Option<Arc<Condition>>),
    /// Not known.
    Unknown,
}

impl Rules {
    /// Collects the rules of all operations of these roots. The first definition of a name counts.
    pub(super) fn new(roots: &[&Records], definitions: &Definitions, judge: &Judge) -> Rules {
        let mut rules = Rules::default();
        rules.all.resize_with(definitions.operations().len(), || None);
        let mut classes: FxHashMap<String, String> = FxHashMap::default();
        let mut parents: Vec<(usize, String, Vec<String>)> = Vec::new();
        for records in roots {
            let model = Model::new(records);
            for rec in model.operation_records() {
                let Ok(name) = Operation::name_of(rec) else { continue };
                let Some(index) = definitions.operation(&name).map(|index| index as usize) else { continue };
                if rules.all.get(index).is_none_or(Option::is_some) {
                    continue;
                }
                let Some(op) = Operation::lenient(rec) else { continue };
                let namespace = op.cpp_namespace().to_owned();
                classes.insert(qualify(&namespace, op.cpp_class_name()), name);
                let traits = Trait::closed(op.traits().iter().copied());
                let named =
                    traits.iter().find_map(|it| it.parameters("HasParent")).map(|it| it.map(str::to_owned));
                if let Some(named) = named {
                    parents.push((index, namespace, named.collect()));
                }
                if op.is_sound()
                    && let Some(rules) = rules.all.get_mut(index)
                {
                    *rules = Some(Box::new(OperationRules::new(&op, &traits, judge)));
                }
            }
        }
        for (index, namespace, named) in parents {
            let find =
                |class: &String| lookups(&namespace, class).iter().find_map(|it| classes.get(it).cloned());
            let found: Option<Vec<String>> = named.iter().map(find).collect();
            if let (Some(found), Some(Some(rules))) = (found, rules.all.get_mut(index)) {
                rules.parents = found;
            }
        }
        rules
    }

    pub(super) fn get(&self, operation: u16) -> Option<&OperationRules> {
        self.all.get(operation as usize)?.as_deref()
    }
}

impl OperationRules {
    fn new(op: &Operation<'_>, traits: &[Trait<'_>], judge: &Judge) -> Self {
        let value = |name: &str, constraint: TypeConstraint<'_>| ValueRule {
            name: name.to_owned(),
            count: if constraint.is_optional() {
                Count::Optional
            } else if constraint.is_variable_length() {
                Count::Many
            } else {
                Count::One
            },
            condition: constraint
                .constraint()
                .predicate_rec()
                .map(|_| judge.read(&constraint.constraint().condition())),
            summary: constraint.summary().to_owned(),
        };
        let mut rules = OperationRules {
            operands: op.operands().iter().map(|it| value(it.name, it.constraint)).collect(),
            results: op.results().iter().map(|it| value(it.name, it.constraint)).collect(),
            attributes: op.natural_attributes().iter().map(|it| AttributeRule::new(it, judge)).collect(),
            properties: op
                .properties()
                .iter()
                .filter(|it| it.property.constraint().predicate_rec().is_some())
                .map(|it| PropertyRule {
                    name: it.name.to_owned(),
                    condition: judge.read(&it.property.constraint().condition()),
                    summary: it.property.summary().to_owned(),
                    storage: it.property.storage_type().to_owned(),
                })
                .collect(),
            predicates: traits
                .iter()
                .filter_map(|it| {
                    let condition = it.predicate()?.condition();
                    Some(PredicateRule {
                        condition: judge.read(&condition),
                        summary: it.summary().to_owned(),
                    })
                })
                .collect(),
            regions: op
                .regions()
                .iter()
                .map(|it| {
                    let condition = it.constraint().condition();
                    let sized = condition
                        .split_once("hasNItems($_self, ")
                        .and_then(|(_, rest)| rest.split_once(')').and_then(|(count, _)| count.parse().ok()));
                    RegionRule {
                        name: it.name.to_owned(),
                        is_variadic: it.is_variadic(),
                        summary: it.constraint().summary().to_owned(),
                        blocks: sized,
                    }
                })
                .collect(),
            successors: (
                op.successors().iter().filter(|it| !it.is_variadic()).count(),
                op.successors().iter().any(|it| it.is_variadic()),
            ),
            traits: traits.iter().map(|it| local_name(it.trait_name()).into()).collect(),
            ..OperationRules::default()
        };
        if let Some(format) = op.assembly_format().and_then(|text| OpFormat::new(op, text).ok()) {
            rules.add_format(op, &format, judge);
        }
        rules
    }

    fn add_format(&mut self, op: &Operation<'_>, format: &OpFormat<'_>, judge: &Judge) {
        self.has_format = true;
        let source = |source: &TypeSource<'_>| match source {
            TypeSource::Format => Source::Format,
            TypeSource::Buildable(call) => {
                let only = built(call).or_else(|| built_of_dialect(call, judge));
                only.map_or(Source::Unknown, Source::Only)
            }
            TypeSource::Variable(variable, transform) => {
                let transform = transform.map(|transform| judge.read(transform));
                match typed(variable) {
                    Some(of) => Source::Of(of, transform),
                    None if variable.kind == VariableKind::Attribute => {
                        Source::OfAttribute(variable.name.to_owned(), transform)
                    }
                    None => Source::Unknown,
                }
            }
            TypeSource::Inferred => Source::Unknown,
        };
        self.operand_types = format.operand_types.iter().map(source).collect();
        self.result_types = format.result_types.iter().map(source).collect();
        let mut in_custom = Vec::new();
        custom_parameters(&format.elements, &mut in_custom);
        for element in in_custom {
            match element {
                Element::Variable(variable) if variable.kind == VariableKind::Operand => {
                    self.in_custom.push(variable.index);
                }
                Element::Operands => self.in_custom.extend(0..self.operands.len()),
                Element::Type { of: TypeOf::Variable(variable), .. } => {
                    let types = match variable.kind {
                        VariableKind::Result => &mut self.result_types,
                        _ => &mut self.operand_types,
                    };
                    if let Some(source) = types.get_mut(variable.index) {
                        *source = Source::Unknown;
                    }
                }
                Element::Type { of: TypeOf::Operands, .. } => self.operand_types.fill(Source::Unknown),
                Element::Type { of: TypeOf::Results, .. } => self.result_types.fill(Source::Unknown),
                _ => {}
            }
        }
        let segments = op.operands().iter().filter_map(|it| it.constraint.segment_attribute());
        self.in_format.extend(segments.map(str::to_owned));
        let mut types = Vec::new();
        functional_types(&format.elements, &mut types);
        if let [(inputs, results)] = types[..] {
            self.functional_type = typed_of(inputs).zip(typed_of(results));
        }
        let attributes = format.attributes.iter().filter_map(|index| op.attributes().get(*index));
        self.in_format.extend(attributes.map(|it| it.name.to_owned()));
    }

    pub(super) fn has_trait(&self, name: &str) -> bool {
        self.traits.iter().any(|own| &**own == name)
    }

    /// Returns true if it has a trait with parameters: `SingleBlockImplicitTerminator<…>::Impl`.
    pub(super) fn has_trait_of(&self, prefix: &str) -> bool {
        self.traits.iter().any(|own| own.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('<')))
    }

    /// Returns the minimum number of values of some parts, and whether there may be more.
    pub(super) fn counts(parts: &[ValueRule]) -> (usize, bool) {
        let least = parts.iter().filter(|part| part.count == Count::One).count();
        (least, least < parts.len())
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&AttributeRule> {
        self.attributes.iter().find(|rule| rule.name == name)
    }
}

impl AttributeRule {
    fn new(it: &odsmith_ods::NamedAttribute<'_>, judge: &Judge) -> Self {
        let constraint = it.attribute.constraint();
        let is_optional = it.attribute.is_optional() || it.attribute.default_value().is_some();
        let storage = it.attribute.storage_type().rsplit("::").next().unwrap_or_default();
        AttributeRule {
            name: it.name.to_owned(),
            is_required: !is_optional,
            condition: constraint.predicate_rec().map(|_| judge.read(&constraint.condition())),
            summary: it.attribute.summary().to_owned(),
            is_text: storage == "StringAttr",
            ty: it.attribute.value_type().and_then(TypeConstraint::builder_call).and_then(built),
            is_plain: matches!(
                storage,
                "IntegerAttr"
                    | "BoolAttr"
                    | "FloatAttr"
                    | "StringAttr"
                    | "ArrayAttr"
                    | "TypeAttr"
                    | "SymbolRefAttr"
                    | "FlatSymbolRefAttr"
                    | "UnitAttr"
                    | "DictionaryAttr"
                    | "Attribute"
                    | "TypedAttr"
                    | "ElementsAttr"
                    | "DenseElementsAttr"
                    | "DenseIntElementsAttr"
                    | "DenseFPElementsAttr"
                    | "AffineMapAttr"
                    | "IntegerSetAttr"
            ) && constraint.enum_info().is_none(),
        }
    }
}

/// Returns the name of a trait without MLIR's namespace, which only some definitions write.
fn local_name(name: &str) -> &str {
    name.strip_prefix("::mlir::OpTrait::").unwrap_or(name)
}

fn typed(variable: &Variable<'_>) -> Option<Typed> {
    match variable.kind {
        VariableKind::Operand => Some(Typed::Operand(variable.index)),
        VariableKind::Result => Some(Typed::Result(variable.index)),
        _ => None,
    }
}

fn typed_of(of: TypeOf<'_>) -> Option<Typed> {
    match of {
        TypeOf::Operands => Some(Typed::Operands),
        TypeOf::Results => Some(Typed::Results),
        TypeOf::Variable(variable) => typed(&variable),
    }
}

/// Collects the parameters of custom directives.
fn custom_parameters<'e>(elements: &'e [Element<'e>], found: &mut Vec<&'e Element<'e>>) {
    for element in elements {
        match element {
            Element::Custom(custom) => found.extend(&custom.parameters),
            Element::Optional(group) => {
                custom_parameters(&group.then, found);
                custom_parameters(&group.otherwise, found);
            }
            Element::OiList(clauses) => {
                clauses.iter().for_each(|clause| custom_parameters(&clause.elements, found));
            }
            _ => {}
        }
    }
}

fn functional_types<'e>(elements: &'e [Element<'e>], found: &mut Vec<(TypeOf<'e>, TypeOf<'e>)>) {
    for element in elements {
        match element {
            Element::FunctionalType { inputs, results } => found.push((*inputs, *results)),
            Element::Optional(group) => {
                functional_types(&group.then, found);
                functional_types(&group.otherwise, found);
            }
            Element::OiList(clauses) => {
                clauses.iter().for_each(|clause| functional_types(&clause.elements, found));
            }
            _ => {}
        }
    }
}

/// Returns the type of a dialect without parameters that a C++ call builds: `::mlir::async::TokenType::get(…)`.
fn built_of_dialect(call: &str, judge: &Judge) -> Option<Type> {
    let (class, rest) = call.trim().split_once("::get(")?;
    let is_plain = rest.trim_end_matches(')').trim() == "$_builder.getContext(";
    let ty = judge.classes().type_of(class).filter(|_| is_plain)?;
    if ty.to_string().contains(['<', ' ']) { None } else { Some(ty) }
}

/// Returns the type that a C++ call builds: `$_builder.getIntegerType(32)`.
fn built(call: &str) -> Option<Type> {
    let call = call.trim();
    let call = call.strip_prefix("$_builder.").unwrap_or(call);
    let width = |prefix: &str| {
        let digits = call.strip_prefix(prefix)?.strip_suffix(')')?;
        digits.trim().parse::<u32>().ok()
    };
    if let Some(width) = width("getIntegerType(") {
        return Some(Type::int(width));
    }
    if let Some(rest) = call.strip_prefix("getIntegerType(") {
        let (digits, sign) = rest.strip_suffix(')')?.split_once(',')?;
        let sign = match sign.trim().trim_start_matches("/*isSigned=*/").trim() {
            "true" => Sign::Signed,
            "false" => Sign::Unsigned,
            _ => return None,
        };
        return Some(Type::Integer(digits.trim().parse().ok()?, sign));
    }
    Some(match call {
        "getIndexType()" => Type::Index,
        "getNoneType()" => Type::None,
        "getI1Type()" => Type::int(1),
        "getI8Type()" => Type::int(8),
        "getI16Type()" => Type::int(16),
        "getI32Type()" => Type::int(32),
        "getI64Type()" => Type::int(64),
        "getF16Type()" => Type::Float("f16"),
        "getBF16Type()" => Type::Float("bf16"),
        "getF32Type()" => Type::Float("f32"),
        "getF64Type()" => Type::Float("f64"),
        _ => return None,
    })
}
