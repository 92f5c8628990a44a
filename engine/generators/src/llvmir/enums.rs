//! Conversions between enums of MLIR and LLVM: classes `LLVM_EnumAttr` (a C++ enum on both sides) and `LLVM_CEnumAttr`
//! (an integer on LLVM's side).

use crate::cpp::Writer;
use crate::{Cx, Generator};
use odsmith_ods::{EnumInfo, enums::LISTED};
use odsmith_release::{Change, spellings};
use odsmith_tablegen::diagnostic::Diagnostic;

pub(crate) const TO_LLVM: Generator = Generator {
    name: "gen-enum-to-llvmir-conversions",
    about: "Generate conversions of EnumAttrs to LLVM IR",
    run: |cx, w| {
        enums(cx, Direction::ToLlvm)?.iter().for_each(|info| emit_to_llvm(info, w));
        Ok(())
    },
};

pub(crate) const FROM_LLVM: Generator = Generator {
    name: "gen-enum-from-llvmir-conversions",
    about: "Generate conversions of EnumAttrs from LLVM IR",
    run: |cx, w| {
        enums(cx, Direction::FromLlvm)?.iter().for_each(|info| emit_from_llvm(info, w));
        Ok(())
    },
};

/// An enum with its counterpart.
struct LlvmEnum<'r> {
    /// The class in MLIR, without its namespace.
    name: &'r str,
    mlir_class: String,
    llvm_class: &'r str,
    /// Enumerators on both sides.
    cases: Vec<(&'r str, &'r str)>,
    /// Enumerators that only LLVM has.
    unsupported: Vec<&'r str>,
    is_integer: bool,
}

/// The direction in which a generator converts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    ToLlvm,
    FromLlvm,
}

/// Returns the enums of both classes. Enumerators that only LLVM has are read for conversions from LLVM.
fn enums<'r>(cx: &Cx<'r>, direction: Direction) -> Result<Vec<LlvmEnum<'r>>, Diagnostic> {
    let mut enums = Vec::new();
    for (class, is_integer) in [("LLVM_EnumAttr", false), ("LLVM_CEnumAttr", true)] {
        if is_integer && !cx.records.rules().has(Change::IntegerLlvmEnums) {
            continue;
        }
        cx.require_class(class)?;
        for rec in cx.records.derived(class) {
            let of_llvm = odsmith_ods::LlvmEnum::new(rec);
            let llvm_class = of_llvm.class_name()?;
            let EnumInfo { class_name, qualified_name, cases, .. } = EnumInfo::with(rec, LISTED)?;
            let cases = cases.iter().map(|case| {
                let llvm = odsmith_ods::LlvmEnum::enumerator(case)?;
                case.check_symbol()?;
                Ok((case.symbol, llvm))
            });
            let cases = cases.collect::<Result<_, Diagnostic>>()?;
            let has_unsupported = !is_integer && cx.records.rules().has(Change::UnsupportedEnumerants);
            let unsupported = match has_unsupported && direction == Direction::FromLlvm {
                true => of_llvm.unsupported()?,
                false => Vec::new(),
            };
            enums.push(LlvmEnum {
                name: class_name,
                mlir_class: qualified_name,
                llvm_class,
                cases,
                unsupported,
                is_integer,
            });
        }
    }
    Ok(enums)
}

impl LlvmEnum<'_> {
    fn llvm_type(&self) -> &str {
        if self.is_integer { "int64_t" } else { self.llvm_class }
    }

    fn llvm_case(&self, enumerator: &str) -> String {
        let case = format!("{}::{enumerator}", self.llvm_class);
        if self.is_integer { format!("static_cast<int64_t>({case})") } else { case }
    }
}

fn emit_to_llvm(info: &LlvmEnum<'_>, w: &mut Writer) {
    let LlvmEnum { name, mlir_class, .. } = info;
    let llvm_type = info.llvm_type();
    let (first, last) = (spellings::maybe_unused.of(w.rules()), spellings::attribute_unused.of(w.rules()));
    w.braces(format_args!("{first}static {last}{llvm_type} convert{name}ToLLVM({mlir_class} value)"), |w| {
        w.line("switch (value) {");
        for (symbol, llvm) in &info.cases {
            w.line(format_args!("case {mlir_class}::{symbol}:"));
            w.line(format_args!("  return {};", info.llvm_case(llvm)));
        }
        w.line("}");
        w.line(format_args!("llvm_unreachable(\"unknown {name} type\");"));
    });
    w.blank();
}

fn emit_from_llvm(info: &LlvmEnum<'_>, w: &mut Writer) {
    let LlvmEnum { name, mlir_class, llvm_class, .. } = info;
    let llvm_type = info.llvm_type();
    let (first, last) = (spellings::maybe_unused.of(w.rules()), spellings::attribute_unused.of(w.rules()));
    w.line(format_args!("{first}inline {last}{mlir_class} convert{name}FromLLVM({llvm_type} value) {{"));
    w.indented(|w| {
        w.line("switch (value) {");
        for (symbol, llvm) in &info.cases {
            w.line(format_args!("case {}:", info.llvm_case(llvm)));
            w.line(format_args!("  return {mlir_class}::{symbol};"));
        }
        for llvm in &info.unsupported {
            let case = info.llvm_case(llvm);
            w.line(format_args!("case {case}:"));
            w.line(format_args!("  llvm_unreachable(\"unsupported case {case}\");"));
        }
        w.line("}");
        // The reference ends the function on this line.
        w.line(format_args!("llvm_unreachable(\"unknown {llvm_class} type\");}}"));
    });
    w.blank();
}
