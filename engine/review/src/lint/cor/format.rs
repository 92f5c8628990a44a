//! Assembly formats: texts that are printed but not parsed, or parsed differently (COR001–COR005).
//!
//! The automata of [`language`] print every text of a format, the shortest first, and parse it again. A text that fails
//! is the witness.

use odsmith_ods::{
    Constraint, EnumInfo, Operation,
    format::{Element, OptionalGroup, VariableKind},
};

use crate::{
    language::{self, Comparison, Format, Refusal, model::Classes},
    lint::{
        cx::{Cx, Def, Op, Subject},
        finding::{Edit, edit_of},
        rule::{Fixable, Level, Rule, SINCE},
        words::{listed, quoted},
    },
};

pub(super) static AMBIGUOUS: Rule = Rule {
    id: "COR001",
    name: "ambiguous-optional-groups",
    level: Level::Error,
    fix: Fixable::No,
    text: "Two optional groups, or a group and what follows it, can begin with the same token. The parser decides by that token \
           alone and never goes back, so that it refuses a text that the printer writes. A group that begins with an attribute is \
           such a group: its parser takes the dictionary that follows, and wants the prefix of a dialect's own attribute, which \
           is not printed.",
    advice: "begin each group with a keyword of its own",
    bad: r#"
def Ex_ThreadOp : Ex_Op<"thread"> {
  let arguments = (ins OptionalAttr<StrAttr>:$kind, OptionalAttr<I64Attr>:$noc);
  let assemblyFormat = "(`<` $kind^ `>`)? (`<` `noc` `=` $noc^ `>`)? attr-dict";
}
"#,
    good: r#"
def Ex_ThreadOp : Ex_Op<"thread"> {
  let arguments = (ins OptionalAttr<StrAttr>:$kind, OptionalAttr<I64Attr>:$noc);
  let assemblyFormat = "(`<` $kind^ `>`)? (`noc` `=` $noc^)? attr-dict";
}
"#,
    since: SINCE,
};

pub(super) static OVERRUN: Rule = Rule {
    id: "COR021",
    name: "format-runs-into-next-operation",
    level: Level::Error,
    fix: Fixable::No,
    text: "The text of an operation ends with something that may be missing, and that can begin like the next operation. The parser \
           takes the results of the next operation for operands of this one.",
    advice: "end the format with something that is always there, or put what may be missing into a group with a keyword",
    bad: r#"
def Ex_CallOp : Ex_Op<"call"> {
  let arguments = (ins Variadic<I32>:$inputs);
  let assemblyFormat = "attr-dict $inputs";
}
"#,
    good: r#"
def Ex_CallOp : Ex_Op<"call"> {
  let arguments = (ins Variadic<I32>:$inputs);
  let assemblyFormat = "attr-dict `(` $inputs `)`";
}
"#,
    since: SINCE,
};

