//! The table of rules, which `odsmith rule` and every finding read.

pub use odsmith_report::Severity;
use serde::{Serialize, Serializer};

/// A group of users or files that a change affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Files in the custom syntax.
    Text,
    /// Files in the generic form.
    Generic,
    /// Bytecode.
    Bytecode,
    /// The validity of what was read.
    Verifier,
    /// C++ that uses the dialect.
    Cpp,
    /// C++ that the dialect's author, or another project, writes to implement it.
    Implementer,
    /// The Python bindings.
    Python,
    /// Pipelines of passes and their options.
    Pipeline,
    /// The meaning or behaviour of a program.
    Semantics,
}

impl Level {
    /// All levels in order.
    pub const ALL: &[Level] = &[
        Level::Text,
        Level::Generic,
        Level::Bytecode,
        Level::Verifier,
        Level::Cpp,
        Level::Implementer,
        Level::Python,
        Level::Pipeline,
        Level::Semantics,
    ];

    /// Returns the short name: `BC`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Level::Text => "TEXT",
            Level::Generic => "GEN",
            Level::Bytecode => "BC",
            Level::Verifier => "VER",
            Level::Cpp => "CPP",
            Level::Implementer => "IMPL",
            Level::Python => "PY",
            Level::Pipeline => "PIPE",
            Level::Semantics => "SEM",
        }
    }

    /// Returns the long name, as settings have it: `bytecode`.
    #[must_use]
    pub fn long_name(self) -> &'static str {
        match self {
            Level::Text => "text",
            Level::Generic => "generic",
            Level::Bytecode => "bytecode",
            Level::Verifier => "verifier",
            Level::Cpp => "cpp",
            Level::Implementer => "implementer",
            Level::Python => "python",
            Level::Pipeline => "pipeline",
            Level::Semantics => "semantics",
        }
    }
}

/// The effect of a change on one level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Accepted, with another meaning.
    Silent,
    /// Rejected.
    Breaks,
    /// Undecidable, or dependent on use. In the table: each finding decides it.
    Unknown,
    /// No effect.
    #[default]
    Safe,
}

impl Verdict {
    /// Returns the sign in texts.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Verdict::Silent => '●',
            Verdict::Breaks => '✗',
            Verdict::Unknown => '?',
            Verdict::Safe => '–',
        }
    }

    /// Returns the severity of the verdict.
    #[must_use]
    pub fn severity(self) -> Severity {
        match self {
            Verdict::Silent | Verdict::Breaks => Severity::Error,
            Verdict::Unknown => Severity::Warning,
            Verdict::Safe => Severity::Note,
        }
    }
}

/// An example of each rule: its id, and the lines that differ. A test takes them from the pairs of definitions.
const EXAMPLES: &str = include_str!("examples.txt");

/// The texts and effects of a rule.
#[derive(Clone, Copy, Debug)]
struct Row {
    rule: Rule,
    id: &'static str,
    name: &'static str,
    effects: &'static [(Level, Verdict)],
    text: &'static str,
    example: &'static str,
    advice: &'static str,
}

macro_rules! rules {
    ($($rule:ident $name:literal [$($level:ident $verdict:ident),*] $text:literal $example:literal $advice:expr;)*) => {
        /// A rule, by its id.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = $text] $rule,)*
        }

        const ROWS: &[Row] = &[$(Row {
            rule: Rule::$rule,
            id: stringify!($rule),
            name: $name,
            effects: &[$((Level::$level, Verdict::$verdict)),*],
            text: $text,
            example: $example,
            advice: $advice,
        },)*];
    };
}

const KEEP: &str = "Keep the old definition for a release and mark it as deprecated, or say in the release notes how to change over.";
const WIRE: &str = "Raise the dialect's bytecode version and read old files by their version, or write the files anew with the old release as text.";
const FILES: &str = "Old files need a change: offer a rewrite, or let the parser accept both.";
const CALLERS: &str = "Say in the release notes what callers have to write; a builder with the old parameters keeps them working.";
const AUTHORS: &str =
    "Say in the release notes what implementers have to write; a default implementation saves them from it.";
const TESTED: &str = "Try programs that depend on it.";
const NONE: &str = "Nothing need be done for old files.";

