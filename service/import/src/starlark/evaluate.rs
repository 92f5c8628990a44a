//! Evaluates build files and the macros that they load.

use std::{collections::BTreeMap, rc::Rc};

use super::{
    BuildFile, Closure, Rule, Value,
    methods::{self, fill, format, method},
    parser::{Clause, Expression, Function, Kinds, Parameter, Statement, statements},
    tokens::tokens,
};

/// The most evaluation steps of one build file, with its macros.
const MOST_STEPS: usize = 1_000_000;
/// The deepest nesting of calls, blocks and expressions.
const MOST_DEPTH: usize = 700;
/// The deepest nesting of calls.
const MOST_CALLS: usize = 20;
/// The names of functions whose calls are rules, also where a project defines functions of that name: the arguments are
/// the same.
const RULES: &[&str] =
    &["gentbl_cc_library", "gentbl_filegroup", "gentbl_rule", "gentbl_sharded_ops", "td_library"];

type Names = BTreeMap<String, Value>;

/// The files that others load. Each is read once.
#[derive(Default)]
pub struct Files<'f> {
    /// The text of each `.bzl` file, with its path below the root.
    texts: BTreeMap<&'f str, &'f str>,
    /// The names of the project itself in labels: `@name//`.
    own: Vec<String>,
    /// The numbers of the files that were read; `None` while they are.
    numbers: BTreeMap<String, Option<usize>>,
    modules: Vec<Names>,
}

impl<'f> Files<'f> {
    /// Collects the files of a workspace.
    #[must_use]
    pub fn new(texts: &'f [(String, String)], own: Vec<String>) -> Files<'f> {
        let texts = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        Files { texts, own, ..Files::default() }
    }

    /// Returns a label as `//package:name`; `None` for one of another repository.
    #[must_use]
    pub fn label(&self, label: &str, package: &str) -> Option<String> {
        let label = match label.strip_prefix('@') {
            Some(rest) => {
                let (repository, path) = rest.trim_start_matches('@').split_once("//")?;
                let is_own = repository.is_empty() || self.own.iter().any(|own| own == repository);
                return if is_own { self.label(&format!("//{path}"), package) } else { None };
            }
            None => label,
        };
        Some(match (label.strip_prefix("//"), label.split_once(':')) {
            (Some(_), Some(_)) => label.to_owned(),
            (Some(package), None) => format!("{label}:{}", package.rsplit('/').next().unwrap_or(package)),
            (None, Some((_, name))) => format!("//{package}:{name}"),
            (None, None) => format!("//{package}:{label}"),
        })
    }
}

/// Reads the build file of a package.
#[must_use]
pub fn read(text: &str, package: &str, files: &mut Files<'_>) -> BuildFile {
    let mut evaluator = Evaluator {
        files,
        package,
        file: BuildFile::default(),
        steps: MOST_STEPS,
        depth: 0,
        calls: 0,
        line: 0,
        scopes: vec![Scope::default()],
    };
    let statements = statements(&tokens(text));
    evaluator.block(&statements);
    if evaluator.steps == 0 {
        let what = "this file takes too much work: the rest of it is left out";
        evaluator.file.unread.push((0, what.to_owned()));
    }
    evaluator.file
}

/// The names of a file or of a call.
#[derive(Default)]
struct Scope {
    names: Names,
    /// The file of a function; the names of a file that is being read are in its own scope.
    module: Option<usize>,
    /// The package of the file, for the labels that it loads.
    package: Option<String>,
}

/// The end of a statement.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
    /// The build fails here.
    Stop,
}

struct Evaluator<'e, 'f> {
    files: &'e mut Files<'f>,
    package: &'e str,
    file: BuildFile,
    steps: usize,
    depth: usize,
    calls: usize,
    /// The line of the build file.
    line: usize,
    scopes: Vec<Scope>,
}

impl Evaluator<'_, '_> {
    /// Charges work; returns false if it is too much.
    fn charge(&mut self, work: usize) -> bool {
        self.steps = self.steps.saturating_sub(work);
        self.steps > 0
    }

