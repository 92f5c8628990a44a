//! The changes between releases: a group for each release, newest first, with one row for each difference and the
//! fixture that shows it.
//!
//! A rule that a release drops is a change as well, named for the new behaviour. A change `in evaluation` may affect the
//! records; all others only affect later stages.

use crate::Release;

/// Lists changes by the first release that has them: a name, the fixture of `tests/fixtures/` that shows it.
macro_rules! changes {
    ($($since:ident {
        $($(#[doc = $doc:literal])+ $name:ident $(in $stage:ident)?, shown_by($fixture:literal);)*
    })+) => {
        /// A behaviour that a release has and earlier ones do not.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Change {
            $($($(#[doc = $doc])+ $name,)*)+
        }

        /// All changes, in the order of [`Change`].
        pub const CHANGES: &[Row] = &[
            $($(Row {
                change: Change::$name,
                name: stringify!($name),
                since: Release::$since,
                is_of_evaluation: is_of!($($stage)?),
                fixture: $fixture,
                text: concat!($($doc),+),
            },)*)+
        ];
    };
}

macro_rules! is_of {
    (evaluation) => {
        true
    };
    () => {
        false
    };
}

impl Change {
    /// Returns whether the change may affect evaluation, and thus the records. All other changes only affect later
    /// stages.
    #[must_use]
    pub const fn is_of_evaluation(self) -> bool {
        super::Rule::of(self).is_of_evaluation()
    }
}

/// One change.
#[derive(Debug)]
pub struct Row {
    /// The change.
    pub change: Change,
    /// The name of the change.
    pub name: &'static str,
    /// The first release that has it.
    pub since: Release,
    pub(crate) is_of_evaluation: bool,
    /// The fixture that shows it, below `tests/fixtures/`.
    pub fixture: &'static str,
    /// The behaviour of the release, as a sentence.
    pub text: &'static str,
}

/// Returns the changes after a release, up to another one, oldest release first.
#[must_use]
pub fn between(older: Release, newer: Release) -> Vec<&'static Row> {
    let mut rows: Vec<&Row> = CHANGES.iter().filter(|row| older < row.since && row.since <= newer).collect();
    rows.sort_by_key(|row| row.since);
    rows
}

changes! {
    V24 {
        /// Classes of operations have the position of each result, as well as that of each operand.
        ResultIndices, shown_by("release/operation_lists");
        /// A group of operands is a slice, rather than a pair of iterators.
        SlicedOperands, shown_by("release/operation_lists");
        /// The attributes of properties are visited by `walkInherentAttrs`, which may change them, rather than copied to a
        /// list by `populateInherentAttrs`.
        InherentAttributesWalked, shown_by("release/operation_lists");
        /// Builders that take all attributes divide them into properties and others, and are deprecated.
        DividedAttributes, shown_by("release/operation_lists");
        /// Builders keep a reference to the properties.
        ReferenceToProperties, shown_by("release/operation_lists");
        /// The builder without result types of an operation without results calls the one that takes a list of types.
        NoResultsDelegated, shown_by("release/operation_lists");
        /// `create` checks the operation before it casts it, rather than the result of the cast.
        CheckedBeforeCast, shown_by("release/operation_lists");
        /// Attributes become properties, and properties become attributes, by functions of MLIR.
        ConversionHelpers, shown_by("release/operation_lists");
        /// Parsed properties hold the lengths of groups of operands and results.
        ParsedSegments, shown_by("release/operation_lists");
        /// A dialect decides whether formats must bind all attributes and properties of an operation, or else have a
        /// `prop-dict`.
        StrictProperties, shown_by("release/strict_properties");
        /// The printer of an optional enum with a default value takes its value as the getter returns it, which is not
        /// optional.
        DefaultedCasesPlain, shown_by("release/optional_cases");
        /// `enum` in formats writes an attribute as a case of its enum.
        EnumDirective, shown_by("release/format_enums");
        /// The clauses of an `oilist` may have a separator.
        OilistSeparators, shown_by("release/oilist_separators");
        /// An attribute that comes first after the keyword of a clause of an `oilist` must be present.
        RequiredInClauses, shown_by("release/format_oilists");
        /// The blank before a literal is printed with the literal.
        BlanksInLiterals, shown_by("release/strict_properties");
        /// Helpers of MLIR parse operands and types that may be missing.
        ParsingHelpers, shown_by("release/format_oilists");
        /// Lists of operands that are parsed share their storage.
        SharedOperandStorage, shown_by("release/format_oilists");
        /// Optional operands that are absent are resolved like all others if the format has their types.
        AbsentOperandsResolved, shown_by("release/absent_operands");
        /// Printers of dictionaries list the names that they omit, each once.
        ElidedOnce, shown_by("release/strict_properties");
        /// The text of a message goes on after each value in a summary, also after the last one.
        ClosedValues, shown_by("release/summary_values");
        /// No attribute or property may have the name of the lengths of groups.
        ReservedLengths, shown_by("release/reserved_lengths");
        /// `prop-dict` parses and prints a list of keys and values.
        PropertyLists, shown_by("release/property_lists");
        /// Parsers of enums are declared in their classes, for one class of parsers, and defined with the enums.
        EnumParsersDefinedApart, shown_by("release/enums");
        /// Models of interfaces are constant expressions, and name themselves.
        ConstantModels, shown_by("release/interfaces");
        /// Methods of interfaces whose bodies use `$_raw_op` have one function for all models.
        SharedModelMethods, shown_by("release/shared_methods");
        /// Operations of SPIR-V are written and read through their properties.
        SpirvProperties, shown_by("release/spirv_constants");
        /// Fields of a `struct` that are attributes of enums are parsed and printed as values of the enums.
        EnumsAsFields, shown_by("release/enum_fields");
        /// A `!cond` loses the cases after the first condition that holds, so that they are not evaluated.
        CondEndsAtTrue in evaluation, shown_by("release/cond_cases");
        /// An invalid token between statements is one error, rather than also one about its place.
        InvalidTokensAlone in evaluation, shown_by("release/invalid_tokens");
        /// The number of errors at the end includes the second message about a condition that is not closed.
        ErrorsInNotesCounted in evaluation, shown_by("release/open_condition");
        /// `field` is an error before template arguments, where it meant nothing.
        FieldInBodiesOnly in evaluation, shown_by("release/field_arguments");
    }
    V23 {
        /// A value that does not fit a field leaves it as it was, rather than without a value.
        WrongValuesIgnored in evaluation, shown_by("release/wrong_values");
        /// Columns count from the beginning of the line, although a carriage return is before them.
        ColumnsOfWholeLines in evaluation, shown_by("release/returns");
        /// `let append` and `let prepend` add to a field's value.
        LetAppend in evaluation, shown_by("release/let_append");
        /// Arguments of a multiclass's parents have the types that are declared.
        ParentArgumentsTyped in evaluation, shown_by("release/parent_arguments");
        /// Comments made of descriptions lose the indentation that all lines share, rather than that of the first line.
        ReindentedComments, shown_by("release/dialect");
        /// The methods that external models have are not numbered.
        PlainExternalOverloads, shown_by("release/interfaces");
        /// The parser of an optional enum takes only the keywords of its cases.
        OptionalEnumKeywords, shown_by("release/enums");
        /// Values of enums are keys of maps without an empty and a tombstone key.
        EnumKeysWithoutMarkers, shown_by("release/enums");
        /// The properties of an operation have a type id.
        TypeIdsOfProperties, shown_by("release/operation");
        /// Builders reach the properties of an operation through its state.
        RawProperties, shown_by("release/operation");
        /// Helpers of discardable attributes are `const`, and their constructor is `explicit`.
        ConstAttributeHelpers, shown_by("release/dialect");
        /// Attributes are properties, whatever the dialect says.
        AttributesAreProperties, shown_by("release/operation");
        /// Optional operands that are absent are not resolved.
        AbsentOperandsNotResolved, shown_by("release/operation");
        /// Errors about the attribute that a property is converted from name the property.
        ConversionsNameProperty, shown_by("release/operation");
        /// The blank after the mnemonic of an attribute or type is printed with the mnemonic, not by `print`.
        BlankAfterMnemonic, shown_by("release/definitions");
        /// Interfaces of dialects have abstract methods, methods that are only declared, and declarations of the user.
        FullDialectInterfaces, shown_by("release/dialect_interfaces");
        /// Lists in bytecode may have a length that an earlier member holds.
        KnownListSizes, shown_by("release/bytecode");
        /// Attributes and types without members are checked when they are read from bytecode.
        MemberlessIsChecked, shown_by("release/bytecode");
        /// Attributes of operations of SPIR-V may be constants.
        SpirvConstantAttributes, shown_by("release/spirv_constants");
        /// The builders of attributes in Python are registered with their dialects.
        QualifiedAttributeBuilders, shown_by("release/python_types");
        /// Functions in Python have types, and operations have adaptors.
        TypedPython, shown_by("release/python_types");
        /// Lists that are fields of a struct have brackets, unless they come last.
        BracketedLists, shown_by("release/definitions");
        /// Operations that take or return tokens have traits for it.
        TokenTraits, shown_by("release/operation");
        /// `!sort` and `!switch`.
        SortAndSwitch in evaluation, shown_by("release/sort_and_switch");
        /// Bits of a field that a `let` around statements sets are in braces, as elsewhere.
        LetBitsInBraces in evaluation, shown_by("release/let_bits");
        /// An optional attribute is refused in a format outside an optional group.
        OptionalAttributesInGroups, shown_by("release/format_optional");
        /// Custom directives of a format access properties by the name of the operation's class.
        QualifiedProperties, shown_by("release/format");
        /// Successors are verified through their getters.
        SuccessorsByGetter, shown_by("release/operation");
        /// The functions that write attributes and types to bytecode return whether they succeeded.
        BytecodeWritersReport, shown_by("release/bytecode");
        /// Documents of operations, attributes, types and enums are parts of a dialect's document.
        DocumentsOfOneDialect, shown_by("release/documents");
        /// `params` and `struct(params)` of a definition without parameters print no list.
        EmptyListsPrintNothing, shown_by("release/definition_conditions");
        /// Attributes and types may have conditions on their parameters as traits.
        PredicateTraits, shown_by("release/definition_conditions");
        /// Arguments of interfaces' methods must have a type each, even if no C++ is generated for them.
        ArgumentTypesOfMethods, shown_by("release/method_arguments");
        /// Documents show the cases of an enum that is a parameter.
        SyntaxListsCases, shown_by("release/documents");
        /// A `!cond` or `!foldl` of type bit is its own bit, rather than having one that is written with `{0}`.
        ChoicesAsBits in evaluation, shown_by("release/choices_as_bits");
    }
    V22 {
        /// A shift by too many bits is an error, rather than a shift by the remainder of a division by 64.
        BoundedShifts in evaluation, shown_by("release/shifts");
        /// A namespace is one `namespace a::b {` with blank lines inside, rather than one line for each name between
        /// colons.
        JoinedNamespaces, shown_by("release/dialect");
        /// A bit enum has `|=`, `&=` and `^=`.
        CompoundBitOperators, shown_by("release/enums");
        /// All interfaces are declared before one is defined, and their traits come after all of them.
        InterfacesDeclaredFirst, shown_by("release/interfaces");
        /// Methods of an interface that have one name are numbered in the concept and the models.
        NumberedOverloads, shown_by("release/interfaces");
        /// `create` forwards its arguments to `build`, rather than copying them.
        ForwardedArguments, shown_by("release/op_classes");
        /// The verifier of an adaptor checks properties.
        AdaptorChecksProperties, shown_by("release/op_classes");
        /// Classes of operations inherit the methods of interfaces that have a default.
        InheritedInterfaceMethods, shown_by("release/op_classes");
        /// Functions that check constraints are in the global namespace, rather than that of the first operation.
        GlobalConstraintFunctions, shown_by("release/op_classes");
        /// Lengths of segments are added up by `llvm::accumulate`.
        AccumulatedRuns, shown_by("release/op_classes");
        /// `getChecked` of attributes and types moves its parameters.
        MovedCheckedParameters, shown_by("release/attributes_types");
        /// A builder of attributes and types whose calls another one accepts is an error, rather than left out.
        RefusedShadowedBuilders, shown_by("release/shadowed_builder");
        /// Texts of passes are trimmed raw string literals, which may contain quotes.
        RawPassTexts, shown_by("release/passes");
        /// Passes are registered one by one, each if its macro is defined.
        SinglePassRegistrations, shown_by("release/passes");
        /// The base classes of all passes at once, long deprecated, are an error.
        RefusedPassClasses, shown_by("release/passes");
        /// Comments on the origin of patterns contain the file name, rather than its whole path.
        ShortOrigins, shown_by("release/rewriters_place");
        /// Generated code calls `X::create(builder, …)`, rather than `builder.create<X>(…)`.
        StaticCreateCalls, shown_by("release/rewriters");
        /// `__init__` in Python accepts `results` if they can be inferred, rather than always inferring them.
        PythonResultsArgument, shown_by("release/python");
        /// Properties and functions in Python have return types.
        PythonTypes, shown_by("release/python");
        /// A class in Python has the operation's description.
        PythonDescriptions, shown_by("release/python");
        /// The text in `{{…}}` in the summary of a constraint is C++ for a value of the message.
        InterpolatedSummaries, shown_by("release/summaries");
        /// A minus sign alone is a literal of formats.
        MinusLiteral, shown_by("release/minus_literal");
        /// Inference from a property is refused, and so is inference from an attribute whose position the tool does not
        /// find.
        CheckedInferenceSources, shown_by("release/inference_sources");
        /// A string field that is `?` is reported as holding no string, rather than as missing.
        UnsetStringFields in evaluation, shown_by("release/unset_strings");
        /// Overloaded types of LLVM's intrinsics have names, rather than numbers.
        NamedOverloads, shown_by("release/intrinsics");
        /// `!getdagopname` and `!setdagopname` get and set the name of a dag's operator.
        DagOperatorNames in evaluation, shown_by("release/dag_operator_names");
        /// `!getop` and `!setop` are no longer names of `!getdagop` and `!setdagop`.
        LongDagOperators in evaluation, shown_by("release/short_dag_operators");
        /// There are interfaces of dialects, `gen-dialect-interface-decls`.
        DialectInterfaces, shown_by("release/dialect_interfaces");
        /// Patterns check that operands of one name are equal before they check constraints.
        EqualityFirst, shown_by("release/pattern_equality");
        /// Joined dags keep the name of their operator.
        JoinedDagNames in evaluation, shown_by("release/dag_names");
    }
    V21 {
        /// Values of a directive's clause may have spellings, by version.
        DirectiveSpellings, shown_by("release/directive_spellings");
        /// Formats store attributes as properties if the operation has any, whatever its dialect chooses.
        StoredInProperties, shown_by("release/old_formats");
        /// `prop-dict` has no effect without properties.
        DictionaryNeedsProperties, shown_by("release/old_formats");
        /// `prop-dict` omits the lengths of parsed groups.
        ElidedSegments, shown_by("release/old_formats");
        /// Custom directives may be inside `struct`.
        CustomInStructs, shown_by("release/old_format_errors");
        /// A builder without a body whose calls another one accepts is an error, rather than left out.
        RefusedSuperfluousBuilders, shown_by("release/old_classes");
        /// Parts of documents have blank lines around them, all summaries are in italics, and table rows end with a bar.
        SpacedDocuments, shown_by("release/documents_layout");
        /// Patterns read and set attributes that are properties as such.
        PropertiesInPatterns, shown_by("release/pattern_attributes");
        /// Source patterns match properties, which were an error.
        PropertiesInSourcePatterns, shown_by("release/pattern_properties");
        /// Parameters to which a custom directive only refers may decide on an optional group as well.
        ReferencesDecide, shown_by("release/definition_groups");
        /// Passes take their options by value, and move them.
        OwnedOptions, shown_by("release/pass_options");
        /// An enum declares the width of its integers, rather than having that of its C++ type.
        WidthsOfEnums, shown_by("release/python_enums");
        /// Python accepts only values as operands, rather than operations with one result as well.
        PythonOperandsAreValues, shown_by("release/python_values");
        /// Functions of Python have a different name from the class.
        PythonFunctionsNotClasses, shown_by("release/python_values");
        /// The constructor function of a storage that is written by hand is only declared, rather than empty.
        ConstructionDeclared, shown_by("release/storages");
        /// Functions of Python get the results by an operation's property, rather than by a helper.
        PythonResultProperties, shown_by("release/python_values");
        /// Python finds equally sized variadic values with the number of the others.
        PythonCountsFixedValues, shown_by("release/python_values");
        /// `gen-attr-constraint-decls` and the like, `gen-openmp-clause-ops` and `gen-tosa-avail-impls`.
        ConstraintGenerators, shown_by("release/conversions");
        /// Messages of the lexer begin in lower case.
        LowerCaseMessages in evaluation, shown_by("release/lexer_messages");
        /// After a counted error, no output is generated; in earlier releases, generators continue and their output is
        /// printed.
        NothingAfterErrors, shown_by("release/after_errors");
        /// `!initialized`, `!instances`, `!listflatten` and `!match`.
        InstancesAndMatch in evaluation, shown_by("release/instances_and_match");
        /// A class may be among the superclasses several times.
        RepeatedSuperclasses in evaluation, shown_by("release/repeated_superclasses");
        /// An argument of a wrong type is an error at the argument, after which parsing continues.
        ArgumentErrorsInPlace in evaluation, shown_by("release/argument_errors");
        /// The position of records that an instance creates is the instance, rather than its class.
        InstancesInPlace in evaluation, shown_by("release/instance_places");
        /// A list of types may be the operator of a dag.
        ListsAsDagOperators in evaluation, shown_by("release/dag_operator_lists");
        /// The name of a dag's operator is printed after `:$`, rather than after `:`.
        DollarOfDagOperators in evaluation, shown_by("release/dag_operators");
        /// `!isa` stays unresolved for a record that may turn out to be of any class, rather than of a class derived from
        /// its own.
        IsaOfAnyClass in evaluation, shown_by("release/isa");
        /// `!and` and `!or` ignore an operand that no longer matters.
        DecidedOperands in evaluation, shown_by("release/decided_operands");
        /// The values of a `!cond` that is a template argument's default may depend on other arguments.
        CondAsDefault in evaluation, shown_by("release/cond_default");
        /// A failed assertion reports its message in one line, and then the record.
        AssertionsInRecords in evaluation, shown_by("release/assertions");
        /// The number of bits that do not fit a field has no quotation mark after it.
        UnquotedBitLengths in evaluation, shown_by("release/let_errors");
        /// A field that a `let` does not find is an error at its name, rather than at the value.
        LetErrorsAtName in evaluation, shown_by("release/let_errors");
        /// Operations without attributes have the empty properties, rather than none.
        EmptyProperties, shown_by("release/classes");
        /// Each builder has a `create` for it.
        CreateFunctions, shown_by("release/classes");
        /// Builders may take all properties at once.
        PropertiesBuilders, shown_by("release/classes");
        /// Classes of operations have the positions of their operands as constants.
        OperandIndices, shown_by("release/classes");
        /// Adaptors are made from the base class of another one.
        AdaptorsFromBase, shown_by("release/classes");
        /// Classes have the summary and description as a comment.
        ClassComments, shown_by("release/classes");
        /// A value of any type has a typed getter, rather than only values of some class of types.
        TypedValuesOfAnyType, shown_by("release/classes");
        /// Builders give stored attributes default values if another attribute determines which builder is called.
        DistinguishedForms, shown_by("release/classes");
        /// Without a format, properties are set from the parsed dictionary, rather than only if a format has `prop-dict`.
        ParsedProperties, shown_by("release/classes");
        /// Properties without code for a hash use the `hash_value` of their type's namespace.
        HashesOfProperties, shown_by("release/classes");
        /// Removing an attribute from the properties returns it.
        RemovedAttributes, shown_by("release/classes");
        /// Functions that check constraints are numbered from one, rather than zero.
        ConstraintsFromOne, shown_by("release/classes");
        /// The conversion of a property to an attribute is a statement, rather than an expression.
        ConvertingStatements, shown_by("release/classes");
        /// Operations and adaptors have getters and setters of properties.
        PropertyAccessors, shown_by("release/classes");
        /// Builders take properties.
        PropertyParameters, shown_by("release/classes");
        /// Properties have code for formats, and for their value in the storage.
        PropertiesInFormats, shown_by("release/missing_fields");
        /// The condition of an optional group or clause compares with the default value in any case.
        AnchorsNotDefault, shown_by("release/op_formats");
        /// The inference of types checks that the operands it reads are present.
        InferenceCountsOperands, shown_by("release/operation");
        /// Result types from an attribute are added after the search for it, not in the loop.
        TypesAfterSearch, shown_by("release/op_formats");
        /// Properties that are parsed as a dictionary must not have unknown keys.
        UnknownKeysRefused, shown_by("release/op_formats");
        /// Enums have a parser of optional values, and their parsers list the cases in messages.
        OptionalEnumParsers, shown_by("release/enum_parsers");
        /// Attributes and types verify the constraints of their parameters, in a function that calls the users' `verify`.
        VerifiedParameters, shown_by("release/verifiers");
        /// The body of an interface's method that consists of white space counts as none.
        TrimmedMethodBodies, shown_by("release/method_bodies");
        /// The comment of an interface's method is preceded by a blank line.
        BlankBeforeMethods, shown_by("release/method_comments");
        /// A parameter that is an `APInt` needs a comparator of its own.
        RawApintRefused, shown_by("release/raw_apint");
        /// Attributes and types may request their mnemonics as aliases.
        MnemonicAliases, shown_by("release/missing_fields");
        /// Custom directives of operations may refer to regions and successors.
        ReferencesToRegions, shown_by("release/region_references");
        /// Placeholders in default values are filled in builders, getters and formats.
        FilledDefaults, shown_by("release/builder_defaults");
        /// Clauses of OpenMP have a required and an optional format, rather than one.
        RequiredClauseFormats, shown_by("release/openmp");
        /// An optional operand in the result of a pattern is its value or none, rather than a range.
        OptionalInPatterns, shown_by("release/pattern_operands");
        /// Patterns find an argument in `either` by its position among the arguments, rather than the operands.
        ArgumentsInEither, shown_by("release/pattern_either");
        /// A condition without parts, such as `And<[]>`, is dropped from the enclosing condition, or decides it.
        FoldedConditions, shown_by("release/empty_conditions");
        /// Dags that are changed part by part keep the name of their operator.
        DagNamesKept in evaluation, shown_by("release/dag_names");
        /// Enums must have a summary, rather than use the name of the record for an unset one.
        EnumSummaries, shown_by("release/enum_summaries");
        /// A macro from the command line must have a name that a directive can use.
        MacroNamesChecked, shown_by("release/macro_names");
    }
    V19 {
        /// Effects apply to operands and results, rather than their values.
        EffectsOnOperands, shown_by("release/old_classes");
        /// Short members of operations and adaptors are defined in the class, rather than after it.
        InlineAccessors, shown_by("release/old_classes");
        /// Adaptors take an operation's parts; there is a separate constructor without properties.
        AdaptorsOfParts, shown_by("release/old_classes");
        /// The attribute from which properties are set need not contain all of them.
        MissingPropertiesAllowed, shown_by("release/old_classes");
        /// Setters of attributes that are properties set these directly, rather than through the operation.
        SettersSetProperties, shown_by("release/old_classes");
        /// Builders that take a list of attributes set the properties from them.
        BuildersSetProperties, shown_by("release/old_classes");
        /// `prop-dict` omits default values, and properties that the format mentions elsewhere.
        ElidedProperties, shown_by("release/old_formats");
        /// Forward declarations of operations are in no macro, and their classes have no banner.
        BareForwardDeclarations, shown_by("release/old_classes");
        /// `gen-enum-doc`, `verify-openmp-ops` and `--op-shard-count`.
        EnumDocuments, shown_by("release/documents_layout");
        /// LLVM's operations find the rounding mode and the behaviour of exceptions among the operands of an intrinsic.
        ConstrainedMathAttributes, shown_by("release/llvmir_keywords");
        /// Dialects have helpers for their discardable attributes.
        DiscardableAttributes, shown_by("release/dialect_helpers");
        /// Classes of attributes and types have the name of their dialect as a constant.
        DialectNames, shown_by("release/storages");
        /// Dialects of parameters are loaded before these are parsed.
        DialectsOfParametersLoaded, shown_by("release/storages");
        /// Base classes of passes cannot be assigned or moved.
        PassesNotAssigned, shown_by("release/pass_options");
        /// `deftype`.
        Deftype in evaluation, shown_by("release/deftype");
        /// An operation for a variadic operand is refused in patterns.
        SingleForVariadicRefused, shown_by("release/pattern_single");
        /// `variadic` may be used in result patterns as well.
        VariadicInResults, shown_by("release/pattern_variadic");
    }
    V18 {
        /// `#ifndef` may be among skipped lines.
        IfndefLeftOut in evaluation, shown_by("release/ifndef_left_out");
        /// Effects have a stage, and a flag for full regions.
        EffectStages, shown_by("release/old_classes");
        /// Builders give attributes in stored form a default value.
        NullDefaults, shown_by("release/old_classes");
        /// Default values go into the properties of an operation that has any, whatever its dialect chooses.
        DefaultsOfProperties, shown_by("release/old_classes");
        /// A clause of `oilist` is not printed if its attributes have their defaults.
        ClausesNotDefault, shown_by("release/old_formats");
        /// `oilist` prints no blank of its own.
        NoBlankBeforeOilist, shown_by("release/old_formats");
        /// Custom directives may decide whether an optional group is present.
        CustomAnchors, shown_by("release/old_format_errors");
        /// `prop-dict` may be a parameter of a custom directive.
        PropDictAsParameter, shown_by("release/old_format_errors");
        /// The comment at the top of most C++ files names the root file.
        HeadersNameSource, shown_by("release/old_classes");
        /// Generic adaptors are made from an operation as well.
        AdaptorsOfOperations, shown_by("release/old_classes");
        /// Names of attributes are looked up in registered operations only.
        RegisteredNamesOnly, shown_by("release/old_classes");
        /// Setters of properties call a function for an error, rather than looking for a diagnostic.
        ErrorsByFunction, shown_by("release/old_classes");
        /// A single operand is changed through its value, rather than a range.
        SingleMutableOperands, shown_by("release/old_classes");
        /// Old bytecode has the lengths of groups among the attributes, rather than in place of new ones.
        SegmentsAmongAttributes, shown_by("release/old_classes");
        /// The parser of a custom directive stores the result of its function in a variable.
        CustomResults, shown_by("release/old_formats");
        /// Names of traits, interfaces and effects are in backquotes in documents.
        QuotedTraits, shown_by("release/documents_layout");
        /// Attributes are an HTML table in documents, which may have features of Hugo.
        HtmlAttributeTables, shown_by("release/documents_layout");
        /// Summaries are trimmed before the first letter is capitalized.
        TrimmedSummaries, shown_by("release/documents_layout");
        /// Headings of a dialect's parts are in the plural, `Operations` rather than `Operation definition`.
        PluralHeadings, shown_by("release/documents_layout");
        /// Attributes and types are in the order in which they were defined, rather than by name.
        DefinitionsInOrder, shown_by("release/storages");
        /// Classes of attributes and types have their names as constants.
        NamedDefinitions, shown_by("release/storages");
        /// Parameters are moved into the storage of attributes and types, rather than copied.
        MovedParameters, shown_by("release/storages");
        /// Dependent dialects of a dialect or pass take one line each, without blank lines between.
        DependenciesInLines, shown_by("release/dialect_helpers");
        /// The `classof` of an interface has an instance of the interface, rather than the tested object.
        ClassOfInstances, shown_by("release/interface_bases");
        /// Readers of bytecode return any attribute or type, rather than the class that they read.
        ReadersOfAnyClass, shown_by("release/bytecode_readers");
        /// Several capital letters in a row are one word of a name in snake case.
        AcronymsAsWords, shown_by("release/enum_names");
        /// An interface that is a base in several ways appears only once.
        BasesOnce, shown_by("release/interface_bases");
        /// Patterns have supplemental results, in addition to the replacement.
        SupplementalPatterns, shown_by("release/pattern_supplements");
        /// Patterns give the number of values of each variadic operand of a new operation.
        SegmentSizesInPatterns, shown_by("release/pattern_attributes");
        /// Types that are attributes are processed where SPIR-V is written, rather than only found.
        SpirvTypesProcessed, shown_by("release/spirv_matrices");
        /// Layouts and uses of cooperative matrices are constants of SPIR-V, rather than numbers.
        SpirvMatrixConstants, shown_by("release/spirv_matrices");
        /// Python has `__init__` for operations without default builders as well.
        PythonAlwaysInitializes, shown_by("release/python_values");
        /// Python has a function for each operation that builds one, rather than extensions of its class by hand.
        PythonFunctions, shown_by("release/python_values");
        /// Constants of Python, `async` and `await` are reserved.
        PythonConstantsReserved, shown_by("release/python_values");
        /// `dump`, and `!repr`.
        DumpAndRepr in evaluation, shown_by("release/dump");
        /// `!range` has a step, and is refused for a list that does not fit only once the list is known.
        RangeSteps in evaluation, shown_by("release/range");
        /// Numbers of more than 64 bits are an error, rather than the greatest or least one.
        NumbersInRange in evaluation, shown_by("release/numbers");
        /// `gen-python-enum-bindings`.
        PythonEnums, shown_by("release/python_types");
        /// Patterns look up an argument in `either` by its position among the operands, and do not find it after an
        /// attribute.
        OperandsInEither, shown_by("release/pattern_either");
        /// Patterns match each operation in `either` in a scope of its own.
        ScopesInEither, shown_by("release/pattern_either_scopes");
    }
    V17 {
        /// Messages on arguments of a wrong type do not count them.
        ArgumentsWithoutNumber in evaluation, shown_by("release/older_arguments");
        /// Values are converted by functions, rather than members of their classes.
        CastFunctions, shown_by("release/plain_classes");
        /// Inherent attributes may be stored as properties, if the dialect says so.
        Properties, shown_by("release/plain_classes");
        /// An attribute that a result type follows from may be missing.
        CheckedInference, shown_by("release/plain_classes");
        /// Attributes are checked without their operation as well.
        AttributesWithoutOperation, shown_by("release/plain_classes");
        /// `gen-bytecode`, and an option for all analyses of aliases rather than for scopes.
        BytecodeAndTbaa, shown_by("release/alias_scopes");
        /// Folders get an adaptor, whatever the dialect chooses.
        FoldAdaptors, shown_by("release/folders");
        /// Operations may be in groups of a document.
        DocumentGroups, shown_by("release/plain_documents");
        /// Summaries are in italics in documents, and names of classes without MLIR's namespace.
        ItalicSummaries, shown_by("release/plain_documents");
        /// Enums of LLVM may have enumerators without a counterpart in MLIR.
        UnsupportedEnumerants, shown_by("release/llvm_enums");
        /// Definitions are in the order of their names with numbers by value: `F8` before `F16`.
        NaturalOrder in evaluation, shown_by("release/name_order");
        /// Python needs no class of MLIR's library for attributes, and has properties for all of them.
        PythonWithoutAttributes, shown_by("release/python_attributes");
        /// For inferable result types, the base class in Python calls the inference.
        PythonInfersInBase, shown_by("release/python_inits");
        /// Maps of strings, whose order is visible in some outputs, use another hash.
        StrongHashes, shown_by("release/plain_classes");
        /// Storages of attributes and types that the user defines are not declared.
        OwnStoragesUndeclared, shown_by("release/plain_storages");
        /// Interfaces of operations are in the order in which they were defined, rather than by name.
        InterfacesInOrder, shown_by("release/name_order");
        /// The condition for an attribute that decides on an optional group uses its getter.
        AnchorsByGetter, shown_by("release/plain_formats");
        /// `!range`, `!tolower`, `!toupper`, and the operators on arguments of dags and their names.
        RangesAndDagParts in evaluation, shown_by("release/range_and_dag_parts");
        /// Outside of records, `!cast` finds a record at once.
        CastsOutsideRecords in evaluation, shown_by("release/casts_outside_records");
        /// A name refers to the innermost scope, and a variable and a field of one body have different names; in earlier
        /// releases, names of fields and arguments come first, then variables, then those of loops.
        NestedScopes in evaluation, shown_by("release/scopes");
        /// Arguments of classes may be given by name; indices of lists may be any values, and `defvar` uses fields.
        NamedArguments in evaluation, shown_by("release/named_arguments");
        /// A line of code with only a carriage return and blanks does not count for the shared indentation.
        CarriageReturnsAreBlank, shown_by("release/carriage_returns");
        /// Conversions from LLVM match floating-point attributes and labels.
        FloatsAndLabelsMatched, shown_by("release/llvm_matches");
        /// The list of a loop that depends on nothing else may be resolved at the end.
        LoopsDecidedAtEnd in evaluation, shown_by("release/loop_lists");
        /// A variable that is defined by the one statement after `let … in` is known after it.
        LetSharesVariables in evaluation, shown_by("release/let_variables");
        /// Parameters of attributes and types need a C++ type; releases before leave it empty or crash.
        ParameterTypesNeeded, shown_by("release/untyped_parameters");
    }
    V16 {
        /// A region may not follow the dictionary of attributes.
        AmbiguousRegions, shown_by("release/ambiguous_region");
        /// Enums are written even if the class of enums does not exist.
        EnumsWithoutClass, shown_by("release/older_passes");
        /// Parameters with a default value are optional, rather than those with the field `isOptional`.
        OptionalByDefault, shown_by("release/older_directives");
        /// Custom directives of attributes and types are set off by blanks, get parsed values unchanged, and may decide on
        /// a group.
        SpacedCustomDirectives, shown_by("release/older_directives");
        /// The type of an attribute is a parameter of its storage like others, rather than held by the base class.
        SelfTypesAsParameters, shown_by("release/older_definitions");
        /// A field of operations decides whether their requirements of SPIR-V versions are generated.
        AvailabilityChoice, shown_by("release/older_spirv");
        /// Attributes of SPIR-V that hold an enum are attributes of their own, rather than integers.
        SpirvEnumAttributes, shown_by("release/older_spirv");
        /// Dialects without definitions have a document as well.
        EmptyDialectDocuments, shown_by("release/older_documents");
        /// Operators of bit enums are constants, and there are more of them; valid bits are one number.
        ConstantBitOperators, shown_by("release/older_enums");
        /// A document is about one dialect, rather than all dialects of its name.
        DialectsByRecord, shown_by("release/dialects_of_one_name");
        /// Errors of conversions to LLVM have the position of the operation.
        LlvmErrorsInPlace, shown_by("release/bare_errors");
        /// A deprecated def is used wherever a field reaches it, not only as a value or in a list.
        DeprecatedParts, shown_by("release/deprecated_defs");
        /// Dialects choose whether folders get raw attributes or an adaptor.
        FoldChoice, shown_by("release/folders");
        /// Passes have macros for their declarations and definitions, rather than one for all classes.
        PassParts, shown_by("release/pass_parts");
        /// Only interfaces that the root file itself defines are written.
        OwnInterfacesOnly, shown_by("release/plain_interfaces");
        /// Descriptions are comments in the C++ of interfaces, whose models follow all of them.
        CommentedInterfaces, shown_by("release/plain_interfaces");
        /// The `::` at the front is removed from an interface's qualified name, rather than from its namespace.
        StrippedNames, shown_by("release/single_colons");
        /// Interfaces may derive from others.
        InterfaceBases, shown_by("release/plain_interfaces");
        /// Formats of attributes and types may contain enums, by a parser and printer of each enum.
        EnumsInFormats, shown_by("release/plain_enums");
        /// Storages of attributes and types return the key that they were built from.
        StorageKeys, shown_by("release/plain_storages");
        /// Accessors begin with `get` and `set`, whatever the dialect chooses.
        PrefixedAccessors, shown_by("release/accessor_names");
        /// Adaptors are templates for operands of any kind.
        GenericAdaptors, shown_by("release/plain_adaptors");
        /// Getters of values name the type.
        TypedValues, shown_by("release/plain_adaptors");
        /// Attributes have setters by value.
        ValueSetters, shown_by("release/plain_adaptors");
        /// Lengths of groups are an array, rather than elements of a vector.
        SegmentsAsArrays, shown_by("release/plain_adaptors");
        /// Builders set the lengths of groups of results.
        ResultSegmentsInBuilders, shown_by("release/plain_adaptors");
        /// Builders indent the code for an attribute that is present.
        IndentedAssignments, shown_by("release/plain_adaptors");
        /// Getters assume that attributes with a default value are present, unless these are optional.
        DefaultsAreSet, shown_by("release/plain_adaptors");
        /// Functions that remove attributes have names in camel case throughout.
        RemoversInCamelCase, shown_by("release/plain_adaptors");
        /// Conditions access attributes by their getters, rather than in the dictionary.
        AttributesByGetter, shown_by("release/plain_adaptors");
        /// Operations with regions have builders without result types, too.
        InferenceWithRegions, shown_by("release/plain_adaptors");
        /// Result types follow from other types through C++, rather than only if they are equal.
        InferenceByTransformers, shown_by("release/plain_adaptors");
        /// Dictionaries are printed without attributes that have their default value.
        ElidedDefaults, shown_by("release/unindented_formats");
        /// The printer of an optional group's elements is indented.
        IndentedGroups, shown_by("release/unindented_formats");
        /// The elements of an optional group's second branch are parsed as required, rather than as declared.
        RequiredOtherwise, shown_by("release/unindented_formats");
        /// Operands with a single known type are resolved with their location.
        PlacesOfOperands, shown_by("release/unindented_formats");
        /// An enum in an optional group is parsed as required, unless the group begins with it.
        RequiredCases, shown_by("release/unindented_formats");
        /// An attribute with a default value may decide on an optional group, like an optional one.
        AnchorsWithDefaults, shown_by("release/old_anchors");
        /// Formats use the one type of another value for results and all operands, rather than the list with it.
        SingleKnownTypes, shown_by("release/unindented_formats");
        /// Default values of optional attributes are not set then, and need no C++ that builds them.
        OptionalNotPopulated, shown_by("release/optional_defaults");
        /// Directives take texts, a second branch may have the anchor, and `...` is a literal.
        TextsInFormats, shown_by("release/format_errors");
        /// Names of attributes are looked up in any operation, rather than registered ones.
        NamesOfAnyOperation, shown_by("release/plain_adaptors");
        /// `__init__` in Python builds attributes from other values, by functions that are registered under the attributes'
        /// names.
        PythonAttributeBuilders, shown_by("release/python_inits");
        /// `!div`, `!logtwo` and `!listremove`.
        DivisionAndRemoval in evaluation, shown_by("release/division_and_removal");
        /// Messages point at the name of a def, rather than at `def`.
        DefsAtNames in evaluation, shown_by("release/division_and_removal");
        /// The position of a template argument with a default is its name, rather than the default.
        DefaultsKeepPlace in evaluation, shown_by("release/unused_defaults");
        /// Traits that make types equal do so for operands and results without a name as well.
        UnnamedTypesKnown, shown_by("release/unnamed_types");
        /// Methods of interfaces that attributes and types declare do not start a section of the class.
        DeclaredMethodsUnlabelled, shown_by("release/declared_methods");
        /// Placeholders in default values of missing attributes are filled.
        AddedDefaultsFilled, shown_by("release/added_defaults");
        /// An unknown name in a conversion to LLVM is an error at the operation, with another text.
        PlacedLlvmErrors, shown_by("release/llvm_names");
        /// Conversions to LLVM look up several values for a variadic operand, rather than for a last operand of variable
        /// length.
        LookupsByLength, shown_by("release/lookups");
    }
    V15 {
        /// The check for a `:` that may follow an attribute also covers groups and absent elements; it accepts an attribute
        /// that is parsed without its type.
        AmbiguityInGroups, shown_by("release/format_ambiguity");
        /// Cases of enums of directives have a symbol in addition to their text.
        DirectiveSymbols, shown_by("release/older_directive_symbols");
        /// Accessors of parameters are in camel case, rather than only capitalized.
        CamelCaseAccessors, shown_by("release/older_definitions");
        /// Constructors of dialects are defined after their class.
        DialectConstructorsDefined, shown_by("release/older_dialects");
        /// Only the dialect's fields decide on its hooks for attributes and types, whether it defines any or not.
        DialectHooksAsSaid, shown_by("release/older_dialects");
        /// Enums of MLIR may be integers in LLVM.
        IntegerLlvmEnums, shown_by("release/older_llvm_enums");
        /// A document is about one dialect, which may be any with a definition.
        OneDialectDocuments, shown_by("release/older_documents");
        /// Texts of parameters that are built from unset ones count as unset.
        ParameterTexts, shown_by("release/parameter_texts");
        /// Base classes of passes declare their type id.
        PassTypeIds, shown_by("release/older_passes");
        /// External models of interfaces name the class that they are for.
        ConcreteEntities, shown_by("release/older_interfaces");
        /// Printing of bit names takes one line per name, and blanks around separators do not count.
        BitNamesInLines, shown_by("release/older_enums");
        /// Parsers of any attribute or type have a switch for keywords, which reads the keyword itself.
        KeywordSwitches, shown_by("release/older_definitions");
        /// Dialects may be extended at run time.
        ExtensibleDialects, shown_by("release/older_fields");
        /// Interfaces have a field of their own for the name of their class, rather than that of constraints.
        InterfaceNames, shown_by("release/older_fields");
        /// Verifiers of interfaces have a flag for looking at regions.
        RegionVerifiers, shown_by("release/region_verifiers");
        /// Attributes and types have a flag for a format in C++, and code that is defined after the class.
        CustomDefinitions, shown_by("release/older_fields");
        /// Bit enums may print groups in place of their bits.
        PrimaryGroups, shown_by("release/older_fields");
        /// All dialects are read before one of them is selected.
        DialectsReadFirst, shown_by("release/bare_errors");
        /// Uses of deprecated defs cause a warning, and Python bindings may extend those of another dialect.
        DeprecatedDefs, shown_by("release/deprecated_defs");
        /// Attributes of enums hold a case as a number, never as its text.
        EnumsAsNumbers, shown_by("release/text_enums");
        /// The type of a result that is used several times is kept in a variable.
        InferredTypeVariables, shown_by("release/plain_hooks");
        /// Result types follow from attributes as well.
        AttributesInInference, shown_by("release/plain_hooks");
        /// Result types follow from operands of the same type.
        SameTypesInferred, shown_by("release/plain_hooks");
        /// Operations have flags for a parser, printer and verifier of their own, rather than fields with the code.
        HooksAsFlags, shown_by("release/plain_hooks");
        /// Attributes are looked up in the sorted dictionary, where required ones bound the positions of the others.
        SortedLookups, shown_by("release/plain_hooks");
        /// Default values of attributes are set when an operation is created.
        DefaultsPopulated, shown_by("release/plain_hooks");
        /// Traits may require others before them.
        TraitDependencies, shown_by("release/trait_dependencies");
        /// Traits are named `ZeroRegions`, `ZeroResults` and `ZeroSuccessors`, rather than `ZeroRegion` and so on.
        ZeroInPlural, shown_by("release/plain_hooks");
        /// Operations without results may have an accessor `getType`.
        TypeGetterWithoutResults, shown_by("release/plain_hooks");
        /// Formats have `oilist`.
        OiLists, shown_by("release/format_errors");
        /// `__init__` in Python takes optional arguments by name.
        PythonKeywords, shown_by("release/python_inits");
        /// `!exists`.
        Exists in evaluation, shown_by("release/exists");
        /// The position of a class is its definition, rather than its first declaration.
        ClassesAtDefinition in evaluation, shown_by("release/class_places");
        /// Default values of several lines are indented in adaptors.
        AdaptorDefaultsIndented, shown_by("release/adaptor_defaults");
        /// The names of parameters of attributes and types are checked first.
        ParametersNamedFirst, shown_by("release/parameter_names");
        /// Builders that infer result types from all operands take the number of regions, too.
        RegionsOfInferredBuilders, shown_by("release/inferred_runs");
        /// Locations in patterns are those of the values of a name, rather than of the first one in each of its ranges.
        LocationsOfValues, shown_by("release/pattern_locations");
    }
    V14 {
        /// Enums of directives are attributes of a dialect, rather than texts.
        DirectivesOfDialects, shown_by("release/older_directive_texts");
        /// Dialects have a type id of their own.
        DialectTypeIds, shown_by("release/older_dialects");
        /// Descriptions lose the indentation that all lines share, rather than that of the first line.
        SharedIndentation, shown_by("release/older_documents");
        /// Requirements name the namespace of their interfaces.
        AvailabilityNamespaces, shown_by("release/older_spirv");
        /// Intrinsics have information on aliases.
        AliasScopes, shown_by("release/intrinsics_of_llvm");
        /// Traits, interfaces and effects of operations are documented.
        DocumentedTraits, shown_by("release/older_documents");
        /// Classes of attributes and types are laid out as those of operations.
        DefinitionClasses, shown_by("release/older_definitions");
        /// A template argument of a base class is written once, even if a trait or a storage has the name of the class.
        ArgumentsOnce, shown_by("release/repeated_names");
        /// Bit enums declare which bits are valid, rather than all bits of their cases.
        ValidBits, shown_by("release/older_fields");
        /// Dialects declare whether they have printers and parsers of their attributes and types.
        DefaultDialectParsers, shown_by("release/older_dialects");
        /// Interfaces have code that is written into both the class and the trait.
        SharedInterfaceCode, shown_by("release/older_fields");
        /// Patterns quote a case that an attribute holds as its text.
        QuotedCases, shown_by("release/text_enums");
        /// Dialects choose whether accessors begin with `get` and `set`.
        AccessorChoice, shown_by("release/accessor_names");
        /// Classes of operations have blank lines only around members with a body, and no longer the oddities of the oldest
        /// releases: lines in place of missing definitions, quotes around default values of strings, extra blanks.
        SpacedMembers, shown_by("release/dense_classes");
        /// Operations have type ids.
        TypeIdsOfOperations, shown_by("release/dense_classes");
        /// Adaptors have getters of values, besides those of attributes.
        ValuesInAdaptors, shown_by("release/dense_classes");
        /// Attributes are cast without `template`.
        PlainCasts, shown_by("release/dense_classes");
        /// Lengths of groups may be one value for all.
        SplatSegments, shown_by("release/dense_classes");
        /// Functions check constraints of attributes, regions and successors as well; operations check their attributes.
        SharedConstraints, shown_by("release/dense_classes");
        /// Names of operations are printed by the library, rather than by formats.
        PrintedNames, shown_by("release/dense_formats");
        /// Formats leave out the dialects and mnemonics of attributes and types whose class is known.
        OwnSyntax, shown_by("release/dense_formats");
        /// The printer of each region in a list with an implied terminator begins with an empty line, rather than one of
        /// blanks.
        EmptyLineBeforeRegions, shown_by("release/dense_formats");
        /// Custom builders replace generated ones, and are refused if an earlier builder accepts all their calls.
        CustomBuildersCount, shown_by("release/custom_builders");
        /// Traits look attributes up by the accessor of the name, and give results the type of the operand that they name,
        /// rather than of the first one.
        NamesInTraits, shown_by("release/trait_attributes");
        /// Formats of operations have `qualified`, explain mistakes in a literal, and check groups after reading them.
        ExplainedFormats, shown_by("release/format_errors");
        /// Duplicate names in an operation are errors: of operands, results, regions and successors, and of `getEffects`.
        DistinctNames, shown_by("release/distinct_names");
        /// Formats add regions, successors and lengths of groups before types and operands.
        RegionsBeforeTypes, shown_by("release/dense_formats");
        /// `__init__` in Python accepts operations as operands, takes successors and the number of regions, and infers
        /// results.
        PythonRegions, shown_by("release/python_inits");
        /// Unused template arguments cause a warning.
        UnusedArguments in evaluation, shown_by("release/unused_arguments");
        /// Operations with regions have builders that infer result types from all operands, too.
        CollectiveInferenceWithRegions, shown_by("release/inferred_regions");
        /// Summaries of constraints are escaped in messages.
        EscapedSummaries, shown_by("release/message_quotes");
        /// A constant attribute in place of an operand is an error of its own, rather than a name that is not bound.
        ConstantOperandsRefused, shown_by("release/pattern_constants");
        /// Constraints in source patterns, and repeated parts, have functions of their own.
        SharedMatchers, shown_by("release/pattern_checks");
        /// Patterns keep the matched operations in a list, and do not count calls of native code as such.
        ListsOfMatchedOps, shown_by("release/pattern_checks");
    }
}
