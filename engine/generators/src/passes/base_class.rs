//! The base class of a pass, which holds its options and statistics.

use std::fmt::Display;

use crate::{
    cpp::{Template, Writer},
    dialects::dependencies,
};
use odsmith_ods::{Pass, PassOption};
use odsmith_release::{Change, Rules, spellings};

/// Writes the base class in its namespace.
pub(super) fn emit(pass: &Pass<'_>, w: &mut Writer) {
    w.line("namespace impl {");
    emit_class_start(pass, DependentDialects::Returned, w);
    w.indented(|w| {
        if !pass.options.is_empty() {
            emit_options_constructor(pass, w);
        }
    });
    w.line("protected:");
    w.indented(|w| emit_members(pass, w));
    w.line("private:");
    if pass.constructor.is_none() {
        w.fill(FRIEND, &[("pass", &pass.name)]);
        if !pass.options.is_empty() {
            w.fill(FRIEND_WITH_OPTIONS, &[("pass", &pass.name)]);
        }
    }
    w.line("};\n} // namespace impl");
}

/// Writes the base class up to its members.
pub(super) fn emit_class_start(pass: &Pass<'_>, dialects: DependentDialects, w: &mut Writer) {
    let summary = literal("PD", pass.summary, w.rules());
    w.fill(BASE_CLASS_START, &[("pass", &pass.name), ("base", &pass.base_class)]);
    if w.rules().has(Change::PassesNotAssigned) {
        w.fill(NOT_ASSIGNED, &[("pass", &pass.name)]);
    }
    let names: [(&str, &dyn Display); 3] =
        [("pass", &pass.name), ("argument", &pass.argument), ("summary", &summary)];
    w.fill(BASE_CLASS_NAMES, &names);
    emit_dependent_dialects(pass, dialects, w);
    if w.rules().has(Change::PassTypeIds) {
        w.fill(TYPE_ID, &[("pass", &pass.name)]);
    }
}

/// Returns a string literal for a user's text. A raw literal has a delimiter, and may contain quotes.
fn literal(mark: &str, text: &str, rules: &Rules) -> String {
    match rules.has(Change::RawPassTexts) {
        true => format!("R\"{mark}({}){mark}\"", text.trim_ascii()),
        false => format!("\"{text}\""),
    }
}

const BASE_CLASS_START: Template = Template(
    r#"

template <typename DerivedT>
class @{pass}Base : public @base {
public:
  using Base = @{pass}Base;

  @{pass}Base() : @base(::mlir::TypeID::get<DerivedT>()) {}
  @{pass}Base(const @{pass}Base &other) : @base(other) {}
"#,
);

const NOT_ASSIGNED: Template = Template(
    r#"
  @{pass}Base& operator=(const @{pass}Base &) = delete;
  @{pass}Base(@{pass}Base &&) = delete;
  @{pass}Base& operator=(@{pass}Base &&) = delete;
  ~@{pass}Base() = default;
"#,
);

const BASE_CLASS_NAMES: Template = Template(
    r#"

  /// Returns the command-line argument attached to this pass.
  static constexpr ::llvm::StringLiteral getArgumentName() {
    return ::llvm::StringLiteral("@argument");
  }
  ::llvm::StringRef getArgument() const override { return "@argument"; }

  ::llvm::StringRef getDescription() const override { return @summary; }

  /// Returns the derived pass name.
  static constexpr ::llvm::StringLiteral getPassName() {
    return ::llvm::StringLiteral("@pass");
  }
  ::llvm::StringRef getName() const override { return "@pass"; }

  /// Support isa/dyn_cast functionality for the derived pass class.
  static bool classof(const ::mlir::Pass *pass) {
    return pass->getTypeID() == ::mlir::TypeID::get<DerivedT>();
  }

  /// A clone method to create a copy of this pass.
  std::unique_ptr<::mlir::Pass> clonePass() const override {
    return std::make_unique<DerivedT>(*static_cast<const DerivedT *>(this));
  }

"#,
);

/// The description in the comment on a pass' dialects.
#[derive(Clone, Copy, Debug)]
pub(super) enum DependentDialects {
    Returned,
    Registered,
}

fn emit_dependent_dialects(pass: &Pass<'_>, dialects: DependentDialects, w: &mut Writer) {
    let what = match dialects {
        DependentDialects::Returned => "Return the dialect",
        DependentDialects::Registered => spellings::registered_dialects.of(w.rules()),
    };
    w.line(format_args!("  /// {what} that must be loaded in the context before this pass."));
    w.line("  void getDependentDialects(::mlir::DialectRegistry &registry) const override {");
    let dialects = pass.dependent_dialects.iter().map(|dialect| format!("registry.insert<{dialect}>();"));
    w.line(dependencies(dialects, w.rules(), "    ", "  "));
    w.line("  }\n");
}

const TYPE_ID: Template = Template(
    r#"
  /// Explicitly declare the TypeID for this class. We declare an explicit private
  /// instantiation because Pass classes should only be visible by the current
  /// library.
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(@{pass}Base<DerivedT>)

"#,
);

fn emit_options_constructor(pass: &Pass<'_>, w: &mut Writer) {
    let name = pass.name;
    let rules = *w.rules();
    let options = options_parameter(pass, &rules);
    w.braces(format_args!("{name}Base({options}) : {name}Base()"), |w| {
        for PassOption { cpp_name, .. } in &pass.options {
            match rules.has(Change::OwnedOptions) {
                true => w.line(format_args!("{cpp_name} = std::move(options.{cpp_name});")),
                false => w.line(format_args!("{cpp_name} = options.{cpp_name};")),
            }
        }
    });
}

pub(super) fn emit_members(pass: &Pass<'_>, w: &mut Writer) {
    for option in &pass.options {
        let PassOption { cpp_name, argument, ty, description, is_list, .. } = option;
        let class = if *is_list { "ListOption" } else { "Option" };
        w.margin();
        write!(w, "::mlir::Pass::{class}<{ty}> {cpp_name}{{*this, \"{argument}\", ");
        write!(w, "::llvm::cl::desc({})", literal("PO", description, w.rules()));
        if let Some(value) = option.default_value {
            write!(w, ", ::llvm::cl::init({value})");
        }
        if let Some(flags) = option.flags {
            write!(w, ", {flags}");
        }
        w.raw("};\n");
    }
    for statistic in &pass.statistics {
        let description = literal("PS", statistic.description, w.rules());
        w.line(format_args!(
            r#"::mlir::Pass::Statistic {}{{this, "{}", {description}}};"#,
            statistic.cpp_name, statistic.name
        ));
    }
}

const FRIEND: Template = Template(
    r#"

  friend std::unique_ptr<::mlir::Pass> create@pass() {
    return std::make_unique<DerivedT>();
  }
"#,
);

const FRIEND_WITH_OPTIONS: Template = Template(
    r#"

  friend std::unique_ptr<::mlir::Pass> create@pass(@options_const@{pass}Options@{options_reference}options) {
    return std::make_unique<DerivedT>(@passed_options);
  }
"#,
);

/// Returns the parameter for the options of a pass.
pub(super) fn options_parameter(pass: &Pass<'_>, rules: &Rules) -> String {
    let (before, after) = (spellings::options_const.of(rules), spellings::options_reference.of(rules));
    format!("{before}{}Options{after}options", pass.name)
}