    fn is_in_macro(&self) -> bool {
        self.scopes.len() > 1
    }

    fn unread(&mut self, line: usize, what: String) {
        let (line, what) = match self.is_in_macro() {
            true => (self.line, format!("in line {line} of a macro: {what}")),
            false => (line, what),
        };
        let entry = (line, what);
        if !self.file.unread.contains(&entry) {
            self.file.unread.push(entry);
        }
    }

    fn names(&mut self) -> &mut Names {
        // There is always the scope of the file.
        let last = self.scopes.len() - 1;
        &mut self.scopes[last].names
    }

    fn name(&mut self, name: &str) -> Option<Value> {
        let scope = self.scopes.last()?;
        let module = scope.module.and_then(|module| self.files.modules.get(module));
        // The names of a file that is being read are still in its scope.
        let is_file = |outer: &&Scope| outer.package.is_some() && outer.module == scope.module;
        let of_file = || self.scopes.iter().find(is_file)?.names.get(name);
        let value = scope.names.get(name).or_else(|| module?.get(name)).or_else(of_file)?;
        let (size, value) = (value.size(), value.clone());
        self.charge(size).then_some(value)
    }

    fn block(&mut self, statements: &[Statement]) -> Flow {
        for statement in statements {
            if !self.charge(1) {
                return Flow::Stop;
            }
            if !self.is_in_macro() {
                self.line = statement.line;
            }
            self.depth += 1;
            let flow = if self.depth > MOST_DEPTH { Flow::Stop } else { self.statement(statement) };
            self.depth -= 1;
            if !matches!(flow, Flow::Next) {
                return flow;
            }
        }
        Flow::Next
    }

    fn statement(&mut self, statement: &Statement) -> Flow {
        match &statement.kind {
            Kinds::Assignment(names, value) => {
                let value = self.value(value);
                self.bind(names, value);
            }
            Kinds::Entry(name, key, value) => {
                let (key, value) = (self.value(key), self.value(value));
                match self.names().get_mut(name) {
                    Some(Value::Dict(entries)) => methods::insert(entries, key, value),
                    Some(other) => *other = Value::Unknown(format!("the name '{name}'")),
                    None => {}
                }
            }
            Kinds::Expression(expression) => return self.run(expression, statement.line),
            Kinds::If(branches) => {
                for (condition, body) in branches {
                    let is_true = match condition {
                        Some(condition) => self.value(condition).truth(),
                        None => Some(true),
                    };
                    match is_true {
                        Some(true) => return self.block(body),
                        Some(false) => {}
                        None => {
                            self.unread(
                                statement.line,
                                "this condition is not worked out: it is left out".to_owned(),
                            );
                            return Flow::Next;
                        }
                    }
                }
            }
            Kinds::For(names, over, body) => {
                let Some(values) = methods::elements(self.value(over)) else {
                    self.unread(
                        statement.line,
                        "the list of this loop is not worked out: it is left out".to_owned(),
                    );
                    return Flow::Next;
                };
                for value in values {
                    self.bind(names, value);
                    match self.block(body) {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break,
                        flow => return flow,
                    }
                }
            }
            Kinds::Def(function) => {
                let value = self.closure(function);
                self.names().insert(function.name.clone(), value);
            }
            Kinds::Return(value) => {
                let value = value.as_ref().map_or(Value::NONE, |value| self.value(value));
                return Flow::Return(value);
            }
            Kinds::Break => return Flow::Break,
            Kinds::Continue => return Flow::Continue,
            Kinds::Pass => {}
            Kinds::Unread(what) => self.unread(statement.line, what.clone()),
        }
        Flow::Next
    }

    fn closure(&mut self, function: &Rc<Function>) -> Value {
        match self.scopes.last().and_then(|scope| scope.module) {
            Some(module) => Value::Function(Closure { function: Rc::clone(function), module }),
            None => Value::Unknown(format!("the function '{}'", function.name)),
        }
    }

