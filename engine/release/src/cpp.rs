//! C++ of MLIR that releases dropped or renamed, with the replacement: definitions hold such C++ in predicates and bodies.

use super::is_or_follows;

/// A change of MLIR's C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CppMigration {
    /// Its name: `UC01`.
    pub id: &'static str,
    /// The last release whose headers are known to have the old form.
    pub before: u8,
    /// The first release whose headers are known not to have the old form.
    pub since: u8,
    /// The old form, for messages.
    pub old: &'static str,
    /// The new form.
    pub new: &'static str,
    /// The old form, for readers of C++.
    pub form: CppForm,
}

/// The form of old C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CppForm {
    /// A method with a template argument that became a function: `x.isa<T>()`.
    Method(&'static str),
    /// A class, and its new name.
    Class(&'static str, &'static str),
    /// A member of a class or namespace, by the names of both, and the new names: `FloatType::getF32`.
    Path([&'static str; 2], &'static str),
    /// A method, and its new name.
    Member(&'static str, &'static str),
    /// A method that tests a type, and the class of the type.
    TypeTest(&'static str, &'static str),
    /// An empty list as the default of a parameter, by the last word of its text.
    EmptyList(&'static str),
    /// A function that predicates named without its namespace.
    Bare(&'static str),
    /// Any other name that predicates found in the namespace of their dialect.
    Unqualified,
    /// A method of a union of pointers, and the function that it became: `result.get<::mlir::Value>()`. Other classes have
    /// methods of the same name.
    UnionMethod(&'static str, &'static str),
    /// A call of a function whose last argument `{}` was a list of attributes, and may be properties as well.
    EmptyAttributes(&'static str),
}

impl CppMigration {
    /// Returns true if a release does not have the old form.
    #[must_use]
    pub fn is_in(&self, release: u8) -> bool {
        is_or_follows(release, self.since)
    }

    /// Returns true if each use fails, and not only one without a using-directive before it or with other overloads.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        !matches!(
            self.form,
            CppForm::Bare(_) | CppForm::EmptyAttributes(_) | CppForm::Unqualified | CppForm::UnionMethod(..)
        )
    }
}

impl CppForm {
    /// Returns the word that each use has.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CppForm::Method(name)
            | CppForm::Class(name, _)
            | CppForm::Path([_, name], _)
            | CppForm::Member(name, _)
            | CppForm::TypeTest(name, _)
            | CppForm::EmptyList(name)
            | CppForm::EmptyAttributes(name)
            | CppForm::UnionMethod(name, _)
            | CppForm::Bare(name) => name,
            CppForm::Unqualified => "",
        }
    }
}

