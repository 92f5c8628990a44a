//! Evaluates an expression for a candidate. An unknown part makes only the values that depend on it unknown.

use std::borrow::Cow;

use super::{
    attrs::{Attr, Kind},
    classes::Classes,
    cpp::{Expr, Op},
    functions,
    types::Type,
};

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Unknown.
    Unknown,
    /// A truth value.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A text.
    Str(String),
    /// A type.
    Type(Type),
    /// An attribute.
    Attr(Attr),
    /// An operand or result, by its type.
    Operand(Type),
    /// An operation.
    Op(Operation),
    /// The operations around another one, from the inside out; empty outside of all.
    Around(Vec<Ancestor>),
    /// A list.
    List(Vec<Value>),
    /// An operand that is absent.
    Absent,
    /// A case of a C++ enum, by its name.
    Case(String),
}

/// An operation, as conditions see it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Operation {
    /// The types of its operands.
    pub operands: Vec<Type>,
    /// The types of its results.
    pub results: Vec<Type>,
    /// The operations around it, from the inside out; nothing if one of them is not known.
    pub around: Option<Vec<Ancestor>>,
}

/// An operation around another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ancestor {
    /// True if it is a symbol table.
    pub is_table: bool,
    /// True if it is a function.
    pub is_function: bool,
}

impl Value {
    /// The truth value, if known.
    pub(super) fn truth(&self) -> Option<bool> {
        match self {
            Value::Bool(truth) => Some(*truth),
            Value::Int(number) => Some(*number != 0),
            Value::Type(_) | Value::Attr(_) | Value::Operand(_) => Some(true),
            Value::Absent => Some(false),
            Value::Around(around) => Some(!around.is_empty()),
            Value::Unknown | Value::Str(_) | Value::Op(_) | Value::List(_) | Value::Case(_) => None,
        }
    }

    pub(super) fn of(truth: Option<bool>) -> Value {
        truth.map_or(Value::Unknown, Value::Bool)
    }

    /// The type of a type or of a value.
    #[must_use]
    pub fn ty(&self) -> Option<&Type> {
        match self {
            Value::Type(ty) | Value::Operand(ty) => Some(ty),
            _ => None,
        }
    }
}

/// A name and its value.
type Binding<'e> = (&'e str, Cow<'e, Value>);