    /// Binds a value to one name, or its parts to several.
    fn bind(&mut self, names: &[String], value: Value) {
        match (names, value) {
            ([name], value) => drop(self.names().insert(name.clone(), value)),
            (names, Value::List(parts)) if parts.len() == names.len() => {
                self.names().extend(names.iter().cloned().zip(parts));
            }
            (names, _) => {
                for name in names {
                    self.names().insert(name.clone(), Value::Unknown(format!("the name '{name}'")));
                }
            }
        }
    }

    /// Runs an expression for its effect: a call, or a list of calls.
    fn run(&mut self, expression: &Expression, line: usize) -> Flow {
        if let Expression::Call { function, arguments, .. } = expression {
            match &**function {
                Expression::Name(name) if name == "load" => {
                    self.load(arguments);
                    return Flow::Next;
                }
                Expression::Name(name) if name == "fail" => {
                    let reason = arguments.first().map(|(_, reason)| self.value(reason));
                    let reason = reason.as_ref().and_then(Value::text).unwrap_or_default();
                    self.unread(line, format!("this fails: {reason}"));
                    return Flow::Stop;
                }
                Expression::Member(of, method) => {
                    if let Expression::Name(name) = &**of
                        && self.scopes.last().is_some_and(|scope| scope.names.contains_key(name))
                    {
                        let values: Vec<Value> =
                            arguments.iter().map(|(_, value)| self.value(value)).collect();
                        if let Some(value) = self.names().get_mut(name)
                            && methods::change(value, method, values)
                        {
                            return Flow::Next;
                        }
                    }
                }
                _ => {}
            }
        }
        // A macro that fails ends the file in Bazel; here the next rules are read.
        self.value(expression);
        Flow::Next
    }

    /// Reads `load(FILE, NAME…, OWN = NAME…)`.
    fn load(&mut self, arguments: &[(String, Expression)]) {
        let mut texts = arguments.iter().filter_map(|(own, value)| match value {
            Expression::Value(Value::Text(text)) => Some((own.as_str(), text.as_str())),
            _ => None,
        });
        let Some((_, file)) = texts.next() else { return };
        let package = self.scopes.last().and_then(|scope| scope.package.clone());
        let package = package.unwrap_or_else(|| self.package.to_owned());
        let module = self.files.label(file, &package).and_then(|label| self.module(&label));
        for (own, name) in texts.collect::<Vec<_>>() {
            let own = if own.is_empty() { name } else { own };
            let value = module.and_then(|module| self.files.modules.get(module)?.get(name).cloned());
            let value = value.unwrap_or_else(|| Value::External(name.to_owned()));
            self.names().insert(own.to_owned(), value);
        }
    }

    /// Returns the number of a file, which is read if it was not.
    fn module(&mut self, label: &str) -> Option<usize> {
        if let Some(number) = self.files.numbers.get(label) {
            return *number;
        }
        let (package, name) = label.strip_prefix("//")?.split_once(':')?;
        let path = if package.is_empty() { name.to_owned() } else { format!("{package}/{name}") };
        let text = *self.files.texts.get(path.as_str())?;
        // A file that loads itself is an error in Bazel.
        self.files.numbers.insert(label.to_owned(), None);
        if self.calls > MOST_CALLS {
            return None;
        }
        let number = self.files.modules.len();
        self.files.modules.push(Names::new());
        let scope = Scope { names: Names::new(), module: Some(number), package: Some(package.to_owned()) };
        self.scopes.push(scope);
        self.calls += 1;
        let (rules, unread) = (self.file.rules.len(), self.file.unread.len());
        for statement in statements(&tokens(text)) {
            if matches!(self.block(std::slice::from_ref(&statement)), Flow::Stop) {
                break;
            }
        }
        // A file of macros has no rules, and what is not read in it matters only to its functions.
        self.file.rules.truncate(rules);
        self.file.unread.truncate(unread);
        self.calls -= 1;
        let names = self.scopes.pop().map(|scope| scope.names).unwrap_or_default();
        self.files.modules[number] = names;
        self.files.numbers.insert(label.to_owned(), Some(number));
        Some(number)
    }

