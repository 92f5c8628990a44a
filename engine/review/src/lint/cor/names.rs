//! Names that clash (COR017–COR019). Definitions of different files meet only when all of them are linked or registered.

use odsmith_ods::{Interface, Method, Operation, Part, PartKind, Quantifier};
use odsmith_report::Range;
use rustc_hash::FxHashMap;

use crate::lint::{
    config::Config,
    cx::{Cx, NamedDefinition, Names, Op},
    finding::{Finding, Location, of_rule},
    naming,
    rule::{Fixable, Level, Rule, SINCE},
};

pub(super) static MNEMONIC: Rule = Rule {
    id: "COR017",
    name: "mnemonic-clash",
    level: Level::Error,
    fix: Fixable::No,
    text: "Two operations, types or attributes of a dialect have one name, and one of them cannot be read.",
    advice: "rename one of them",
    bad: r#"
def Ex_AddOp : Ex_Op<"add">;
def Ex_PlusOp : Ex_Op<"add">;
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add">;
def Ex_PlusOp : Ex_Op<"plus">;
"#,
    since: SINCE,
};

pub(super) static CLASS: Rule = Rule {
    id: "COR018",
    name: "class-clash",
    level: Level::Error,
    fix: Fixable::No,
    text: "Two records give one C++ class, as what is before the first `_` of a record's name is left out. If both are in one program, \
           which of them is used is decided by the linker.",
    advice: "rename one of the records",
    bad: r#"
def Ex_AddOp : Ex_Op<"add">;
def ExOld_AddOp : Ex_Op<"old_add">;
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add">;
def Ex_OldAddOp : Ex_Op<"old_add">;
"#,
    since: SINCE,
};

pub(super) static ACCESSOR: Rule = Rule {
    id: "COR019",
    name: "accessor-clash-declared",
    level: Level::Warning,
    fix: Fixable::Unsafe,
    text: "The accessor of an argument is called as a method that `extraClassDeclaration` declares, or that an interface asks for \
           with other parameters or another result. The class does not compile, or the one hides the other.",
    advice: "rename the argument or the method",
    bad: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let arguments = (ins I32:$lhs);
  let extraClassDeclaration = [{
    ::mlir::Value getLhs();
  }];
}
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let arguments = (ins I32:$lhs);
  let extraClassDeclaration = [{
    ::mlir::Value getFirst();
  }];
}
"#,
    since: SINCE,
};

/// Returns the sort key of a definition.
fn order(named: &NamedDefinition) -> (Option<(&str, Range)>, &str) {
    (named.place.as_ref().map(Location::order), &named.subject)
}

/// Reports clashes between the definitions of all roots.
pub(in crate::lint) fn clashes(names: &Names, config: &Config) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut mnemonics: FxHashMap<(&str, &str, &str), &NamedDefinition> = FxHashMap::default();
    let mut classes: FxHashMap<&str, &NamedDefinition> = FxHashMap::default();
    let mut sorted: Vec<&NamedDefinition> = names.all.iter().collect();
    sorted.sort_by(|one, other| order(one).cmp(&order(other)));
    for named in sorted {
        let may_meet = |before: &NamedDefinition| {
            before.root == named.root || !named.is_of_tests() && !before.is_of_tests()
        };
        let mut has_mnemonic_clash = false;
        if let Some(mnemonic) = &named.mnemonic {
            let key = (named.kind, named.dialect.as_str(), mnemonic.as_str());
            if let Some(before) =
                mnemonics.get(&key).filter(|before| before.place != named.place && may_meet(before))
            {
                has_mnemonic_clash = true;
                let message = format!("another {} of the dialect is called '{mnemonic}', too", named.kind);
                found.extend(clash(&MNEMONIC, config, named, before, message));
            }
            mnemonics.entry(key).or_insert(named);
        }
        if let Some(before) =
            classes.get(named.class.as_str()).filter(|it| it.place != named.place && may_meet(it))
        {
            let message = format!("the C++ class '{}' is that of another {}, too", named.class, before.kind);
            let is_same = has_mnemonic_clash && before.kind == named.kind;
            found.extend((!is_same).then(|| clash(&CLASS, config, named, before, message)).flatten());
        }
        classes.entry(&named.class).or_insert(named);
    }
    found
}

