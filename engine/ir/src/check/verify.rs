//! Checks of one operation whose parts are known: counts, constraints, predicates, traits of MLIR's library.

use std::borrow::Cow;

use odsmith_conditions::{
    Ancestor, Attr, Env, Judge, Operation, Type, Value, Witness, attrs::Kind, types::DYNAMIC,
};

use super::rules::{AttributeRule, Count, OperationRules, PredicateRule, PropertyRule, ValueRule};

/// The values of a part: their types; nothing if their number is not known.
pub(super) type Group = Option<Vec<Option<Type>>>;

/// The parts of an operation, as far as they are known.
#[derive(Debug, Default)]
pub(super) struct Instance {
    pub operands: Vec<Group>,
    pub results: Vec<Group>,
    /// The attributes by name; nothing for one whose value is not understood.
    pub attributes: Vec<(String, Option<Attr>)>,
    /// True if all attributes are known by name.
    pub has_all_attributes: bool,
    /// The operations around it; nothing if one of them is not known.
    pub around: Option<Vec<Ancestor>>,
}

impl Instance {
    fn attribute(&self, name: &str) -> Option<Option<&Attr>> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, attr)| attr.as_ref())
    }
}

/// Splits a list of values into parts, if the number of each follows from that of all.
pub(super) fn split(
    rules: &[ValueRule],
    types: &[Option<Type>],
    segments: Option<&[i64]>,
    is_even: bool,
) -> Vec<Group> {
    let unknown = || vec![None; rules.len()];
    let sizes: Vec<usize> = match segments {
        Some(segments) if segments.len() == rules.len() => {
            segments.iter().map(|size| usize::try_from(*size).unwrap_or(0)).collect()
        }
        Some(_) => return unknown(),
        None => {
            let (least, _) = OperationRules::counts(rules);
            let open = rules.len() - least;
            let Some(rest) = types.len().checked_sub(least) else { return unknown() };
            let each = match open {
                0 => 0,
                1 => rest,
                _ if is_even && rest % open == 0 => rest / open,
                _ => return unknown(),
            };
            rules.iter().map(|rule| if rule.count == Count::One { 1 } else { each }).collect()
        }
    };
    if sizes.iter().sum::<usize>() != types.len() {
        return unknown();
    }
    let mut rest = types;
    sizes
        .into_iter()
        .map(|size| {
            let (own, others) = rest.split_at(size);
            rest = others;
            Some(own.to_vec())
        })
        .collect()
}

/// Returns the message of the first constraint that an operation does not satisfy.
pub(super) fn message(rules: &OperationRules, instance: &Instance, judge: &Judge) -> Option<String> {
    attributes(rules, instance, judge)
        .or_else(|| properties(rules, instance, judge))
        .or_else(|| values("operand", &rules.operands, &instance.operands, judge))
        .or_else(|| values("result", &rules.results, &instance.results, judge))
        .or_else(|| predicates(rules, instance, judge))
}

fn attributes(rules: &OperationRules, instance: &Instance, judge: &Judge) -> Option<String> {
    for rule in &rules.attributes {
        match instance.attribute(&rule.name) {
            None if instance.has_all_attributes && rule.is_required => {
                return Some(format!("requires attribute '{}'", rule.name));
            }
            None | Some(None) => {}
            Some(Some(attr)) => {
                if let Some(message) = attribute(rule, attr, judge) {
                    return Some(message);
                }
            }
        }
    }
    None
}

fn properties(rules: &OperationRules, instance: &Instance, judge: &Judge) -> Option<String> {
    let is_wrong = |rule: &&PropertyRule| {
        let value = instance.attribute(&rule.name).flatten().map(|attr| stored(attr, &rule.storage));
        value.is_some_and(|value| judge.holds(&rule.condition, &Env::of_self(&value)) == Witness::No)
    };
    let rule = rules.properties.iter().find(is_wrong)?;
    Some(format!("property '{}' failed to satisfy constraint: {}", rule.name, rule.summary))
}