    fn value(&mut self, expression: &Expression) -> Value {
        if !self.charge(1) || self.depth > MOST_DEPTH {
            return Value::Unknown("too much work".to_owned());
        }
        self.depth += 1;
        let value = self.value_here(expression);
        self.depth -= 1;
        value
    }

    fn value_here(&mut self, expression: &Expression) -> Value {
        match expression {
            Expression::Value(value) => value.clone(),
            Expression::Name(name) => {
                self.name(name).unwrap_or_else(|| Value::Unknown(format!("the name '{name}'")))
            }
            Expression::List(values) => Value::List(values.iter().map(|value| self.value(value)).collect()),
            Expression::Dict(entries) => {
                Value::Dict(entries.iter().map(|(key, value)| (self.value(key), self.value(value))).collect())
            }
            Expression::Call { function, arguments, line } => self.call(function, arguments, *line),
            Expression::Member(..) => Value::Unknown("a member".to_owned()),
            Expression::Element(of, index) => {
                let (of, index) = (self.value(of), self.value(index));
                methods::element(&of, &index).unwrap_or_else(|| Value::Unknown("an element".to_owned()))
            }
            Expression::Part(of, from, to) => {
                let of = self.value(of);
                let ends = [from, to].map(|end| end.as_ref().map(|end| self.value(end)));
                methods::part(&of, &ends).unwrap_or_else(|| Value::Unknown("a part".to_owned()))
            }
            Expression::Not(value) => match self.value(value).truth() {
                Some(is_true) => Value::bool(!is_true),
                None => Value::Unknown("a condition".to_owned()),
            },
            Expression::Minus(value) => match self.value(value) {
                Value::Number(number) => Value::Number(number.saturating_neg()),
                _ => Value::Unknown("a calculation".to_owned()),
            },
            Expression::Binary(op, left, right) => self.binary(op, left, right),
            Expression::Condition(parts) => {
                let [condition, then, otherwise] = &**parts;
                match self.value(condition).truth() {
                    Some(true) => self.value(then),
                    Some(false) => self.value(otherwise),
                    None => Value::Unknown("a condition".to_owned()),
                }
            }
            Expression::Comprehension { key, body, clauses } => {
                self.comprehension(key.as_deref(), body, clauses)
            }
            Expression::Unknown(what) => Value::Unknown(what.clone()),
        }
    }

    fn comprehension(&mut self, key: Option<&Expression>, body: &Expression, clauses: &[Clause]) -> Value {
        // The names of the clauses hold inside alone.
        let mut before = Vec::new();
        for name in clauses.iter().flat_map(Clause::names) {
            before.push((name.clone(), self.names().remove(name)));
        }
        let (mut values, mut entries) = (Vec::new(), Vec::new());
        let done = self.clauses(clauses, &mut |evaluator| match key {
            None => values.push(evaluator.value(body)),
            Some(key) => {
                let (key, value) = (evaluator.value(key), evaluator.value(body));
                methods::insert(&mut entries, key, value);
            }
        });
        for (name, value) in before.into_iter().rev() {
            match value {
                Some(value) => drop(self.names().insert(name, value)),
                None => drop(self.names().remove(&name)),
            }
        }
        match (done, key) {
            (None, _) => Value::Unknown("a comprehension".to_owned()),
            (Some(()), None) => Value::List(values),
            (Some(()), Some(_)) => Value::Dict(entries),
        }
    }

    /// Runs `act` for each combination of the clauses; `None` if one of them is not known.
    fn clauses(&mut self, clauses: &[Clause], act: &mut dyn FnMut(&mut Self)) -> Option<()> {
        if !self.charge(1) {
            return None;
        }
        match clauses {
            [] => act(self),
            [Clause::If(condition), rest @ ..] => {
                if self.value(condition).truth()? {
                    self.clauses(rest, act)?;
                }
            }
            [Clause::For(names, over), rest @ ..] => {
                let over = self.value(over);
                for value in methods::elements(over)? {
                    if names.len() > 1 && value.list().is_none_or(|parts| parts.len() != names.len()) {
                        return None;
                    }
                    self.bind(names, value);
                    self.clauses(rest, act)?;
                }
            }
        }
        Some(())
    }

