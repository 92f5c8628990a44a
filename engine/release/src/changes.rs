//! The changes between releases: one row for each difference, with the first release that has it and the fixture that
//! shows it.
//!
//! A rule that a release drops is a change as well, named for the new behaviour.

/// Lists changes: a name, the first release that has it, the fixture of `tests/fixtures/` that shows it.
macro_rules! changes {
    ($($(#[doc = $doc:literal])+ $name:ident = since($since:literal), shown_by($fixture:literal);)+) => {
        /// A behaviour that a release has and earlier ones do not.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Change {
            $($(#[doc = $doc])+ $name,)+
        }

        /// All changes, in the order of [`Change`].
        pub const CHANGES: &[Row] = &[
            $(Row { change: Change::$name, since: $since, fixture: $fixture, text: concat!($($doc),+) },)+
        ];
    };
}

impl Change {
    /// Returns whether the change may affect evaluation, and thus the records. All other changes only affect later
    /// stages.
    #[must_use]
    pub const fn is_of_evaluation(self) -> bool {
        matches!(
            self,
            Change::ArgumentErrorsInPlace
                | Change::ArgumentsWithoutNumber
                | Change::AssertionsInRecords
                | Change::BoundedShifts
                | Change::CastsOutsideRecords
                | Change::ChoicesAsBits
                | Change::ClassesAtDefinition
                | Change::CondAsDefault
                | Change::DagNamesKept
                | Change::DagOperatorNames
                | Change::DecidedOperands
                | Change::DefsAtNames
                | Change::DefaultsKeepPlace
                | Change::Deftype
                | Change::DivisionAndRemoval
                | Change::DollarOfDagOperators
                | Change::DumpAndRepr
                | Change::Exists
                | Change::IfndefLeftOut
                | Change::InstancesAndMatch
                | Change::InstancesInPlace
                | Change::IsaOfAnyClass
                | Change::JoinedDagNames
                | Change::LetAppend
                | Change::LetBitsInBraces
                | Change::LetErrorsAtName
                | Change::ListsAsDagOperators
                | Change::LetSharesVariables
                | Change::LongDagOperators
                | Change::LoopsDecidedAtEnd
                | Change::LowerCaseMessages
                | Change::NamedArguments
                | Change::NaturalOrder
                | Change::NestedScopes
                | Change::NumbersInRange
                | Change::ParentArgumentsTyped
                | Change::RangeSteps
                | Change::RangesAndDagParts
                | Change::RepeatedSuperclasses
                | Change::SortAndSwitch
                | Change::UnquotedBitLengths
                | Change::UnsetStringFields
                | Change::UnusedArguments
        )
    }
}

/// One change.
#[derive(Debug)]
pub struct Row {
    /// The change.
    pub change: Change,
    /// The first release that has it.
    pub since: u8,
    /// The fixture that shows it, below `tests/fixtures/`.
    pub fixture: &'static str,
    /// The behaviour of the release, as a sentence.
    pub text: &'static str,
}

changes! {
    /// The check for a `:` that may follow an attribute also covers groups and absent elements; it accepts an attribute
    /// that is parsed without its type.
    AmbiguityInGroups = since(15), shown_by("release/format_ambiguity");
    /// A region may not follow the dictionary of attributes.
    AmbiguousRegions = since(16), shown_by("release/ambiguous_region");
    /// Enums are written even if the class of enums does not exist.
    EnumsWithoutClass = since(16), shown_by("release/older_passes");
    /// Enums of directives are attributes of a dialect, rather than texts.
    DirectivesOfDialects = since(14), shown_by("release/older_directive_texts");
    /// Cases of enums of directives have a symbol in addition to their text.
    DirectiveSymbols = since(15), shown_by("release/older_directive_symbols");
    /// Messages on arguments of a wrong type do not count them.
    ArgumentsWithoutNumber = since(17), shown_by("release/older_arguments");
    /// Accessors of parameters are in camel case, rather than only capitalized.
    CamelCaseAccessors = since(15), shown_by("release/older_definitions");
    /// Parameters with a default value are optional, rather than those with the field `isOptional`.
    OptionalByDefault = since(16), shown_by("release/older_directives");
    /// Custom directives of attributes and types are set off by blanks, get parsed values unchanged, and may decide on
    /// a group.
    SpacedCustomDirectives = since(16), shown_by("release/older_directives");
    /// The type of an attribute is a parameter of its storage like others, rather than held by the base class.
    SelfTypesAsParameters = since(16), shown_by("release/older_definitions");
    /// Constructors of dialects are defined after their class.
    DialectConstructorsDefined = since(15), shown_by("release/older_dialects");
    /// Dialects have a type id of their own.
    DialectTypeIds = since(14), shown_by("release/older_dialects");
    /// Only the dialect's fields decide on its hooks for attributes and types, whether it defines any or not.
    DialectHooksAsSaid = since(15), shown_by("release/older_dialects");
    /// A field of operations decides whether their requirements of SPIR-V versions are generated.
    AvailabilityChoice = since(16), shown_by("release/older_spirv");
    /// Descriptions lose the indentation that all lines share, rather than that of the first line.
    SharedIndentation = since(14), shown_by("release/older_documents");
    /// Attributes of SPIR-V that hold an enum are attributes of their own, rather than integers.
    SpirvEnumAttributes = since(16), shown_by("release/older_spirv");
    /// Requirements name the namespace of their interfaces.
    AvailabilityNamespaces = since(14), shown_by("release/older_spirv");
    /// Values of a directive's clause may have spellings, by version.
    DirectiveSpellings = since(21), shown_by("release/directive_spellings");
    /// Intrinsics have information on aliases.
    AliasScopes = since(14), shown_by("release/intrinsics_of_llvm");
    /// Enums of MLIR may be integers in LLVM.
    IntegerLlvmEnums = since(15), shown_by("release/older_llvm_enums");
    /// Dialects without definitions have a document as well.
    EmptyDialectDocuments = since(16), shown_by("release/older_documents");
    /// A document is about one dialect, which may be any with a definition.
    OneDialectDocuments = since(15), shown_by("release/older_documents");
    /// Traits, interfaces and effects of operations are documented.
    DocumentedTraits = since(14), shown_by("release/older_documents");
    /// Texts of parameters that are built from unset ones count as unset.
    ParameterTexts = since(15), shown_by("release/parameter_texts");
    /// Base classes of passes declare their type id.
    PassTypeIds = since(15), shown_by("release/older_passes");
    /// External models of interfaces name the class that they are for.
    ConcreteEntities = since(15), shown_by("release/older_interfaces");
    /// Operators of bit enums are constants, and there are more of them; valid bits are one number.
    ConstantBitOperators = since(16), shown_by("release/older_enums");
    /// Printing of bit names takes one line per name, and blanks around separators do not count.
    BitNamesInLines = since(15), shown_by("release/older_enums");
    /// Parsers of any attribute or type have a switch for keywords, which reads the keyword itself.
    KeywordSwitches = since(15), shown_by("release/older_definitions");
    /// Classes of attributes and types are laid out as those of operations.
    DefinitionClasses = since(14), shown_by("release/older_definitions");
    /// A template argument of a base class is written once, even if a trait or a storage has the name of the class.
    ArgumentsOnce = since(14), shown_by("release/repeated_names");
    /// Dialects may be extended at run time.
    ExtensibleDialects = since(15), shown_by("release/older_fields");
    /// Interfaces have a field of their own for the name of their class, rather than that of constraints.
    InterfaceNames = since(15), shown_by("release/older_fields");
    /// Verifiers of interfaces have a flag for looking at regions.
    RegionVerifiers = since(15), shown_by("release/region_verifiers");
    /// Attributes and types have a flag for a format in C++, and code that is defined after the class.
    CustomDefinitions = since(15), shown_by("release/older_fields");
    /// Bit enums may print groups in place of their bits.
    PrimaryGroups = since(15), shown_by("release/older_fields");
    /// Bit enums declare which bits are valid, rather than all bits of their cases.
    ValidBits = since(14), shown_by("release/older_fields");
    /// Dialects declare whether they have printers and parsers of their attributes and types.
    DefaultDialectParsers = since(14), shown_by("release/older_dialects");
    /// Interfaces have code that is written into both the class and the trait.
    SharedInterfaceCode = since(14), shown_by("release/older_fields");
    /// Values are converted by functions, rather than members of their classes.
    CastFunctions = since(17), shown_by("release/plain_classes");
    /// Inherent attributes may be stored as properties, if the dialect says so.
    Properties = since(17), shown_by("release/plain_classes");
    /// An attribute that a result type follows from may be missing.
    CheckedInference = since(17), shown_by("release/plain_classes");
    /// Attributes are checked without their operation as well.
    AttributesWithoutOperation = since(17), shown_by("release/plain_classes");
    /// `gen-bytecode`, and an option for all analyses of aliases rather than for scopes.
    BytecodeAndTbaa = since(17), shown_by("release/alias_scopes");
    /// A document is about one dialect, rather than all dialects of its name.
    DialectsByRecord = since(16), shown_by("release/dialects_of_one_name");
    /// Errors of conversions to LLVM have the position of the operation.
    LlvmErrorsInPlace = since(16), shown_by("release/bare_errors");
    /// All dialects are read before one of them is selected.
    DialectsReadFirst = since(15), shown_by("release/bare_errors");
    /// Uses of deprecated defs cause a warning, and Python bindings may extend those of another dialect.
    DeprecatedDefs = since(15), shown_by("release/deprecated_defs");
    /// A deprecated def is used wherever a field reaches it, not only as a value or in a list.
    DeprecatedParts = since(16), shown_by("release/deprecated_defs");
    /// Folders get an adaptor, whatever the dialect chooses.
    FoldAdaptors = since(17), shown_by("release/folders");
    /// Dialects choose whether folders get raw attributes or an adaptor.
    FoldChoice = since(16), shown_by("release/folders");
    /// Passes have macros for their declarations and definitions, rather than one for all classes.
    PassParts = since(16), shown_by("release/pass_parts");
    /// Only interfaces that the root file itself defines are written.
    OwnInterfacesOnly = since(16), shown_by("release/plain_interfaces");
    /// Descriptions are comments in the C++ of interfaces, whose models follow all of them.
    CommentedInterfaces = since(16), shown_by("release/plain_interfaces");
    /// The `::` at the front is removed from an interface's qualified name, rather than from its namespace.
    StrippedNames = since(16), shown_by("release/single_colons");
    /// Interfaces may derive from others.
    InterfaceBases = since(16), shown_by("release/plain_interfaces");
    /// Formats of attributes and types may contain enums, by a parser and printer of each enum.
    EnumsInFormats = since(16), shown_by("release/plain_enums");
    /// Storages of attributes and types return the key that they were built from.
    StorageKeys = since(16), shown_by("release/plain_storages");
    /// Accessors begin with `get` and `set`, whatever the dialect chooses.
    PrefixedAccessors = since(16), shown_by("release/accessor_names");
    /// Attributes of enums hold a case as a number, never as its text.
    EnumsAsNumbers = since(15), shown_by("release/text_enums");
    /// Patterns quote a case that an attribute holds as its text.
    QuotedCases = since(14), shown_by("release/text_enums");
    /// Dialects choose whether accessors begin with `get` and `set`.
    AccessorChoice = since(14), shown_by("release/accessor_names");
    /// Adaptors are templates for operands of any kind.
    GenericAdaptors = since(16), shown_by("release/plain_adaptors");
    /// Getters of values name the type.
    TypedValues = since(16), shown_by("release/plain_adaptors");
    /// Attributes have setters by value.
    ValueSetters = since(16), shown_by("release/plain_adaptors");
    /// Lengths of groups are an array, rather than elements of a vector.
    SegmentsAsArrays = since(16), shown_by("release/plain_adaptors");
    /// Builders set the lengths of groups of results.
    ResultSegmentsInBuilders = since(16), shown_by("release/plain_adaptors");
    /// Builders indent the code for an attribute that is present.
    IndentedAssignments = since(16), shown_by("release/plain_adaptors");
    /// Getters assume that attributes with a default value are present, unless these are optional.
    DefaultsAreSet = since(16), shown_by("release/plain_adaptors");
    /// Functions that remove attributes have names in camel case throughout.
    RemoversInCamelCase = since(16), shown_by("release/plain_adaptors");
    /// Conditions access attributes by their getters, rather than in the dictionary.
    AttributesByGetter = since(16), shown_by("release/plain_adaptors");
    /// Operations with regions have builders without result types, too.
    InferenceWithRegions = since(16), shown_by("release/plain_adaptors");
    /// Result types follow from other types through C++, rather than only if they are equal.
    InferenceByTransformers = since(16), shown_by("release/plain_adaptors");
    /// Dictionaries are printed without attributes that have their default value.
    ElidedDefaults = since(16), shown_by("release/unindented_formats");
    /// The printer of an optional group's elements is indented.
    IndentedGroups = since(16), shown_by("release/unindented_formats");
    /// The elements of an optional group's second branch are parsed as required, rather than as declared.
    RequiredOtherwise = since(16), shown_by("release/unindented_formats");
    /// Operands with a single known type are resolved with their location.
    PlacesOfOperands = since(16), shown_by("release/unindented_formats");
    /// An enum in an optional group is parsed as required, unless the group begins with it.
    RequiredCases = since(16), shown_by("release/unindented_formats");
    /// An attribute with a default value may decide on an optional group, like an optional one.
    AnchorsWithDefaults = since(16), shown_by("release/old_anchors");
    /// Formats use the one type of another value for results and all operands, rather than the list with it.
    SingleKnownTypes = since(16), shown_by("release/unindented_formats");
    /// The type of a result that is used several times is kept in a variable.
    InferredTypeVariables = since(15), shown_by("release/plain_hooks");
    /// Result types follow from attributes as well.
    AttributesInInference = since(15), shown_by("release/plain_hooks");
    /// Result types follow from operands of the same type.
    SameTypesInferred = since(15), shown_by("release/plain_hooks");
    /// Operations have flags for a parser, printer and verifier of their own, rather than fields with the code.
    HooksAsFlags = since(15), shown_by("release/plain_hooks");
    /// Attributes are looked up in the sorted dictionary, where required ones bound the positions of the others.
    SortedLookups = since(15), shown_by("release/plain_hooks");
    /// Default values of attributes are set when an operation is created.
    DefaultsPopulated = since(15), shown_by("release/plain_hooks");
    /// Default values of optional attributes are not set then, and need no C++ that builds them.
    OptionalNotPopulated = since(16), shown_by("release/optional_defaults");
    /// Traits may require others before them.
    TraitDependencies = since(15), shown_by("release/trait_dependencies");
    /// Traits are named `ZeroRegions`, `ZeroResults` and `ZeroSuccessors`, rather than `ZeroRegion` and so on.
    ZeroInPlural = since(15), shown_by("release/plain_hooks");
    /// Operations without results may have an accessor `getType`.
    TypeGetterWithoutResults = since(15), shown_by("release/plain_hooks");
    /// Classes of operations have blank lines only around members with a body, and no longer the oddities of the oldest
    /// releases: lines in place of missing definitions, quotes around default values of strings, extra blanks.
    SpacedMembers = since(14), shown_by("release/dense_classes");
    /// Operations have type ids.
    TypeIdsOfOperations = since(14), shown_by("release/dense_classes");
    /// Adaptors have getters of values, besides those of attributes.
    ValuesInAdaptors = since(14), shown_by("release/dense_classes");
    /// Attributes are cast without `template`.
    PlainCasts = since(14), shown_by("release/dense_classes");
    /// Lengths of groups may be one value for all.
    SplatSegments = since(14), shown_by("release/dense_classes");
    /// Functions check constraints of attributes, regions and successors as well; operations check their attributes.
    SharedConstraints = since(14), shown_by("release/dense_classes");
    /// Names of operations are printed by the library, rather than by formats.
    PrintedNames = since(14), shown_by("release/dense_formats");
    /// Formats leave out the dialects and mnemonics of attributes and types whose class is known.
    OwnSyntax = since(14), shown_by("release/dense_formats");
    /// The printer of each region in a list with an implied terminator begins with an empty line, rather than one of
    /// blanks.
    EmptyLineBeforeRegions = since(14), shown_by("release/dense_formats");
    /// Custom builders replace generated ones, and are refused if an earlier builder accepts all their calls.
    CustomBuildersCount = since(14), shown_by("release/custom_builders");
    /// Traits look attributes up by the accessor of the name, and give results the type of the operand that they name,
    /// rather than of the first one.
    NamesInTraits = since(14), shown_by("release/trait_attributes");
    /// Formats of operations have `qualified`, explain mistakes in a literal, and check groups after reading them.
    ExplainedFormats = since(14), shown_by("release/format_errors");
    /// Duplicate names in an operation are errors: of operands, results, regions and successors, and of `getEffects`.
    DistinctNames = since(14), shown_by("release/distinct_names");
    /// Formats have `oilist`.
    OiLists = since(15), shown_by("release/format_errors");
    /// Directives take texts, a second branch may have the anchor, and `...` is a literal.
    TextsInFormats = since(16), shown_by("release/format_errors");
    /// Formats add regions, successors and lengths of groups before types and operands.
    RegionsBeforeTypes = since(14), shown_by("release/dense_formats");
    /// Names of attributes are looked up in any operation, rather than registered ones.
    NamesOfAnyOperation = since(16), shown_by("release/plain_adaptors");
    /// Operations may be in groups of a document.
    DocumentGroups = since(17), shown_by("release/plain_documents");
    /// Summaries are in italics in documents, and names of classes without MLIR's namespace.
    ItalicSummaries = since(17), shown_by("release/plain_documents");
    /// Enums of LLVM may have enumerators without a counterpart in MLIR.
    UnsupportedEnumerants = since(17), shown_by("release/llvm_enums");
    /// Definitions are in the order of their names with numbers by value: `F8` before `F16`.
    NaturalOrder = since(17), shown_by("release/name_order");
    /// Python needs no class of MLIR's library for attributes, and has properties for all of them.
    PythonWithoutAttributes = since(17), shown_by("release/python_attributes");
    /// For inferable result types, the base class in Python calls the inference.
    PythonInfersInBase = since(17), shown_by("release/python_inits");
    /// `__init__` in Python builds attributes from other values, by functions that are registered under the attributes'
    /// names.
    PythonAttributeBuilders = since(16), shown_by("release/python_inits");
    /// `__init__` in Python takes optional arguments by name.
    PythonKeywords = since(15), shown_by("release/python_inits");
    /// `__init__` in Python accepts operations as operands, takes successors and the number of regions, and infers
    /// results.
    PythonRegions = since(14), shown_by("release/python_inits");
    /// Maps of strings, whose order is visible in some outputs, use another hash.
    StrongHashes = since(17), shown_by("release/plain_classes");
    /// Storages of attributes and types that the user defines are not declared.
    OwnStoragesUndeclared = since(17), shown_by("release/plain_storages");
    /// Interfaces of operations are in the order in which they were defined, rather than by name.
    InterfacesInOrder = since(17), shown_by("release/name_order");
    /// The condition for an attribute that decides on an optional group uses its getter.
    AnchorsByGetter = since(17), shown_by("release/plain_formats");
    /// `!range`, `!tolower`, `!toupper`, and the operators on arguments of dags and their names.
    RangesAndDagParts = since(17), shown_by("release/range_and_dag_parts");
    /// `!div`, `!logtwo` and `!listremove`.
    DivisionAndRemoval = since(16), shown_by("release/division_and_removal");
    /// Messages point at the name of a def, rather than at `def`.
    DefsAtNames = since(16), shown_by("release/division_and_removal");
    /// Unused template arguments cause a warning.
    UnusedArguments = since(14), shown_by("release/unused_arguments");
    /// Outside of records, `!cast` finds a record at once.
    CastsOutsideRecords = since(17), shown_by("release/casts_outside_records");
    /// The position of a template argument with a default is its name, rather than the default.
    DefaultsKeepPlace = since(16), shown_by("release/unused_defaults");
    /// `#ifndef` may be among skipped lines.
    IfndefLeftOut = since(18), shown_by("release/ifndef_left_out");
    /// `!exists`.
    Exists = since(15), shown_by("release/exists");
    /// A name refers to the innermost scope, and a variable and a field of one body have different names; in earlier
    /// releases, names of fields and arguments come first, then variables, then those of loops.
    NestedScopes = since(17), shown_by("release/scopes");
    /// Arguments of classes may be given by name; indices of lists may be any values, and `defvar` uses fields.
    NamedArguments = since(17), shown_by("release/named_arguments");
    /// Effects have a stage, and a flag for full regions.
    EffectStages = since(18), shown_by("release/old_classes");
    /// Builders give attributes in stored form a default value.
    NullDefaults = since(18), shown_by("release/old_classes");
    /// Default values go into the properties of an operation that has any, whatever its dialect chooses.
    DefaultsOfProperties = since(18), shown_by("release/old_classes");
    /// A clause of `oilist` is not printed if its attributes have their defaults.
    ClausesNotDefault = since(18), shown_by("release/old_formats");
    /// `oilist` prints no blank of its own.
    NoBlankBeforeOilist = since(18), shown_by("release/old_formats");
    /// Custom directives may decide whether an optional group is present.
    CustomAnchors = since(18), shown_by("release/old_format_errors");
    /// `prop-dict` may be a parameter of a custom directive.
    PropDictAsParameter = since(18), shown_by("release/old_format_errors");
    /// Effects apply to operands and results, rather than their values.
    EffectsOnOperands = since(19), shown_by("release/old_classes");
    /// The position of a class is its definition, rather than its first declaration.
    ClassesAtDefinition = since(15), shown_by("release/class_places");
    /// Formats store attributes as properties if the operation has any, whatever its dialect chooses.
    StoredInProperties = since(21), shown_by("release/old_formats");
    /// `prop-dict` has no effect without properties.
    DictionaryNeedsProperties = since(21), shown_by("release/old_formats");
    /// `prop-dict` omits the lengths of parsed groups.
    ElidedSegments = since(21), shown_by("release/old_formats");
    /// Custom directives may be inside `struct`.
    CustomInStructs = since(21), shown_by("release/old_format_errors");
    /// A builder without a body whose calls another one accepts is an error, rather than left out.
    RefusedSuperfluousBuilders = since(21), shown_by("release/old_classes");
    /// The comment at the top of most C++ files names the root file.
    HeadersNameSource = since(18), shown_by("release/old_classes");
    /// Generic adaptors are made from an operation as well.
    AdaptorsOfOperations = since(18), shown_by("release/old_classes");
    /// Names of attributes are looked up in registered operations only.
    RegisteredNamesOnly = since(18), shown_by("release/old_classes");
    /// Setters of properties call a function for an error, rather than looking for a diagnostic.
    ErrorsByFunction = since(18), shown_by("release/old_classes");
    /// A single operand is changed through its value, rather than a range.
    SingleMutableOperands = since(18), shown_by("release/old_classes");
    /// Old bytecode has the lengths of groups among the attributes, rather than in place of new ones.
    SegmentsAmongAttributes = since(18), shown_by("release/old_classes");
    /// The parser of a custom directive stores the result of its function in a variable.
    CustomResults = since(18), shown_by("release/old_formats");
    /// Short members of operations and adaptors are defined in the class, rather than after it.
    InlineAccessors = since(19), shown_by("release/old_classes");
    /// Adaptors take an operation's parts; there is a separate constructor without properties.
    AdaptorsOfParts = since(19), shown_by("release/old_classes");
    /// The attribute from which properties are set need not contain all of them.
    MissingPropertiesAllowed = since(19), shown_by("release/old_classes");
    /// Setters of attributes that are properties set these directly, rather than through the operation.
    SettersSetProperties = since(19), shown_by("release/old_classes");
    /// Builders that take a list of attributes set the properties from them.
    BuildersSetProperties = since(19), shown_by("release/old_classes");
    /// `prop-dict` omits default values, and properties that the format mentions elsewhere.
    ElidedProperties = since(19), shown_by("release/old_formats");
    /// Forward declarations of operations are in no macro, and their classes have no banner.
    BareForwardDeclarations = since(19), shown_by("release/old_classes");
    /// Names of traits, interfaces and effects are in backquotes in documents.
    QuotedTraits = since(18), shown_by("release/documents_layout");
    /// Attributes are an HTML table in documents, which may have features of Hugo.
    HtmlAttributeTables = since(18), shown_by("release/documents_layout");
    /// Summaries are trimmed before the first letter is capitalized.
    TrimmedSummaries = since(18), shown_by("release/documents_layout");
    /// Headings of a dialect's parts are in the plural, `Operations` rather than `Operation definition`.
    PluralHeadings = since(18), shown_by("release/documents_layout");
    /// `gen-enum-doc`, `verify-openmp-ops` and `--op-shard-count`.
    EnumDocuments = since(19), shown_by("release/documents_layout");
    /// Parts of documents have blank lines around them, all summaries are in italics, and table rows end with a bar.
    SpacedDocuments = since(21), shown_by("release/documents_layout");
    /// Attributes and types are in the order in which they were defined, rather than by name.
    DefinitionsInOrder = since(18), shown_by("release/storages");
    /// Classes of attributes and types have their names as constants.
    NamedDefinitions = since(18), shown_by("release/storages");
    /// Parameters are moved into the storage of attributes and types, rather than copied.
    MovedParameters = since(18), shown_by("release/storages");
    /// Dependent dialects of a dialect or pass take one line each, without blank lines between.
    DependenciesInLines = since(18), shown_by("release/dialect_helpers");
    /// The `classof` of an interface has an instance of the interface, rather than the tested object.
    ClassOfInstances = since(18), shown_by("release/interface_bases");
    /// Readers of bytecode return any attribute or type, rather than the class that they read.
    ReadersOfAnyClass = since(18), shown_by("release/bytecode_readers");
    /// Several capital letters in a row are one word of a name in snake case.
    AcronymsAsWords = since(18), shown_by("release/enum_names");
    /// An interface that is a base in several ways appears only once.
    BasesOnce = since(18), shown_by("release/interface_bases");
    /// Patterns have supplemental results, in addition to the replacement.
    SupplementalPatterns = since(18), shown_by("release/pattern_supplements");
    /// Patterns give the number of values of each variadic operand of a new operation.
    SegmentSizesInPatterns = since(18), shown_by("release/pattern_attributes");
    /// Types that are attributes are processed where SPIR-V is written, rather than only found.
    SpirvTypesProcessed = since(18), shown_by("release/spirv_matrices");
    /// Layouts and uses of cooperative matrices are constants of SPIR-V, rather than numbers.
    SpirvMatrixConstants = since(18), shown_by("release/spirv_matrices");
    /// Python has `__init__` for operations without default builders as well.
    PythonAlwaysInitializes = since(18), shown_by("release/python_values");
    /// Python has a function for each operation that builds one, rather than extensions of its class by hand.
    PythonFunctions = since(18), shown_by("release/python_values");
    /// Constants of Python, `async` and `await` are reserved.
    PythonConstantsReserved = since(18), shown_by("release/python_values");
    /// LLVM's operations find the rounding mode and the behaviour of exceptions among the operands of an intrinsic.
    ConstrainedMathAttributes = since(19), shown_by("release/llvmir_keywords");
    /// Dialects have helpers for their discardable attributes.
    DiscardableAttributes = since(19), shown_by("release/dialect_helpers");
    /// Classes of attributes and types have the name of their dialect as a constant.
    DialectNames = since(19), shown_by("release/storages");
    /// Dialects of parameters are loaded before these are parsed.
    DialectsOfParametersLoaded = since(19), shown_by("release/storages");
    /// Base classes of passes cannot be assigned or moved.
    PassesNotAssigned = since(19), shown_by("release/pass_options");
    /// Patterns read and set attributes that are properties as such.
    PropertiesInPatterns = since(21), shown_by("release/pattern_attributes");
    /// Source patterns match properties, which were an error.
    PropertiesInSourcePatterns = since(21), shown_by("release/pattern_properties");
    /// Parameters to which a custom directive only refers may decide on an optional group as well.
    ReferencesDecide = since(21), shown_by("release/definition_groups");
    /// Passes take their options by value, and move them.
    OwnedOptions = since(21), shown_by("release/pass_options");
    /// An enum declares the width of its integers, rather than having that of its C++ type.
    WidthsOfEnums = since(21), shown_by("release/python_enums");
    /// Python accepts only values as operands, rather than operations with one result as well.
    PythonOperandsAreValues = since(21), shown_by("release/python_values");
    /// Functions of Python have a different name from the class.
    PythonFunctionsNotClasses = since(21), shown_by("release/python_values");
    /// The constructor function of a storage that is written by hand is only declared, rather than empty.
    ConstructionDeclared = since(21), shown_by("release/storages");
    /// Functions of Python get the results by an operation's property, rather than by a helper.
    PythonResultProperties = since(21), shown_by("release/python_values");
    /// Python finds equally sized variadic values with the number of the others.
    PythonCountsFixedValues = since(21), shown_by("release/python_values");
    /// `dump`, and `!repr`.
    DumpAndRepr = since(18), shown_by("release/dump");
    /// `!range` has a step, and is refused for a list that does not fit only once the list is known.
    RangeSteps = since(18), shown_by("release/range");
    /// Numbers of more than 64 bits are an error, rather than the greatest or least one.
    NumbersInRange = since(18), shown_by("release/numbers");
    /// `gen-python-enum-bindings`.
    PythonEnums = since(18), shown_by("release/python_types");
    /// `gen-attr-constraint-decls` and the like, `gen-openmp-clause-ops` and `gen-tosa-avail-impls`.
    ConstraintGenerators = since(21), shown_by("release/conversions");
    /// `deftype`.
    Deftype = since(19), shown_by("release/deftype");
    /// Messages of the lexer begin in lower case.
    LowerCaseMessages = since(21), shown_by("release/lexer_messages");
    /// After a counted error, no output is generated; in earlier releases, generators continue and their output is
    /// printed.
    NothingAfterErrors = since(21), shown_by("release/after_errors");
    /// `!initialized`, `!instances`, `!listflatten` and `!match`.
    InstancesAndMatch = since(21), shown_by("release/instances_and_match");
    /// A class may be among the superclasses several times.
    RepeatedSuperclasses = since(21), shown_by("release/repeated_superclasses");
    /// An argument of a wrong type is an error at the argument, after which parsing continues.
    ArgumentErrorsInPlace = since(21), shown_by("release/argument_errors");
    /// The position of records that an instance creates is the instance, rather than its class.
    InstancesInPlace = since(21), shown_by("release/instance_places");
    /// A list of types may be the operator of a dag.
    ListsAsDagOperators = since(21), shown_by("release/dag_operator_lists");
    /// The name of a dag's operator is printed after `:$`, rather than after `:`.
    DollarOfDagOperators = since(21), shown_by("release/dag_operators");
    /// `!isa` stays unresolved for a record that may turn out to be of any class, rather than of a class derived from
    /// its own.
    IsaOfAnyClass = since(21), shown_by("release/isa");
    /// `!and` and `!or` ignore an operand that no longer matters.
    DecidedOperands = since(21), shown_by("release/decided_operands");
    /// A shift by too many bits is an error, rather than a shift by the remainder of a division by 64.
    BoundedShifts = since(22), shown_by("release/shifts");
    /// The values of a `!cond` that is a template argument's default may depend on other arguments.
    CondAsDefault = since(21), shown_by("release/cond_default");
    /// A failed assertion reports its message in one line, and then the record.
    AssertionsInRecords = since(21), shown_by("release/assertions");
    /// The number of bits that do not fit a field has no quotation mark after it.
    UnquotedBitLengths = since(21), shown_by("release/let_errors");
    /// A field that a `let` does not find is an error at its name, rather than at the value.
    LetErrorsAtName = since(21), shown_by("release/let_errors");
    /// Operations without attributes have the empty properties, rather than none.
    EmptyProperties = since(21), shown_by("release/classes");
    /// Each builder has a `create` for it.
    CreateFunctions = since(21), shown_by("release/classes");
    /// Builders may take all properties at once.
    PropertiesBuilders = since(21), shown_by("release/classes");
    /// Classes of operations have the positions of their operands as constants.
    OperandIndices = since(21), shown_by("release/classes");
    /// Adaptors are made from the base class of another one.
    AdaptorsFromBase = since(21), shown_by("release/classes");
    /// Classes have the summary and description as a comment.
    ClassComments = since(21), shown_by("release/classes");
    /// A value of any type has a typed getter, rather than only values of some class of types.
    TypedValuesOfAnyType = since(21), shown_by("release/classes");
    /// Builders give stored attributes default values if another attribute determines which builder is called.
    DistinguishedForms = since(21), shown_by("release/classes");
    /// Without a format, properties are set from the parsed dictionary, rather than only if a format has `prop-dict`.
    ParsedProperties = since(21), shown_by("release/classes");
    /// Properties without code for a hash use the `hash_value` of their type's namespace.
    HashesOfProperties = since(21), shown_by("release/classes");
    /// Removing an attribute from the properties returns it.
    RemovedAttributes = since(21), shown_by("release/classes");
    /// Functions that check constraints are numbered from one, rather than zero.
    ConstraintsFromOne = since(21), shown_by("release/classes");
    /// The conversion of a property to an attribute is a statement, rather than an expression.
    ConvertingStatements = since(21), shown_by("release/classes");
    /// Operations and adaptors have getters and setters of properties.
    PropertyAccessors = since(21), shown_by("release/classes");
    /// Builders take properties.
    PropertyParameters = since(21), shown_by("release/classes");
    /// Properties have code for formats, and for their value in the storage.
    PropertiesInFormats = since(21), shown_by("release/missing_fields");
    /// The condition of an optional group or clause compares with the default value in any case.
    AnchorsNotDefault = since(21), shown_by("release/op_formats");
    /// The inference of types checks that the operands it reads are present.
    InferenceCountsOperands = since(21), shown_by("release/operation");
    /// Result types from an attribute are added after the search for it, not in the loop.
    TypesAfterSearch = since(21), shown_by("release/op_formats");
    /// Properties that are parsed as a dictionary must not have unknown keys.
    UnknownKeysRefused = since(21), shown_by("release/op_formats");
    /// Enums have a parser of optional values, and their parsers list the cases in messages.
    OptionalEnumParsers = since(21), shown_by("release/enum_parsers");
    /// Attributes and types verify the constraints of their parameters, in a function that calls the users' `verify`.
    VerifiedParameters = since(21), shown_by("release/verifiers");
    /// The body of an interface's method that consists of white space counts as none.
    TrimmedMethodBodies = since(21), shown_by("release/method_bodies");
    /// The comment of an interface's method is preceded by a blank line.
    BlankBeforeMethods = since(21), shown_by("release/method_comments");
    /// A parameter that is an `APInt` needs a comparator of its own.
    RawApintRefused = since(21), shown_by("release/raw_apint");
    /// Attributes and types may request their mnemonics as aliases.
    MnemonicAliases = since(21), shown_by("release/missing_fields");
    /// A namespace is one `namespace a::b {` with blank lines inside, rather than one line for each name between
    /// colons.
    JoinedNamespaces = since(22), shown_by("release/dialect");
    /// A bit enum has `|=`, `&=` and `^=`.
    CompoundBitOperators = since(22), shown_by("release/enums");
    /// All interfaces are declared before one is defined, and their traits come after all of them.
    InterfacesDeclaredFirst = since(22), shown_by("release/interfaces");
    /// Methods of an interface that have one name are numbered in the concept and the models.
    NumberedOverloads = since(22), shown_by("release/interfaces");
    /// `create` forwards its arguments to `build`, rather than copying them.
    ForwardedArguments = since(22), shown_by("release/op_classes");
    /// The verifier of an adaptor checks properties.
    AdaptorChecksProperties = since(22), shown_by("release/op_classes");
    /// Classes of operations inherit the methods of interfaces that have a default.
    InheritedInterfaceMethods = since(22), shown_by("release/op_classes");
    /// Functions that check constraints are in the global namespace, rather than that of the first operation.
    GlobalConstraintFunctions = since(22), shown_by("release/op_classes");
    /// Lengths of segments are added up by `llvm::accumulate`.
    AccumulatedRuns = since(22), shown_by("release/op_classes");
    /// `getChecked` of attributes and types moves its parameters.
    MovedCheckedParameters = since(22), shown_by("release/attributes_types");
    /// A builder of attributes and types whose calls another one accepts is an error, rather than left out.
    RefusedShadowedBuilders = since(22), shown_by("release/shadowed_builder");
    /// Texts of passes are trimmed raw string literals, which may contain quotes.
    RawPassTexts = since(22), shown_by("release/passes");
    /// Passes are registered one by one, each if its macro is defined.
    SinglePassRegistrations = since(22), shown_by("release/passes");
    /// The base classes of all passes at once, long deprecated, are an error.
    RefusedPassClasses = since(22), shown_by("release/passes");
    /// Comments on the origin of patterns contain the file name, rather than its whole path.
    ShortOrigins = since(22), shown_by("release/rewriters_place");
    /// Generated code calls `X::create(builder, …)`, rather than `builder.create<X>(…)`.
    StaticCreateCalls = since(22), shown_by("release/rewriters");
    /// `__init__` in Python accepts `results` if they can be inferred, rather than always inferring them.
    PythonResultsArgument = since(22), shown_by("release/python");
    /// Properties and functions in Python have return types.
    PythonTypes = since(22), shown_by("release/python");
    /// A class in Python has the operation's description.
    PythonDescriptions = since(22), shown_by("release/python");
    /// The text in `{{…}}` in the summary of a constraint is C++ for a value of the message.
    InterpolatedSummaries = since(22), shown_by("release/summaries");
    /// A minus sign alone is a literal of formats.
    MinusLiteral = since(22), shown_by("release/minus_literal");
    /// Inference from a property is refused, and so is inference from an attribute whose position the tool does not
    /// find.
    CheckedInferenceSources = since(22), shown_by("release/inference_sources");
    /// A string field that is `?` is reported as holding no string, rather than as missing.
    UnsetStringFields = since(22), shown_by("release/unset_strings");
    /// Overloaded types of LLVM's intrinsics have names, rather than numbers.
    NamedOverloads = since(22), shown_by("release/intrinsics");
    /// `!getdagopname` and `!setdagopname` get and set the name of a dag's operator.
    DagOperatorNames = since(22), shown_by("release/dag_operator_names");
    /// `!getop` and `!setop` are no longer names of `!getdagop` and `!setdagop`.
    LongDagOperators = since(22), shown_by("release/short_dag_operators");
    /// There are interfaces of dialects, `gen-dialect-interface-decls`.
    DialectInterfaces = since(22), shown_by("release/dialect_interfaces");
    /// `let append` and `let prepend` add to a field's value.
    LetAppend = since(23), shown_by("release/let_append");
    /// Arguments of a multiclass's parents have the types that are declared.
    ParentArgumentsTyped = since(23), shown_by("release/parent_arguments");
    /// Comments made of descriptions lose the indentation that all lines share, rather than that of the first line.
    ReindentedComments = since(23), shown_by("release/dialect");
    /// The methods that external models have are not numbered.
    PlainExternalOverloads = since(23), shown_by("release/interfaces");
    /// The parser of an optional enum takes only the keywords of its cases.
    OptionalEnumKeywords = since(23), shown_by("release/enums");
    /// Values of enums are keys of maps without an empty and a tombstone key.
    EnumKeysWithoutMarkers = since(23), shown_by("release/enums");
    /// The properties of an operation have a type id.
    TypeIdsOfProperties = since(23), shown_by("release/operation");
    /// Builders reach the properties of an operation through its state.
    RawProperties = since(23), shown_by("release/operation");
    /// Helpers of discardable attributes are `const`, and their constructor is `explicit`.
    ConstAttributeHelpers = since(23), shown_by("release/dialect");
    /// Attributes are properties, whatever the dialect says.
    AttributesAreProperties = since(23), shown_by("release/operation");
    /// Optional operands that are absent are not resolved.
    AbsentOperandsNotResolved = since(23), shown_by("release/operation");
    /// Errors about the attribute that a property is converted from name the property.
    ConversionsNameProperty = since(23), shown_by("release/operation");
    /// The blank after the mnemonic of an attribute or type is printed with the mnemonic, not by `print`.
    BlankAfterMnemonic = since(23), shown_by("release/definitions");
    /// Interfaces of dialects have abstract methods, methods that are only declared, and declarations of the user.
    FullDialectInterfaces = since(23), shown_by("release/dialect_interfaces");
    /// Lists in bytecode may have a length that an earlier member holds.
    KnownListSizes = since(23), shown_by("release/bytecode");
    /// Attributes and types without members are checked when they are read from bytecode.
    MemberlessIsChecked = since(23), shown_by("release/bytecode");
    /// Attributes of operations of SPIR-V may be constants.
    SpirvConstantAttributes = since(23), shown_by("release/spirv_constants");
    /// The builders of attributes in Python are registered with their dialects.
    QualifiedAttributeBuilders = since(23), shown_by("release/python_types");
    /// Functions in Python have types, and operations have adaptors.
    TypedPython = since(23), shown_by("release/python_types");
    /// Lists that are fields of a struct have brackets, unless they come last.
    BracketedLists = since(23), shown_by("release/definitions");
    /// Operations that take or return tokens have traits for it.
    TokenTraits = since(23), shown_by("release/operation");
    /// `!sort` and `!switch`.
    SortAndSwitch = since(23), shown_by("release/sort_and_switch");
    /// Bits of a field that a `let` around statements sets are in braces, as elsewhere.
    LetBitsInBraces = since(23), shown_by("release/let_bits");
    /// An optional attribute is refused in a format outside an optional group.
    OptionalAttributesInGroups = since(23), shown_by("release/format_optional");
    /// Custom directives of a format access properties by the name of the operation's class.
    QualifiedProperties = since(23), shown_by("release/format");
    /// Successors are verified through their getters.
    SuccessorsByGetter = since(23), shown_by("release/operation");
    /// The functions that write attributes and types to bytecode return whether they succeeded.
    BytecodeWritersReport = since(23), shown_by("release/bytecode");
    /// Documents of operations, attributes, types and enums are parts of a dialect's document.
    DocumentsOfOneDialect = since(23), shown_by("release/documents");
    /// `params` and `struct(params)` of a definition without parameters print no list.
    EmptyListsPrintNothing = since(23), shown_by("release/definition_conditions");
    /// Attributes and types may have conditions on their parameters as traits.
    PredicateTraits = since(23), shown_by("release/definition_conditions");
    /// Custom directives of operations may refer to regions and successors.
    ReferencesToRegions = since(21), shown_by("release/region_references");
    /// Placeholders in default values are filled in builders, getters and formats.
    FilledDefaults = since(21), shown_by("release/builder_defaults");
    /// Clauses of OpenMP have a required and an optional format, rather than one.
    RequiredClauseFormats = since(21), shown_by("release/openmp");
    /// An optional operand in the result of a pattern is its value or none, rather than a range.
    OptionalInPatterns = since(21), shown_by("release/pattern_operands");
    /// Patterns look up an argument in `either` by its position among the operands, and do not find it after an
    /// attribute.
    OperandsInEither = since(18), shown_by("release/pattern_either");
    /// Patterns find an argument in `either` by its position among the arguments, rather than the operands.
    ArgumentsInEither = since(21), shown_by("release/pattern_either");
    /// Patterns match each operation in `either` in a scope of its own.
    ScopesInEither = since(18), shown_by("release/pattern_either_scopes");
    /// An operation for a variadic operand is refused in patterns.
    SingleForVariadicRefused = since(19), shown_by("release/pattern_single");
    /// Patterns check that operands of one name are equal before they check constraints.
    EqualityFirst = since(22), shown_by("release/pattern_equality");
    /// A condition without parts, such as `And<[]>`, is dropped from the enclosing condition, or decides it.
    FoldedConditions = since(21), shown_by("release/empty_conditions");
    /// `variadic` may be used in result patterns as well.
    VariadicInResults = since(19), shown_by("release/pattern_variadic");
    /// Joined dags keep the name of their operator.
    JoinedDagNames = since(22), shown_by("release/dag_names");
    /// Dags that are changed part by part keep the name of their operator.
    DagNamesKept = since(21), shown_by("release/dag_names");
    /// A line of code with only a carriage return and blanks does not count for the shared indentation.
    CarriageReturnsAreBlank = since(17), shown_by("release/carriage_returns");
    /// Operations with regions have builders that infer result types from all operands, too.
    CollectiveInferenceWithRegions = since(14), shown_by("release/inferred_regions");
    /// Traits that make types equal do so for operands and results without a name as well.
    UnnamedTypesKnown = since(16), shown_by("release/unnamed_types");
    /// Default values of several lines are indented in adaptors.
    AdaptorDefaultsIndented = since(15), shown_by("release/adaptor_defaults");
    /// Methods of interfaces that attributes and types declare do not start a section of the class.
    DeclaredMethodsUnlabelled = since(16), shown_by("release/declared_methods");
    /// The names of parameters of attributes and types are checked first.
    ParametersNamedFirst = since(15), shown_by("release/parameter_names");
    /// Parameters of attributes and types need a C++ type; the release before leaves it empty.
    ParameterTypesNeeded = since(16), shown_by("release/untyped_parameters");
    /// Placeholders in default values of missing attributes are filled.
    AddedDefaultsFilled = since(16), shown_by("release/added_defaults");
    /// Conversions from LLVM match floating-point attributes and labels.
    FloatsAndLabelsMatched = since(17), shown_by("release/llvm_matches");
    /// Summaries of constraints are escaped in messages.
    EscapedSummaries = since(14), shown_by("release/message_quotes");
    /// A constant attribute in place of an operand is an error of its own, rather than a name that is not bound.
    ConstantOperandsRefused = since(14), shown_by("release/pattern_constants");
    /// The list of a loop that depends on nothing else may be resolved at the end.
    LoopsDecidedAtEnd = since(17), shown_by("release/loop_lists");
    /// A variable that is defined by the one statement after `let … in` is known after it.
    LetSharesVariables = since(17), shown_by("release/let_variables");
    /// Enums must have a summary, rather than use the name of the record for an unset one.
    EnumSummaries = since(21), shown_by("release/enum_summaries");
    /// Builders that infer result types from all operands take the number of regions, too.
    RegionsOfInferredBuilders = since(15), shown_by("release/inferred_runs");
    /// Constraints in source patterns, and repeated parts, have functions of their own.
    SharedMatchers = since(14), shown_by("release/pattern_checks");
    /// Patterns keep the matched operations in a list, and do not count calls of native code as such.
    ListsOfMatchedOps = since(14), shown_by("release/pattern_checks");
    /// Locations in patterns are those of the values of a name, rather than of the first one in each of its ranges.
    LocationsOfValues = since(15), shown_by("release/pattern_locations");
    /// An unknown name in a conversion to LLVM is an error at the operation, with another text.
    PlacedLlvmErrors = since(16), shown_by("release/llvm_names");
    /// Conversions to LLVM look up several values for a variadic operand, rather than for a last operand of variable
    /// length.
    LookupsByLength = since(16), shown_by("release/lookups");
    /// Arguments of interfaces' methods must have a type each, even if no C++ is generated for them.
    ArgumentTypesOfMethods = since(23), shown_by("release/method_arguments");
    /// Documents show the cases of an enum that is a parameter.
    SyntaxListsCases = since(23), shown_by("release/documents");
    /// A `!cond` or `!foldl` of type bit is its own bit, rather than having one that is written with `{0}`.
    ChoicesAsBits = since(23), shown_by("release/choices_as_bits");
}