/// The names of one scope: most often a single one.
#[derive(Clone, Debug)]
enum Names<'e> {
    One([Binding<'e>; 1]),
    Many(Vec<Binding<'e>>),
}

/// The values of names.
#[derive(Clone, Debug)]
pub struct Env<'e> {
    names: Names<'e>,
    outer: Option<&'e Env<'e>>,
}

impl<'e> Env<'e> {
    /// An environment with only `$_self`.
    #[must_use]
    pub fn of_self(value: &'e Value) -> Self {
        Env { names: Names::One([("$_self", Cow::Borrowed(value))]), outer: None }
    }

    /// An environment with these names.
    #[must_use]
    pub fn of(names: Vec<(&'e str, Cow<'e, Value>)>) -> Self {
        Env { names: Names::Many(names), outer: None }
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.find(&|known| known == name)
    }

    /// The value of a call without arguments: `getLhs()`.
    fn called(&self, function: &str) -> Option<&Value> {
        self.find(&|known| known.strip_suffix("()") == Some(function))
    }

    fn find(&self, is_it: &dyn Fn(&str) -> bool) -> Option<&Value> {
        let names = match &self.names {
            Names::One(one) => one.as_slice(),
            Names::Many(all) => all,
        };
        let own = names.iter().find(|(known, _)| is_it(known)).map(|(_, value)| &**value);
        own.or_else(|| self.outer?.find(is_it))
    }
}

/// Evaluates an expression.
pub(super) fn eval(expr: &Expr, env: &Env<'_>, classes: &Classes) -> Value {
    match expr {
        Expr::Opaque | Expr::Lambda(..) => Value::Unknown,
        Expr::Int(value) => Value::Int(*value),
        Expr::Bool(value) => Value::Bool(*value),
        Expr::Str(text) => Value::Str(text.clone()),
        Expr::Name(_) => look(expr, env, classes).into_owned(),
        Expr::List(items) => Value::List(items.iter().map(|item| eval(item, env, classes)).collect()),
        Expr::Not(inner) => Value::of(eval(inner, env, classes).truth().map(|truth| !truth)),
        Expr::Binary(op, left, right) => binary(*op, left, right, env, classes),
        Expr::Conditional(condition, then, otherwise) => match eval(condition, env, classes).truth() {
            Some(true) => eval(then, env, classes),
            Some(false) => eval(otherwise, env, classes),
            None => Value::Unknown,
        },
        Expr::Apply(function, arguments) => {
            if let (Expr::Call { name, .. }, [left, right]) = (&**function, &arguments[..])
                && name == "std::equal_to"
            {
                return Value::of(equal(&eval(left, env, classes), &eval(right, env, classes)));
            }
            let (Expr::Lambda(parameter, body), [argument]) = (&**function, &arguments[..]) else {
                return Value::Unknown;
            };
            apply(parameter, body, eval(argument, env, classes), env, classes)
        }
        Expr::Call { object, name, template, arguments } => {
            call(object.as_deref(), name, template, arguments, env, classes)
        }
    }
}

/// Evaluates an expression like [`eval`], but borrows the value of a name.
fn look<'v>(expr: &Expr, env: &'v Env<'_>, classes: &Classes) -> Cow<'v, Value> {
    match expr {
        Expr::Name(name) => env.get(name).map_or_else(|| Cow::Owned(constant(name)), Cow::Borrowed),
        expr => Cow::Owned(eval(expr, env, classes)),
    }
}

fn constant(name: &str) -> Value {
    match name {
        "mlir::ShapedType::kDynamic" | "ShapedType::kDynamic" => Value::Int(super::types::DYNAMIC),
        _ => match name.rsplit_once("::") {
            Some((_, case)) if case.starts_with(|first: char| first.is_ascii_uppercase()) => {
                Value::Case(case.to_owned())
            }
            _ => Value::Unknown,
        },
    }
}

fn apply(parameter: &str, body: &Expr, argument: Value, env: &Env<'_>, classes: &Classes) -> Value {
    let inner = Env { names: Names::One([(parameter, Cow::Owned(argument))]), outer: Some(env) };
    eval(body, &inner, classes)
}

fn binary(op: Op, left: &Expr, right: &Expr, env: &Env<'_>, classes: &Classes) -> Value {
    let left = eval(left, env, classes);
    // C++ skips the right side if the left one decides.
    match (op, left.truth()) {
        (Op::And, Some(false)) => return Value::Bool(false),
        (Op::Or, Some(true)) => return Value::Bool(true),
        _ => {}
    }
    let right = eval(right, env, classes);
    match op {
        Op::And => Value::of(match (left.truth(), right.truth()) {
            (_, Some(false)) => Some(false),
            (Some(true), truth) => truth,
            _ => None,
        }),
        Op::Or => Value::of(match (left.truth(), right.truth()) {
            (_, Some(true)) => Some(true),
            (Some(false), truth) => truth,
            _ => None,
        }),
        Op::Equal => Value::of(equal(&left, &right)),
        Op::NotEqual => Value::of(equal(&left, &right).map(|is_equal| !is_equal)),
        Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
            let (Value::Int(left), Value::Int(right)) = (left, right) else { return Value::Unknown };
            Value::Bool(match op {
                Op::Less => left < right,
                Op::LessEqual => left <= right,
                Op::Greater => left > right,
                _ => left >= right,
            })
        }
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder => {
            let (Value::Int(left), Value::Int(right)) = (left, right) else { return Value::Unknown };
            let result = match op {
                Op::Add => left.checked_add(right),
                Op::Subtract => left.checked_sub(right),
                Op::Multiply => left.checked_mul(right),
                Op::Divide => left.checked_div(right),
                _ => left.checked_rem(right),
            };
            result.map_or(Value::Unknown, Value::Int)
        }
    }
}

/// Compares two values, lists item by item; `None` if the result is unknown.
pub(super) fn equal(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Some(left == right),
        (Value::Int(left), Value::Int(right)) => Some(left == right),
        (Value::Str(left), Value::Str(right)) | (Value::Case(left), Value::Case(right)) => {
            Some(left == right)
        }
        (Value::Type(left), Value::Type(right)) => left.same(right),
        (Value::List(left), Value::List(right)) => {
            if left.len() != right.len() {
                return Some(false);
            }
            let mut result = Some(true);
            for (left, right) in left.iter().zip(right) {
                match equal(left, right) {
                    Some(false) => return Some(false),
                    None => result = None,
                    Some(true) => {}
                }
            }
            result
        }
        _ => None,
    }
}