fn clash(
    rule: &Rule,
    config: &Config,
    named: &NamedDefinition,
    before: &NamedDefinition,
    message: String,
) -> Option<Finding> {
    let file = named.place.as_ref().map_or("", |place| &place.file);
    let level = config.level_in(rule, file, &named.dialect);
    let related = before.place.clone();
    (level > Level::Off).then(|| Finding {
        witness: Some(format!("{} and {}", before.subject, named.subject)),
        related: related.map(|at| Finding::note(Some(at), "the other one")).into_iter().collect(),
        ..of_rule(rule, level, &named.subject, message, named.place.clone())
    })
}

pub(super) fn check(cx: &Cx<'_, '_>) {
    if !cx.wants(&ACCESSOR) {
        return;
    }
    for it in &cx.operations {
        let declared = methods(it.op.extra_class_declaration());
        for part in it.op.parts().filter(|part| !part.name.is_empty()) {
            let getter = it.op.getter(part.name);
            let field = "extraClassDeclaration";
            if declared.iter().any(|(name, parameters)| *name == getter && parameters.is_empty()) {
                let message = format!("'{getter}()' is declared, and generated for '${}'", part.name);
                let place = cx.place_in_field(it.subject.rec, field, &getter);
                report(cx, it, &part, place, message, format!("{getter}()"));
                continue;
            }
            let is_declared = declared.iter().any(|(name, _)| *name == getter);
            let clash = it.op.interfaces().find_map(|interface| {
                let methods = interface.methods().into_iter().filter(|method| method.name() == getter);
                let mut clashing =
                    methods.filter(|method| !is_declared && clashes_with(it, &part, interface, *method));
                Some((interface, clashing.next()?))
            });
            if let Some((interface, method)) = clash {
                let parameters: Vec<&str> = method.parameters().iter().map(|(ty, _)| *ty).collect();
                let witness = format!("{} {getter}({})", method.return_type(), parameters.join(", "));
                let name = interface.name();
                let message =
                    format!("'{getter}()' is generated for '${}', and {name} asks for another", part.name);
                report(cx, it, &part, cx.place_of_part(it.subject.rec, part.name), message, witness);
            }
        }
    }
}

fn report(
    cx: &Cx<'_, '_>,
    it: &Op<'_>,
    part: &Part<'_>,
    place: Option<Location>,
    message: String,
    witness: String,
) {
    let new = naming::longer_name(&it.op, part.name, part.kind);
    cx.draft(&ACCESSOR, &it.subject, message)
        .part(&format!("${}", part.name))
        .at(place)
        .witness(witness)
        .fix(&format!("call the argument ${new}"), naming::rename_part(cx, it, part.name, &new))
        .add();
}

/// Returns true if an accessor hides a method that the interface calls on the operation, and cannot serve as that
/// method.
fn clashes_with(it: &Op<'_>, part: &Part<'_>, interface: Interface<'_>, method: Method<'_>) -> bool {
    // A method with its own body calls nothing.
    if method.body().is_some() {
        return false;
    }
    if method.parameters().is_empty() && !method.is_static() {
        return match (Shape::of_type(method.return_type()), Shape::of_part(&it.op, part)) {
            (Some(wanted), Some(own)) => wanted != own,
            _ => false,
        };
    }
    // A method declared next to the accessor overloads it; an inherited one is hidden by it.
    let mut forms = it.op.interfaces().filter(|other| other.qualified_name() == interface.qualified_name());
    let is_declared = forms.any(|form| {
        let is_overridden = form.always_overridden_methods().contains(&method.name());
        form.declares_methods() && (method.default_body().is_none() || is_overridden)
    });
    !is_declared && !method.is_static()
}

