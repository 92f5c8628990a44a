//! API: the parts of a dialect that its users see, and how they may evolve.
//!
//! | file | content |
//! | --- | --- |
//! | this one | the rules |
//! | `fixes` | edits of formats, arguments, includes and builders |
//! | `deprecated` | API015: uses of what is deprecated |

mod deprecated;
mod fixes;

use odsmith_interchange::Document;
use odsmith_ods::{
    Operation, PartKind, Quantifier, TraitKind,
    format::{Element, TypeOf},
    infer::Inference,
};

pub(super) use deprecated::check_files;

use super::{
    config::Config,
    cx::{Cx, Op, Subject},
    finding::{Edit, Finding, Location, of_rule},
    pas::delete_item,
    rule::{Fixable, Level, Rule, SINCE},
    words::{self, listed},
};
use crate::diff;

static ANY_TYPE: Rule = Rule {
    id: "API001",
    name: "any-type",
    level: Level::Off,
    fix: Fixable::No,
    text: "An operand or result of a dialect with types of its own may have any type, so that nothing is verified.",
    advice: "name the types that are meant",
    bad: r#"
def Ex_BoxType : Ex_Type<"Box", "box">;
def Ex_OpenOp : Ex_Op<"open"> { let arguments = (ins AnyType:$box); }
"#,
    good: r#"
def Ex_BoxType : Ex_Type<"Box", "box">;
def Ex_OpenOp : Ex_Op<"open"> { let arguments = (ins Ex_BoxType:$box); }
"#,
    since: SINCE,
};

static NO_EFFECTS: Rule = Rule {
    id: "API002",
    name: "no-effects",
    level: Level::Info,
    fix: Fixable::Unsafe,
    text: "An operation declares neither memory effects nor that it has none. Passes have to expect the worst: it is never erased, \
           merged or moved.",
    advice: "add `Pure`, the effects on operands and results, or `RecursiveMemoryEffects`",
    bad: r#"
def Ex_ConstantOp : Ex_Op<"constant", [ConstantLike]> {
  let arguments = (ins I32Attr:$value);
  let results = (outs I32:$result);
  let hasFolder = 1;
}
"#,
    good: r#"
def Ex_ConstantOp : Ex_Op<"constant", [ConstantLike, Pure]> {
  let arguments = (ins I32Attr:$value);
  let results = (outs I32:$result);
  let hasFolder = 1;
}
"#,
    since: SINCE,
};

static NO_VERIFIER: Rule = Rule {
    id: "API003",
    name: "no-verifier-though-related",
    level: Level::Off,
    fix: Fixable::No,
    text: "An operation has several variadic groups or several shaped operands, and nothing checks that they fit together.",
    advice: "add a trait such as `SameOperandsShape`, or a verifier",
    bad: r#"
def Ex_DotOp : Ex_Op<"dot"> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs);
}
"#,
    good: r#"
def Ex_DotOp : Ex_Op<"dot", [SameOperandsShape]> {
  let arguments = (ins AnyTensor:$lhs, AnyTensor:$rhs);
}
"#,
    since: SINCE,
};

static GENERIC_ONLY: Rule = Rule {
    id: "API004",
    name: "generic-only",
    level: Level::Info,
    fix: Fixable::Unsafe,
    text: "An operation has no custom format: it is written in the generic one, with quotes and all types.",
    advice: "write an `assemblyFormat`",
    bad: r#"
def Ex_NegOp : Ex_Op<"neg"> {
  let arguments = (ins I32:$value);
  let results = (outs I32:$result);
}
"#,
    good: r#"
def Ex_NegOp : Ex_Op<"neg"> {
  let arguments = (ins I32:$value);
  let results = (outs I32:$result);
  let assemblyFormat = "$value attr-dict";
}
"#,
    since: SINCE,
};

static REPLACEABLE: Rule = Rule {
    id: "API005",
    name: "hand-written-format-replaceable",
    level: Level::Off,
    fix: Fixable::No,
    text: "Parser and printer are written in C++, and the operation has nothing that a declarative format could not carry.",
    advice: "write an `assemblyFormat`",
    bad: r#"
def Ex_NegOp : Ex_Op<"neg"> {
  let description = [{
    ```
    ex.neg %value
    ```
  }];
  let arguments = (ins I32:$value);
  let hasCustomAssemblyFormat = 1;
}
"#,
    good: r#"
def Ex_NegOp : Ex_Op<"neg"> {
  let arguments = (ins I32:$value);
  let assemblyFormat = "$value attr-dict";
}
"#,
    since: SINCE,
};