fn call(
    object: Option<&Expr>,
    name: &str,
    template: &[String],
    arguments: &[Expr],
    env: &Env<'_>,
    classes: &Classes,
) -> Value {
    let short = name.strip_prefix("llvm::").or_else(|| name.strip_prefix("mlir::")).unwrap_or(name);
    if object.is_none() && matches!(short, "all_of" | "any_of" | "none_of") {
        return quantified(short, arguments, env, classes);
    }
    let all = || -> Vec<Value> { arguments.iter().map(|argument| eval(argument, env, classes)).collect() };
    if let Some(object) = object {
        let object = look(object, env, classes);
        // `x.isa<T>()` is `isa<T>(x)`.
        if matches!(name, "isa" | "cast" | "dyn_cast" | "dyn_cast_or_null") {
            return is_a(name, template, object, classes);
        }
        // Of `std::optional`.
        if name == "has_value" {
            return match &*object {
                Value::Unknown => Value::Unknown,
                value => Value::Bool(*value != Value::Absent),
            };
        }
        let values = all();
        return match &*object {
            Value::Type(ty) => functions::of_type(ty, name, template, &values),
            Value::Attr(attr) => functions::of_attr(&attr.kind, name),
            Value::Operand(ty) if name == "getType" => Value::Type(ty.clone()),
            Value::Op(operation) => functions::of_op(operation, name, &values),
            Value::List(items) => functions::of_list(items, name, &values),
            Value::Int(value) => functions::of_int(*value, name),
            _ => Value::Unknown,
        };
    }
    if matches!(
        short,
        "isa" | "cast" | "dyn_cast" | "isa_and_nonnull" | "isa_and_present" | "dyn_cast_or_null"
    ) {
        let [argument] = arguments else { return Value::Unknown };
        return is_a(short, template, look(argument, env, classes), classes);
    }
    if arguments.is_empty()
        && let Some(value) = env.called(name)
    {
        return value.clone();
    }
    functions::free(short, &all())
}

/// Evaluates `isa` and `cast`; a `cast` that fails is unknown.
fn is_a(name: &str, template: &[String], value: Cow<'_, Value>, classes: &Classes) -> Value {
    let is_one = |class: &String| match &*value {
        Value::Type(ty) => classes.is_type(ty, class),
        // An attribute that holds a type, where the class is not an attribute's, is tested as that type.
        Value::Attr(Attr { kind: Kind::Type(ty), .. }) if !class.ends_with("Attr") => {
            classes.is_type(ty, class)
        }
        Value::Attr(attr) => classes.is_attr(attr, class),
        _ => None,
    };
    let either = |truth: Option<bool>, class: &String| match truth {
        Some(true) => Some(true),
        // An unknown answer stays unknown unless another class is a yes.
        None => is_one(class).filter(|is_one| *is_one),
        Some(false) => is_one(class),
    };
    let truth = template.iter().fold(Some(false), either);
    match name {
        "isa" | "isa_and_nonnull" | "isa_and_present" => Value::of(truth),
        "cast" if truth != Some(false) => value.into_owned(),
        _ => match truth {
            Some(true) => value.into_owned(),
            Some(false) if name != "cast" => Value::Bool(false),
            _ => Value::Unknown,
        },
    }
}

fn quantified(name: &str, arguments: &[Expr], env: &Env<'_>, classes: &Classes) -> Value {
    let [range, Expr::Lambda(parameter, body)] = arguments else { return Value::Unknown };
    let items = match eval(range, env, classes) {
        Value::List(items) => items,
        Value::Attr(Attr { kind: Kind::Array(items), .. }) => items.into_iter().map(Value::Attr).collect(),
        _ => return Value::Unknown,
    };
    let truths: Vec<Option<bool>> =
        items.into_iter().map(|item| apply(parameter, body, item, env, classes).truth()).collect();
    let (decisive, otherwise) = if name == "all_of" { (false, true) } else { (true, false) };
    let truth = if truths.contains(&Some(decisive)) {
        Some(decisive)
    } else if truths.contains(&None) {
        None
    } else {
        Some(otherwise)
    };
    Value::of(if name == "none_of" { truth.map(|truth| !truth) } else { truth })
}