pub(super) static EMPTY_LIST: Rule = Rule {
    id: "COR022",
    name: "list-may-be-empty",
    level: Level::Pedantic,
    fix: Fixable::No,
    text: "A list of operands, results or values of a parameter may be empty by its declaration, and the format can write it only if \
           it is not: a list of types or of a parameter's values has at least one. The form is common, and most such lists are never \
           empty.",
    advice: "put the list and its types into an optional group, or write `functional-type`",
    bad: r#"
def Ex_CallOp : Ex_Op<"call"> {
  let arguments = (ins Variadic<AnyType>:$inputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
}
"#,
    good: r#"
def Ex_CallOp : Ex_Op<"call"> {
  let arguments = (ins Variadic<AnyType>:$inputs);
  let assemblyFormat = "(`(` $inputs^ `)` `:` type($inputs))? attr-dict";
}
"#,
    since: SINCE,
};

pub(super) static REBOUND: Rule = Rule {
    id: "COR002",
    name: "rebind-on-reparse",
    level: Level::Error,
    fix: Fixable::No,
    text: "A text that the printer writes is accepted by the parser, but one of its parts comes back as another argument. Nothing \
           reports it: the value moves silently each time that the operation is printed and read.",
    advice: "begin each group with a keyword of its own",
    bad: r#"
def Ex_ShardOp : Ex_Op<"shard"> {
  let arguments = (ins OptionalAttr<I64Attr>:$rows, OptionalAttr<I64Attr>:$columns);
  let assemblyFormat = "(`,` $rows^)? (`,` $columns^)? attr-dict";
}
"#,
    good: r#"
def Ex_ShardOp : Ex_Op<"shard"> {
  let arguments = (ins OptionalAttr<I64Attr>:$rows, OptionalAttr<I64Attr>:$columns);
  let assemblyFormat = "(`rows` $rows^)? (`columns` $columns^)? attr-dict";
}
"#,
    since: SINCE,
};

pub(super) static UNGUARDED: Rule = Rule {
    id: "COR003",
    name: "optional-outside-group",
    level: Level::Pedantic,
    fix: Fixable::Unsafe,
    text: "An optional attribute is printed whether it is there or not. The printer is handed a null attribute when it is not, \
           and crashes.",
    advice: "write it in an optional group: `($name^)?`",
    bad: r#"
def Ex_LoadOp : Ex_Op<"load"> {
  let arguments = (ins I32:$base, OptionalAttr<I64Attr>:$alignment);
  let assemblyFormat = "$base $alignment attr-dict";
}
"#,
    good: r#"
def Ex_LoadOp : Ex_Op<"load"> {
  let arguments = (ins I32:$base, OptionalAttr<I64Attr>:$alignment);
  let assemblyFormat = "$base (`align` $alignment^)? attr-dict";
}
"#,
    since: SINCE,
};

pub(super) static UNREACHABLE: Rule = Rule {
    id: "COR004",
    name: "unreachable-alternative",
    level: Level::Warning,
    fix: Fixable::No,
    text: "A clause of an `oilist`, or the else-branch of a group, begins with the literal of one before it, which the parser \
           chooses each time.",
    advice: "give each alternative a keyword of its own",
    bad: r#"
def Ex_CopyOp : Ex_Op<"copy"> {
  let arguments = (ins UnitAttr:$fast, UnitAttr:$safe);
  let assemblyFormat = "oilist(`mode` $fast | `mode` $safe) attr-dict";
}
"#,
    good: r#"
def Ex_CopyOp : Ex_Op<"copy"> {
  let arguments = (ins UnitAttr:$fast, UnitAttr:$safe);
  let assemblyFormat = "oilist(`fast` $fast | `safe` $safe) attr-dict";
}
"#,
    since: SINCE,
};

pub(super) static ONLY_IN_DICTIONARY: Rule = Rule {
    id: "COR005",
    name: "required-attr-only-in-dict",
    level: Level::Info,
    fix: Fixable::Unsafe,
    text: "An attribute that must be there is written nowhere but in the dictionary, under its name. That is easily forgotten, and \
           what is read fails only in the verifier.",
    advice: "give it a place in the format",
    bad: r#"
def Ex_ShiftOp : Ex_Op<"shift"> {
  let arguments = (ins I32:$value, I64Attr:$amount);
  let assemblyFormat = "$value attr-dict";
}
"#,
    good: r#"
def Ex_ShiftOp : Ex_Op<"shift"> {
  let arguments = (ins I32:$value, I64Attr:$amount);
  let assemblyFormat = "$value `by` $amount attr-dict";
}
"#,
    since: SINCE,
};

/// The work limit for one format.
const WORK: u64 = language::WORK;

pub(super) fn check(cx: &Cx<'_, '_>) {
    let classes = Classes::new(&[cx.model]);
    for it in &cx.operations {
        let Some(elements) = it.format.as_ref().map(|format| &format.elements) else { continue };
        let is_unreachable = unreachable(cx, &it.subject, elements);
        unguarded(cx, it, elements);
        only_in_dictionary(cx, it);
        if !is_unreachable && wants_round_trip(cx) {
            // A crashing printer has no texts.
            let has_crash = !unguarded_attributes(&it.op, elements, false).is_empty();
            if let Some(Ok(mut format)) = language::model::operation(&it.op, &classes).filter(|_| !has_crash)
            {
                hide_defaults(&it.op, &mut format);
                let (verifies, _) = it.op.has_verifiers();
                // C++ verifies uses of symbols.
                let verifies = verifies || it.op.has_trait("::mlir::SymbolUserOpInterface::Trait");
                round_trip(cx, &it.subject, &format, verifies, &taking_dictionaries(&it.op));
            }
        }
    }
    for Def { def, subject, format } in &cx.definitions {
        let Some(format) = format else { continue };
        let is_unreachable = unreachable(cx, subject, &format.elements);
        if !is_unreachable
            && wants_round_trip(cx)
            && let Some(Ok(format)) = language::model::definition(def)
        {
            round_trip(cx, subject, &format, def.has_verifier(), &[]);
        }
    }
}

/// Removes the default case from the printed cases of enums in groups, since a group is left out for the default.
/// Affects only quoted cases; others may come from elsewhere.
fn hide_defaults(op: &Operation<'_>, format: &mut Format) {
    let outside: Vec<usize> = format
        .elements
        .iter()
        .filter_map(|element| match element {
            language::grammar::Element::Entity(entity) => Some(*entity),
            _ => None,
        })
        .collect();
    for (index, entity) in format.entities.iter_mut().enumerate().filter(|(_, entity)| entity.has_default) {
        let named = op.attributes().iter().find(|named| named.name == entity.name);
        let (Some(named), language::Class::Enum { strings, .. }) = (named, &mut entity.class) else {
            continue;
        };
        let default = named.attribute.default_value().and_then(|value| value.rsplit("::").next());
        let info = named.attribute.enum_info().map(EnumInfo::lenient);
        let case = info.as_ref().and_then(|info| info.cases.iter().find(|case| Some(case.symbol) == default));
        if let Some(case) = case.filter(|_| !outside.contains(&index)) {
            strings.retain(|text| text != case.spelling);
        }
    }
}

/// Returns true if a rule needs the comparison of a format's printer with its parser.
fn wants_round_trip(cx: &Cx<'_, '_>) -> bool {
    [&AMBIGUOUS, &REBOUND, &OVERRUN, &EMPTY_LIST].into_iter().any(|rule| cx.wants(rule))
}

/// Returns the same format without empty lists: those outside of groups have one value at least.
fn without_empty_lists(format: &Format) -> Format {
    use language::grammar::Element;
    fn anchors(format: &Format, elements: &[Element], found: &mut Vec<usize>) {
        for element in elements {
            match element {
                Element::Optional { then, otherwise, anchor, is_inverted } => {
                    let branch = if *is_inverted { otherwise } else { then };
                    found
                        .extend(branch.get(*anchor).map(|anchor| format.decides(anchor)).unwrap_or_default());
                    anchors(format, then, found);
                    anchors(format, otherwise, found);
                }
                Element::OiList(clauses) => {
                    for clause in clauses {
                        found.extend(format.decides_clause(&clause.elements));
                    }
                }
                _ => {}
            }
        }
    }
    let mut decisive = Vec::new();
    anchors(format, &format.elements, &mut decisive);
    let mut fuller = format.clone();
    for (index, entity) in fuller.entities.iter_mut().enumerate() {
        if entity.high > 1 && !decisive.contains(&index) {
            entity.low = entity.low.max(1);
        }
    }
    fuller
}

/// Compares printer and parser. If `is_verified`, C++ may reject some printed texts, such as an empty list.
/// `dictionaries` are the attributes that may be dictionaries.
fn round_trip(
    cx: &Cx<'_, '_>,
    subject: &Subject<'_>,
    format: &Format,
    is_verified: bool,
    dictionaries: &[String],
) {
    let Comparison { mut refused, rebound, mut overrun, .. } = language::round_trip(format, WORK);
    let mut empty_list = None;
    if rebound.is_none() && (refused.is_some() || overrun.is_some()) {
        let fuller = language::round_trip(&without_empty_lists(format), WORK);
        if refused.is_some() && fuller.refused.is_none() {
            empty_list = std::mem::take(&mut refused);
        } else {
            refused = fuller.refused;
        }
        overrun = overrun.filter(|_| empty_list.is_none());
    }
    let place = || cx.place_in_field(subject.rec, "assemblyFormat", "");
    let name = if subject.id.contains(['!', '#']) { String::new() } else { format!("{} ", subject.id) };
    if let Some(rebound) = rebound {
        let (printed, parsed) = (shown(&rebound.printed), shown(&rebound.parsed));
        let message = format!("what is printed for {printed} is read as {parsed}");
        cx.draft(&REBOUND, subject, message).at(place()).witness(format!("{name}{}", rebound.text)).add();
    } else if let Some(refused) = refused.filter(|it| !is_of_values(it, is_verified)) {
        if let Some(attribute) = taken_dictionary(&refused, format, dictionaries) {
            let message = format!("what is printed for the dictionary is read as {attribute}");
            cx.draft(&REBOUND, subject, message).at(place()).witness(format!("{name}{}", refused.text)).add();
            return;
        }
        let piece = refused.text.0.get(refused.at);
        let at = piece.map_or("its end".to_owned(), |piece| quoted(&piece.text));
        let printed = piece.map(|piece| piece.text.as_str());
        let wanted = match &refused.wanted {
            // A dialect's own attribute is printed without the prefix with which an optional one is parsed.
            Some(wanted) if printed == Some(wanted) => {
                format!("{} with its prefix is wanted", quoted(wanted))
            }
            Some(wanted) => format!("{} is wanted", quoted(wanted)),
            None => "the text should end".to_owned(),
        };
        let message = format!("the parser refuses what the printer writes: at {at}, where {wanted}");
        cx.draft(&AMBIGUOUS, subject, message).at(place()).witness(format!("{name}{}", refused.text)).add();
    } else if let Some(empty) = empty_list.filter(|it| !is_of_values(it, is_verified)) {
        let lists = empty_lists(format);
        let message =
            format!("the parser refuses the text of an empty list: {} may be empty", listed(&lists));
        cx.draft(&EMPTY_LIST, subject, message).at(place()).witness(format!("{name}{}", empty.text)).add();
    } else if let Some(overrun) = overrun.filter(|_| !is_verified) {
        let wanted = overrun.wanted.as_deref().map(quoted).unwrap_or_default();
        let message = format!("the parser goes on into the next operation: {wanted} may follow the text");
        let text = overrun.text.to_string();
        // The generic form of an operation without results begins with a string.
        let next = if wanted.contains('"') { "\"…\"() …" } else { "%0 = …" };
        cx.draft(&OVERRUN, subject, message)
            .at(place())
            .witness(format!("{}, and then {next}", format!("{name}{text}").trim_end()))
            .add();
    }
}

/// Returns the attributes that may be dictionaries.
fn taking_dictionaries(op: &Operation<'_>) -> Vec<String> {
    let is_taking = |storage: &str| {
        matches!(
            storage.trim_start_matches("::"),
            "mlir::Attribute" | "Attribute" | "mlir::DictionaryAttr" | "DictionaryAttr"
        )
    };
    let all = op.natural_attributes();
    let is_any = |it: &Constraint<'_>| {
        it.predicate().is_none() || it.condition() == "true" || it.condition() == "(true)"
    };
    let taking = all.iter().filter(|named| {
        let storage = named.attribute.storage_type();
        is_taking(storage)
            && (storage.ends_with("DictionaryAttr") || is_any(&named.attribute.base().constraint()))
    });
    taking.map(|named| named.name.to_owned()).collect()
}

