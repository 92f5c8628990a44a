//! `gen-dialect-decls`, `gen-dialect-defs`: the class of one dialect, and its constructor and destructor.

use super::Generator;
use crate::cpp::{Template, Writer};
use odsmith_ods::{Dialect, DialectHook, cpp_name};
use odsmith_release::{Change, Rules, spellings};
use odsmith_tablegen::diagnostic::Diagnostic;

pub(super) const DECLS: Generator = Generator {
    name: "gen-dialect-decls",
    about: "Generate dialect declarations",
    run: |cx, w| {
        cx.require_class("Dialect")?;
        let dialect = cx.selected_dialect()?;
        if dialect.is_some() && !w.rules().has(Change::DialectHooksAsSaid) {
            cx.require_class("DialectAttr")?;
            cx.require_class("DialectType")?;
        }
        dialect.map_or(Ok(()), Dialect::check_declaration)?;
        let dialect = dialect.map(SelectedDialect::new).transpose()?;
        w.file_header("Dialect Declarations", Some(cx.source_name()));
        if let Some(dialect) = dialect {
            w.namespaces(dialect.view.cpp_namespace(), |w| emit_class(&dialect, w));
            emit_type_id("DECLARE_EXPLICIT_TYPE_ID", &dialect, w);
        }
        Ok(())
    },
};

pub(super) const DEFS: Generator = Generator {
    name: "gen-dialect-defs",
    about: "Generate dialect definitions",
    run: |cx, w| {
        cx.require_class("Dialect")?;
        let dialect = cx.selected_dialect()?;
        dialect.map_or(Ok(()), Dialect::check_definition)?;
        let dialect = dialect.map(SelectedDialect::new).transpose()?;
        w.file_header("Dialect Definitions", Some(cx.source_name()));
        if let Some(dialect) = dialect {
            emit_type_id("DEFINE_EXPLICIT_TYPE_ID", &dialect, w);
            w.namespaces(dialect.view.cpp_namespace(), |w| {
                if w.rules().has(Change::DialectConstructorsDefined) {
                    emit_constructor(&dialect, w);
                }
                if !dialect.view.has_own_destructor() {
                    w.fill(DESTRUCTOR, &[("Dialect", &dialect.class_name)]);
                }
            });
        }
        Ok(())
    },
};

/// A dialect whose discardable attributes have been checked.
struct SelectedDialect<'r> {
    view: Dialect<'r>,
    class_name: String,
    base: &'static str,
    /// The C++ type and the name of each.
    discardable_attributes: Vec<(String, &'r str)>,
}

impl<'r> SelectedDialect<'r> {
    fn new(view: Dialect<'r>) -> Result<Self, Diagnostic> {
        let rules = view.rules();
        let attributes = view
            .discardable_attributes()
            .filter(|_| rules.has(Change::DiscardableAttributes))
            .into_iter()
            .flat_map(|attributes| attributes.args());
        let named = attributes.map(|(ty, name)| match name {
            Some(name) => Ok((ty.unquoted(), name)),
            None => Err(Diagnostic::error(view.definition().span(), "discardable attributes must be named")),
        });
        Ok(SelectedDialect {
            view,
            class_name: view.cpp_class_name(),
            base: if rules.has(Change::ExtensibleDialects) && view.is_extensible() {
                "ExtensibleDialect"
            } else {
                "Dialect"
            },
            discardable_attributes: named.collect::<Result<_, _>>()?,
        })
    }
}

fn emit_type_id(name: &str, dialect: &SelectedDialect<'_>, w: &mut Writer) {
    let namespace = dialect.view.cpp_namespace();
    if !namespace.is_empty() && w.rules().has(Change::DialectTypeIds) {
        let prefix = spellings::type_id_prefix.of(w.rules());
        w.line(format_args!("{prefix}{name}({namespace}::{})", dialect.class_name));
    }
}