static TYPES_SPELLED: Rule = Rule {
    id: "API006",
    name: "types-spelled-though-inferable",
    level: Level::Info,
    fix: Fixable::Unsafe,
    text: "The format writes the type of a result that follows from an operand, or that can be one type only.",
    advice: "leave the type away: it is inferred",
    bad: r#"
def Ex_NegOp : Ex_Op<"neg", [SameOperandsAndResultType]> {
  let arguments = (ins AnyInteger:$value);
  let results = (outs AnyInteger:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
}
"#,
    good: r#"
def Ex_NegOp : Ex_Op<"neg", [SameOperandsAndResultType]> {
  let arguments = (ins AnyInteger:$value);
  let results = (outs AnyInteger:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}
"#,
    since: SINCE,
};

static INFER_INTERFACE: Rule = Rule {
    id: "API007",
    name: "infer-interface-missing",
    level: Level::Info,
    fix: Fixable::Unsafe,
    text: "All result types follow from constraints, but `InferTypeOpInterface` is not there, as its file is not included: builders \
           want the types, and nothing infers them.",
    advice: "include \"mlir/Interfaces/InferTypeOpInterface.td\"",
    bad: r#"
include "mlir/IR/OpBase.td"
def Ex_Dialect : Dialect {
  let name = "ex";
  let summary = "Examples";
  let cppNamespace = "::ex";
}
def Ex_NegOp : Op<Ex_Dialect, "neg", [AllTypesMatch<["value", "result"]>]> {
  let summary = "Negation";
  let arguments = (ins AnyInteger:$value);
  let results = (outs AnyInteger:$result);
}
"#,
    good: r#"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
def Ex_Dialect : Dialect {
  let name = "ex";
  let summary = "Examples";
  let cppNamespace = "::ex";
}
def Ex_NegOp : Op<Ex_Dialect, "neg", [AllTypesMatch<["value", "result"]>]> {
  let summary = "Negation";
  let arguments = (ins AnyInteger:$value);
  let results = (outs AnyInteger:$result);
}
"#,
    since: SINCE,
};

static SHOULD_BE_PROPERTY: Rule = Rule {
    id: "API008",
    name: "attr-should-be-property",
    level: Level::Off,
    fix: Fixable::Unsafe,
    text: "A number, truth value or text is stored as an attribute, which is made unique in the context for each value. A property \
           is plain data. The change breaks bytecode (rule IN015 of `odsmith diff`).",
    advice: "use `I64Prop`, `BoolProp`, `StringProp`, …",
    bad: r#"
def Ex_ShiftOp : Ex_Op<"shift"> { let arguments = (ins I64Attr:$amount); }
"#,
    good: r#"
include "mlir/IR/OpBase.td"
include "mlir/IR/Properties.td"
def Ex_Dialect : Dialect {
  let name = "ex";
  let summary = "Examples";
  let cppNamespace = "::ex";
}
def Ex_ShiftOp : Op<Ex_Dialect, "shift"> {
  let summary = "Shift";
  let arguments = (ins I64Prop:$amount);
}
"#,
    since: SINCE,
};

static INTEGER_ENUM: Rule = Rule {
    id: "API009",
    name: "int-enum-as-integer-attr",
    level: Level::Info,
    fix: Fixable::No,
    text: "An enum is stored as an integer attribute, so that the generic form and error messages show a number.",
    advice: "wrap the enum: `EnumAttr<Dialect, Enum, \"mnemonic\">`",
    bad: r#"
def Ex_Mode : I32EnumAttr<"Mode", "modes", [I32EnumAttrCase<"Slow", 0>]> { let cppNamespace = "::ex"; }
def Ex_RunOp : Ex_Op<"run"> { let arguments = (ins Ex_Mode:$mode); }
"#,
    good: r#"
def Ex_Mode : I32Enum<"Mode", "modes", [I32EnumCase<"Slow", 0>]> { let cppNamespace = "::ex"; }
def Ex_ModeAttr : EnumAttr<Ex_Dialect, Ex_Mode, "mode">;
def Ex_RunOp : Ex_Op<"run"> { let arguments = (ins Ex_ModeAttr:$mode); }
"#,
    since: SINCE,
};

static NO_VERSION: Rule = Rule {
    id: "API010",
    name: "no-version-hook",
    level: Level::Warning,
    fix: Fixable::No,
    text: "Files of a dialect are to stay readable (`stable` in the configuration), and it declares nothing by which a later release \
           could know by which release a file was written.",
    advice: "implement `BytecodeDialectInterface` with a version, and declare the version in `extraClassDeclaration`",
    bad: r#"
// lint.dialects.stable_ex.stable = true
def StableEx_Dialect : Dialect {
  let name = "stable_ex";
  let summary = "Examples";
  let description = "What examples define.";
  let cppNamespace = "::stable_ex";
}
"#,
    good: r#"
// lint.dialects.stable_ex.stable = true
def StableEx_Dialect : Dialect {
  let name = "stable_ex";
  let summary = "Examples";
  let description = "What examples define.";
  let cppNamespace = "::stable_ex";
  let extraClassDeclaration = [{
    static uint64_t getCurrentVersion();
  }];
}
"#,
    since: SINCE,
};

static ATTRIBUTE_ADDED: Rule = Rule {
    id: "API011",
    name: "attr-added-to-stable-op",
    level: Level::Error,
    fix: Fixable::No,
    text: "An operation of a stable dialect has an attribute that the released model (`released` in the configuration) does not have. \
           Bytecode holds attributes in the order of their names: files of the release are read wrongly (rule IN001 of `odsmith diff`).",
    advice: "read the old form under the dialect's version",
    bad: r#"
// lint.dialects.stable_ex.stable = true
def StableEx_Dialect : Dialect {
  let name = "stable_ex";
  let summary = "Examples";
  let description = "What examples define.";
  let cppNamespace = "::stable_ex";
  let extraClassDeclaration = "static uint64_t getCurrentVersion();";
}
def StableEx_CallOp : Op<StableEx_Dialect, "call"> {
  let summary = "An example";
  let description = "It shows something.";
  let arguments = (ins StrAttr:$callee, OptionalAttr<UnitAttr>:$no_inline);
}
"#,
    good: r#"
// lint.dialects.stable_ex.stable = true
def StableEx_Dialect : Dialect {
  let name = "stable_ex";
  let summary = "Examples";
  let description = "What examples define.";
  let cppNamespace = "::stable_ex";
  let extraClassDeclaration = "static uint64_t getCurrentVersion();";
}
def StableEx_CallOp : Op<StableEx_Dialect, "call"> {
  let summary = "An example";
  let description = "It shows something.";
  let arguments = (ins StrAttr:$callee);
}
"#,
    since: SINCE,
};

static KEYWORD: Rule = Rule {
    id: "API012",
    name: "python-or-cpp-keyword",
    level: Level::Info,
    fix: Fixable::No,
    text: "A name is a word of Python or C++, and gets a `_` in the bindings, or cannot be used as a variable.",
    advice: "use another word",
    bad: r#"
def Ex_AddOp : Ex_Op<"add"> { let arguments = (ins I32:$lambda); }
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add"> { let arguments = (ins I32:$function); }
"#,
    since: SINCE,
};

static BUILDERS_MISSING: Rule = Rule {
    id: "API013",
    name: "default-builders-missing",
    level: Level::Warning,
    fix: Fixable::No,
    text: "The default builders are left out, and none of the operation's own sets every attribute that must be there: what is built \
           with them fails in the verifier.",
    advice: "add a builder that takes all of them",
    bad: r#"
def Ex_ShiftOp : Ex_Op<"shift"> {
  let arguments = (ins I64Attr:$amount);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins), [{ }]>];
}
"#,
    good: r#"
def Ex_ShiftOp : Ex_Op<"shift"> {
  let arguments = (ins I64Attr:$amount);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::IntegerAttr":$amount), [{ $_state.addAttribute("amount", amount); }]>];
}
"#,
    since: SINCE,
};

