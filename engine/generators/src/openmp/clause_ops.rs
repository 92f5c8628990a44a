//! A struct for the arguments of each clause; for each operation a name for the structs of all its clauses.

use super::{PREFIX, clause_name};
use crate::{
    Cx, Generator,
    cpp::{Template, Writer, join},
};
use odsmith_ods::{TypeConstraint, cpp_name};
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec};

pub(crate) const CLAUSE_OPS: Generator = Generator {
    name: "gen-openmp-clause-ops",
    about: "Generate OpenMP clause operand structures",
    run: |cx, w| {
        cx.require_class("OpenMP_Clause")?;
        let clauses = cx.records.derived("OpenMP_Clause").filter(|clause| !clause.is_anonymous());
        let clauses = clauses
            .map(|clause| Ok((clause_name(clause), members(clause, cx)?)))
            .collect::<Result<Vec<_>, _>>()?;
        cx.require_class("OpenMP_Op")?;
        let ops = cx.records.derived("OpenMP_Op").filter(|op| !op.is_anonymous());
        let ops = ops.map(|op| Ok((op, op.defs("clauseList")?))).collect::<Result<Vec<_>, _>>()?;
        w.namespaces("mlir::omp", |w| {
            for (name, members) in &clauses {
                emit_struct(name, members, w);
            }
            w.fill(CLAUSES, &[]);
            for (op, clauses) in &ops {
                w.blank();
                emit_operands(*op, clauses, w);
            }
        });
        Ok(())
    },
};

/// Writes the name for the structs of an operation's clauses.
fn emit_operands(op: Rec<'_>, clauses: &[Rec<'_>], w: &mut Writer) {
    let name = op.name().strip_prefix(PREFIX).unwrap_or(op.name());
    let name = name.strip_suffix("Op").unwrap_or(name);
    let clauses = clauses.iter().map(|&clause| format!("{}ClauseOps", clause_name(clause)));
    w.line(format_args!("using {name}Operands = detail::Clauses<{}>;", join(clauses, ", ")));
}

const CLAUSES: Template = Template(
    r#"

namespace detail {
template <typename... Mixins>
struct Clauses : public Mixins... {};
} // namespace detail
"#,
);

/// Returns a clause's arguments: C++ types and names.
fn members(clause: Rec<'_>, cx: &Cx<'_>) -> Result<Vec<(String, String)>, Diagnostic> {
    let members = clause.dag("arguments")?.args().map(|(value, name)| {
        let error = |message: &str| Err(Diagnostic::error(clause.span(), message));
        let Some(rec) = value.as_def() else { return error("arguments of a clause must be records") };
        let Some(name) = name else { return error("arguments of a clause must be named") };
        Ok((member_type(rec, name, clause, cx)?, cpp_name::camel_case(name, false)))
    });
    members.collect()
}

/// Returns the C++ type of an argument: lists of values and elements, rather than the attributes that store them.
fn member_type(rec: Rec<'_>, name: &str, clause: Rec<'_>, cx: &Cx<'_>) -> Result<String, Diagnostic> {
    const VALUE: &str = "::mlir::Value";
    let mut base = rec;
    // The number of lists that the type begins with; the elements are converted like the argument.
    let mut lists = 0;
    let element = loop {
        if lists > MAX_LISTS {
            let message =
                format!("the elements of argument `{name}` are lists without an end: mend `elementAttr`");
            return Err(Diagnostic::error(clause.span(), message));
        }
        base = without_options(base)?;
        if !base.is_subclass_of("TypedArrayAttrBase") {
            break element_type(base)?;
        }
        base = base.def("elementAttr")?;
        lists += 1;
    };
    if element.is_none() && base.is_subclass_of("ElementsAttrBase") {
        let message = format!(
            "could not infer array-like attribute element type for argument '{name}', will use bare `storageType`"
        );
        cx.report(Diagnostic::warning(clause.span(), message));
    }
    let innermost = match element {
        Some(element) => list_of(&element),
        None if lists > 0 => "::mlir::Attribute".to_owned(),
        None if base.is_subclass_of("TypeConstraint") => {
            let is_list = TypeConstraint::new(base).is_variadic();
            if is_list { list_of(VALUE) } else { VALUE.to_owned() }
        }
        None => base.string("storageType")?.trim_ascii().to_owned(),
    };
    Ok((0..lists).fold(innermost, |ty, _| list_of(&ty)))
}

/// More nested lists than any attribute has, unless it is its own element.
const MAX_LISTS: usize = 100;

/// Returns the attribute inside `OptionalAttr`.
fn without_options(mut rec: Rec<'_>) -> Result<Rec<'_>, Diagnostic> {
    for _ in 0..MAX_LISTS {
        if !rec.is_subclass_of("OptionalAttr") {
            return Ok(rec);
        }
        rec = rec.def("baseAttr")?;
    }
    Err(Diagnostic::error(rec.span(), "an optional attribute without an end: mend `baseAttr`"))
}

/// Returns the type of an element, if the attribute is known to be a list of numbers.
fn element_type(rec: Rec<'_>) -> Result<Option<String>, Diagnostic> {
    if let Some((_, element)) = NUMBERS.iter().find(|(class, _)| rec.is_subclass_of(class)) {
        return Ok(Some((*element).to_owned()));
    }
    if !rec.is_subclass_of("DenseArrayAttrBase") {
        return Ok(None);
    }
    let list = rec.string("returnType")?;
    let element = list.strip_prefix("::llvm::ArrayRef<").unwrap_or(list);
    Ok(Some(element.strip_suffix('>').unwrap_or(element).to_owned()))
}

/// Classes of attributes with numbers, and the type of a number. The first class that matches counts.
const NUMBERS: &[(&str, &str)] = &[
    ("IntElementsAttrBase", "::llvm::APInt"),
    ("FloatElementsAttr", "::llvm::APFloat"),
    ("RankedFloatElementsAttr", "::llvm::APFloat"),
];

fn list_of(element: &str) -> String {
    format!("::llvm::SmallVector<{element}>")
}

fn emit_struct(clause: &str, members: &[(String, String)], w: &mut Writer) {
    w.block(format_args!("struct {clause}ClauseOps {{"), "};", |w| {
        for (ty, name) in members {
            w.line(format_args!("{ty} {name};"));
        }
    });
}