    fn binary(&mut self, op: &str, left: &Expression, right: &Expression) -> Value {
        // A chain of `+` is a tree to its left.
        let mut waiting = vec![right];
        let mut first = left;
        while let Expression::Binary(other, left, right) = first
            && *other == op
            && !matches!(op, "or" | "and")
        {
            waiting.push(right);
            first = left;
        }
        let mut value = self.value(first);
        while let Some(right) = waiting.pop() {
            if matches!(op, "or" | "and") {
                match value.truth() {
                    Some(is_true) if is_true == (op == "or") => return value,
                    Some(_) => {
                        value = self.value(right);
                        continue;
                    }
                    None => return Value::Unknown("a condition".to_owned()),
                }
            }
            let right = self.value(right);
            let work = value.size() + right.size();
            if !self.charge(work) {
                return Value::Unknown("too much work".to_owned());
            }
            value = calculate(op, value, right);
        }
        value
    }

    fn call(&mut self, function: &Expression, arguments: &[(String, Expression)], line: usize) -> Value {
        let is_native = |of: &Expression| matches!(of, Expression::Name(name) if name == "native");
        let (name, callee) = match function {
            Expression::Name(name) => (name.clone(), self.name(name)),
            Expression::Member(of, name) if is_native(of) => (name.clone(), None),
            Expression::Member(of, name) => {
                let of = self.value(of);
                let arguments = self.arguments(arguments);
                let value = match &of {
                    Value::Text(form) if name == "format" => Some(format(form, &arguments)),
                    of => {
                        let is_plain = arguments.iter().all(|(name, _)| name.is_empty());
                        let values: Vec<Value> = arguments.into_iter().map(|(_, value)| value).collect();
                        method(of, name, &values).filter(|_| is_plain)
                    }
                };
                return self.kept(value.unwrap_or_else(|| Value::Unknown(format!("'{name}'"))));
            }
            _ => return Value::Unknown("the value of a call".to_owned()),
        };
        let arguments = self.arguments(arguments);
        let is_rule = |name: &str| RULES.iter().any(|rule| name.ends_with(rule));
        match callee {
            Some(Value::Function(closure)) if !is_rule(&name) && !is_rule(&closure.function.name) => {
                self.function(&closure, arguments)
            }
            Some(Value::Function(closure)) => self.rule(&closure.function.name, arguments, line),
            Some(Value::External(name)) => self.rule(&name, arguments, line),
            Some(_) => self.rule(&name, arguments, line),
            None => {
                let is_plain = arguments.iter().all(|(name, _)| name.is_empty());
                let values: Vec<Value> = arguments.iter().map(|(_, value)| value.clone()).collect();
                if name == "package_name" {
                    return Value::Text(self.package.to_owned());
                }
                if name == "dict" {
                    return methods::dict(arguments)
                        .unwrap_or_else(|| Value::Unknown("the value of dict()".to_owned()));
                }
                match methods::builtin(&name, &values).filter(|_| is_plain) {
                    Some(value) => self.kept(value),
                    None => self.rule(&name, arguments, line),
                }
            }
        }
    }

    /// Returns a new value, for which it charges.
    fn kept(&mut self, value: Value) -> Value {
        let size = value.size();
        if self.charge(size) { value } else { Value::Unknown("too much work".to_owned()) }
    }

    /// Evaluates arguments; those of a list or a dictionary become arguments of their own.
    fn arguments(&mut self, arguments: &[(String, Expression)]) -> Vec<(String, Value)> {
        let mut given = Vec::new();
        for (name, value) in arguments {
            let value = self.value(value);
            match (name.as_str(), value) {
                ("*", Value::List(values)) => {
                    given.extend(values.into_iter().map(|value| (String::new(), value)))
                }
                ("**", Value::Dict(entries)) => {
                    given.extend(
                        entries.into_iter().filter_map(|(key, value)| Some((key.text()?.to_owned(), value))),
                    );
                }
                (_, value) => given.push((name.clone(), value)),
            }
        }
        given
    }