static BUILDER_SHADOWED: Rule = Rule {
    id: "API014",
    name: "builder-shadowed",
    level: Level::Warning,
    fix: Fixable::Safe,
    text: "A builder has the parameters of one that is generated, so that only one of the two is there.",
    advice: "delete the builder",
    bad: r#"
def Ex_PairOp : Ex_Op<"pair"> {
  let arguments = (ins I32:$first, I32:$second);
  let builders = [OpBuilder<(ins "::mlir::Value":$a, "::mlir::Value":$b)>];
}
"#,
    good: r#"
def Ex_PairOp : Ex_Op<"pair"> {
  let arguments = (ins I32:$first, I32:$second);
  let builders = [OpBuilder<(ins "::mlir::Value":$both)>];
}
"#,
    since: SINCE,
};

static DEPRECATED_USE: Rule = Rule {
    id: "API015",
    name: "deprecated-use",
    level: Level::Warning,
    fix: Fixable::Either,
    text: "A file uses a definition that is deprecated, or sets a field that the next releases of MLIR do not have.",
    advice: "use what the reason names",
    bad: r#"
def Ex_OldInt : Type<CPred<"$_self.isInteger(32)">, "a number">, Deprecated<"use I32">;
def Ex_AddOp : Ex_Op<"add"> {
  let arguments = (ins Variadic<Ex_OldInt>:$lhs, I64Property:$step);
}
"#,
    good: r#"
def Ex_OldInt : Type<CPred<"$_self.isInteger(32)">, "a number">, Deprecated<"use I32">;
def Ex_AddOp : Ex_Op<"add"> {
  let arguments = (ins Variadic<I32>:$lhs, I64Prop:$step);
}
"#,
    since: SINCE,
};