/// Returns the attribute that takes the dictionary of a refused text for its own value.
fn taken_dictionary(refused: &Refusal, format: &Format, dictionaries: &[String]) -> Option<String> {
    let piece = refused.text.0.get(refused.at)?;
    let wanted = refused.wanted.as_deref()?;
    let is_taken = piece.text.starts_with('{')
        && piece.text.contains('=')
        && (wanted.starts_with("attribute-") || wanted.contains("DictionaryAttr"));
    let mut all = format.entities.iter().filter(|entity| dictionaries.contains(&entity.name));
    all.next().filter(|_| is_taken).map(|entity| format!("${}", entity.name))
}

/// Returns the names of the lists that may be empty.
fn empty_lists(format: &Format) -> Vec<String> {
    let lists = format.entities.iter().filter(|entity| entity.high > 1 && entity.low == 0 && !entity.is_all);
    lists.map(|entity| format!("${}", entity.name)).collect()
}

/// Returns true if a text is refused only because of impossible values: an empty list of types that C++ verifies to be
/// non-empty, or an attribute that is not a dictionary where any attribute is written.
fn is_of_values(refused: &Refusal, is_verified: bool) -> bool {
    let wanted = refused.wanted.as_deref().unwrap_or_default();
    let is_type = wanted.starts_with("type-of");
    let is_dictionary = wanted.starts_with('{') && wanted.contains('=');
    let printed = refused.text.0.get(refused.at).map(|piece| piece.text.as_str()).unwrap_or_default();
    is_type && is_verified || is_dictionary && printed.starts_with("attribute-")
}

