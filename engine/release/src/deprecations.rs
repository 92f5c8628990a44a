//! Names and forms that releases of MLIR's library dropped, renamed or moved, with the replacement: one row for each, in
//! a group for each release, newest first.
//!
//! A difference that follows from the two libraries alone (a definition with another name and an equal body) needs no
//! row. A row adds what they do not show: which of several names is meant, whether a new name is enough, how to rewrite
//! the code. Tests check every row against the libraries of its two releases, and against its own two examples.

use super::{Release, Rules, is_or_follows};

/// The subject of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A class, def or multiclass.
    Name(&'static str),
    /// A field of a class.
    Field {
        /// The class that declared it.
        class: &'static str,
        /// Its name.
        field: &'static str,
    },
    /// A file of the library.
    File(&'static str),
    /// A syntactic form, which the row's examples show.
    Form(&'static str),
}

/// The remedy for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Write another name; nothing else.
    Rename(&'static str),
    /// Include the file that defines it now.
    Include(&'static str),
    /// Leave it out; nothing else.
    Remove,
    /// Write a word before a part of it.
    Insert(&'static str),
    /// Rewrite it according to the advice.
    Rewrite,
}

/// The severity of the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is an error in the later release.
    Gone,
    /// The later release warns of it.
    Deprecated,
    /// It is accepted, but there is a better form.
    Dated,
}

/// One row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deprecation {
    /// Its name: `UP014`.
    pub id: &'static str,
    /// The subject.
    pub subject: Subject,
    /// The last release before the change.
    pub before: u8,
    /// The first release after it.
    pub since: u8,
    /// The severity.
    pub status: Status,
    /// The remedy.
    pub remedy: Remedy,
    /// Additional advice; empty for a simple rename.
    pub advice: &'static str,
    /// An example that the earlier release accepts.
    pub bad: &'static str,
    /// The replacement of the example; if it is empty, the example with the new name.
    good: &'static str,
}

impl Deprecation {
    /// Returns the row of this id.
    #[must_use]
    pub fn of_id(id: &str) -> Option<&'static Deprecation> {
        DEPRECATIONS.iter().find(|row| row.id.eq_ignore_ascii_case(id))
    }

    /// Returns the row of a class, def or multiclass of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<&'static Deprecation> {
        DEPRECATIONS.iter().find(|row| matches!(row.subject, Subject::Name(known) if known == name))
    }

    /// Returns whether a release does not have the change yet.
    #[must_use]
    pub fn is_ahead_of(&self, rules: &Rules) -> bool {
        rules.release.is_before(self.since)
    }

    /// Returns whether a release is the last one before the change.
    #[must_use]
    pub fn is_next_of(&self, rules: &Rules) -> bool {
        rules.release.number() == self.before
    }

    /// Returns whether a release has the change. It is given by its major version, because it need not be one that can
    /// be emulated.
    #[must_use]
    pub fn is_in(&self, release: u8) -> bool {
        is_or_follows(release, self.since)
    }

    /// Returns the name of the subject in texts.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.subject {
            Subject::Name(name) | Subject::File(name) | Subject::Form(name) => name,
            Subject::Field { field, .. } => field,
        }
    }

    /// Returns the replacement, as an example.
    #[must_use]
    pub fn good(&self) -> String {
        match (self.good, self.remedy) {
            ("", Remedy::Rename(new)) => self.bad.replace(self.name(), new),
            (good, _) => good.to_owned(),
        }
    }

    /// Returns the remedy, as a sentence.
    #[must_use]
    pub fn text(&self) -> String {
        let name = self.name();
        let what = match (self.remedy, self.status) {
            (Remedy::Rename(new), _) => format!("`{name}` is now `{new}`"),
            (Remedy::Include(file), _) => format!("`{name}` is in `{file}` now, which has to be included"),
            (Remedy::Remove, _) => format!("`{name}` is gone, and is left out"),
            (Remedy::Insert(word), _) => format!("`{name}` is refused, and needs `{word}` before it"),
            (Remedy::Rewrite, Status::Gone) => format!("`{name}` is gone"),
            (Remedy::Rewrite, _) => format!("`{name}` is written otherwise now"),
        };
        if self.advice.is_empty() { what } else { format!("{what}: {}", self.advice) }
    }

    /// Returns whether an edit can apply the remedy.
    #[must_use]
    pub fn is_mechanical(&self) -> bool {
        self.remedy != Remedy::Rewrite
    }
}