static DECLARATION_HEAVY: Rule = Rule {
    id: "API016",
    name: "extra-declaration-heavy",
    level: Level::Off,
    fix: Fixable::No,
    text: "`extraClassDeclaration` has more than 20 lines: code that no tool reads, in a file that many include.",
    advice: "declare functions in a header, or methods in an interface",
    bad: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let extraClassDeclaration = [{
    int a(); int b();

    int c();

    int d();

    int e();

    int f();

    int g();

    int h();

    int i();

    int j();

    int k();

    int l();
  }];
}
"#,
    good: r#"
def Ex_AddOp : Ex_Op<"add"> {
  let extraClassDeclaration = [{
    int a();
  }];
}
"#,
    since: SINCE,
};

/// All rules.
pub(super) static RULES: &[&Rule] = &[
    &ANY_TYPE,
    &NO_EFFECTS,
    &NO_VERIFIER,
    &GENERIC_ONLY,
    &REPLACEABLE,
    &TYPES_SPELLED,
    &INFER_INTERFACE,
    &SHOULD_BE_PROPERTY,
    &INTEGER_ENUM,
    &NO_VERSION,
    &ATTRIBUTE_ADDED,
    &KEYWORD,
    &BUILDERS_MISSING,
    &BUILDER_SHADOWED,
    &DEPRECATED_USE,
    &DECLARATION_HEAVY,
];

pub(super) fn check(cx: &Cx<'_, '_>) {
    for (dialect, subject) in &cx.dialects {
        let declaration = dialect.extra_class_declaration().to_lowercase();
        if cx.config.is_stable(dialect.name()) && !declaration.contains("version") {
            let message = "it is to be stable, and declares no version";
            cx.draft(&NO_VERSION, subject, message).add();
        }
    }
    for it in &cx.operations {
        constraints(cx, it);
        hooks(cx, it);
        types(cx, it);
        builders(cx, it);
        names(cx, it);
        let lines = it.op.extra_class_declaration().trim().lines().count();
        let most = cx.config.options(&DECLARATION_HEAVY).most.unwrap_or(20);
        if lines > most {
            cx.draft(&DECLARATION_HEAVY, &it.subject, format!("the declaration has {lines} lines"))
                .at(cx.place_in_field(it.subject.rec, "extraClassDeclaration", ""))
                .add();
        }
    }
}

fn constraints(cx: &Cx<'_, '_>, Op { op, subject, .. }: &Op<'_>) {
    for part in op.parts() {
        let name = part.constraint.unwrapped().rec().name();
        let is_any = matches!(name, "AnyType" | "AnyAttr");
        if is_any && cx.known.dialects_with_types.contains(subject.dialect) {
            cx.draft(&ANY_TYPE, subject, format!("'${}' may be anything", part.name))
                .part(&format!("${}", part.name))
                .at(cx.place_of_part(subject.rec, part.name))
                .add();
        }
        let is_plain = matches!(name, "BoolAttr" | "StrAttr" | "I8Attr" | "I16Attr" | "I32Attr" | "I64Attr");
        if part.kind == PartKind::Attribute && is_plain {
            cx.draft(&SHOULD_BE_PROPERTY, subject, format!("'${}' could be a property", part.name))
                .part(&format!("${}", part.name))
                .at(cx.place_of_part(subject.rec, part.name))
                .fix("store it as a property", fixes::store_as_property(cx, subject, part.name))
                .add();
        }
    }
    for named in op.natural_attributes() {
        if let Some((info, _)) = named.attribute.base().integer_enum() {
            let message = format!("'${}' holds the enum {} as a number", named.name, info.class_name);
            cx.draft(&INTEGER_ENUM, subject, message)
                .part(&format!("${}", named.name))
                .at(cx.place_of_part(subject.rec, named.name))
                .add();
        }
    }
}