fn emit_class(dialect: &SelectedDialect<'_>, w: &mut Writer) {
    emit_comment(dialect.view, w);
    let name = &dialect.class_name;
    let constructor = match w.rules().has(Change::DialectConstructorsDefined) {
        true => format!("  explicit {name}(::mlir::MLIRContext *context);\n"),
        false => inline_constructor(dialect, w.rules()),
    };
    w.fill(
        CLASS_START,
        &[
            ("Dialect", name),
            ("base", &dialect.base),
            ("name", &dialect.view.name()),
            ("constructor", &constructor),
        ],
    );
    for hook in DialectHook::ALL.iter().filter(|hook| dialect.view.has_hook(**hook)) {
        w.fill(declaration(*hook), &[]);
    }
    let is_const = w.rules().has(Change::ConstAttributeHelpers);
    for (ty, name) in &dialect.discardable_attributes {
        w.fill(
            DISCARDABLE_ATTRIBUTE,
            &[
                ("type", ty),
                ("name", name),
                ("dialect", &dialect.view.name()),
                ("Name", &cpp_name::camel_case(name, true)),
                ("member", &cpp_name::camel_case(name, false)),
                ("explicit", if is_const { &"explicit " } else { &"" }),
                ("const", if is_const { &" const" } else { &"" }),
            ],
        );
    }
    w.raw(dialect.view.extra_class_declaration());
    w.line("};");
}

/// Writes summary and description, or an empty line.
fn emit_comment(dialect: Dialect<'_>, w: &mut Writer) {
    if !w.rules().has(Change::ClassComments) {
        return w.blank();
    }
    let texts = [dialect.summary(), dialect.description()];
    // Joined namespaces begin with a blank line of their own.
    if !w.rules().has(Change::JoinedNamespaces) {
        w.blank();
    }
    if texts.iter().all(|text| text.trim_ascii().is_empty()) {
        w.blank();
    }
    texts.into_iter().for_each(|text| w.description(text));
}

const CLASS_START: Template = Template(
    r#"
class @Dialect : public ::mlir::@base {
@constructor
  void initialize();
  friend class ::mlir::MLIRContext;
public:
  ~@Dialect() override;
  static constexpr ::llvm::StringLiteral getDialectNamespace() {
    return ::llvm::StringLiteral("@name");
  }
"#,
);

/// Returns the constructor inside the class.
fn inline_constructor(dialect: &SelectedDialect<'_>, rules: &Rules) -> String {
    let name = &dialect.class_name;
    let loads = loads(dialect, rules, "    ");
    format!(
        "  explicit {name}(::mlir::MLIRContext *context)
    : ::mlir::{}(getDialectNamespace(), context,
      ::mlir::TypeID::get<{name}>()) {{
{loads}
    initialize();
  }}
",
        dialect.base
    )
}

/// Returns the statements that load the dialects that this one depends on.
fn loads(dialect: &SelectedDialect<'_>, rules: &Rules, indent: &str) -> String {
    let load = spellings::load_dialect.of(rules);
    let loads = dialect.view.dependent_dialects().into_iter();
    let loads = loads.map(|dependent| format!("getContext()->{load}<{dependent}>();"));
    dependencies(loads, rules, indent, "    ")
}

fn declaration(hook: DialectHook) -> Template {
    match hook {
        DialectHook::AttributeParser => ATTRIBUTE_PARSER,
        DialectHook::TypeParser => TYPE_PARSER,
        DialectHook::Canonicalizer => CANONICALIZER,
        DialectHook::ConstantMaterializer => CONSTANT_MATERIALIZER,
        DialectHook::OperationVerifier => OPERATION_VERIFIER,
        DialectHook::RegionArgumentVerifier => REGION_ARGUMENT_VERIFIER,
        DialectHook::RegionResultVerifier => REGION_RESULT_VERIFIER,
        DialectHook::InterfaceFallback => INTERFACE_FALLBACK,
    }
}

const ATTRIBUTE_PARSER: Template = Template(
    r#"

  /// Parse an attribute registered to this dialect.
  ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                   ::mlir::Type type) const override;

  /// Print an attribute registered to this dialect.
  void printAttribute(::mlir::Attribute attr,
                      ::mlir::DialectAsmPrinter &os) const override;
"#,
);

const TYPE_PARSER: Template = Template(
    r#"

  /// Parse a type registered to this dialect.
  ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;

  /// Print a type registered to this dialect.
  void printType(::mlir::Type type,
                 ::mlir::DialectAsmPrinter &os) const override;
"#,
);

const CANONICALIZER: Template = Template(
    r#"

  /// Register canonicalization patterns.
  void getCanonicalizationPatterns(
      ::mlir::RewritePatternSet &results) const override;
"#,
);

const CONSTANT_MATERIALIZER: Template = Template(
    r#"

  /// Materialize a single constant operation from a given attribute value with
  /// the desired resultant type.
  ::mlir::Operation *materializeConstant(::mlir::OpBuilder &builder,
                                         ::mlir::Attribute value,
                                         ::mlir::Type type,
                                         ::mlir::Location loc) override;
"#,
);