/// The table. A test compiles the old form of each row with the headers of the earlier release, and the new form with those
/// of the later one, which refuse the old form.
pub const MIGRATIONS: &[CppMigration] = &[
    row("UC01", [19, 22], ["x.isa<T>()", "::llvm::isa<T>(x)"], CppForm::Method("isa")),
    row("UC02", [19, 22], ["x.cast<T>()", "::llvm::cast<T>(x)"], CppForm::Method("cast")),
    row("UC03", [19, 22], ["x.dyn_cast<T>()", "::llvm::dyn_cast<T>(x)"], CppForm::Method("dyn_cast")),
    row(
        "UC04",
        [19, 22],
        ["x.dyn_cast_or_null<T>()", "::llvm::dyn_cast_or_null<T>(x)"],
        CppForm::Method("dyn_cast_or_null"),
    ),
    row(
        "UC05",
        [22, 23],
        ["OpaqueProperties", "PropertyRef"],
        CppForm::Class("OpaqueProperties", "PropertyRef"),
    ),
    row("UC06", [19, 22], ["= std::nullopt", "= {}"], CppForm::EmptyList("nullopt")),
    row("UC07", [16, 19], ["= llvm::None", "= {}"], CppForm::EmptyList("None")),
    row("UC08", [16, 19], ["llvm::Optional", "std::optional"], path("llvm", "Optional", "std::optional")),
    row(
        "UC09",
        [16, 19],
        ["llvm::makeArrayRef", "llvm::ArrayRef"],
        path("llvm", "makeArrayRef", "llvm::ArrayRef"),
    ),
    row(
        "UC10",
        [16, 19],
        ["x.startswith(…)", "x.starts_with(…)"],
        CppForm::Member("startswith", "starts_with"),
    ),
    row("UC11", [16, 19], ["x.endswith(…)", "x.ends_with(…)"], CppForm::Member("endswith", "ends_with")),
    row(
        "UC12",
        [19, 22],
        ["FloatType::getBF16", "BFloat16Type::get"],
        path("FloatType", "getBF16", "BFloat16Type::get"),
    ),
    row(
        "UC13",
        [19, 22],
        ["FloatType::getF16", "Float16Type::get"],
        path("FloatType", "getF16", "Float16Type::get"),
    ),
    row(
        "UC14",
        [19, 22],
        ["FloatType::getF32", "Float32Type::get"],
        path("FloatType", "getF32", "Float32Type::get"),
    ),
    row(
        "UC15",
        [19, 22],
        ["FloatType::getF64", "Float64Type::get"],
        path("FloatType", "getF64", "Float64Type::get"),
    ),
    row(
        "UC26",
        [19, 22],
        ["quant::QuantizationDialect", "quant::QuantDialect"],
        path("quant", "QuantizationDialect", "quant::QuantDialect"),
    ),
    row(
        "UC27",
        [19, 22],
        ["mesh::MeshDialect", "shard::ShardDialect"],
        path("mesh", "MeshDialect", "shard::ShardDialect"),
    ),
    small_float("UC16", "isFloat8E5M2", "::mlir::Float8E5M2Type"),
    small_float("UC17", "isFloat8E4M3FN", "::mlir::Float8E4M3FNType"),
    small_float("UC18", "isFloat8E5M2FNUZ", "::mlir::Float8E5M2FNUZType"),
    small_float("UC19", "isFloat8E4M3FNUZ", "::mlir::Float8E4M3FNUZType"),
    small_float("UC20", "isFloat8E4M3B11FNUZ", "::mlir::Float8E4M3B11FNUZType"),
    row(
        "UC28",
        [19, 22],
        [
            "build($_builder, $_state, types, operands, {})",
            "build($_builder, $_state, types, operands, ::llvm::ArrayRef<::mlir::NamedAttribute>{})",
        ],
        CppForm::EmptyAttributes("build"),
    ),
    // Predicates are functions outside the dialect's namespace since 22.
    row("UC21", [21, 22], ["isa<T>($_self)", "::llvm::isa<T>($_self)"], CppForm::Bare("isa")),
    row("UC22", [21, 22], ["cast<T>($_self)", "::llvm::cast<T>($_self)"], CppForm::Bare("cast")),
    row("UC23", [21, 22], ["dyn_cast<T>($_self)", "::llvm::dyn_cast<T>($_self)"], CppForm::Bare("dyn_cast")),
    row(
        "UC24",
        [21, 22],
        ["isa_and_nonnull<T>($_self)", "::llvm::isa_and_nonnull<T>($_self)"],
        CppForm::Bare("isa_and_nonnull"),
    ),
    row(
        "UC25",
        [21, 22],
        ["dyn_cast_or_null<T>($_self)", "::llvm::dyn_cast_or_null<T>($_self)"],
        CppForm::Bare("dyn_cast_or_null"),
    ),
    row(
        "UC29",
        [21, 22],
        ["isa<FooType>($_self) && helper($_self)", "isa<::my::FooType>($_self) && ::my::helper($_self)"],
        CppForm::Unqualified,
    ),
    // An `OpFoldResult` is a `PointerUnion`, whose methods are deprecated.
    row(
        "UC30",
        [19, 22],
        ["result.get<::mlir::Value>()", "::llvm::cast<::mlir::Value>(result)"],
        CppForm::UnionMethod("get", "cast"),
    ),
    row(
        "UC31",
        [19, 22],
        ["result.is<::mlir::Value>()", "::llvm::isa<::mlir::Value>(result)"],
        CppForm::UnionMethod("is", "isa"),
    ),
];

const fn row(
    id: &'static str,
    [before, since]: [u8; 2],
    [old, new]: [&'static str; 2],
    form: CppForm,
) -> CppMigration {
    CppMigration { id, before, since, old, new, form }
}

const fn path(scope: &'static str, name: &'static str, new: &'static str) -> CppForm {
    CppForm::Path([scope, name], new)
}

const fn small_float(id: &'static str, name: &'static str, class: &'static str) -> CppMigration {
    row(id, [19, 22], [name, class], CppForm::TypeTest(name, class))
}

/// A trait of the library that implements methods which had a default implementation before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodProvider {
    /// The first release with the trait, whose interface has no defaults.
    pub since: u8,
    /// The definition of the interface.
    pub interface: &'static str,
    /// The methods.
    pub methods: &'static [&'static str],
    /// The trait.
    pub provider: &'static str,
    /// The attribute of an operation that the trait reads and writes.
    pub attribute: &'static str,
}

impl MethodProvider {
    /// Returns true if a release has the trait.
    #[must_use]
    pub fn is_in(&self, release: u8) -> bool {
        is_or_follows(release, self.since)
    }
}

/// The traits. A test compiles an operation with and without them with the headers of the release.
pub const METHOD_PROVIDERS: &[MethodProvider] = &[
    MethodProvider {
        since: 24,
        interface: "Symbol",
        methods: &["getNameAttr", "setSymbolName", "setName"],
        provider: "SymbolName",
        attribute: "sym_name",
    },
    MethodProvider {
        since: 24,
        interface: "Symbol",
        methods: &["getVisibility", "setVisibility"],
        provider: "SymbolVisibility",
        attribute: "sym_visibility",
    },
];
