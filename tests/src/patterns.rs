//! Random files of rewrite patterns over a small dialect: most are valid, some contain mistakes.

use std::sync::OnceLock;

use odsmith_engine::release::changes::Change;

use crate::{older, random::Random, run, set_up};

/// The dialect of the patterns.
pub const DIALECT: &str = r#"include "mlir/IR/EnumAttr.td"
include "mlir/IR/PatternBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Loom : Dialect { let name = "loom"; let cppNamespace = "::loom"; }
def Plain : Dialect { let name = "plain"; let cppNamespace = "::plain"; let usePropertiesForAttributes = 0; }
class LoomOp<string name, list<Trait> traits = []> : Op<Loom, name, traits>;

def NoneOp : LoomOp<"none"> { let results = (outs AnyType:$o); }
def OneOp : LoomOp<"one"> { let arguments = (ins AnyType:$i); let results = (outs AnyType:$o); }
def PairOp : LoomOp<"pair"> { let arguments = (ins AnyType:$l, I32:$r); let results = (outs AnyType:$o); }
def FourOp : LoomOp<"four"> { let arguments = (ins AnyType:$a, AnyType:$b, AnyType:$c, AnyType:$d); let results = (outs AnyType:$o); }
def AttrOp : LoomOp<"attr"> { let arguments = (ins AnyType:$i, AnyAttr:$a_b); let results = (outs AnyType:$o); }
def MixOp : LoomOp<"mix"> { let arguments = (ins I32Attr:$p, AnyType:$i, OptionalAttr<StrAttr>:$q, AnyType:$j, DefaultValuedAttr<I32Attr, "7">:$d, UnitAttr:$u); let results = (outs AnyType:$o); }
def SameOp : LoomOp<"same", [SameOperandsAndResultType]> { let arguments = (ins AnyType:$i, AnyType:$j, I32Attr:$a); let results = (outs AnyType:$o); }
def FirstOp : LoomOp<"first", [FirstAttrDerivedResultType]> { let arguments = (ins I32Attr:$a, AnyType:$i); let results = (outs AnyType:$o); }
def SinkOp : LoomOp<"sink"> { let arguments = (ins AnyType:$i); }
def TwoOp : LoomOp<"two"> { let arguments = (ins AnyType:$i); let results = (outs AnyType:$o, AnyType:$p); }
def ThreeOp : LoomOp<"three"> { let arguments = (ins AnyType:$i); let results = (outs AnyType:$o, AnyType:$p, AnyType:$q); }
def VarOp : LoomOp<"var"> { let arguments = (ins AnyType:$h, Variadic<AnyType>:$m, I32Attr:$n); let results = (outs AnyType:$o); }
def ManyOp : LoomOp<"many"> { let arguments = (ins Variadic<AnyType>:$i); let results = (outs Variadic<AnyType>:$o); }
def OptOp : LoomOp<"opt"> { let arguments = (ins Optional<AnyType>:$i); let results = (outs Optional<AnyType>:$o); }
def RestOp : LoomOp<"rest"> { let arguments = (ins AnyType:$i); let results = (outs AnyType:$o, Variadic<AnyType>:$p); }
def SegOp : LoomOp<"seg", [AttrSizedOperandSegments]> { let arguments = (ins Variadic<AnyType>:$l, I32Attr:$n, Optional<AnyType>:$m, AnyType:$r); let results = (outs AnyType:$o); }
def PropOp : LoomOp<"prop"> { let arguments = (ins AnyType:$i, I64Prop:$p, DefaultValuedProp<StringProp, "\"s\"">:$s); let results = (outs AnyType:$o); }
def Plain_MixOp : Op<Plain, "mix"> { let arguments = (ins AnyType:$i, I32Attr:$a, OptionalAttr<StrAttr>:$b, I64Prop:$p); let results = (outs AnyType:$o); }