const OPERATION_VERIFIER: Template = Template(
    r#"

    /// Provides a hook for verifying dialect attributes attached to the given
    /// op.
    @LogicalResult verifyOperationAttribute(
        ::mlir::Operation *op, ::mlir::NamedAttribute attribute) override;
"#,
);

const REGION_ARGUMENT_VERIFIER: Template = Template(
    r#"

    /// Provides a hook for verifying dialect attributes attached to the given
    /// op's region argument.
    @LogicalResult verifyRegionArgAttribute(
        ::mlir::Operation *op, unsigned regionIndex, unsigned argIndex,
        ::mlir::NamedAttribute attribute) override;
"#,
);

const REGION_RESULT_VERIFIER: Template = Template(
    r#"

    /// Provides a hook for verifying dialect attributes attached to the given
    /// op's region result.
    @LogicalResult verifyRegionResultAttribute(
        ::mlir::Operation *op, unsigned regionIndex, unsigned resultIndex,
        ::mlir::NamedAttribute attribute) override;
"#,
);

const INTERFACE_FALLBACK: Template = Template(
    r#"

    /// Provides a hook for op interface.
    void *getRegisteredInterfaceForOp(mlir::TypeID interfaceID,
                                      mlir::OperationName opName) override;
"#,
);

const DISCARDABLE_ATTRIBUTE: Template = Template(
    r#"

    /// Helper to manage the discardable attribute `@name`.
    class @{Name}AttrHelper {
      ::mlir::StringAttr name;
    public:
      static constexpr ::llvm::StringLiteral getNameStr() {
        return "@dialect.@name";
      }
      constexpr ::mlir::StringAttr getName()@const {
        return name;
      }

      @explicit@{Name}AttrHelper(::mlir::MLIRContext *ctx)
        : name(::mlir::StringAttr::get(ctx, getNameStr())) {}

     @type getAttr(::mlir::Operation *op)@const {
       return op->get@{Discardable}AttrOfType<@type>(name);
     }
     void setAttr(::mlir::Operation *op, @type val)@const {
       op->set@{Discardable}Attr(name, val);
     }
     bool isAttrPresent(::mlir::Operation *op)@const {
       return op->has@{Discardable}AttrOfType<@type>(name);
     }
     void removeAttr(::mlir::Operation *op)@const {
       assert(op->has@{Discardable}AttrOfType<@type>(name));
       op->remove@{Discardable}Attr(name);
     }
   };
   @{Name}AttrHelper get@{Name}AttrHelper() {
     return @{member}AttrName;
   }
 private:
   @{Name}AttrHelper @{member}AttrName;
 public:
"#,
);

fn emit_constructor(dialect: &SelectedDialect<'_>, w: &mut Writer) {
    let members = dialect.discardable_attributes.iter().map(|(_, name)| cpp_name::camel_case(name, false));
    let initializers = members.map(|member| format!(", {member}AttrName(context)")).collect::<String>();
    let initializers = match w.rules().has(Change::DiscardableAttributes) {
        true => format!("\n    {initializers}\n    "),
        false => String::new(),
    };
    let loads = loads(dialect, w.rules(), "  ");
    w.fill(
        CONSTRUCTOR,
        &[
            ("Dialect", &dialect.class_name),
            ("base", &dialect.base),
            ("initializers", &initializers),
            ("loads", &loads),
        ],
    );
}

/// Joins the statements for the dependencies of a dialect or pass, without a line end after the last one. Without
/// statements, the reference leaves an indented line; old releases always leave one, and indent in their own way.
pub(crate) fn dependencies(
    statements: impl Iterator<Item = String>,
    rules: &Rules,
    indent: &str,
    older_indent: &str,
) -> String {
    let is_in_lines = rules.has(Change::DependenciesInLines);
    let mut lines: Vec<String> = statements
        .map(|statement| match is_in_lines {
            true => format!("{indent}{statement}"),
            false => format!("{older_indent}{statement}\n"),
        })
        .collect();
    if lines.is_empty() || !is_in_lines {
        lines.insert(0, indent.to_owned());
    }
    lines.join("\n")
}

const CONSTRUCTOR: Template = Template(
    r#"

@Dialect::@Dialect(::mlir::MLIRContext *context)@constructor_end
    : ::mlir::@base(getDialectNamespace(), context, ::mlir::TypeID::get<@Dialect>())@initializers {
@loads
  initialize();
}
"#,
);

const DESTRUCTOR: Template = Template(
    r#"

@Dialect::~@Dialect() = default;

"#,
);