    /// Notes the call of a rule.
    fn rule(&mut self, function: &str, arguments: Vec<(String, Value)>, line: usize) -> Value {
        let line = if self.is_in_macro() { self.line } else { line };
        self.file.rules.push(Rule { function: function.to_owned(), arguments, line });
        Value::Unknown(format!("the value of {function}()"))
    }

    fn function(&mut self, closure: &Closure, arguments: Vec<(String, Value)>) -> Value {
        if self.calls >= MOST_CALLS || self.depth > MOST_DEPTH {
            return Value::Unknown("too much work".to_owned());
        }
        let function = &closure.function;
        let mut names = Names::new();
        let (mut in_order, mut named) = (Vec::new(), Vec::new());
        for (name, value) in arguments {
            match name.as_str() {
                "" => in_order.push(value),
                _ => named.push((name, value)),
            }
        }
        let mut in_order = in_order.into_iter();
        // Defaults are values of the file that defines the function.
        self.scopes.push(Scope { names: Names::new(), module: Some(closure.module), package: None });
        let mut rest = None;
        for parameter in &function.parameters {
            match parameter {
                Parameter::Plain(name, default) => {
                    let at = named.iter().position(|(given, _)| given == name);
                    let value = match (at, default) {
                        (Some(at), _) => named.remove(at).1,
                        (None, default) => match (in_order.next(), default) {
                            (Some(value), _) => value,
                            (None, Some(default)) => self.value(default),
                            (None, None) => {
                                Value::Unknown(format!("the argument '{name}', which is missing"))
                            }
                        },
                    };
                    names.insert(name.clone(), value);
                }
                Parameter::List(name) => {
                    names.insert(name.clone(), Value::List(in_order.by_ref().collect()));
                }
                Parameter::Dict(name) => rest = Some(name.clone()),
            }
        }
        if let Some(rest) = rest {
            let entries = named.into_iter().map(|(name, value)| (Value::Text(name), value));
            names.insert(rest, Value::Dict(entries.collect()));
        }
        *self.names() = names;
        self.calls += 1;
        let flow = self.block(&function.body);
        self.calls -= 1;
        self.scopes.pop();
        match flow {
            Flow::Return(value) => value,
            _ => Value::NONE,
        }
    }
}

/// Applies an operator to two values.
fn calculate(op: &str, left: Value, right: Value) -> Value {
    match (op, left, right) {
        ("+", Value::Text(left), Value::Text(right)) => Value::Text(left + &right),
        ("+", Value::Number(left), Value::Number(right)) => Value::Number(left.saturating_add(right)),
        ("-", Value::Number(left), Value::Number(right)) => Value::Number(left.saturating_sub(right)),
        ("+", Value::List(left), Value::List(right)) => Value::List(left.into_iter().chain(right).collect()),
        ("|", Value::Dict(mut left), Value::Dict(right)) => {
            right.into_iter().for_each(|(key, value)| methods::insert(&mut left, key, value));
            Value::Dict(left)
        }
        ("%", Value::Text(form), value) => {
            let values = match value {
                Value::List(values) => values,
                value => vec![value],
            };
            fill(&form, &values)
        }
        ("in" | "not in", left, right) if left.is_known() && right.is_known() => {
            let is_in = match (&left, &right) {
                (left, Value::List(values)) => values.contains(left),
                (left, Value::Dict(entries)) => entries.iter().any(|(key, _)| key == left),
                (Value::Text(part), Value::Text(text)) => text.contains(part.as_str()),
                _ => return Value::Unknown("a comparison".to_owned()),
            };
            Value::bool(is_in == (op == "in"))
        }
        ("==" | "!=", left, right) if left.is_known() && right.is_known() => {
            Value::bool((left == right) == (op == "=="))
        }
        ("<" | ">" | "<=" | ">=", Value::Number(left), Value::Number(right)) => Value::bool(match op {
            "<" => left < right,
            ">" => left > right,
            "<=" => left <= right,
            _ => left >= right,
        }),
        (_, Value::Unknown(what), _) | (_, _, Value::Unknown(what)) => Value::Unknown(what),
        _ => Value::Unknown("a calculation".to_owned()),
    }
}