rules! {
    OP001 "op-removed" [Text Breaks, Generic Breaks, Bytecode Breaks, Cpp Breaks, Python Breaks] "An operation is gone." "`def My_OldOp` is deleted" KEEP;
    OP002 "op-added" [] "An operation is new; an older tool does not know it." "`def My_NewOp` is added" NONE;
    OP003 "op-renamed" [Text Breaks, Generic Breaks, Bytecode Breaks, Python Breaks] "An operation has another name." "`my.add` becomes `my.sum`" KEEP;
    OP004 "op-class-renamed" [Cpp Breaks, Implementer Breaks, Python Breaks] "The C++ class of an operation has another name." "`def My_AddOp` becomes `def My_SumOp`" "An alias, `using AddOp = SumOp;`, keeps callers working.";
    OP005 "op-namespace-changed" [Cpp Breaks, Implementer Breaks] "The C++ namespace of an operation is another." "`cppNamespace` becomes `::my::core`" "A using-declaration in the old namespace keeps callers working.";
    OP006 "operand-added" [Text Unknown, Generic Breaks, Bytecode Breaks, Cpp Breaks, Python Breaks] "An operation needs one more operand." "`(ins I32:$a)` becomes `(ins I32:$a, I32:$b)`" FILES;
    OP007 "operand-added-optional" [Text Unknown, Cpp Unknown, Python Unknown] "An operation takes one more operand, which may be missing, and old programs have the same operands." "`Optional<I64>:$b` is added last" CALLERS;
    OP008 "segments-introduced" [Text Unknown, Generic Breaks, Bytecode Breaks, Cpp Unknown, Python Unknown] "An operation gets or loses the sizes of its segments." "`AttrSizedOperandSegments` is added" WIRE;
    OP009 "segments-resized" [Text Unknown, Generic Breaks, Bytecode Breaks, Cpp Unknown, Python Unknown] "The number of segments is another." "a third `Variadic` operand" WIRE;
    OP010 "operand-removed" [Text Unknown, Generic Breaks, Bytecode Breaks, Cpp Breaks, Python Breaks] "An operand is gone." "`$b` is deleted" FILES;
    OP011 "operands-reordered" [Text Unknown, Generic Silent, Bytecode Silent, Verifier Unknown, Cpp Silent, Python Silent] "The same operands come in another order; all of them are values, so that nothing complains." "`(ins I32:$a, I32:$b)` becomes `(ins I32:$b, I32:$a)`" "Keep the order of `ins`; order the assembly format alone.";
    OP012 "operand-renamed" [Cpp Breaks, Implementer Breaks, Python Breaks] "An operand at the same place has another name." "`$b` becomes `$c`" "Keep an accessor of the old name in extraClassDeclaration.";
    OP013 "operand-single-to-many" [Text Unknown, Cpp Breaks, Implementer Breaks, Python Breaks] "An operand that there was once may be missing or repeated." "`I32:$a` becomes `Variadic<I32>:$a`" CALLERS;
    OP014 "operand-many-to-single" [Text Unknown, Generic Breaks, Bytecode Breaks, Verifier Breaks, Cpp Breaks, Implementer Breaks, Python Breaks] "An operand that may be missing or repeated must be there once." "`Optional<I32>:$a` becomes `I32:$a`" FILES;
    OP015 "value-constraint-narrowed" [Verifier Breaks, Cpp Unknown] "An operand or result takes fewer types." "`AnyInteger:$a` becomes `I32:$a`" FILES;
    OP016 "value-constraint-widened" [Cpp Unknown, Implementer Unknown] "An operand or result takes more types." "`I32:$a` becomes `AnyInteger:$a`" "Passes may meet the new types.";
    OP017 "value-constraint-changed" [Verifier Unknown, Cpp Unknown] "An operand or result takes other types, and neither condition is known to imply the other." "`I32:$a` becomes `I64:$a`" TESTED;
    OP018 "result-count-changed" [Text Unknown, Generic Breaks, Bytecode Breaks, Cpp Breaks, Implementer Breaks, Python Breaks] "A result is gone or new." "`(outs I32:$r)` becomes `(outs)`" FILES;
    OP019 "result-renamed" [Cpp Breaks, Python Breaks] "A result at the same place has another name." "`$res` becomes `$result`" "Keep an accessor of the old name in extraClassDeclaration.";
    OP020 "results-reordered" [Text Unknown, Generic Silent, Bytecode Silent, Verifier Unknown, Cpp Silent, Python Silent] "The same results come in another order." "`(outs I32:$r, I32:$s)` becomes `(outs I32:$s, I32:$r)`" "Keep the order of `outs`.";
    OP021 "type-inference-lost" [Text Unknown, Cpp Breaks, Python Breaks] "The types of results must be given." "`SameOperandsAndResultType` is deleted" CALLERS;
    OP022 "type-inference-gained" [Text Unknown, Implementer Breaks, Python Breaks] "The types of results follow from the rest." "`InferTypeOpInterface` is added" "In Python `results` becomes a keyword.";
    OP023 "regions-changed" [Text Unknown, Generic Breaks, Bytecode Breaks, Verifier Breaks, Cpp Breaks, Implementer Breaks, Python Breaks] "The number or the order of regions is another." "`AnyRegion:$else` is added" FILES;
    OP024 "region-constraint-changed" [Verifier Unknown] "A region must satisfy something else." "`AnyRegion:$body` becomes `SizedRegion<1>:$body`" FILES;
    OP025 "successors-changed" [Text Unknown, Generic Breaks, Bytecode Breaks, Verifier Breaks, Cpp Breaks, Python Breaks] "The number of successors is another." "`AnySuccessor:$other` is added" FILES;
    OP026 "multi-entity-constraint-added" [Text Unknown, Verifier Breaks] "Several parts of an operation must fit together." "`SameTypeOperands` is added" FILES;
    OP027 "multi-entity-constraint-changed" [Verifier Unknown] "The condition on several parts of an operation is another." "`PredOpTrait<\"a\", CPred<\"isGood($x)\">>` becomes `CPred<\"isBest($x)\">`" FILES;

    IN001 "attr-added-optional" [Bytecode Breaks, Cpp Unknown] "An optional attribute is new in an operation that had attributes. Bytecode holds them by the order of their names, without tags, so all that follow are read wrongly." "`OptionalAttr<StrAttr>:$n` is added after `$m`" WIRE;
    IN002 "attr-added-first" [Cpp Unknown] "An optional attribute is new in an operation that had no attribute; old bytecode has nothing to be read wrongly." "`arith.trunci` gets `overflowFlags`" NONE;
    IN003 "attr-added-required" [Text Unknown, Generic Breaks, Bytecode Breaks, Verifier Breaks, Cpp Breaks, Python Breaks] "An operation needs one more attribute." "`I32Attr:$width` is added" "Make it optional or give it a default value.";
    IN004 "attr-added-defaulted" [Bytecode Breaks, Cpp Unknown] "An attribute with a default value is new in an operation that had attributes; bytecode as in IN001." "`DefaultValuedAttr<I32Attr, \"0\">:$width` is added" WIRE;
    IN005 "attr-removed" [Text Unknown, Generic Silent, Bytecode Breaks, Cpp Breaks, Python Breaks] "An attribute is gone; what the generic form says of it is dropped or becomes discardable." "`$no_inline` is deleted" WIRE;
    IN006 "attr-renamed" [Text Unknown, Generic Silent, Bytecode Breaks, Cpp Breaks, Python Breaks] "An attribute has another name, which sorts elsewhere." "`$aligned` becomes `$is_aligned`" WIRE;
    IN007 "attr-renamed-in-place" [Text Unknown, Generic Silent, Cpp Breaks, Python Breaks] "An attribute has another name, which sorts at the same place: bytecode is still read." "`$align` becomes `$alignment`" FILES;
    IN008 "attrs-reordered" [Cpp Silent, Python Silent] "The same attributes come in another order in builders." "`(ins I32Attr:$a, I32Attr:$b)` becomes `(ins I32Attr:$b, I32Attr:$a)`" CALLERS;
    IN009 "props-reordered" [Bytecode Breaks, Cpp Silent, Python Silent] "The same properties come in another order, which is that of bytecode." "`(ins I64Prop:$a, I64Prop:$b)` becomes `(ins I64Prop:$b, I64Prop:$a)`" WIRE;
    IN010 "attr-storage-changed" [Text Unknown, Generic Breaks, Bytecode Breaks, Verifier Breaks, Cpp Breaks, Python Unknown] "An attribute is stored as another class." "`StrAttr:$name` becomes `SymbolNameAttr:$name`" FILES;
    IN011 "attr-constraint-changed" [Verifier Unknown] "An attribute must satisfy something else." "`I32Attr:$n` becomes `ConfinedAttr<I32Attr, [IntPositive]>:$n`" TESTED;
    IN012 "attr-made-required" [Text Breaks, Generic Breaks, Bytecode Breaks, Verifier Breaks, Cpp Unknown, Python Breaks] "An attribute that could be missing must be there." "`OptionalAttr<I32Attr>:$n` becomes `I32Attr:$n`" FILES;
    IN013 "attr-made-optional" [Text Unknown, Bytecode Breaks, Cpp Breaks, Python Unknown] "An attribute may be missing; its getter returns an optional, and bytecode writes it in another way." "`I32Attr:$n` becomes `OptionalAttr<I32Attr>:$n`" CALLERS;
    IN014 "attr-default-changed" [Text Silent, Generic Silent, Bytecode Silent, Cpp Silent, Python Silent] "An attribute that is left out means another value; printers leave it out." "`DefaultValuedAttr<I32Attr, \"0\">` becomes `DefaultValuedAttr<I32Attr, \"1\">`" "Give the new behaviour a name of its own.";
    IN015 "attr-to-property" [Bytecode Breaks, Cpp Breaks] "An attribute becomes a property, or the other way round; bytecode has properties after attributes." "`I64Attr:$n` becomes `I64Prop:$n`" WIRE;
    IN016 "uses-properties-toggled" [Bytecode Breaks, Cpp Breaks] "The dialect stores inherent attributes in another way." "`usePropertiesForAttributes` is cleared" WIRE;
    IN017 "derived-attr-changed" [Cpp Breaks] "An attribute that is worked out is gone or has another type." "`DerivedTypeAttr` is deleted" CALLERS;
    IN018 "property-encoding-changed" [Bytecode Unknown] "A property is read or written by other code." "`readFromMlirBytecode` is edited" WIRE;

    AF001 "format-rejects-old" [Text Breaks] "A text that the old printer writes is refused by the new parser." "`$a attr-dict` becomes `` `of` $a attr-dict ``" FILES;
    AF002 "format-rebinds" [Text Silent] "A text is accepted, and one of its parts goes to another argument." "`$a `,` $b` becomes `$b `,` $a`" "Change a keyword as well, so that old files are refused.";
    AF003 "format-opaque" [Text Unknown] "A part of the format that is written in C++ is another, or both are written in C++." "`custom<A>($a)` becomes `custom<B>($a)`" TESTED;
    AF004 "format-hand-to-declarative" [Text Unknown] "A format that was written in C++ is now declared, or the other way round." "`hasCustomAssemblyFormat` becomes `assemblyFormat`" TESTED;
    AF005 "format-removed" [Text Breaks] "There is only the generic form." "`assemblyFormat` is deleted" FILES;
    AF006 "format-superset" [] "The old text is still read; what is printed differs." "an optional group is added" "Expected outputs of tests change.";
    AF007 "format-spacing" [] "Only blanks differ." "`` `<` $a `>` `` becomes `` `<` `` `` $a `>` ``" "Types and attributes without an encoding of their own are stored as text in bytecode.";
    AF008 "attr-dict-lost" [Text Breaks] "Attributes that have no place of their own cannot be written in the old way." "`attr-dict` becomes `attr-dict-with-keyword`" FILES;
    AF009 "format-infers-less" [Text Breaks] "A type that was inferred must be written." "`type($a)` is added" FILES;
    AF010 "elision-changed" [Text Unknown] "What is left out when it has its default value is another." "another anchor of an optional group" TESTED;
    AF011 "custom-directive-renamed" [Implementer Breaks] "A custom directive has another name and nothing else differs." "`custom<A>($a)` becomes `custom<B>($a)`" AUTHORS;
    AF012 "asm-names-changed" [Text Breaks] "Names without a prefix mean operations of another dialect." "`OpAsmOpInterface` is deleted" FILES;

    TA001 "def-removed" [Text Breaks, Generic Breaks, Bytecode Breaks, Cpp Breaks, Python Breaks] "A type or attribute is gone." "`def My_OldType` is deleted" KEEP;
    TA002 "mnemonic-changed" [Text Breaks, Generic Breaks, Bytecode Breaks] "A type or attribute has another name; bytecode too, unless the dialect encodes it." "`mnemonic = \"ptr\"` becomes `\"pointer\"`" FILES;
    TA003 "class-renamed" [Cpp Breaks] "The C++ class of a type or attribute has another name or namespace." "`def My_PtrType` becomes `def My_PointerType`" "An alias keeps callers working.";
    TA004 "param-added-required" [Text Breaks, Generic Breaks, Bytecode Breaks, Cpp Breaks, Python Breaks] "A type or attribute needs one more parameter." "`\"int\":$q` is added" "Make it optional or give it a default value.";
    TA005 "param-added-optional" [Text Unknown, Generic Unknown, Bytecode Unknown, Cpp Breaks, Python Unknown] "A type or attribute takes one more parameter, which may be missing." "`DefaultValuedParameter<\"unsigned\", \"0\">:$space` is added" CALLERS;
    TA006 "param-removed" [Text Unknown, Generic Unknown, Bytecode Unknown, Cpp Breaks, Python Breaks] "A parameter is gone." "`$space` is deleted" FILES;
    TA007 "params-reordered" [Text Unknown, Generic Unknown, Bytecode Unknown, Cpp Silent, Python Silent] "The same parameters come in another order." "`$a, $b` becomes `$b, $a`" CALLERS;
    TA008 "param-type-changed" [Text Unknown, Generic Unknown, Bytecode Unknown, Cpp Breaks, Python Unknown] "A parameter has another C++ type." "`\"unsigned\":$n` becomes `\"uint64_t\":$n`" CALLERS;
    TA009 "param-default-changed" [Text Silent, Generic Silent, Bytecode Silent, Cpp Silent, Python Silent] "A parameter that is left out means another value." "the default `0` becomes `1`" "Give the new behaviour a name of its own.";
    TA010 "verifier-gained" [Verifier Unknown, Implementer Breaks] "A type or attribute is verified." "`genVerifyDecl = 1`" AUTHORS;
    TA011 "builder-changed" [Cpp Breaks] "A builder of a type or attribute is gone or has other parameters." "a `TypeBuilder` is deleted" CALLERS;
    TA012 "bytecode-code-changed" [Bytecode Breaks] "The number or the fields of a kind of bytecode are others." "a kind is inserted before others" "Add new kinds last.";
    TA013 "trait-lost" [Cpp Breaks, Semantics Breaks] "A type or attribute has lost an interface or trait; casts to it fail." "`TypedAttrInterface` is deleted" AUTHORS;
    TA014 "mutability-changed" [Cpp Breaks] "A type or attribute is stored in another class." "`MutableType` is added" CALLERS;
    TA015 "def-added" [] "A type, attribute or enum is new." "`def My_NewType` is added" NONE;
    TA016 "extra-declaration-changed" [Cpp Unknown] "C++ that the class of a type or attribute declares besides is another." "`extraClassDeclaration` is edited" CALLERS;

    EN001 "case-removed" [Text Breaks, Generic Breaks, Bytecode Breaks, Cpp Breaks, Python Breaks] "A case of an enum is gone." "`I32EnumAttrCase<\"Old\", 3>` is deleted" KEEP;
    EN002 "case-added" [Cpp Unknown] "A case of an enum is new; a switch over all of them is not complete any more." "`I32EnumAttrCase<\"New\", 4>` is added" "Let switches over it have a default.";
    EN003 "case-keyword-changed" [Text Breaks, Generic Unknown, Bytecode Unknown] "A case is written in another way." "`\"add\"` becomes `\"plus\"`" FILES;
    EN004 "case-value-changed" [Generic Unknown, Bytecode Unknown, Cpp Silent, Python Silent] "A case has another value; silent where it is stored as an integer." "`1` becomes `2`" "Add cases last, and keep the values of others.";
    EN005 "case-symbol-renamed" [Cpp Breaks, Python Breaks] "An enumerator has another name." "`Add` becomes `Plus`" CALLERS;
    EN006 "width-changed" [Generic Breaks, Bytecode Breaks, Cpp Breaks] "An enum is stored with another width." "`I32EnumAttr` becomes `I64EnumAttr`" WIRE;
    EN007 "enum-form-changed" [Text Breaks, Cpp Breaks, Python Breaks] "An enum is a set of bits now or no more, or a set is written in another way." "the separator `|` becomes `, `" FILES;
    EN008 "storage-switched" [Text Unknown, Generic Breaks, Bytecode Breaks, Cpp Breaks, Python Breaks] "An enum is stored as an attribute of a dialect in place of an integer, or the other way round." "`genSpecializedAttr = 0`" WIRE;

    IF001 "interface-removed" [Cpp Breaks, Implementer Breaks] "An interface is gone." "`def MyInterface` is deleted" KEEP;
    IF002 "method-removed" [Cpp Breaks, Implementer Breaks] "A method of an interface is gone or has another name." "`InterfaceMethod` is deleted" KEEP;
    IF003 "method-signature-changed" [Cpp Breaks, Implementer Breaks] "A method of an interface has another signature." "`(ins)` becomes `(ins \"unsigned\":$n)`" CALLERS;
    IF004 "method-added" [Implementer Unknown] "An interface has one more method." "an `InterfaceMethod` without a default" AUTHORS;
    IF005 "default-implementation-removed" [Implementer Breaks] "A method has no default implementation any more." "the default body is deleted" AUTHORS;
    IF006 "default-changed" [Semantics Unknown] "The default implementation of a method is another." "the default body is edited" TESTED;
    IF007 "base-interface-changed" [Cpp Unknown, Implementer Unknown] "An interface derives from others." "`[BaseInterface]` is added" AUTHORS;
    IF008 "interface-verify-added" [Verifier Unknown] "An interface verifies what implements it." "`verify` is set" TESTED;
    IF009 "interface-renamed" [Cpp Breaks, Implementer Breaks] "The C++ class of an interface has another name or namespace." "`cppNamespace = \"::my\"` becomes `\"::my::api\"`" "A using-declaration in the old namespace keeps callers working.";
    IF010 "interface-added" [] "An interface is new." "`def MyInterface` is added" NONE;
    IF011 "interface-declaration-changed" [Cpp Unknown] "C++ that the class of an interface declares besides is another." "`extraClassDeclaration` is edited" CALLERS;

    TR001 "op-lost-interface" [Cpp Breaks, Semantics Breaks] "An operation does not implement an interface any more; passes that ask for it skip the operation." "`DeclareOpInterfaceMethods<…>` is deleted" TESTED;
    TR002 "op-gained-interface" [Implementer Unknown] "An operation implements one more interface." "`DeclareOpInterfaceMethods<…>` is added" AUTHORS;
    TR003 "effects-strengthened" [Semantics Unknown] "An operation has effects that it had not: it is not erased, merged or moved any more." "`Pure` is deleted" TESTED;
    TR004 "effects-weakened" [Semantics Silent] "An operation has no effects any more: it may be erased or merged." "`Pure` is added" "Check that two equal operations may become one.";
    TR005 "structural-trait-gained" [Verifier Breaks] "An operation must satisfy one more rule of structure." "`IsolatedFromAbove` is added" FILES;
    TR006 "structural-trait-lost" [Cpp Unknown] "An operation need not satisfy a rule of structure any more; helpers of the trait are gone." "`SingleBlock` is deleted" CALLERS;
    TR007 "terminator-rule-changed" [Text Unknown, Verifier Breaks] "Blocks end in another way." "`SingleBlockImplicitTerminator<\"A\">` becomes `<\"B\">`" FILES;
    TR008 "symbol-trait-changed" [Verifier Unknown, Semantics Unknown] "An operation is now a symbol or a table of symbols, or is none any more." "`Symbol` is added" TESTED;
    TR009 "algebraic-trait-changed" [Semantics Unknown] "The canonical form of an operation is another." "`Commutative` is added" TESTED;
    TR010 "trait-renamed" [Cpp Breaks] "The C++ class of a trait has another name or namespace." "`cppNamespace = \"::my\"` becomes `\"::my::traits\"`" "An alias of the old name keeps callers working.";

    HK001 "verifier-toggled" [Verifier Unknown, Implementer Unknown] "An operation has a verifier now, or has none any more." "`hasVerifier = 1`" AUTHORS;
    HK002 "folder-toggled" [Implementer Unknown, Semantics Unknown] "An operation has a folder or canonicalizer now, or has none any more." "`hasFolder = 1`" AUTHORS;
    HK003 "builder-changed" [Cpp Breaks] "A builder is gone, has other parameters or is deprecated." "an `OpBuilder` is deleted" CALLERS;
    HK004 "default-builders-toggled" [Cpp Unknown] "The usual builders are gone or there again." "`skipDefaultBuilders = 1`" CALLERS;
    HK005 "extra-declaration-changed" [Cpp Unknown] "C++ that is declared besides is another." "`extraClassDeclaration` is edited" CALLERS;

    DI001 "dialect-removed" [Text Breaks, Generic Breaks, Bytecode Breaks, Cpp Breaks, Python Breaks] "A dialect is gone." "`def My_Dialect` is deleted" KEEP;
    DI002 "dialect-renamed" [Text Breaks, Generic Breaks, Bytecode Breaks, Python Breaks] "A dialect has another name." "`name = \"my\"` becomes `\"mine\"`" KEEP;
    DI003 "dialect-namespace-changed" [Cpp Breaks] "The C++ namespace of a dialect is another." "`cppNamespace = \"::mine\"`" "An alias of the namespace keeps callers working.";
    DI004 "dependent-dialect-removed" [Semantics Unknown] "A dialect is not loaded with this one any more." "an entry of `dependentDialects` is deleted" TESTED;
    DI005 "dialect-hook-toggled" [Implementer Unknown] "A function of the dialect is to be written, or is not asked for any more." "`hasConstantMaterializer = 1`" AUTHORS;
    DI006 "wire-break-without-version" [Bytecode Breaks] "Bytecode breaks in a dialect whose declared version is the same, so that old files cannot be told from new ones." "IN001 in a dialect whose `kVersion` stays `1`" "Give the dialect a BytecodeDialectInterface with a version, and read old layouts in readAttribute, readType and upgradeFromVersion.";

    PA001 "pass-removed" [Pipeline Breaks, Cpp Breaks] "A pass is gone." "`def OldPass` is deleted" KEEP;
    PA002 "pass-argument-renamed" [Pipeline Breaks] "A pass has another name on the command line." "`\"my-pass\"` becomes `\"my-new-pass\"`" "Register the old name as well.";
    PA003 "pass-class-renamed" [Cpp Breaks] "The record of a pass has another name, and so have its functions." "`def MyPass` becomes `def MyNewPass`" CALLERS;
    PA004 "pass-anchor-changed" [Pipeline Breaks, Implementer Breaks] "A pass runs on another operation." "`Pass<\"p\", \"ModuleOp\">` becomes `Pass<\"p\", \"func::FuncOp\">`" "Say in the release notes how pipelines nest it.";
    PA005 "option-changed" [Pipeline Breaks, Cpp Breaks] "An option is gone, has another name or another type." "`Option<\"n\", \"n\", …>` is deleted" CALLERS;
    PA006 "option-default-changed" [Pipeline Silent] "An option that is not given has another value." "`\"4\"` becomes `\"8\"`" "Give the option in pipelines that depend on it.";
    PA007 "option-added" [Cpp Unknown] "A pass has one more option." "`Option<\"n\", \"n\", …>` is added" "Lists of initialisers of the options' struct may need a change.";
    PA008 "pass-dependent-dialect-removed" [Semantics Unknown] "A dialect is not loaded for the pass any more." "an entry of `dependentDialects` is deleted" TESTED;
    PA009 "constructor-changed" [Cpp Breaks] "A pass is made by another function." "`constructor` is added" CALLERS;
    PA010 "statistic-removed" [] "A statistic is gone." "`Statistic<…>` is deleted" NONE;
    PA011 "pass-added" [] "A pass is new." "`def NewPass` is added" NONE;

    PT001 "pattern-changed" [] "A rewrite pattern is gone, new or another." "a `Pat` is deleted" TESTED;
    PT002 "benefit-changed" [] "A rewrite pattern has another benefit." "`addBenefit<2>`" TESTED;
}