/// Returns the value that a C++ type stores for the attribute of a property.
fn stored(attr: &Attr, storage: &str) -> Value {
    let inside = |class: &str| storage.trim_start_matches("::").strip_prefix(class)?.strip_suffix('>');
    if let Some(inner) = inside("std::optional<") {
        return match &attr.kind {
            Kind::Array(items) => match items.as_slice() {
                [] => Value::Absent,
                [one] => stored(one, inner),
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        };
    }
    if let Some(inner) = inside("llvm::SmallVector<") {
        return match &attr.kind {
            Kind::Array(items) => Value::List(items.iter().map(|item| stored(item, inner)).collect()),
            Kind::DenseArray(Type::Integer(..), items) => {
                Value::List(items.iter().map(|item| Value::Int(*item)).collect())
            }
            _ => Value::Unknown,
        };
    }
    let is_signed = matches!(storage, "int8_t" | "int16_t" | "int32_t" | "int64_t");
    let is_unsigned = matches!(storage, "uint8_t" | "uint16_t" | "uint32_t" | "uint64_t");
    match &attr.kind {
        Kind::Integer(value, _) if is_signed || is_unsigned && *value >= 0 => Value::Int(*value),
        Kind::Bool(value) if storage == "bool" => Value::Bool(*value),
        _ => Value::Unknown,
    }
}

/// Returns the message about an attribute that does not satisfy its constraint.
pub(super) fn attribute(rule: &AttributeRule, attr: &Attr, judge: &Judge) -> Option<String> {
    let condition = rule.condition.as_ref()?;
    let value = Value::Attr(attr.clone());
    let is_wrong = judge.holds(condition, &Env::of_self(&value)) == Witness::No;
    is_wrong.then(|| format!("attribute '{}' failed to satisfy constraint: {}", rule.name, rule.summary))
}

fn values(kind: &str, rules: &[ValueRule], groups: &[Group], judge: &Judge) -> Option<String> {
    let mut index = Some(0);
    for (rule, group) in rules.iter().zip(groups) {
        let Some(group) = group else {
            index = None;
            continue;
        };
        if let (Some(condition), Some(first)) = (&rule.condition, index) {
            for (position, ty) in group.iter().enumerate() {
                let Some(ty) = ty else { continue };
                let value = Value::Type(ty.clone());
                if judge.holds(condition, &Env::of_self(&value)) == Witness::No {
                    let number = first + position;
                    return Some(format!("{kind} #{number} must be {}, but got '{ty}'", rule.summary));
                }
            }
        }
        index = index.map(|index| index + group.len());
    }
    None
}

fn predicates(rules: &OperationRules, instance: &Instance, judge: &Judge) -> Option<String> {
    if rules.predicates.is_empty() {
        return None;
    }
    let named = named(rules, instance);
    let env = Env::of(named.iter().map(|(name, value)| (name.as_str(), Cow::Borrowed(value))).collect());
    let is_wrong = |rule: &&PredicateRule| judge.holds(&rule.condition, &env) == Witness::No;
    rules.predicates.iter().find(is_wrong).map(|rule| format!("failed to verify that {}", rule.summary))
}

/// Returns the values that conditions on several parts may name: `$lhs`, `getLhs()`, `$_op`.
fn named(rules: &OperationRules, instance: &Instance) -> Vec<(String, Value)> {
    let mut named = Vec::new();
    let mut add = |name: &str, value: Value| {
        named.push((format!("get{}()", camel_case(name)), value.clone()));
        named.push((format!("${name}"), value));
    };
    let of_group = |rule: &ValueRule, group: &Group| {
        let Some(group) = group else { return Value::Unknown };
        let operand = |ty: &Option<Type>| ty.clone().map_or(Value::Unknown, Value::Operand);
        match (rule.count, &group[..]) {
            (Count::Many, all) => Value::List(all.iter().map(operand).collect()),
            (_, [one]) => operand(one),
            (Count::Optional, []) => Value::Absent,
            _ => Value::Unknown,
        }
    };
    for (rule, group) in rules.operands.iter().zip(&instance.operands) {
        add(&rule.name, of_group(rule, group));
    }
    for (rule, group) in rules.results.iter().zip(&instance.results) {
        add(&rule.name, of_group(rule, group));
    }
    for rule in &rules.attributes {
        let value = instance.attribute(&rule.name).flatten().cloned().map_or(Value::Unknown, Value::Attr);
        add(&rule.name, value);
    }
    if let (Some(operands), Some(results)) = (flat(&instance.operands), flat(&instance.results)) {
        let around = instance.around.clone();
        named.push(("$_op".to_owned(), Value::Op(Operation { operands, results, around })));
    }
    named
}

fn camel_case(name: &str) -> String {
    odsmith_ods::cpp_name::camel_case(name, true)
}

/// Returns the types of all values, if they are known.
pub(super) fn flat(groups: &[Group]) -> Option<Vec<Type>> {
    let mut all = Vec::new();
    for group in groups {
        for ty in group.as_ref()? {
            all.push(ty.clone()?);
        }
    }
    Some(all)
}

/// The name of a trait, the types that it is about, its test, and the message.
type TraitCheck<'t> = (&'static str, &'t Option<Vec<Type>>, fn(&[Type]) -> Option<bool>, &'static str);