fn hooks(cx: &Cx<'_, '_>, Op { op, subject, format }: &Op<'_>) {
    let declares_effects = op.effects().iter().any(odsmith_ods::Effects::is_on_memory)
        || op.traits().iter().any(|t| t.qualified_name().contains("MemoryEffect") || t.is_side_effects());
    if !declares_effects && cx.wants(&NO_EFFECTS) {
        let is_constant = op.has_trait("::mlir::OpTrait::ConstantLike") || op.has_folder();
        let edits = if is_constant { fixes::add_trait(cx, op, subject, "Pure") } else { Vec::new() };
        cx.draft(&NO_EFFECTS, subject, "nothing says whether it has memory effects")
            .fix("add Pure", edits)
            .add();
    }
    let groups = |shaped: bool| {
        op.operands().iter().filter(move |operand| match shaped {
            true => operand.constraint.base().constraint().condition().contains("ShapedType"),
            false => operand.constraint.is_variadic(),
        })
    };
    let is_related = groups(true).count() >= 2 || groups(false).count() >= 2;
    let (verifies, verifies_regions) = op.has_verifiers();
    let is_verified = verifies
        || verifies_regions
        || op.traits().iter().any(|t| {
            t.kind() == TraitKind::Predicate
                || t.qualified_name().contains("::Same")
                || t.qualified_name().contains("Elementwise")
        });
    if is_related && !is_verified && cx.wants(&NO_VERIFIER) {
        cx.draft(&NO_VERIFIER, subject, "nothing checks that its operands fit together").add();
    }
    if op.assembly_format().is_none() && !op.has_custom_assembly_format() && cx.wants(&GENERIC_ONLY) {
        cx.draft(&GENERIC_ONLY, subject, "it has no format of its own")
            .fix("write one", fixes::write_format(cx, op, subject))
            .add();
    }
    let is_plain = op.regions().is_empty()
        && op.successors().is_empty()
        && op.parts().all(|part| part.constraint.quantifier() != Quantifier::VariadicOfVariadic);
    if op.has_custom_assembly_format() && is_plain && format.is_none() && cx.wants(&REPLACEABLE) {
        let message = "C++ parses it, and a declarative format could";
        let place = cx.place_in_field(subject.rec, "hasCustomAssemblyFormat", "");
        cx.draft(&REPLACEABLE, subject, message).at(place).add();
    }
}

/// Returns true if a format writes the type of a result.
fn writes_type(elements: &[Element<'_>], name: &str) -> bool {
    let is_meant = |of: &TypeOf<'_>| match of {
        TypeOf::Variable(variable) => variable.name == name,
        TypeOf::Results => true,
        TypeOf::Operands => false,
    };
    elements.iter().any(|element| match element {
        Element::Type { of, .. } => is_meant(of),
        Element::FunctionalType { results, .. } => is_meant(results),
        Element::Optional(group) => writes_type(&group.then, name) || writes_type(&group.otherwise, name),
        Element::OiList(clauses) => clauses.iter().any(|clause| writes_type(&clause.elements, name)),
        _ => false,
    })
}