fn shown(bindings: &[String]) -> String {
    if bindings.is_empty() { "a literal".to_owned() } else { listed(bindings) }
}

/// Returns the names of attributes that are printed even if absent: those outside of groups, or with `in_groups`, those
/// in groups that another part anchors.
fn unguarded_attributes(op: &Operation<'_>, elements: &[Element<'_>], in_groups: bool) -> Vec<String> {
    let is_optional = |index: usize| {
        op.attributes().get(index).is_some_and(|named| {
            let attribute = named.attribute;
            !attribute.is_derived()
                && (attribute.is_optional() && attribute.default_value().is_none() || attribute.is_unit())
        })
    };
    let of = |elements: &[Element<'_>]| {
        let variables = elements.iter().filter_map(Element::variable);
        let attributes = variables.filter(|it| it.kind == VariableKind::Attribute && is_optional(it.index));
        attributes.map(|it| it.name.to_owned()).collect::<Vec<_>>()
    };
    if !in_groups {
        return of(elements);
    }
    let mut found = Vec::new();
    for element in elements {
        if let Element::Optional(OptionalGroup { then, otherwise, anchor, is_inverted }) = element {
            let (branch, other) = if *is_inverted { (otherwise, then) } else { (then, otherwise) };
            let anchor = branch.get(*anchor).and_then(Element::variable).map(|it| it.name.to_owned());
            found.extend(of(branch).into_iter().filter(|name| Some(name) != anchor.as_ref()));
            found.extend(of(other));
        }
    }
    found
}

