//! `gen-llvmir-intrinsics`: TableGen definitions of operations for LLVM's intrinsics (class `Intrinsic`).

use crate::cpp::{Template, Writer, join};
use crate::{Cx, Generator, OptionSpec, regex_option::RegexOption};
use odsmith_ods::Intrinsic;
use odsmith_release::{Change, spellings};
use odsmith_tablegen::{diagnostic::Diagnostic, record::Rec};

pub(crate) const INTRINSICS: Generator = Generator {
    name: "gen-llvmir-intrinsics",
    about: "Generate LLVM IR intrinsics",
    run: |cx, w| {
        cx.require_class("Intrinsic")?;
        let choice = Choice::of(cx);
        let intrinsics = cx.records.derived("Intrinsic").filter(|rec| rec.name().contains(choice.filter));
        let intrinsics =
            intrinsics.map(|rec| SelectedIntrinsic::new(rec, &choice)).collect::<Result<Vec<_>, _>>()?;
        w.file_header("Operations for LLVM intrinsics", Some(cx.source_name()));
        w.fill(INCLUDES, &[]);
        intrinsics.iter().for_each(|intrinsic| emit(intrinsic, &choice, w));
        Ok(())
    },
};

pub(crate) const FILTER: OptionSpec = OptionSpec {
    name: "llvmir-intrinsics-filter",
    value: Some("string"),
    about: "Only keep the intrinsics with the specified substring in their record name",
};

pub(crate) const OP_CLASS: OptionSpec = OptionSpec {
    name: "dialect-opclass-base",
    value: Some("string"),
    about: "The base class for the ops in the dialect we are planning to emit",
};

pub(crate) const ACCESS_GROUPS: OptionSpec = OptionSpec {
    name: "llvmir-intrinsics-access-group-regexp",
    value: Some("string"),
    about: "Mark intrinsics that match the specified regexp as taking an access group metadata",
};

pub(crate) const ALIAS_ANALYSIS: OptionSpec = OptionSpec {
    name: "llvmir-intrinsics-alias-analysis-regexp",
    value: Some("string"),
    about: "Mark intrinsics that match the specified regexp as taking alias.scopes, noalias, and tbaa metadata",
};

pub(crate) const ALIAS_SCOPES: OptionSpec = OptionSpec {
    name: "llvmir-intrinsics-alias-scopes-regexp",
    value: Some("string"),
    about: "Mark intrinsics that match the specified regexp as taking alias.scopes and noalias metadata",
};

/// The choice that the options make.
struct Choice<'a> {
    filter: &'a str,
    op_class: &'a str,
    access_groups: Option<RegexOption>,
    alias_analysis: Option<RegexOption>,
}

impl<'a> Choice<'a> {
    fn of(cx: &'a Cx<'_>) -> Self {
        let regex = |option: OptionSpec| RegexOption::of(cx.options, option.name);
        Choice {
            filter: cx.options.get(FILTER.name).unwrap_or_default(),
            op_class: cx.options.get(OP_CLASS.name).unwrap_or("LLVM_IntrOp"),
            access_groups: regex(ACCESS_GROUPS),
            alias_analysis: match cx.records.rules().has(Change::BytecodeAndTbaa) {
                true => regex(ALIAS_ANALYSIS),
                false => regex(ALIAS_SCOPES),
            },
        }
    }
}

/// An intrinsic with the properties that the options decide.
struct SelectedIntrinsic<'r> {
    intrinsic: Intrinsic<'r>,
    traits: Vec<&'static str>,
    /// True if it takes access groups and alias information.
    has_groups: bool,
    has_aliases: bool,
}

impl<'r> SelectedIntrinsic<'r> {
    fn new(rec: Rec<'r>, choice: &Choice<'_>) -> Result<Self, Diagnostic> {
        let finds =
            |regex: &Option<RegexOption>| regex.as_ref().map_or(Ok(false), |regex| regex.finds(rec.name()));
        let intrinsic = Intrinsic::new(rec)?;
        let no_memory = spellings::no_memory.of(rec.records().rules());
        let traits = [("Commutative", "Commutative"), ("IntrNoMem", no_memory)];
        let traits = traits.iter().filter(|(name, _)| intrinsic.properties.contains(name));
        Ok(SelectedIntrinsic {
            traits: traits.map(|(_, name)| *name).collect(),
            intrinsic,
            has_groups: finds(&choice.access_groups)?,
            has_aliases: finds(&choice.alias_analysis)?,
        })
    }
}

const INCLUDES: Template = Template(
    r#"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

"#,
);

fn emit(selected: &SelectedIntrinsic<'_>, choice: &Choice<'_>, w: &mut Writer) {
    let SelectedIntrinsic { intrinsic, traits, has_groups, has_aliases } = selected;
    let mut arguments = vec!["LLVM_Type"; intrinsic.operands];
    if *has_groups {
        arguments.push(spellings::access_groups.of(w.rules()));
    }
    if *has_aliases && w.rules().has(Change::BytecodeAndTbaa) {
        arguments.push("OptionalAttr<LLVM_AliasScopeArrayAttr>:$alias_scopes");
        arguments.push("OptionalAttr<LLVM_AliasScopeArrayAttr>:$noalias_scopes");
        arguments.push("OptionalAttr<LLVM_TBAATagArrayAttr>:$tbaa");
    } else if *has_aliases {
        arguments.push("OptionalAttr<SymbolRefArrayAttr>:$alias_scopes");
        arguments.push("OptionalAttr<SymbolRefArrayAttr>:$noalias_scopes");
    }
    let aliases = if *has_aliases { ", 1" } else { ", 0" };
    w.fill(
        DEFINITION,
        &[
            ("name", &intrinsic.proper_name()),
            ("class", &choice.op_class),
            ("mnemonic", &intrinsic.mnemonic),
            ("overloaded_results", &join(&intrinsic.overloaded_results, ", ")),
            ("overloaded_operands", &join(&intrinsic.overloaded_operands, ", ")),
            ("traits", &join(traits, ", ")),
            ("results", &intrinsic.results),
            ("groups", &u8::from(*has_groups)),
            ("aliases", &if w.rules().has(Change::AliasScopes) { aliases } else { "" }),
            ("blank", &if arguments.is_empty() { "" } else { " " }),
            ("arguments", &join(&arguments, ", ")),
        ],
    );
}

const DEFINITION: Template = Template(
    r#"
def LLVM_@name : @class<"@mnemonic", [@overloaded_results], [@overloaded_operands], [@traits], @results, @groups@aliases>, Arguments<(ins@blank@arguments)>;

"#,
);