fn types(cx: &Cx<'_, '_>, Op { op, subject, format }: &Op<'_>) {
    if let Some(format) = format.as_ref().filter(|_| cx.wants(&TYPES_SPELLED)) {
        for (result, inference) in op.results().iter().zip(op.result_types()) {
            let source = match inference {
                Inference::Unknown => continue,
                Inference::Buildable(_) => "only one type will do".to_owned(),
                Inference::From(name, _) => format!("it follows from '${name}'"),
                Inference::FromOperand(index) => {
                    let name = op.operands().get(*index).map(|it| it.name).unwrap_or_default();
                    // A format that writes the type once, for the result, is as short.
                    if !writes_type(&format.elements, name) {
                        continue;
                    }
                    format!("it is that of '${name}'")
                }
            };
            if let Inference::From(name, _) = inference
                && !writes_type(&format.elements, name)
            {
                continue;
            }
            if writes_type(&format.elements, result.name) {
                let text = format!("type(${})", result.name);
                cx.draft(
                    &TYPES_SPELLED,
                    subject,
                    format!("the type of '${}' is written, though {source}", result.name),
                )
                .part(&format!("${}", result.name))
                .at(cx.place_in_field(subject.rec, "assemblyFormat", &text))
                .fix("leave the type out", fixes::infer_type(cx, op, subject, result.name))
                .add();
            }
        }
    }
    let is_known = !op.results().is_empty() && op.result_types().iter().all(|it| *it != Inference::Unknown);
    if is_known && !op.all_result_types_known() && cx.wants(&INFER_INTERFACE) {
        let edit = cx.spot_of(subject.rec).and_then(|(outline, _)| fixes::include(outline, INFER_FILE));
        cx.draft(&INFER_INTERFACE, subject, "its result types follow, and no interface infers them")
            .fix("include it", edit.into_iter().collect())
            .add();
    }
}

/// The file that defines `InferTypeOpInterface`.
const INFER_FILE: &str = "mlir/Interfaces/InferTypeOpInterface.td";

/// Returns a C++ type without blanks and `::mlir`.
fn normal(ty: &str) -> String {
    let ty = ty.replace("::mlir::", "").replace("mlir::", "").replace("::llvm::", "").replace("llvm::", "");
    ty.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Names of attributes for which MLIR has functions, and what these are called.
const GETTERS: &[(&str, &[&str])] = &[
    ("sym_name", &["getSymbolAttrName"]),
    ("sym_visibility", &["getVisibilityAttrName"]),
    ("function_type", &["getTypeAttrName", "getFunctionTypeAttrName"]),
    ("operandSegmentSizes", &["getOperandSegmentSizeAttr", "getOperandSegmentSizesAttrName"]),
    ("resultSegmentSizes", &["getResultSegmentSizeAttr", "getResultSegmentSizesAttrName"]),
];

/// Returns the functions that return the name of an attribute.
fn getters_of(name: &str) -> &'static [&'static str] {
    GETTERS.iter().find(|(known, _)| *known == name).map_or(&[], |(_, getters)| getters)
}

/// Returns true if the body of a builder hands the whole state to another function, or its list of attributes.
fn hands_state_on(body: &str) -> bool {
    body.match_indices("$_state").any(|(at, word)| {
        let after = body[at + word.len()..].trim_start();
        !after.starts_with('.') || after[1..].trim_start().starts_with("attributes")
    })
}

/// Returns true if the body of a builder names an attribute: by its name, or in a function such as `getWidthAttrName`. A short
/// name is a part of many words.
fn names_attribute(body: &str, name: &str, camel: &str) -> bool {
    const SHORT: usize = 3;
    if name.len() > SHORT && (body.contains(name) || body.contains(camel)) {
        return true;
    }
    body.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| {
        let rest =
            ["get", "set", "add"].iter().find_map(|prefix| word.strip_prefix(prefix)?.strip_prefix(camel));
        word == name || rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase()))
    })
}