fn unguarded(cx: &Cx<'_, '_>, Op { op, subject, .. }: &Op<'_>, elements: &[Element<'_>]) {
    if !cx.wants(&UNGUARDED) {
        return;
    }
    for (in_groups, cause) in [
        (false, "outside of an optional group"),
        (true, "in an optional group that depends on something else"),
    ] {
        for name in unguarded_attributes(op, elements, in_groups) {
            let text = format!("${name}");
            let place = cx.place_in_field(subject.rec, "assemblyFormat", &text);
            let edit = place.as_ref().filter(|_| !in_groups).and_then(|place| {
                let (outline, _) = cx.spot_of(subject.rec)?;
                let start = place.range.start;
                if place.range.end?.column != start.column + text.len() as u32 {
                    return None;
                }
                let start = outline.offset(start.line, start.column);
                Some(edit_of(outline, (start, start + text.len()), format!("({text}^)?")))
            });
            cx.draft(&UNGUARDED, subject, format!("'{text}' is optional and printed {cause}"))
                .part(&text)
                .at(place)
                .witness(format!("{} without {name}: the printer is handed a null attribute", op.name()))
                .fix("make a group of it", edit.into_iter().collect())
                .add();
        }
    }
}

/// Reports alternatives that begin like an earlier one; returns true if there are any.
fn unreachable(cx: &Cx<'_, '_>, subject: &Subject<'_>, elements: &[Element<'_>]) -> bool {
    let mut found = false;
    for element in elements {
        let literal = match element {
            Element::OiList(clauses) => {
                let literals: Vec<&str> = clauses.iter().map(|clause| clause.literal()).collect();
                let mut repeated = literals.iter().enumerate();
                repeated.find(|(at, literal)| literals[..*at].contains(literal)).map(|(_, literal)| *literal)
            }
            Element::Optional(group) => {
                found |= unreachable(cx, subject, &group.then) | unreachable(cx, subject, &group.otherwise);
                let first = |elements: &[Element<'_>]| {
                    let parsed = elements.iter().find(|it| !matches!(it, Element::Whitespace(_)));
                    match parsed {
                        Some(Element::Literal(literal)) => Some((*literal).to_owned()),
                        _ => None,
                    }
                };
                let (then, otherwise) = (first(&group.then), first(&group.otherwise));
                if then.is_some() && then == otherwise {
                    found = true;
                    let text = then.unwrap_or_default();
                    report_unreachable(cx, subject, &text, "else-branch");
                }
                None
            }
            _ => None,
        };
        if let Some(literal) = literal {
            found = true;
            report_unreachable(cx, subject, literal, "clause");
        }
    }
    found
}