/// The kind of values of a C++ type; values of different kinds never convert into each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Value,
    Values,
    Region,
    Number,
}

impl NamedDefinition {
    /// Returns true for a definition in a folder of tests: each of its roots makes a program of its own.
    fn is_of_tests(&self) -> bool {
        let file = self.place.as_ref().map_or("", |place| &place.file);
        let folders = file.rsplit_once('/').map_or("", |(folders, _)| folders);
        let is_test = |folder: &str| {
            matches!(
                folder.to_ascii_lowercase().as_str(),
                "test" | "tests" | "unittest" | "unittests" | "testing"
            )
        };
        folders.split('/').any(is_test)
    }
}

impl Shape {
    fn of_type(ty: &str) -> Option<Shape> {
        let ty = ty.trim().trim_start_matches("::").trim_start_matches("mlir::");
        Some(match ty {
            "Value" | "OpResult" | "BlockArgument" => Shape::Value,
            "ValueRange"
            | "OperandRange"
            | "MutableOperandRange"
            | "ResultRange"
            | "Operation::operand_range"
            | "Operation::result_range" => Shape::Values,
            "Region &" | "Region&" => Shape::Region,
            "bool" | "int" | "unsigned" | "int32_t" | "uint32_t" | "int64_t" | "uint64_t" | "size_t" => {
                Shape::Number
            }
            ty if ty.starts_with("TypedValue<") => Shape::Value,
            _ => return None,
        })
    }

    fn of_part(op: &Operation<'_>, part: &Part<'_>) -> Option<Shape> {
        match part.kind {
            PartKind::Operand | PartKind::Result => match part.constraint.quantifier() {
                Quantifier::One | Quantifier::Optional => Some(Shape::Value),
                Quantifier::Variadic => Some(Shape::Values),
                Quantifier::Flag | Quantifier::VariadicOfVariadic => None,
            },
            PartKind::Region => (part.constraint.quantifier() == Quantifier::One).then_some(Shape::Region),
            PartKind::Attribute => {
                let named = op.attributes().iter().find(|named| named.name == part.name)?;
                Shape::of_type(named.attribute.return_type())
            }
            PartKind::DerivedAttribute | PartKind::Property | PartKind::Successor => None,
        }
    }
}

/// Returns the methods that a piece of a class's body declares: names and parameters, as written.
fn methods(body: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut depth = 0_i32;
    let bytes = body.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'/' if body[at..].starts_with("//") => {
                at += body[at..].find('\n').unwrap_or(body.len() - at);
                continue;
            }
            b'(' if depth == 0 => {
                let before = body[..at].trim_end();
                let is_part = |c: char| c.is_alphanumeric() || c == '_';
                let name = &before[before.trim_end_matches(is_part).len()..];
                let head = before[..before.len() - name.len()].trim_end();
                let end = closing(body, at);
                let parameters = body[at + 1..end.max(at + 1)].trim();
                // A call has no type before it.
                let follows_type = head.ends_with(|c: char| is_part(c) || matches!(c, '>' | '*' | '&'))
                    && !head.ends_with("return");
                if !name.is_empty() && follows_type {
                    found.push((name, parameters));
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
        while at < bytes.len() && !body.is_char_boundary(at) {
            at += 1;
        }
    }
    found
}

/// Returns the offset of the parenthesis that closes the one at `open`.
fn closing(text: &str, open: usize) -> usize {
    let mut depth = 0_i32;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_a_body() {
        let body =
            "static int getA(); // getB()\n Value getC(int x) { return getD(); }\n auto *getE() const;";
        assert_eq!(methods(body), [("getA", ""), ("getC", "int x"), ("getE", "")]);
        assert!(methods("(((").is_empty() && methods("ä(").is_empty());
    }
}