/// Returns the message of the first trait of MLIR's library on types that an operation breaks.
pub(super) fn trait_message(rules: &OperationRules, instance: &Instance) -> Option<String> {
    let operands = flat(&instance.operands);
    let all = operands.clone().zip(flat(&instance.results)).map(|(mut all, results)| {
        all.extend(results);
        all
    });
    let checks: [TraitCheck<'_>; 7] = [
        ("SameTypeOperands", &operands, same_types, "requires all operands to have the same type"),
        ("SameOperandsShape", &operands, same_shapes, "requires the same shape for all operands"),
        (
            "SameOperandsAndResultShape",
            &all,
            same_shapes,
            "requires the same shape for all operands and results",
        ),
        (
            "SameOperandsElementType",
            &operands,
            same_elements,
            "requires the same element type for all operands",
        ),
        (
            "SameOperandsAndResultElementType",
            &all,
            same_elements,
            "requires the same element type for all operands and results",
        ),
        (
            "SameOperandsAndResultType",
            &all,
            compatible_types,
            "requires the same type for all operands and results",
        ),
        (
            "SameOperandsAndResultRank",
            &all,
            same_ranks,
            "requires the same rank for all operands and results",
        ),
    ];
    for (name, types, holds, message) in checks {
        if rules.has_trait(name)
            && let Some(types) = types
            && types.len() > 1
            && holds(types) == Some(false)
        {
            return Some(message.to_owned());
        }
    }
    let has_encoding = |ty: &Type| match ty {
        Type::Tensor(Some(_), _, encoding) => Some(encoding.is_some()),
        _ => None,
    };
    let encoded = all.iter().flatten().filter_map(has_encoding).collect::<Vec<bool>>();
    let is_mixed = encoded.contains(&true) && encoded.contains(&false);
    (rules.has_trait("SameOperandsAndResultType") && is_mixed)
        .then(|| "requires the same encoding for all operands and results".to_owned())
}

fn pairs(types: &[Type], same: impl Fn(&Type, &Type) -> Option<bool>) -> Option<bool> {
    let mut all = Some(true);
    let Some((first, rest)) = types.split_first() else { return all };
    for other in rest {
        match same(first, other) {
            Some(false) => return Some(false),
            None => all = None,
            Some(true) => {}
        }
    }
    all
}

fn same_types(types: &[Type]) -> Option<bool> {
    pairs(types, Type::same)
}

/// Returns the element type of a container, or the type.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Vector(..) | Type::Tensor(..) | Type::MemRef(..) => ty.element().unwrap_or(ty),
        ty => ty,
    }
}

fn same_elements(types: &[Type]) -> Option<bool> {
    pairs(types, |one, other| match (one, other) {
        // A dialect's type may be a container.
        (Type::Def { .. }, _) | (_, Type::Def { .. }) => one.same(other).filter(|same| *same),
        _ => element(one).same(element(other)),
    })
}

fn compatible_types(types: &[Type]) -> Option<bool> {
    match (same_elements(types), same_shapes(types)) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// Shapes are compatible if no dimension that is known on both sides differs, and all or none of the types have one.
fn same_shapes(types: &[Type]) -> Option<bool> {
    if types.iter().any(|ty| matches!(ty, Type::Def { .. })) {
        return None;
    }
    let shaped: Vec<Option<&[i64]>> = types.iter().filter_map(Type::shape).collect();
    if shaped.is_empty() {
        return Some(true);
    }
    if shaped.len() != types.len() {
        return Some(false);
    }
    let ranked: Vec<&[i64]> = shaped.into_iter().flatten().collect();
    let Some((first, rest)) = ranked.split_first() else { return Some(true) };
    if rest.iter().any(|shape| shape.len() != first.len()) {
        return Some(false);
    }
    for dimension in 0..first.len() {
        let mut known = ranked.iter().map(|shape| shape[dimension]).filter(|size| *size != DYNAMIC);
        if let Some(size) = known.next()
            && known.any(|other| other != size)
        {
            return Some(false);
        }
    }
    // Scalable dimensions are compared too.
    let scalable: Vec<u64> = types
        .iter()
        .filter_map(|ty| match ty {
            Type::Vector(_, scalable, _) => Some(*scalable),
            _ => None,
        })
        .collect();
    Some(scalable.windows(2).all(|pair| pair[0] == pair[1]))
}

fn same_ranks(types: &[Type]) -> Option<bool> {
    if types.iter().any(|ty| matches!(ty, Type::Def { .. })) {
        return None;
    }
    let ranks: Vec<usize> = types.iter().filter_map(|ty| ty.shape().flatten().map(<[i64]>::len)).collect();
    Some(ranks.windows(2).all(|pair| pair[0] == pair[1]))
}

/// Returns the type of an attribute, if it has one.
pub(super) fn type_of(attr: &Attr) -> Option<Type> {
    match &attr.kind {
        Kind::Integer(_, ty) | Kind::Float(ty) | Kind::Dense(ty) => Some(ty.clone()),
        Kind::Bool(_) => Some(Type::int(1)),
        _ => None,
    }
}