fn report_unreachable(cx: &Cx<'_, '_>, subject: &Subject<'_>, literal: &str, what: &str) {
    let message =
        format!("the {what} that begins with '{literal}' is never parsed: one before it does so, too");
    let place = cx.place_in_field(subject.rec, "assemblyFormat", literal);
    cx.draft(&UNREACHABLE, subject, message).at(place).witness(literal).add();
}

fn only_in_dictionary(cx: &Cx<'_, '_>, Op { op, subject, format }: &Op<'_>) {
    let Some(format) = format.as_ref().filter(|_| cx.wants(&ONLY_IN_DICTIONARY)) else { return };
    for (index, named) in op.natural_attributes().iter().enumerate() {
        let attribute = named.attribute;
        let may_be_absent =
            attribute.is_optional() || attribute.is_unit() || attribute.default_value().is_some();
        if may_be_absent || format.attributes.contains(&index) || is_in_custom(&format.elements, named.name) {
            continue;
        }
        // Segment sizes are computed.
        if named.name.ends_with("SegmentSizes") || named.name.ends_with("_segment_sizes") {
            continue;
        }
        let place = cx.place_of_part(subject.rec, named.name);
        let message = format!("'${}' must be there, and only the dictionary has it", named.name);
        cx.draft(&ONLY_IN_DICTIONARY, subject, message)
            .part(&format!("${}", named.name))
            .at(place)
            .fix("print it before the dictionary", print_before_dictionary(cx, subject, named.name))
            .add();
    }
}

fn is_in_custom(elements: &[Element<'_>], name: &str) -> bool {
    elements.iter().any(|element| match element {
        Element::Variable(variable) => variable.name == name,
        // C++ may take any attribute from the dictionary that it gets.
        Element::Custom(custom) => {
            let is_dictionary = |it: &Element<'_>| matches!(it, Element::AttrDict { .. } | Element::PropDict);
            custom.parameters.iter().any(is_dictionary) || is_in_custom(&custom.parameters, name)
        }
        Element::Ref(inner) => is_in_custom(std::slice::from_ref(&**inner), name),
        Element::OiList(clauses) => clauses.iter().any(|clause| is_in_custom(&clause.elements, name)),
        Element::Optional(group) => is_in_custom(&group.then, name) || is_in_custom(&group.otherwise, name),
        _ => false,
    })
}

fn print_before_dictionary(cx: &Cx<'_, '_>, subject: &Subject<'_>, name: &str) -> Vec<Edit> {
    let edit = cx.statement(subject.rec).and_then(|(outline, statement)| {
        let value = outline.value(statement, "assemblyFormat")?;
        let at = value.start + outline.slice(value.clone()).find("attr-dict")?;
        Some(edit_of(outline, (at, at), format!("${name} ")))
    });
    edit.into_iter().collect()
}