def Call : NativeCodeCall<"call($_builder, $0, $1)">;
def CallLoc : NativeCodeCall<"callLoc($_loc, $0)">;
def CallSelf : NativeCodeCall<"callSelf($_self, $0...)">;
def CallNone : NativeCodeCall<"callNone()">;
def CallVoid : NativeCodeCallVoid<"callVoid($0)">;
def CallTwo : NativeCodeCall<"callTwo($0)", 2>;
def Match : NativeCodeCall<"match($_self, &$0)">;
def MatchTwo : NativeCodeCall<"matchTwo($_self, $0, $1)">;

def Equal : Constraint<CPred<"$0 == $1">, "is \"equal\"">;
def Kept : Constraint<And<[CPred<"keep($_self)">, Neg<CPred<"$0.drop()">>]>>;
def KLow : I32EnumAttrCase<"Low", 0>;
def KHigh : I32EnumAttrCase<"High", 1>;
def KAttr : I32EnumAttr<"K", "k", [KLow, KHigh]> { let cppNamespace = "::loom"; }
"#;

/// A file: the dialect, and patterns, each of which can be left out.
#[derive(Clone, Debug)]
pub struct File(Vec<String>);

impl File {
    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> String {
        older::random_text(format!("{}\n{}\n", dialect(), self.0.join("\n")))
    }

    /// The text of the patterns alone.
    #[must_use]
    pub fn patterns(&self) -> String {
        self.0.join("\n")
    }

    /// The smallest file that still `fails`, found by leaving out patterns.
    #[must_use]
    pub fn shrunk(mut self, fails: impl Fn(&str) -> bool) -> File {
        loop {
            let smaller = (0..self.0.len()).find_map(|index| {
                let mut patterns = self.0.clone();
                patterns.remove(index);
                let file = File(patterns);
                fails(&file.text()).then_some(file)
            });
            match smaller {
                Some(file) => self = file,
                None => return self,
            }
        }
    }
}

/// The lines of the dialect that the library can read.
fn dialect() -> &'static str {
    static READABLE: OnceLock<String> = OnceLock::new();
    READABLE.get_or_init(|| {
        if older::is_newest() {
            return DIALECT.to_owned();
        }
        let mut readable = String::new();
        for line in DIALECT.split_inclusive('\n') {
            let with_it = format!("{readable}{line}");
            let is_head = line.starts_with("include ") || line == "\n";
            if is_head || run::first_error(&older::random_text(with_it.clone())).is_none() {
                readable = with_it;
            }
        }
        readable
    })
}

/// Returns true if the library has everything that a pattern uses.
fn is_readable(pattern: &str) -> bool {
    older::is_newest() || {
        let text = older::random_text(format!("{}\n{pattern}\n", dialect()));
        run::first_error(&text).is_none()
    }
}