/// Returns a row for something that was dropped.
const fn gone(id: &'static str, subject: Subject, remedy: Remedy) -> Deprecation {
    let (status, advice, bad, good) = (Status::Gone, "", "", "");
    Deprecation { id, subject, before: 0, since: 0, status, remedy, advice, bad, good }
}

/// Returns a row for a class or def with a new name.
const fn renamed(id: &'static str, old: &'static str, new: &'static str, bad: &'static str) -> Deprecation {
    Deprecation { bad, ..gone(id, Subject::Name(old), Remedy::Rename(new)) }
}

/// Returns a row for a property with a shorter name; the longer one is deprecated.
const fn shortened(id: &'static str, old: &'static str, new: &'static str, bad: &'static str) -> Deprecation {
    Deprecation { status: Status::Deprecated, ..renamed(id, old, new, bad) }
}

/// Returns a row for a class or def that must be rewritten.
const fn rewritten(
    id: &'static str,
    old: &'static str,
    advice: &'static str,
    examples: (&'static str, &'static str),
) -> Deprecation {
    let (bad, good) = examples;
    Deprecation { advice, bad, good, ..gone(id, Subject::Name(old), Remedy::Rewrite) }
}

/// Returns a row for a field that was renamed or dropped, or must be rewritten.
const fn field(
    id: &'static str,
    of: (&'static str, &'static str),
    remedy: Remedy,
    advice: &'static str,
    examples: (&'static str, &'static str),
) -> Deprecation {
    let (class, field) = of;
    let (bad, good) = examples;
    Deprecation { advice, bad, good, ..gone(id, Subject::Field { class, field }, remedy) }
}

/// Returns a row for a class or def that another file defines.
const fn moved(
    id: &'static str,
    name: &'static str,
    file: &'static str,
    advice: &'static str,
) -> Deprecation {
    Deprecation { advice, ..gone(id, Subject::Name(name), Remedy::Include(file)) }
}

/// Returns a row for a file that was moved.
const fn file(id: &'static str, old: &'static str, new: &'static str) -> Deprecation {
    gone(id, Subject::File(old), Remedy::Rename(new))
}

const ENUMS: &str = "mlir/IR/EnumAttr.td";
const PATTERNS: &str = "mlir/IR/PatternBase.td";
const DEFINITIONS: &str = "mlir/IR/AttrTypeBase.td";

/// All rows, oldest change first; those of forms that all releases accept come last.
pub const DEPRECATIONS: &[Deprecation] = &OLDEST_FIRST;

const OLDEST_FIRST: [Deprecation; ROWS] = {
    let mut all = [GROUPS[0].1[0]; ROWS];
    let (mut filled, mut group) = (0, GROUPS.len());
    while group > 0 {
        group -= 1;
        let (since, rows) = GROUPS[group];
        let mut row = 0;
        while row < rows.len() {
            all[filled] = Deprecation { before: since.number_before(), since: since.number(), ..rows[row] };
            (filled, row) = (filled + 1, row + 1);
        }
    }
    all
};

const ROWS: usize = {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        (count, group) = (count + GROUPS[group].1.len(), group + 1);
    }
    count
};