impl Rule {
    /// Returns all rules, in the order of their ids' families.
    pub fn all() -> impl Iterator<Item = Rule> {
        ROWS.iter().map(|row| row.rule)
    }

    /// Returns the rule of an id.
    #[must_use]
    pub fn of_id(id: &str) -> Option<Rule> {
        ROWS.iter().find(|row| row.id.eq_ignore_ascii_case(id)).map(|row| row.rule)
    }

    /// Returns the row. Rows are in the order of the variants, as one list makes both.
    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns `IN001`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// Returns `attr-added-optional`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns `IN`.
    #[must_use]
    pub fn family(self) -> &'static str {
        &self.row().id[..2]
    }

    /// Returns the effect on each level, unless a finding overrides it. Levels that are not listed are safe.
    #[must_use]
    pub fn effects(self) -> &'static [(Level, Verdict)] {
        self.row().effects
    }

    /// Returns true if an effect that is not decided says no more than that a text changed.
    #[must_use]
    pub fn needs_proof(self) -> bool {
        use Rule as R;
        matches!(
            self,
            R::OP015
                | R::OP016
                | R::OP017
                | R::OP024
                | R::OP026
                | R::OP027
                | R::IN011
                | R::AF003
                | R::AF011
                | R::HK002
        ) || self.needs_example()
    }

    /// Returns true if only an example shows that the change breaks anything, and not the change itself.
    #[must_use]
    pub fn needs_example(self) -> bool {
        use Rule as R;
        matches!(
            self,
            R::OP015 | R::OP017 | R::OP026 | R::OP027 | R::IN011 | R::AF001 | R::AF002 | R::AF008 | R::AF009
        )
    }

    /// Returns the fields of a definition that the change is in.
    #[must_use]
    pub fn fields(self) -> &'static [&'static str] {
        use Rule as R;
        match self {
            R::OP006 | R::OP007 | R::OP010 | R::OP011 | R::OP012 | R::OP013 | R::OP014 => &["arguments"],
            R::OP018 | R::OP019 | R::OP020 => &["results"],
            R::OP023 | R::OP024 => &["regions"],
            R::OP025 => &["successors"],
            R::HK001 => &["hasVerifier", "hasRegionVerifier"],
            R::HK002 => &["hasFolder", "hasCanonicalizer", "hasCanonicalizeMethod"],
            R::HK003 | R::TA011 => &["builders"],
            R::HK004 => &["skipDefaultBuilders"],
            R::HK005 | R::TA016 => &["extraClassDeclaration"],
            R::TA010 => &["genVerifyDecl"],
            R::TA004 | R::TA005 | R::TA006 | R::TA007 | R::TA008 | R::TA009 => &["parameters"],
            _ => match self.family() {
                "IN" => &["arguments"],
                "AF" => &["assemblyFormat", "hasCustomAssemblyFormat"],
                _ => &[],
            },
        }
    }

    /// Returns the description of the change.
    #[must_use]
    pub fn text(self) -> &'static str {
        self.row().text
    }

    /// Returns an example of the change.
    #[must_use]
    pub fn example(self) -> &'static str {
        self.row().example
    }

    /// Returns the lines of an example that differ: `-` before the old ones, `+` before the new ones.
    #[must_use]
    pub fn code(self) -> &'static str {
        let start = EXAMPLES.find(self.id()).map_or(EXAMPLES.len(), |at| at + self.id().len() + 1);
        let rest = EXAMPLES.get(start..).unwrap_or_default();
        let end =
            rest.lines().take_while(|line| line.starts_with(['-', '+'])).map(|line| line.len() + 1).sum();
        rest.get(..end).unwrap_or_default()
    }

    /// Returns the advice.
    #[must_use]
    pub fn advice(self) -> &'static str {
        self.row().advice
    }

    /// Returns the rule's page as Markdown.
    #[must_use]
    pub fn page(self) -> String {
        let effects = self.effects().iter();
        let effects: Vec<String> =
            effects.map(|(level, verdict)| format!("{} {}", level.name(), verdict.sign())).collect();
        let effects = if effects.is_empty() { "none".to_owned() } else { effects.join(" · ") };
        let (id, name, text) = (self.id(), self.name(), self.text());
        let (example, code, advice) = (self.example(), self.code(), self.advice());
        format!(
            "# {id} {name}\n\n{text}\n\nExample: {example}\n\n```diff\n{code}```\n\nEffects: {effects}\n\nAdvice: {advice}\n\n\
             To accept a finding, write a reason in `odsmith.toml`:\n\n```toml\n[[diff.accept]]\nrule = \"{id}\"\n\
             subject = \"my.op#part\"\nreason = \"the reason\"\n```\n"
        )
    }
}

impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_rule_once() {
        assert_eq!(Rule::all().count(), 126);
        let mut ids: Vec<&str> = Rule::all().map(Rule::id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 126);
        for rule in Rule::all() {
            assert_eq!(Rule::of_id(rule.id()), Some(rule));
            assert_eq!(rule.row().rule, rule);
        }
    }
}