/// Returns true if the library can read an operation or other definition of the dialect.
fn is_known(name: &str) -> bool {
    DIALECT == dialect() || {
        let word = name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let is_own = |text: &str| text.contains(&format!(" {word} ")) || text.contains(&format!(" {word};"));
        older::is_readable(name) && (!is_own(DIALECT) || is_own(dialect()))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Operand,
    Variadic,
    Optional,
    Attribute,
    Property,
}

struct Op {
    name: &'static str,
    arguments: &'static [Kind],
    results: usize,
}

const fn op(name: &'static str, arguments: &'static [Kind], results: usize) -> Op {
    Op { name, arguments, results }
}

const OPS: &[Op] = {
    use Kind::{Attribute as A, Operand as O, Optional as Q, Property as P, Variadic as V};
    &[
        op("NoneOp", &[], 1),
        op("OneOp", &[O], 1),
        op("OneOp", &[O], 1),
        op("PairOp", &[O, O], 1),
        op("PairOp", &[O, O], 1),
        op("FourOp", &[O, O, O, O], 1),
        op("AttrOp", &[O, A], 1),
        op("AttrOp", &[O, A], 1),
        op("MixOp", &[A, O, A, O, A, A], 1),
        op("SameOp", &[O, O, A], 1),
        op("FirstOp", &[A, O], 1),
        op("SinkOp", &[O], 0),
        op("TwoOp", &[O], 2),
        op("ThreeOp", &[O], 3),
        op("VarOp", &[O, V, A], 1),
        op("ManyOp", &[V], 1),
        op("OptOp", &[Q], 1),
        op("RestOp", &[O], 2),
        op("SegOp", &[V, A, Q, O], 1),
        op("PropOp", &[O, P, P], 1),
        op("Plain_MixOp", &[O, A, A, P], 1),
    ]
};

const TYPES: &[&str] = &["I32", "F32", "AnyType", "AnyTensor", "TensorOf<[F32, I32]>"];
const ATTRS: &[&str] = &[
    "I32Attr",
    "AnyAttr",
    "IsNullAttr",
    "ConstantAttr<I32Attr, \"1\">",
    "ConstantStrAttr<StrAttr, \"s\">",
    "KLow",
    "ConstantEnumCase<KAttr, \"High\">",
    "ConfinedAttr<I32Attr, [IntMinValue<3>]>",
];
const CONSTANT_ATTRS: &[&str] =
    &["ConstantAttr<I32Attr, \"2\">", "ConstantStrAttr<StrAttr, \"t\">", "KHigh", "ConstUnitAttr"];
const PROPS: &[&str] =
    &["I64Prop", "ConstantProp<I64Prop, \"3\">", "ConfinedProp<I64Prop, CPred<\"$_self > 2\">>"];
const NAMES: &[&str] = &["a", "b", "c", "x", "y", "z", "val", "x0", "in_1"];

/// The file for a seed.
#[must_use]
pub fn file(seed: u64) -> File {
    let mut random = Random::new(seed ^ 0x5eed_d8a5);
    let count = 1 + random.below(7);
    let mut shared = Vec::new();
    // Most files contain no mistake, so that all of their patterns are compared.
    let mistakes = if random.one_in(2) { 0 } else { 20 + random.below(100) };
    let pattern = |number| {
        let mut writer = Writer {
            random: &mut random,
            bound: Vec::new(),
            shared: &mut shared,
            mistakes,
            fresh: 0,
            binds_results: true,
        };
        writer.pattern(number)
    };
    let mut patterns: Vec<String> = (0..count).map(pattern).collect();
    // Libraries before 17 lack so much that little else would be compared.
    if mistakes == 0 || !older::has_properties() {
        patterns.retain(|pattern| is_readable(pattern));
    }
    File(patterns)
}

#[derive(Clone, Debug)]
struct Binding {
    name: String,
    kind: BindingKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BindingKind {
    Value,
    Range,
    Attribute,
    Property,
    Results(usize),
}

impl BindingKind {
    fn is_value(self) -> bool {
        matches!(self, BindingKind::Value | BindingKind::Results(1..) | BindingKind::Range)
    }
}

struct Writer<'a> {
    random: &'a mut Random,
    bound: Vec<Binding>,
    /// Source dags of earlier patterns, with the names that they bind.
    shared: &'a mut Vec<(String, Vec<Binding>)>,
    /// One in this many places gets a mistake; 0 for none.
    mistakes: usize,
    fresh: usize,
    /// True while results may be bound to names: not in supplemental patterns.
    binds_results: bool,
}

impl Writer<'_> {
    fn mistake(&mut self) -> bool {
        self.mistakes > 0 && self.random.one_in(self.mistakes)
    }

    /// Picks an item that the library has.
    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        let mut item = *self.random.pick::<&str>(items);
        for _ in 0..20 {
            if is_known(item) {
                break;
            }
            item = self.random.pick::<&str>(items);
        }
        item
    }

    /// Picks an operation that the library can read.
    fn pick_op(&mut self) -> &'static Op {
        loop {
            let op = self.random.pick(OPS);
            if is_known(op.name) {
                return op;
            }
        }
    }

    fn pattern(&mut self, number: usize) -> String {
        let root = self.pick_op();
        let mut source = self.source_op(root, 0);
        while !self.bound.iter().any(|bound| bound.kind.is_value()) {
            self.bound.clear();
            // Only the operation itself can be named if it has no arguments.
            source = self.source_op(root, 0);
        }
        let constraints: Vec<String> = match self.random.below(4) {
            0 => (0..=self.random.below(3)).map(|_| self.constraint()).collect(),
            _ => Vec::new(),
        };
        let (results, is_list) = self.results(root);
        self.binds_results = false;
        let supplemental: Vec<String> = match self.random.below(8) {
            0 => (0..=self.random.below(2)).map(|_| self.result_node(2)).collect(),
            _ => Vec::new(),
        };
        let mut text = String::new();
        text += &match self.random.below(5) {
            0 => "def : ".to_owned(),
            _ => format!("def {}{number} : ", self.pick(&["P", "Q", "a", "R_"])),
        };
        text += &match (is_list, results.len()) {
            (false, 1) => format!("Pat<{source}, {}", results[0]),
            _ => format!("Pattern<{source}, [{}]", results.join(", ")),
        };
        text += &format!(", [{}]", constraints.join(", "));
        if set_up::fuzzed_release().rules().has(Change::SupplementalPatterns) {
            text += &format!(", [{}]", supplemental.join(", "));
        }
        if self.random.one_in(5) {
            let benefit = if self.mistake() { "\"1\"".to_owned() } else { self.random.below(20).to_string() };
            text += &format!(", (addBenefit {benefit})");
        }
        text + ">;"
    }

    fn bind(&mut self, kind: BindingKind) -> String {
        let is_repeated = kind == BindingKind::Value && self.random.one_in(7);
        let again = self
            .bound
            .iter()
            .filter(|bound| bound.kind == BindingKind::Value)
            .map(|bound| bound.name.clone());
        let again: Vec<String> = again.collect();
        let name = if self.mistake() {
            (*self.random.pick(&["x__0", "a", "y__1"])).to_owned()
        } else if is_repeated && !again.is_empty() {
            self.random.pick(&again).clone()
        } else {
            self.fresh_name()
        };
        self.fresh += 1;
        self.bound.push(Binding { name: name.clone(), kind });
        name
    }

    /// A name that is not bound yet.
    fn fresh_name(&mut self) -> String {
        loop {
            let name = match NAMES.get(self.fresh) {
                Some(name) => (*name).to_owned(),
                None => format!("v{}", self.fresh),
            };
            if self.bound.iter().all(|bound| bound.name != name) {
                return name;
            }
            self.fresh += 1;
        }
    }

    fn source_op(&mut self, op: &Op, depth: usize) -> String {
        let before = self.bound.len();
        let name = match self.random.below(4) {
            0 => format!(":${}", self.bind(BindingKind::Results(op.results))),
            _ => String::new(),
        };
        let mut args = Vec::new();
        let mut index = 0;
        let mut was_either = false;
        while index < op.arguments.len() {
            let kind = op.arguments[index];
            let is_pair = kind == Kind::Operand && op.arguments.get(index + 1) == Some(&Kind::Operand);
            // After `either` the reference mistakes one attribute for another.
            let has_place = match older::names_after_either() {
                true => op.arguments[index..].iter().all(|kind| *kind == Kind::Operand),
                false => index + 2 == op.arguments.len(),
            };
            if is_pair && has_place && self.random.one_in(5) {
                let pair = [self.source_operand(depth), self.source_operand(depth)];
                args.push(format!("(either {})", pair.join(", ")));
                index += 1;
                was_either = true;
            } else {
                args.push(self.source_argument(kind, depth));
            }
            index += 1;
        }
        if self.mistake() && !was_either {
            match self.random.below(if older::names_after_either() { 3 } else { 2 }) {
                0 => drop(args.pop()),
                1 => args.push("$q".to_owned()),
                _ => args.push("(either $q, $r)".to_owned()),
            }
        }
        let text =
            format!("({}{name}{}{})", op.name, if args.is_empty() { "" } else { " " }, args.join(", "));
        if self.random.one_in(3) {
            self.shared.push((text.clone(), self.bound[before..].to_vec()));
        }
        text
    }

    fn source_argument(&mut self, kind: Kind, depth: usize) -> String {
        if self.mistake() {
            let other = [Kind::Operand, Kind::Variadic, Kind::Attribute, Kind::Property];
            let other = *self.random.pick(&other);
            return self.source_argument(other, depth);
        }
        match kind {
            Kind::Operand => self.source_operand(depth),
            Kind::Optional => self.source_leaf(BindingKind::Value, &[]),
            Kind::Variadic if self.random.one_in(3) => {
                let name = match self.random.below(2) {
                    0 => format!(":${}", self.bind(BindingKind::Range)),
                    _ => String::new(),
                };
                let count = self.random.below(4);
                let items: Vec<String> = (0..count).map(|_| self.source_element(depth)).collect();
                format!("(variadic{name}{}{})", if count > 0 { " " } else { "" }, items.join(", "))
            }
            Kind::Variadic => self.source_leaf(BindingKind::Range, &[]),
            Kind::Attribute => self.source_leaf(BindingKind::Attribute, ATTRS),
            Kind::Property => self.source_leaf(BindingKind::Property, PROPS),
        }
    }

    fn source_element(&mut self, depth: usize) -> String {
        if depth < 3 && self.random.one_in(3) {
            let op = self.pick_op();
            return self.source_op(op, depth + 1);
        }
        self.source_leaf(BindingKind::Value, &[])
    }

    fn source_operand(&mut self, depth: usize) -> String {
        if depth < 3 && self.random.one_in(4) {
            if !self.shared.is_empty() && self.random.one_in(3) {
                let (text, bound) = self.random.pick(self.shared).clone();
                let is_new = |new: &Binding| self.bound.iter().all(|bound| bound.name != new.name);
                if bound.iter().all(is_new) {
                    self.bound.extend(bound);
                    return text;
                }
            }
            if self.random.one_in(4) {
                return self.source_call();
            }
            let op = self.pick_op();
            return self.source_op(op, depth + 1);
        }
        self.source_leaf(BindingKind::Value, TYPES)
    }

    fn source_call(&mut self) -> String {
        let call = if self.mistake() { "Call" } else { self.pick(&["Match", "MatchTwo", "CallSelf"]) };
        let count = 1 + usize::from(call == "MatchTwo");
        let mut args = Vec::new();
        for _ in 0..count {
            // Names that a call captures occur only once.
            args.push(match self.random.below(4) {
                0 => self.source_leaf(BindingKind::Attribute, ATTRS),
                1 => format!("{}:${}", self.pick(TYPES), self.bind(BindingKind::Results(1))),
                _ => format!("${}", self.bind(BindingKind::Results(1))),
            });
        }
        let name = if self.mistake() { ":$n" } else { "" };
        format!("({call}{name} {})", args.join(", "))
    }

    fn source_leaf(&mut self, kind: BindingKind, constraints: &[&'static str]) -> String {
        let has_constraint = !constraints.is_empty() && self.random.one_in(3);
        let constraint = if has_constraint { self.pick(constraints) } else { "" };
        match self.random.below(6) {
            0 if constraint.is_empty() => "$_".to_owned(),
            0 => constraint.to_owned(),
            _ => {
                let name = self.bind(kind);
                if constraint.is_empty() { format!("${name}") } else { format!("{constraint}:${name}") }
            }
        }
    }

    /// The result patterns for a root; true if they must be a list.
    fn results(&mut self, root: &Op) -> (Vec<String>, bool) {
        let mut results = Vec::new();
        for _ in 0..self.random.below(3) / 2 * (1 + self.random.below(2)) {
            results.push(self.result_node(1));
        }
        let mut missing = root.results;
        if self.mistake() {
            missing = self.random.below(4);
        }
        while missing > 0 {
            let (text, count) = self.replacement(missing);
            results.push(text);
            missing -= count.min(missing);
        }
        let is_list = root.results != 1;
        (results, is_list)
    }

    fn replacement(&mut self, most: usize) -> (String, usize) {
        match self.random.below(6) {
            0 => {
                let value = self.value_name();
                (format!("(replaceWithValue ${value})"), 1)
            }
            1 => {
                let (call, count) = if most > 1 { ("CallTwo", 2) } else { ("Call", 1) };
                let args: Vec<String> = (0..2).map(|_| self.result_argument(Kind::Operand, 1)).collect();
                (format!("({call} {}{})", args.join(", "), self.location()), count)
            }
            _ => {
                let fitting: Vec<&Op> = OPS.iter().filter(|op| (1..=most).contains(&op.results)).collect();
                let op = *self.random.pick(&fitting);
                (self.result_op(op, 0, true), op.results)
            }
        }
    }

    fn result_node(&mut self, depth: usize) -> String {
        match self.random.below(6) {
            0 => self.result_call(depth),
            1 => format!("(CallVoid {})", self.result_argument(Kind::Operand, depth)),
            _ => {
                let op = self.pick_op();
                self.result_op(op, depth, false)
            }
        }
    }

    fn result_call(&mut self, depth: usize) -> String {
        let call = self.pick(&["Call", "CallLoc", "CallSelf", "CallNone", "CallTwo"]);
        let name = match self.random.below(5) {
            0 => format!(":${}", self.result_name(1 + usize::from(call == "CallTwo"))),
            _ => String::new(),
        };
        let mut args: Vec<String> = match call {
            "CallNone" => Vec::new(),
            "Call" => (0..2).map(|_| self.result_argument(Kind::Operand, depth + 1)).collect(),
            _ => vec![self.result_argument(Kind::Operand, depth + 1)],
        };
        if self.random.one_in(8) {
            args.push(self.leaf_constant());
        }
        let location = self.location();
        let location = if args.is_empty() { location.trim_start_matches(',').to_owned() } else { location };
        format!("({call}{name} {}{location})", args.join(", "))
    }

    fn leaf_constant(&mut self) -> String {
        let constants = [CONSTANT_ATTRS, &["ConstantProp<I64Prop, \"4\">"]].concat();
        self.pick(&constants).to_owned()
    }

    fn result_name(&mut self, results: usize) -> String {
        let name = if self.mistake() { "x".to_owned() } else { format!("r{}", self.fresh) };
        self.fresh += 1;
        if self.binds_results {
            self.bound.push(Binding { name: name.clone(), kind: BindingKind::Results(results) });
        }
        if results > 1 && self.random.one_in(2) {
            return format!("{name}__{}", self.random.below(results));
        }
        name
    }

    fn result_op(&mut self, op: &Op, depth: usize, is_replacement: bool) -> String {
        let mut args = Vec::new();
        for &kind in op.arguments {
            args.push(self.result_argument(kind, depth + 1));
        }
        if self.mistake() {
            args.push("$x".to_owned());
        }
        if !is_replacement && self.random.one_in(6) || self.mistake() {
            let types: Vec<String> = (0..op.results.max(1)).map(|_| self.returned_type()).collect();
            args.push(format!("(returnType {})", types.join(", ")));
        }
        let name = match self.random.below(4) {
            0 if is_replacement => format!(":$r{}", self.fresh),
            0 => format!(":${}", self.result_name(op.results)),
            _ => String::new(),
        };
        let location = self.location();
        let location = if args.is_empty() { location.trim_start_matches(',').to_owned() } else { location };
        format!("({}{name} {}{location})", op.name, args.join(", "))
    }

    fn returned_type(&mut self) -> String {
        match self.random.below(4) {
            0 => "\"$_builder.getI32Type()\"".to_owned(),
            1 => format!("({} ${})", self.pick(&["CallSelf", "CallLoc"]), self.value_name()),
            _ => format!("${}", self.value_name()),
        }
    }

    fn location(&mut self) -> String {
        if !self.random.one_in(8) {
            return String::new();
        }
        let args: Vec<String> = (0..=self.random.below(3))
            .map(|number| match self.random.below(4) {
                0 if number == 0 || self.mistake() => "\"place\"".to_owned(),
                _ => format!("${}", self.value_name()),
            })
            .collect();
        format!(", (location {})", args.join(", "))
    }

    /// A bound name of a kind, if there is one, sometimes with the index of a result.
    fn name_of(&mut self, is_wanted: impl Fn(BindingKind) -> bool) -> Option<String> {
        let fitting: Vec<Binding> =
            self.bound.iter().filter(|bound| is_wanted(bound.kind)).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let bound = self.random.pick(&fitting);
        let (name, kind) = (bound.name.clone(), bound.kind);
        Some(match kind {
            BindingKind::Results(count) if count > 0 && self.random.one_in(if count > 1 { 2 } else { 6 }) => {
                format!("{name}__{}", self.random.below(count))
            }
            _ => name,
        })
    }

    fn value_name(&mut self) -> String {
        if self.mistake() {
            return (*self.random.pick(&["nope", "_", "x__0", "val"])).to_owned();
        }
        let name = self.name_of(BindingKind::is_value).or_else(|| self.name_of(|_| true));
        name.unwrap_or_else(|| "nope".to_owned())
    }

    fn result_argument(&mut self, kind: Kind, depth: usize) -> String {
        if self.mistake() {
            let other = [Kind::Operand, Kind::Variadic, Kind::Attribute, Kind::Property];
            let other = *self.random.pick(&other);
            return self.result_argument(other, depth);
        }
        match kind {
            Kind::Operand | Kind::Optional => match self.random.below(if depth < 3 { 10 } else { 6 }) {
                0 => format!("{}:${}", self.pick(&["CallNone", "CallSelf", "I32"]), self.value_name()),
                1..=5 => format!("${}", self.value_name()),
                6 => self.result_call(depth),
                7 => format!("(replaceWithValue ${})", self.value_name()),
                _ => {
                    let op = self.pick_op();
                    self.result_op(op, depth, false)
                }
            },
            Kind::Variadic => match self.random.below(5) {
                0 => {
                    let items: Vec<String> = (0..self.random.below(4))
                        .map(|_| self.result_argument(Kind::Operand, depth + 1))
                        .collect();
                    format!("(variadic {})", items.join(", "))
                }
                1 => self.result_call(depth),
                2 if self.mistake() => format!("(ManyOp ${})", self.value_name()),
                _ => match self.name_of(|kind| kind == BindingKind::Range) {
                    Some(name) => format!("${name}"),
                    None => format!("${}", self.value_name()),
                },
            },
            Kind::Attribute => match self.random.below(5) {
                0 => self.result_call(depth),
                1 => self.pick(CONSTANT_ATTRS).to_owned(),
                _ => match self.name_of(|kind| kind == BindingKind::Attribute) {
                    Some(name) if self.random.one_in(8) => format!("CallSelf:${name}"),
                    Some(name) => format!("${name}"),
                    None => self.pick(CONSTANT_ATTRS).to_owned(),
                },
            },
            Kind::Property => match self.random.below(5) {
                0 => self.result_call(depth),
                1 => "ConstantProp<I64Prop, \"4\">".to_owned(),
                _ => match self.name_of(|kind| kind == BindingKind::Property) {
                    Some(name) => format!("${name}"),
                    None => "ConstantProp<I64Prop, \"5\">".to_owned(),
                },
            },
        }
    }

    fn constraint(&mut self) -> String {
        let (first, second) = (self.value_name(), self.value_name());
        match self.random.below(6) {
            0 => format!("(HasNoUseOf:${first})"),
            1 => format!("({} ${first})", self.pick(TYPES)),
            2 => format!("(Kept:${first} ${second})"),
            3 if self.mistake() => format!("(I32Attr ${first})"),
            4 if self.mistake() => format!("(Equal \"s\", ${first}, ${second}, $x, $y)"),
            _ => format!("(Equal ${first}, ${second})"),
        }
    }
}