/// The rows by the first release after the change, newest first.
const GROUPS: &[(Release, &[Deprecation])] = &[
    // All releases accept these.
    (
        Release::V16,
        &[Deprecation {
            status: Status::Dated,
            advice: "without it, the pass' `createX` is generated, and the C++ class derives from `impl::XBase`",
            bad: "def APass : Pass<\"a\"> { let constructor = \"createA()\"; }",
            good: "def APass : Pass<\"a\">;",
            ..gone("UP096", Subject::Field { class: "PassBase", field: "constructor" }, Remedy::Rewrite)
        }],
    ),
    (
        Release::V24,
        &[
            Deprecation {
                advice: "a format has to write each attribute and property, by name or by `prop-dict`, which earlier releases \
                         accept as well",
                bad: "def AOp : My_Op<\"a\"> { let arguments = (ins I32Attr:$x); let assemblyFormat = \"attr-dict\"; }",
                good: "def AOp : My_Op<\"a\"> { let arguments = (ins I32Attr:$x); let assemblyFormat = \"prop-dict attr-dict\"; }",
                ..gone("UP097", Subject::Form("attr-dict"), Remedy::Insert("prop-dict"))
            },
            moved("UP098", "GpuNVVMAttachTarget", "mlir/Dialect/GPU/Transforms/NVVM/Passes.td", ""),
            moved("UP099", "GpuROCDLAttachTarget", "mlir/Dialect/GPU/Transforms/ROCDL/Passes.td", ""),
            moved("UP100", "GpuSPIRVAttachTarget", "mlir/Dialect/GPU/Transforms/SPIRV/Passes.td", ""),
            moved("UP101", "GpuXeVMAttachTarget", "mlir/Dialect/GPU/Transforms/XeVM/Passes.td", ""),
        ],
    ),
    (
        Release::V23,
        &[
            field(
                "UP090",
                ("Dialect", "usePropertiesForAttributes"),
                Remedy::Remove,
                "attributes are always stored in properties",
                (
                    "def A_Dialect : Dialect { let name = \"a\"; let usePropertiesForAttributes = 1; }",
                    "def A_Dialect : Dialect { let name = \"a\"; }",
                ),
            ),
            renamed("UP091", "Canonicalizer", "CanonicalizerPass", ""),
            renamed("UP092", "CSE", "CSEPass", ""),
            renamed("UP093", "Inliner", "InlinerPass", ""),
            renamed("UP094", "SCCP", "SCCPPass", ""),
            renamed("UP095", "SymbolDCE", "SymbolDCEPass", ""),
        ],
    ),
    (
        Release::V22,
        &[
            rewritten(
                "UP085",
                "CopyOpInterface",
                "leave it out: no pass asks for it any more",
                (
                    "include \"mlir/Interfaces/CopyOpInterface.td\"\ndef AOp : My_Op<\"a\", [CopyOpInterface]>;",
                    "def AOp : My_Op<\"a\">;",
                ),
            ),
            gone("UP086", Subject::File("mlir/Interfaces/CopyOpInterface.td"), Remedy::Remove),
            rewritten(
                "UP087",
                "ArgumentAttributesMethods",
                "implement `ArgAndResultAttrsOpInterface`, of mlir/Interfaces/CallInterfaces.td",
                (
                    "include \"mlir/Interfaces/CallInterfaces.td\"\ndef A : OpInterface<\"A\", [ArgumentAttributesMethods]>;",
                    "include \"mlir/Interfaces/CallInterfaces.td\"\ndef A : OpInterface<\"A\", [ArgAndResultAttrsOpInterface]>;",
                ),
            ),
            file("UP088", "mlir/Dialect/Affine/Passes.td", "mlir/Dialect/Affine/Transforms/Passes.td"),
            file("UP089", "mlir/Dialect/Mesh/IR/MeshOps.td", "mlir/Dialect/Shard/IR/ShardOps.td"),
            file("UP106", "mlir/Dialect/Mesh/IR/MeshBase.td", "mlir/Dialect/Shard/IR/ShardBase.td"),
            renamed("UP105", "Mesh_Dialect", "Shard_Dialect", ""),
        ],
    ),
    (
        Release::V21,
        &[
            Deprecation {
                advice: "where vectors of rank 0 are meant as well, write `VectorOfAnyRankOf`",
                ..renamed(
                    "UP057",
                    "VectorOf",
                    "VectorOfNonZeroRankOf",
                    "def A : Type<VectorOf<[I32]>.predicate>;",
                )
            },
            renamed(
                "UP058",
                "FixedVectorOf",
                "FixedVectorOfAnyRank",
                "def A : Type<FixedVectorOf<[I32]>.predicate>;",
            ),
            renamed(
                "UP059",
                "ScalableVectorOf",
                "ScalableVectorOfAnyRank",
                "def A : Type<ScalableVectorOf<[I32]>.predicate>;",
            ),
            Deprecation {
                advice: "where vectors of rank 0 are meant as well, write `AnyVectorOfAnyRank`",
                ..renamed(
                    "UP060",
                    "AnyVector",
                    "AnyVectorOfNonZeroRank",
                    "def AOp : My_Op<\"a\"> { let arguments = (ins AnyVector:$x); }",
                )
            },
            renamed(
                "UP061",
                "AnyFixedVector",
                "AnyFixedVectorOfAnyRank",
                "def AOp : My_Op<\"a\"> { let arguments = (ins AnyFixedVector:$x); }",
            ),
            renamed(
                "UP062",
                "AnyScalableVector",
                "AnyScalableVectorOfAnyRank",
                "def AOp : My_Op<\"a\"> { let arguments = (ins AnyScalableVector:$x); }",
            ),
            renamed(
                "UP063",
                "IsVectorTypePred",
                "IsVectorOfNonZeroRankTypePred",
                "def A : Type<IsVectorTypePred>;",
            ),
            renamed(
                "UP064",
                "IsFixedVectorTypePred",
                "IsFixedVectorOfAnyRankTypePred",
                "def A : Type<IsFixedVectorTypePred>;",
            ),
            renamed(
                "UP065",
                "TypeOrContainer",
                "TypeOrValueSemanticsContainer",
                "def A : TypeOrContainer<I32, \"a\">;",
            ),
            renamed(
                "UP066",
                "TypeOrContainerOfAnyRank",
                "TypeOrValueSemanticsContainer",
                "def A : TypeOrContainerOfAnyRank<I32, \"a\">;",
            ),
            renamed(
                "UP067",
                "BoolLikeOfAnyRank",
                "BoolLike",
                "def AOp : My_Op<\"a\"> { let arguments = (ins BoolLikeOfAnyRank:$x); }",
            ),
            renamed(
                "UP068",
                "SignlessIntegerLikeOfAnyRank",
                "SignlessIntegerLike",
                "def AOp : My_Op<\"a\"> { let arguments = (ins SignlessIntegerLikeOfAnyRank:$x); }",
            ),
            rewritten(
                "UP069",
                "EnumProperty",
                "use `EnumProp`, of mlir/IR/EnumAttr.td, which takes the enum rather than its C++ type",
                (
                    "def P : EnumProperty<\"::my::E\">;",
                    "def E : I32Enum<\"E\", \"\", [I32EnumCase<\"x\", 0>]>;\ndef P : EnumProp<E>;",
                ),
            ),
            rewritten(
                "UP070",
                "EnumAttrCaseInfo",
                "use `EnumCase`, which has the number of bits as its last argument",
                ("def X : EnumAttrCaseInfo<\"x\", 0, \"x\">;", "def X : EnumCase<\"x\", 0, \"x\", 32>;"),
            ),
            field(
                "UP071",
                ("TypeConstraint", "cppClassName"),
                Remedy::Rename("cppType"),
                "only in constraints of types",
                (
                    "def A : Type<CPred<\"true\">> { let cppClassName = \"::my::A\"; }",
                    "def A : Type<CPred<\"true\">> { let cppType = \"::my::A\"; }",
                ),
            ),
            file("UP072", "mlir/Dialect/Quant/QuantOps.td", "mlir/Dialect/Quant/IR/QuantOps.td"),
            file("UP073", "mlir/Dialect/Quant/QuantOpsBase.td", "mlir/Dialect/Quant/IR/QuantBase.td"),
            renamed("UP104", "Quantization_Dialect", "Quant_Dialect", ""),
            shortened(
                "UP074",
                "IntProperty",
                "IntProp",
                "def AOp : My_Op<\"a\"> { let arguments = (ins IntProperty<\"int64_t\">:$x); }",
            ),
            Deprecation {
                advice: "it takes the property of an element rather than a C++ type and a length",
                ..shortened(
                    "UP075",
                    "ArrayProperty",
                    "ArrayProp",
                    "def AOp : My_Op<\"a\"> { let arguments = (ins ArrayProperty<I64Prop>:$x); }",
                )
            },
            shortened(
                "UP076",
                "I32Property",
                "I32Prop",
                "def AOp : My_Op<\"a\"> { let arguments = (ins I32Property:$x); }",
            ),
            shortened(
                "UP077",
                "I64Property",
                "I64Prop",
                "def AOp : My_Op<\"a\"> { let arguments = (ins I64Property:$x); }",
            ),
            shortened(
                "UP078",
                "StringProperty",
                "StringProp",
                "def AOp : My_Op<\"a\"> { let arguments = (ins StringProperty:$x); }",
            ),
            shortened(
                "UP079",
                "BoolProperty",
                "BoolProp",
                "def AOp : My_Op<\"a\"> { let arguments = (ins BoolProperty:$x); }",
            ),
            shortened(
                "UP080",
                "UnitProperty",
                "UnitProp",
                "def AOp : My_Op<\"a\"> { let arguments = (ins UnitProperty:$x); }",
            ),
            shortened(
                "UP081",
                "DefaultValuedProperty",
                "DefaultValuedProp",
                "def AOp : My_Op<\"a\"> { let arguments = (ins DefaultValuedProperty<I64Prop, \"0\">:$x); }",
            ),
            shortened(
                "UP082",
                "ConfinedProperty",
                "ConfinedProp",
                "def AOp : My_Op<\"a\"> { let arguments = (ins ConfinedProperty<I64Prop, CPred<\"$_self > 0\">>:$x); }",
            ),
            shortened(
                "UP083",
                "IntArrayProperty",
                "IntArrayProp",
                "def AOp : My_Op<\"a\"> { let arguments = (ins IntArrayProperty<I64Prop>:$x); }",
            ),
            shortened(
                "UP084",
                "OptionalProperty",
                "OptionalProp",
                "def AOp : My_Op<\"a\"> { let arguments = (ins OptionalProperty<I64Prop>:$x); }",
            ),
        ],
    ),
    (
        Release::V19,
        &[
            rewritten(
                "UP053",
                "ScalarConditionOrMatchingShape",
                "write a trait of your own over `AnyPred` and `AllShapesMatch`",
                (
                    "def AOp : My_Op<\"a\", [ScalarConditionOrMatchingShape<[\"x\", \"y\"]>]> { let arguments = (ins AnyType:$x, AnyType:$y); }",
                    "def AOp : My_Op<\"a\", [AllShapesMatch<[\"x\", \"y\"]>]> { let arguments = (ins AnyType:$x, AnyType:$y); }",
                ),
            ),
            rewritten(
                "UP054",
                "AnyScalarTypeMatch",
                "write a trait of your own over `AnyMatchOperatorTrait`",
                (
                    "def AOp : My_Op<\"a\", [AnyScalarTypeMatch<[\"x\", \"y\"]>]> { let arguments = (ins AnyType:$x, AnyType:$y); }",
                    "def AOp : My_Op<\"a\", [AnyMatchOperatorTrait<[\"x\", \"y\"], \"$_self.getType().isSignlessInteger(1)\", \"scalar type\">]> { let arguments = (ins AnyType:$x, AnyType:$y); }",
                ),
            ),
            file(
                "UP055",
                "mlir/Dialect/Transform/IR/MatchInterfaces.td",
                "mlir/Dialect/Transform/Interfaces/MatchInterfaces.td",
            ),
            file(
                "UP056",
                "mlir/Dialect/Transform/IR/TransformInterfaces.td",
                "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td",
            ),
        ],
    ),
    (
        Release::V18,
        &[
            renamed(
                "UP049",
                "IsScalableVectorTypePred",
                "IsVectorTypeWithAnyDimScalablePred",
                "def A : Type<IsScalableVectorTypePred>;",
            ),
            renamed(
                "UP050",
                "allDimsScalableVectorTypePred",
                "IsVectorTypeWithAllDimsScalablePred",
                "def A : Type<allDimsScalableVectorTypePred>;",
            ),
            file("UP051", "mlir/IR/FunctionInterfaces.td", "mlir/Interfaces/FunctionInterfaces.td"),
            file("UP052", "mlir/Dialect/ArmSVE/ArmSVE.td", "mlir/Dialect/ArmSVE/IR/ArmSVE.td"),
        ],
    ),
    (
        Release::V17,
        &[
            field(
                "UP043",
                ("Dialect", "useFoldAPI"),
                Remedy::Remove,
                "`fold` always takes the adaptor",
                (
                    "def A_Dialect : Dialect { let name = \"a\"; let useFoldAPI = kEmitFoldAdaptorFolder; }",
                    "def A_Dialect : Dialect { let name = \"a\"; }",
                ),
            ),
            rewritten(
                "UP044",
                "SubElementAttrInterface",
                "leave it out: all attributes can be walked and replaced in",
                (
                    "def A : AttrDef<My_Dialect, \"A\", [SubElementAttrInterface]> { let mnemonic = \"a\"; }",
                    "def A : AttrDef<My_Dialect, \"A\"> { let mnemonic = \"a\"; }",
                ),
            ),
            rewritten(
                "UP045",
                "SubElementTypeInterface",
                "leave it out: all types can be walked and replaced in",
                (
                    "def A : TypeDef<My_Dialect, \"A\", [SubElementTypeInterface]> { let mnemonic = \"a\"; }",
                    "def A : TypeDef<My_Dialect, \"A\"> { let mnemonic = \"a\"; }",
                ),
            ),
            gone("UP046", Subject::File("mlir/IR/SubElementInterfaces.td"), Remedy::Remove),
            file("UP047", "mlir/Dialect/AMDGPU/AMDGPU.td", "mlir/Dialect/AMDGPU/IR/AMDGPU.td"),
            file(
                "UP048",
                "mlir/Dialect/LLVMIR/LLVMOpsInterfaces.td",
                "mlir/Dialect/LLVMIR/LLVMInterfaces.td",
            ),
        ],
    ),
    (
        Release::V16,
        &[
            renamed(
                "UP033",
                "Confined",
                "ConfinedAttr",
                "def AOp : My_Op<\"a\"> { let arguments = (ins Confined<I32Attr, [IntNonNegative]>:$x); }",
            ),
            renamed(
                "UP034",
                "AllAttrConstraintsOf",
                "AllAttrOf",
                "def AOp : My_Op<\"a\"> { let arguments = (ins ConfinedAttr<I32Attr, [AllAttrConstraintsOf<[IntNonNegative]>]>:$x); }",
            ),
            rewritten(
                "UP035",
                "ReferToOp",
                "implement `SymbolUserOpInterface`, of mlir/IR/SymbolInterfaces.td, and look the symbol up there",
                (
                    "def AOp : My_Op<\"a\"> { let arguments = (ins ConfinedAttr<FlatSymbolRefAttr, [ReferToOp<\"B\">]>:$x); }",
                    "include \"mlir/IR/SymbolInterfaces.td\"\ndef AOp : My_Op<\"a\", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> { let arguments = (ins FlatSymbolRefAttr:$x); }",
                ),
            ),
            Deprecation {
                advice: "`Pure` also says that the operation may be speculated; where it may not, write `NoMemoryEffect`",
                ..renamed("UP036", "NoSideEffect", "Pure", "def AOp : My_Op<\"a\", [NoSideEffect]>;")
            },
            renamed(
                "UP037",
                "RecursiveSideEffects",
                "RecursiveMemoryEffects",
                "def AOp : My_Op<\"a\", [RecursiveSideEffects]>;",
            ),
            field(
                "UP038",
                ("Dialect", "emitAccessorPrefix"),
                Remedy::Remove,
                "accessors are always `getX` and `setX`",
                (
                    "def A_Dialect : Dialect { let name = \"a\"; let emitAccessorPrefix = 1; }",
                    "def A_Dialect : Dialect { let name = \"a\"; }",
                ),
            ),
            field(
                "UP039",
                ("AttrDef", "typeBuilder"),
                Remedy::Rewrite,
                "it is the third argument of `AttributeSelfTypeParameter`",
                (
                    "def A : AttrDef<My_Dialect, \"A\"> { let typeBuilder = \"x\"; }",
                    "def A : AttrDef<My_Dialect, \"A\"> { let parameters = (ins AttributeSelfTypeParameter<\"\", \"::mlir::Type\", \"x\">:$type); let mnemonic = \"a\"; let hasCustomAssemblyFormat = 1; }",
                ),
            ),
            field(
                "UP040",
                ("AttrOrTypeParameter", "isOptional"),
                Remedy::Rewrite,
                "derive from `OptionalParameter`, or set `defaultValue`",
                (
                    "def P : AttrOrTypeParameter<\"int\", \"\"> { let isOptional = 1; }",
                    "def P : OptionalParameter<\"int\">;",
                ),
            ),
            file(
                "UP041",
                "mlir/Dialect/Arithmetic/IR/ArithmeticBase.td",
                "mlir/Dialect/Arith/IR/ArithBase.td",
            ),
            file("UP042", "mlir/Dialect/Arithmetic/IR/ArithmeticOps.td", "mlir/Dialect/Arith/IR/ArithOps.td"),
        ],
    ),
    (
        Release::V15,
        &[
            field(
                "UP007",
                ("Op", "verifier"),
                Remedy::Rewrite,
                "set `hasVerifier`, and write `LogicalResult X::verify()` in C++",
                (
                    "def AOp : My_Op<\"a\"> { let verifier = [{ return ::verify(*this); }]; }",
                    "def AOp : My_Op<\"a\"> { let hasVerifier = 1; }",
                ),
            ),
            field(
                "UP008",
                ("Op", "printer"),
                Remedy::Rewrite,
                "set `hasCustomAssemblyFormat`, and write `void X::print(OpAsmPrinter &)` in C++",
                (
                    "def AOp : My_Op<\"a\"> { let printer = [{ ::print(p, *this); }]; }",
                    "def AOp : My_Op<\"a\"> { let hasCustomAssemblyFormat = 1; }",
                ),
            ),
            field(
                "UP009",
                ("Op", "parser"),
                Remedy::Rewrite,
                "set `hasCustomAssemblyFormat`, and write `ParseResult X::parse(OpAsmParser &, OperationState &)` in C++",
                (
                    "def AOp : My_Op<\"a\"> { let parser = [{ return ::parse(parser, result); }]; }",
                    "def AOp : My_Op<\"a\"> { let hasCustomAssemblyFormat = 1; }",
                ),
            ),
            field(
                "UP010",
                ("Interface", "cppClassName"),
                Remedy::Rename("cppInterfaceName"),
                "only in interfaces",
                (
                    "def AInterface : OpInterface<\"A\"> { let cppClassName = \"B\"; }",
                    "def AInterface : OpInterface<\"A\"> { let cppInterfaceName = \"B\"; }",
                ),
            ),
            rewritten(
                "UP011",
                "StrEnumAttr",
                "use `I32EnumAttr`, whose cases have a text as well",
                (
                    "def AEnum : StrEnumAttr<\"A\", \"\", [StrEnumAttrCase<\"x\">]>;",
                    "def AEnum : I32EnumAttr<\"A\", \"\", [I32EnumAttrCase<\"x\", 0>]>;",
                ),
            ),
            rewritten(
                "UP012",
                "StrEnumAttrCase",
                "use `I32EnumAttrCase`, which has a number",
                ("def X : StrEnumAttrCase<\"x\">;", "def X : I32EnumAttrCase<\"x\", 0>;"),
            ),
            renamed("UP013", "BitEnumAttrCase", "I32BitEnumAttrCase", "def X : BitEnumAttrCase<\"x\", 1>;"),
            renamed(
                "UP014",
                "BitEnumAttrCaseNone",
                "I32BitEnumAttrCaseNone",
                "def X : BitEnumAttrCaseNone<\"x\">;",
            ),
            rewritten(
                "UP015",
                "StructAttr",
                "define an attribute with parameters, with `AttrDef`",
                (
                    "def A : StructAttr<\"A\", My_Dialect, [StructFieldAttr<\"x\", I32Attr>]>;",
                    "def A : AttrDef<My_Dialect, \"A\"> { let mnemonic = \"a\"; let parameters = (ins \"int\":$x); let assemblyFormat = \"`<` $x `>`\"; }",
                ),
            ),
            rewritten(
                "UP016",
                "StructFieldAttr",
                "define an attribute with parameters, with `AttrDef`",
                (
                    "def F : StructFieldAttr<\"x\", I32Attr>;",
                    "def A : AttrDef<My_Dialect, \"A\"> { let mnemonic = \"a\"; let parameters = (ins \"int\":$x); let assemblyFormat = \"`<` $x `>`\"; }",
                ),
            ),
            rewritten(
                "UP017",
                "BaseOpWithOffsetSizesAndStrides",
                "derive from `Op` and implement `OffsetSizeAndStrideOpInterface`, of mlir/Interfaces/ViewLikeInterface.td",
                (
                    "class A_Op<string name> : BaseOpWithOffsetSizesAndStrides<My_Dialect, name>;",
                    "include \"mlir/Interfaces/ViewLikeInterface.td\"\nclass A_Op<string name> : Op<My_Dialect, name, [OffsetSizeAndStrideOpInterface]>;",
                ),
            ),
            rewritten(
                "UP018",
                "FunctionPass",
                "name the operation that it runs on: `Pass<\"…\", \"::mlir::func::FuncOp\">`",
                ("def APass : FunctionPass<\"a\">;", "def APass : Pass<\"a\", \"::mlir::func::FuncOp\">;"),
            ),
            moved(
                "UP019",
                "FuncOp",
                "mlir/Dialect/Func/IR/FuncOps.td",
                "it is an operation of the dialect `func`, whose C++ class is `func::FuncOp`",
            ),
            moved("UP020", "I32EnumAttr", ENUMS, ""),
            moved("UP021", "I32EnumAttrCase", ENUMS, ""),
            moved("UP022", "I64EnumAttr", ENUMS, ""),
            moved("UP024", "BitEnumAttr", ENUMS, "and it has the type of its bits as the first argument"),
            moved("UP025", "Pat", PATTERNS, ""),
            moved("UP026", "Pattern", PATTERNS, ""),
            moved("UP027", "NativeCodeCall", PATTERNS, ""),
            moved("UP028", "AttrDef", DEFINITIONS, "since 18, mlir/IR/OpBase.td includes it"),
            moved("UP029", "TypeDef", DEFINITIONS, "since 18, mlir/IR/OpBase.td includes it"),
            file("UP030", "mlir/Dialect/SCF/SCFOps.td", "mlir/Dialect/SCF/IR/SCFOps.td"),
            file("UP031", "mlir/Dialect/GPU/GPUOps.td", "mlir/Dialect/GPU/IR/GPUOps.td"),
            file("UP032", "mlir/Dialect/GPU/GPUBase.td", "mlir/Dialect/GPU/IR/GPUBase.td"),
            field(
                "UP102",
                ("AttrOrTypeDef", "printer"),
                Remedy::Rewrite,
                "set `hasCustomAssemblyFormat`, and write `void X::print(AsmPrinter &) const` in C++",
                (
                    "def A : TypeDef<My_Dialect, \"A\"> { let mnemonic = \"a\"; let printer = [{ $_printer << 1; }]; }",
                    "def A : TypeDef<My_Dialect, \"A\"> { let mnemonic = \"a\"; let hasCustomAssemblyFormat = 1; }",
                ),
            ),
            field(
                "UP103",
                ("AttrOrTypeDef", "parser"),
                Remedy::Rewrite,
                "set `hasCustomAssemblyFormat`, and write `static Type X::parse(AsmParser &)` in C++",
                (
                    "def A : TypeDef<My_Dialect, \"A\"> { let mnemonic = \"a\"; let parser = [{ return {}; }]; }",
                    "def A : TypeDef<My_Dialect, \"A\"> { let mnemonic = \"a\"; let hasCustomAssemblyFormat = 1; }",
                ),
            ),
        ],
    ),
    (
        Release::V14,
        &[
            renamed(
                "UP003",
                "OpTrait",
                "Trait",
                "class A_Op<string name, list<OpTrait> traits = []> : Op<My_Dialect, name, traits>;",
            ),
            renamed(
                "UP004",
                "OpTraitList",
                "TraitList",
                "def AOp : My_Op<\"a\", [OpTraitList<[IsolatedFromAbove]>]>;",
            ),
            rewritten(
                "UP005",
                "FunctionLike",
                "implement `FunctionOpInterface`, of mlir/Interfaces/FunctionInterfaces.td, and keep the type in an attribute",
                (
                    "def AOp : My_Op<\"a\", [FunctionLike]>;",
                    "include \"mlir/Interfaces/FunctionInterfaces.td\"\ndef AOp : My_Op<\"a\", [FunctionOpInterface]>;",
                ),
            ),
            file("UP006", "mlir/Dialect/Vector/VectorOps.td", "mlir/Dialect/Vector/IR/VectorOps.td"),
        ],
    ),
    (
        Release::V13,
        &[
            renamed(
                "UP001",
                "OpBuilderDAG",
                "OpBuilder",
                "def AOp : My_Op<\"a\"> { let builders = [OpBuilderDAG<(ins \"int\":$x)>]; }",
            ),
            Deprecation {
                advice: "parameters are a dag, `(ins \"type\":$name)`, without the builder and the state",
                bad: "def AOp : My_Op<\"a\"> { let builders = [OpBuilder<\"OpBuilder &b, OperationState &s, int x\">]; }",
                good: "def AOp : My_Op<\"a\"> { let builders = [OpBuilder<(ins \"int\":$x)>]; }",
                ..gone("UP002", Subject::Form("OpBuilder<\"…\">"), Remedy::Rewrite)
            },
        ],
    ),
];
