//! `gen-directive-decl`: TableGen definitions of enums, for the values that clauses of a directive language (OpenMP,
//! OpenACC) allow.

use super::{Generator, OptionSpec};
use crate::cpp::{Template, Writer, join};
use odsmith_ods::{ClauseValue, DirectiveClause, DirectiveLanguage};
use odsmith_release::{Change, spellings};
use odsmith_tablegen::{diagnostic::Diagnostic, span::Span};

pub(super) const DECL: Generator = Generator {
    name: "gen-directive-decl",
    about: "Generate declarations for directives (OpenMP/OpenACC etc.)",
    run: |cx, w| {
        let dialect = cx.options.get(DIALECT.name).filter(|name| !name.is_empty());
        let is_needed = cx.records.rules().has(Change::DirectivesOfDialects);
        if is_needed && dialect.is_none() {
            let message = "a dialect must be selected for the directives via '--directives-dialect'";
            return Err(Diagnostic::error(Span::NONE, message));
        }
        let dialect = dialect.unwrap_or_default();
        cx.require_class("DirectiveLanguage")?;
        let Some(language) = cx.records.derived("DirectiveLanguage").next() else { return Ok(()) };
        cx.require_class("Clause")?;
        let language = DirectiveLanguage::new(language);
        for clause in cx.records.derived("Clause").map(DirectiveClause::new) {
            let values = clause.values()?;
            if !values.is_empty() {
                emit(clause.enum_name()?, &cases(&values)?, language, dialect, w)?;
            }
        }
        Ok(())
    },
};

pub(super) const DIALECT: OptionSpec = OptionSpec {
    name: "directives-dialect",
    value: Some("string"),
    about: "Generate directives for this dialect",
};

/// Returns the values that users may write, with their positions.
fn cases(values: &[ClauseValue<'_>]) -> Result<Vec<(usize, String)>, Diagnostic> {
    let mut cases = Vec::new();
    for (position, value) in values.iter().enumerate() {
        if value.is_user_value()? {
            cases.push((position, value.spelling()?.replace(' ', "_")));
        }
    }
    Ok(cases)
}

fn emit(
    name: &str,
    cases: &[(usize, String)],
    language: DirectiveLanguage<'_>,
    dialect: &str,
    w: &mut Writer,
) -> Result<(), Diagnostic> {
    let namespace = language.cpp_namespace()?;
    if !w.rules().has(Change::DirectivesOfDialects) {
        return emit_texts(name, cases, namespace, w);
    }
    for (position, case) in cases {
        if !w.rules().has(Change::DirectiveSymbols) {
            w.line(format_args!("def {name}{case} : I32EnumAttrCase<\"{case}\", {position}>;"));
            continue;
        }
        let mut capital = case.to_ascii_lowercase();
        if let Some(first) = capital.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        w.line(format_args!("def {name}{case} : I32EnumAttrCase<\"{capital}\", {position}, \"{case}\">;"));
    }
    let separator = spellings::directive_separator.of(w.rules());
    w.fill(
        ENUM,
        &[
            ("name", &name),
            ("cases", &join(cases.iter().map(|(_, case)| format!("{name}{case}")), separator)),
            ("namespace", &namespace),
            ("dialect", &dialect),
            ("mnemonic", &name.to_ascii_lowercase()),
        ],
    );
    Ok(())
}

/// Writes an enum of texts, as in the first release.
fn emit_texts(
    name: &str,
    cases: &[(usize, String)],
    namespace: &str,
    w: &mut Writer,
) -> Result<(), Diagnostic> {
    for (_, case) in cases {
        w.line(format_args!("def {name}{case} : StrEnumAttrCase<\"{case}\">;"));
    }
    let cases = join(cases.iter().map(|(_, case)| format!("{name}{case}")), ",").to_string();
    w.fill(TEXT_ENUM, &[("name", &name), ("cases", &cases), ("namespace", &namespace)]);
    Ok(())
}

const TEXT_ENUM: Template = Template(
    r#"
def @name: StrEnumAttr<
  "Clause@name",
  "@name Clause",
  [@cases]> {
    let cppNamespace = "::mlir::@namespace";
}
"#,
);

const ENUM: Template = Template(
    r#"
def @name: I32EnumAttr<
  "Clause@name",
  "@name Clause",
  [@cases]> {
    let cppNamespace = "::mlir::@namespace";
    let genSpecializedAttr = 0;
}
def @{name}Attr : EnumAttr<@{dialect}_Dialect, @name, "@mnemonic">;
"#,
);