fn builders(cx: &Cx<'_, '_>, Op { op, subject, .. }: &Op<'_>) {
    if op.skips_default_builders()
        && cx.wants(&BUILDERS_MISSING)
        && op.builders().iter().all(|it| it.body().is_some())
    {
        let required = op.natural_attributes().iter().filter(|named| {
            let attribute = named.attribute;
            !attribute.is_optional() && !attribute.is_unit() && attribute.default_value().is_none()
        });
        let required: Vec<&str> = required.map(|named| named.name).collect();
        let sets = |builder: &odsmith_ods::Builder<'_>, name: &str| {
            let body = builder.body().unwrap_or_default();
            let camel = odsmith_ods::cpp_name::camel_case(name, true);
            // A builder that calls another one, or fills the state as a whole, may set anything.
            body.contains("build(")
                || body.contains("addAttributes")
                || body.contains("roperties")
                || hands_state_on(body)
                || getters_of(name).iter().any(|getter| body.contains(getter))
                || names_attribute(body, name, &camel)
                || builder.parameters.iter().any(|it| it.name == Some(name))
        };
        let missing = required.iter().find(|name| !op.builders().iter().any(|builder| sets(builder, name)));
        if let Some(name) = missing {
            cx.draft(&BUILDERS_MISSING, subject, format!("no builder sets '${name}', which must be there"))
                .part(&format!("${name}"))
                .at(cx.place_in_field(subject.rec, "builders", ""))
                .add();
        }
    }
    if op.skips_default_builders() || !cx.wants(&BUILDER_SHADOWED) {
        return;
    }
    let mut arguments: Vec<String> = Vec::new();
    for argument in op.arguments() {
        arguments.push(match *argument {
            odsmith_ods::Argument::Operand(index) => {
                let constraint = op.operands()[index].constraint;
                if constraint.is_variadic() { "ValueRange" } else { "Value" }.to_owned()
            }
            odsmith_ods::Argument::Attribute(index) => {
                normal(op.attributes()[index].attribute.storage_type())
            }
            odsmith_ods::Argument::Property(_) => return,
        });
    }
    let results: Vec<String> = op
        .results()
        .iter()
        .map(|result| if result.constraint.is_variadic() { "TypeRange" } else { "Type" }.to_owned())
        .collect();
    let with_types: Vec<String> = results.iter().chain(&arguments).cloned().collect();
    for (index, builder) in op.builders().iter().enumerate() {
        let own: Vec<String> = builder.parameters.iter().map(|it| normal(it.cpp_type)).collect();
        let is_same = own == with_types || (op.all_result_types_known() && own == arguments);
        if is_same && !own.is_empty() {
            cx.draft(&BUILDER_SHADOWED, subject, "a builder has the parameters of a generated one")
                .at(cx.place_of(builder.rec).or_else(|| cx.place_in_field(subject.rec, "builders", "")))
                .witness(format!("build({})", own.join(", ")))
                .fix("delete it", delete_builder(cx, op, subject, index))
                .add();
        }
    }
}

/// Deletes a builder, and the list if it was the only one.
fn delete_builder(cx: &Cx<'_, '_>, op: &Operation<'_>, subject: &Subject<'_>, index: usize) -> Vec<Edit> {
    match op.builders().len() {
        1 => delete_item(cx, subject, "builders"),
        _ => fixes::delete_list_item(cx, subject, "builders", index),
    }
}

fn names(cx: &Cx<'_, '_>, Op { op, subject, .. }: &Op<'_>) {
    if !cx.wants(&KEYWORD) {
        return;
    }
    let parts = op.parts().filter(|part| part.kind != PartKind::DerivedAttribute);
    for part in parts {
        let languages: Vec<&str> =
            [("Python", words::is_python_keyword(part.name)), ("C++", words::is_cpp_keyword(part.name))]
                .into_iter()
                .filter_map(|(language, is_word)| is_word.then_some(language))
                .collect();
        if !languages.is_empty() {
            cx.draft(
                &KEYWORD,
                subject,
                format!("'${}' is a word of {}", part.name, listed(&languages).replace('\'', "")),
            )
            .part(&format!("${}", part.name))
            .at(cx.place_of_part(subject.rec, part.name))
            .add();
        }
    }
}

/// Reports parts that were added to operations of stable dialects since the release.
pub(super) fn compare(released: &Document, document: &Document, config: &Config) -> Vec<Finding> {
    let comparison = diff::compare(released, document, &diff::Options::default());
    let added = comparison.findings.into_iter().filter(|finding| finding.rule.id() == "IN001");
    added
        .filter(|finding| config.is_stable(&finding.group))
        .filter_map(|finding| {
            let place = finding
                .new
                .as_ref()
                .map(|at| Location::new(&at.file, (at.line, at.column), Some((at.line, at.column + 1))));
            let file = place.as_ref().map_or("", |place| &place.file);
            let level = config.level_in(&ATTRIBUTE_ADDED, file, &finding.group);
            (level > Level::Off)
                .then(|| of_rule(&ATTRIBUTE_ADDED, level, &finding.subject, finding.message.clone(), place))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn short_names_are_whole_words() {
        assert!(!super::names_attribute("$_state.addOperands(a); $_state.addTypes(n1);", "n", "N"));
        assert!(super::names_attribute("$_state.addAttribute(\"n\", n);", "n", "N"));
        assert!(super::names_attribute("f(getNAttrName($_state.name))", "n", "N"));
        assert!(!super::names_attribute("f(getNumOperands())", "n", "N"));
        assert!(super::names_attribute("f(kWidthAttr)", "width", "Width"));
    }
}
