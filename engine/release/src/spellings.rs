//! Words that releases spell differently, in a group for each release, newest first: words of generated C++, which
//! templates have as holes that callers need not fill, and names of the library's fields and classes.

#![expect(non_upper_case_globals, reason = "words are named as the holes of templates")]

use super::{Release, Rule, Rules};

/// The most spellings of a word that follow its oldest one.
const MOST: usize = 4;

/// The spellings of a word.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    oldest: &'static str,
    /// The later ones with their rules, newest first.
    later: [Option<(Rule, &'static str)>; MOST],
}

/// A word's spelling since a release.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) since: Release,
    pub(crate) word: &'static str,
    pub(crate) text: &'static str,
    /// The rule's name.
    pub(crate) name: &'static str,
    /// The fixture that shows it, below `tests/fixtures/`.
    pub(crate) fixture: &'static str,
}

impl Spelling {
    /// Creates a word that all releases spell alike.
    #[must_use]
    pub const fn of_all(text: &'static str) -> Self {
        Spelling { oldest: text, later: [None; MOST] }
    }

    /// Creates a listed word from its oldest spelling.
    const fn listed(word: &str, oldest: &'static str) -> Self {
        let mut spelling = Spelling::of_all(oldest);
        let (mut row, mut filled) = (0, 0);
        while row < ROWS.len() {
            if is_equal(ROWS[row].word, word) {
                spelling.later[filled] = Some((Rule::of_spelling(row), ROWS[row].text));
                filled += 1;
            }
            row += 1;
        }
        spelling
    }

    /// Returns the spelling by these rules.
    #[must_use]
    pub fn of(self, rules: &Rules) -> &'static str {
        for (rule, text) in self.later.into_iter().map_while(|row| row) {
            if rules.has_rule(rule) {
                return text;
            }
        }
        self.oldest
    }
}

/// Returns the word that fills a hole; nothing for an unknown hole.
#[must_use]
pub fn find(hole: &str) -> Option<Spelling> {
    WORDS.iter().find(|(word, _)| *word == hole).map(|(_, spelling)| *spelling)
}

const fn is_equal(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut index = 0;
    while index < one.len() && index < other.len() && one[index] == other[index] {
        index += 1;
    }
    index == one.len() && index == other.len()
}

/// Lists words by the release that changed their spelling: `hole: old => new, shown_by(fixture)`, or `hole => new,
/// shown_by(fixture)` if an older release has changed it before.
macro_rules! spellings {
    ($($since:ident { $($(#[$doc:meta])* $name:ident $(: $oldest:literal)? => $text:literal, shown_by($fixture:literal);)* })+) => {
        $($(word! { $(#[$doc])* $name $($oldest)? })*)+

        /// All rows, newest first.
        pub(crate) const ROWS: &[Row] = &[$($(Row {
            since: Release::$since,
            word: stringify!($name),
            text: $text,
            name: concat!(stringify!($name), "@", stringify!($since)),
            fixture: $fixture,
        },)*)+];

        const WORDS: &[(&str, Spelling)] = &[$($($(
            (stringify!($name), Spelling::listed(stringify!($name), $oldest)),
        )?)*)+];
    };
}

macro_rules! word {
    ($(#[$doc:meta])* $name:ident $oldest:literal) => {
        $(#[$doc])*
        pub const $name: Spelling = Spelling::listed(stringify!($name), $oldest);
    };
    ($name:ident) => {};
}

spellings! {
    V24 {
        /// The return type of the function that prints an operation by its format.
        print_result: "void" => "LLVM_ATTRIBUTE_MINSIZE void", shown_by("release/format_oilists");
        /// The comment before a call that resolves operands.
        before_resolution: "" => "  // coverity[ARRAY_VS_SINGLETON]\n", shown_by("release/format_oilists");
        /// The opening brace of the keywords of an enum without any that can be parsed.
        no_keywords: "" => "{", shown_by("release/enum_without_keywords");
        /// The text before the value of an optional enum that is printed.
        optional_case: "*" => "*(", shown_by("release/format_enums");
        /// The text after that value.
        optional_case_end: "" => ")", shown_by("release/format_enums");
        /// The context of a printer.
        printer_context: "getContext()" => "(*this)->getContext()", shown_by("release/strict_properties");
        /// All attributes of an operation, inherent ones as well, in the argument of a custom printer.
        attribute_dictionary: "getOperation()->getAttrDictionary()" => "[&]() { ::mlir::NamedAttrList attrs(getOperation()->getRawDictionaryAttrs()); getOperation()->getName().walkInherentAttrs(getOperation(), [&](::llvm::StringRef name, ::mlir::Attribute &attr) { attrs.append(name, attr); }); return attrs.getDictionary(getOperation()->getContext()); }()", shown_by("release/strict_properties");
        /// The context of a printer of properties.
        properties_context: "this->getContext()" => "(*this)->getContext()", shown_by("release/property_lists");
        /// The statement that separates properties from the text before them.
        before_properties: "  _odsPrinter << \" \";\n" => "", shown_by("release/property_lists");
        /// The attributes of an operation that are not inherent, in a printer.
        discardable_attributes: "getDiscardableAttrs()" => "getDiscardableAttrDictionary().getValue()", shown_by("release/strict_properties");
        /// The text between the class and the `&` of properties in builders that infer result types.
        properties_blank: " " => "", shown_by("release/operation_lists");
        /// The kind of attribute in the names of functions that helpers of discardable attributes call.
        Discardable: "" => "Discardable", shown_by("release/dialect");
        /// The attributes of an operation of SPIR-V that are its decorations.
        spirv_decorations: "getAttrs()" => "getDiscardableAttrDictionary().getValue()", shown_by("release/spirv_constants");
    }
    V23 {
        /// The class of the properties of any operation.
        PropertyRef: "::mlir::OpaqueProperties" => "::mlir::PropertyRef", shown_by("release/builder_default_properties");
        /// The predicate that a message requires if several attributes or types in bytecode have one C++ type.
        needed_predicate: "parsing" => "printing", shown_by("release/bytecode_predicates");
        /// The closing mark after the name of a successor in messages.
        SuccessorEnd: ")'" => "')", shown_by("release/older_conditions");
    }
    V22 {
        /// The mark of a function that may be unused, first in its declaration.
        maybe_unused: "" => "[[maybe_unused]] ", shown_by("release/older_llvm_enums");
        /// The mark of such a function, before its return type or name.
        attribute_unused: "LLVM_ATTRIBUTE_UNUSED " => "", shown_by("release/older_llvm_enums");
        /// The end of a part that a macro guards, up to the comment with the macro's name.
        endif: "#endif  //" => "#endif //", shown_by("release/ambiguous_region");
        /// The text between the two parts of an adaptor's message, inside a string literal.
        message_joint: "\"\"" => "", shown_by("release/unset_predicate");
        /// The text between the parts of a message about lengths of groups.
        segments_joint: "" => "\"", shown_by("release/summaries");
        /// The code that writes a new line in the format of an attribute or type.
        print_newline: " << '\\n'" => ".printNewline()", shown_by("release/formats");
        /// A word of the message about separators of bit enums.
        separator: "seperator" => "separator", shown_by("release/bit_enum_parsers");
        /// The suffix of the function that hashes a property.
        hash_suffix: "" => "_", shown_by("release/classes");
        python_result_helper => "", shown_by("release/python_builders");
        /// The statement that excludes generated Python from locations.
        python_traceback_exclusion: "" => "_ods_cext.globals.register_traceback_file_exclusion(__file__)\n", shown_by("release/python_builders");
        /// The import for types of properties.
        python_optional: "" => ", Optional as _Optional", shown_by("release/python_builders");
        /// The text after the comma in a message about a field that is not a string.
        before_field: " ` " => " ", shown_by("release/enum_missing_fields");
        /// The text for that field.
        no_string: "string initializer!" => "string value", shown_by("release/enum_missing_fields");
    }
    V21 {
        /// The field with the C++ class of a type.
        CPP_TYPE: "cppClassName" => "cppType", shown_by("release/inference_sources");
        /// The class of enums.
        ENUM: "EnumAttrInfo" => "EnumInfo", shown_by("release/enum_definitions");
        /// The class of bit enums.
        BIT_ENUM: "BitEnumAttr" => "BitEnumBase", shown_by("release/unset_separators");
        /// The class of cases of a bit enum that are one bit.
        BIT_CASE: "BitEnumAttrCaseBit" => "BitEnumCaseBit", shown_by("release/enum_bit_classes");
        /// The class of cases of a bit enum that are several bits.
        GROUP_CASE: "BitEnumAttrCaseGroup" => "BitEnumCaseGroup", shown_by("release/enum_bit_classes");
        /// The class of the records that a document of enums lists. The older one is the class of attributes that hold
        /// an enum.
        ENUM_IN_DOCUMENTS: "EnumAttr" => "EnumInfo", shown_by("release/documents_of_enums");
        /// The word of the message about a nested dag that is not a call, in the place of a parameter.
        nested_kinds: "attribute" => "attributes and properties", shown_by("release/pattern_nested_parameters");
        /// The text before the type of the parameter for a pass' options.
        options_const: "const " => "", shown_by("release/passes");
        /// The text after that type.
        options_reference: " &" => " ", shown_by("release/passes");
        /// The expression that passes the options of a pass on.
        passed_options: "options" => "std::move(options)", shown_by("release/passes");
        /// The class of a list among the options of a pass.
        options_list: "::llvm::ArrayRef" => "::llvm::SmallVector", shown_by("release/passes");
        /// The function that returns the integer of an enum from its attribute.
        integer_of_enum: "getInt()" => "getValue().getZExtValue()", shown_by("release/enum_definitions");
        /// The text before the type in the parameter of a property's setter.
        setter_const: "const " => "", shown_by("release/builder_default_properties");
        /// The text after that type.
        setter_reference: " &" => " ", shown_by("release/builder_default_properties");
        /// The return type in the declaration of a conversion from an attribute.
        conversion_result: "" => " -> ::mlir::LogicalResult", shown_by("release/format");
        /// The statement that ends a builder whose result types could not be inferred.
        report_inference_failure: "::llvm::report_fatal_error(\"Failed to infer result type(s).\")" => "::mlir::detail::reportFatalInferReturnTypesError(odsState)", shown_by("release/inference_sources");
        /// The indentation of the last line of such a builder.
        inference_end: "" => "        ", shown_by("release/inference_sources");
        /// The text after the parameters of a getter that does not change properties.
        property_getter_const: "" => " const", shown_by("release/builder_default_properties");
        /// The imports of helpers for results, and for operands that may be results.
        python_result_helper: "    get_op_result_or_op_results as _get_op_result_or_op_results,\n    get_op_result_or_value as _get_op_result_or_value,\n" => "    get_op_result_or_op_results as _get_op_result_or_op_results,\n", shown_by("release/python_builders");
        /// The error about the first field of a structure in a format.
        struct_first: "`struct` argument list expected a variable or directive" => "`struct` argument list expected a parameter or directive", shown_by("release/definition_struct_errors");
        /// The error about any other field.
        struct_next: "expected a variable in `struct` argument list" => "expected a parameter or `custom` directive in `struct` argument list", shown_by("release/definition_fields");
        /// The separator of the cases of an enum of directives.
        directive_separator: "," => ", ", shown_by("release/directive_spellings");
        /// The condition that excludes the whole value from its bits in Python.
        python_whole_value: "" => " and self is not case", shown_by("release/python_enums");
        /// The call of the base class' constructor in Python, up to the parts of the operation.
        python_super: "self.build_generic(" => "self.OPERATION_NAME, self._ODS_REGIONS, self._ODS_OPERAND_SEGMENTS, self._ODS_RESULT_SEGMENTS, ", shown_by("release/python_attributes");
        /// The end of that call.
        python_super_end: "))" => ")", shown_by("release/python_attributes");
        /// The places where messages allow regions and successors in formats.
        where_in_formats: "at the top level" => "at the top level or in a ref directive", shown_by("release/region_references");
    }
    V19 {
        /// The result of a custom directive that decides whether a group is present.
        optional_result: "result" => "optResult", shown_by("release/old_format_errors");
        /// The test whether that directive found nothing.
        found_nothing: "!odsResult" => "!odsResult.has_value()", shown_by("release/old_format_errors");
        /// The return type of most functions.
        LogicalResult: "::mlir::LogicalResult" => "::llvm::LogicalResult", shown_by("release/ambiguous_region");
        /// The text after `RawOperand` or `RawType` where a parser declares the variable for a single one.
        raw_declared: "s[1]" => "{}", shown_by("release/unnamed_types");
        /// The text after the same name where the variable is used.
        raw_used: "s[0]" => "", shown_by("release/unnamed_types");
        /// The text before the name in a list of that variable.
        raw_address: "" => "&", shown_by("release/unnamed_types");
        /// The text after the name in that list.
        raw_listed: "s" => ", 1", shown_by("release/unnamed_types");
        /// The text after the classes of an interface's traits.
        traits_end: "" => "\n", shown_by("release/method_bodies");
        /// The import of the class of values that functions return.
        python_value_import: "    SubClassValueT as _SubClassValueT,\n" => "", shown_by("release/python_builders");
        /// The class of a value that a function returns.
        python_value: "_SubClassValueT" => "_ods_ir.Value", shown_by("release/python");
        /// The end of a dialect's class in Python.
        python_dialect_end: "\n  pass\n" => "", shown_by("release/python_attributes");
        /// The test whether a custom directive has parsed nothing.
        no_custom_result: "!odsCustomResult" => "!odsCustomResult.has_value()", shown_by("release/definition_groups");
        /// The end of the function of a pattern that matches and rewrites.
        rewrite_end: "};" => "}", shown_by("release/pattern_equality");
        /// The start of the test whether a value in Python is of a class.
        python_isinstance: "issubclass(type(" => "isinstance(", shown_by("release/python");
        /// The end of that test, after the value.
        python_isinstance_end: ")" => "", shown_by("release/python");
        /// The error about a `ref` outside a custom directive, in the format of an attribute or type.
        stray_reference: "`ref` is only allowed inside custom directives" => "'ref' is only valid within a `custom` directive", shown_by("release/stray_reference");
    }
    V18 {
        /// The mark of a parser's location that may be unused.
        maybe_unused_location: "" => "[[maybe_unused]] ", shown_by("release/unnamed_types");
        /// The start of the statement that copies the lengths of parsed result groups.
        copy_result_sizes: "llvm::copy(ArrayRef" => "::llvm::copy(::llvm::ArrayRef", shown_by("release/old_formats");
        /// The number of values in one segment of several.
        run_size: "range.size()" => "static_cast<int32_t>(range.size())", shown_by("release/op_classes");
        /// The function with which attributes are verified, which opens a diagnostic.
        error_function: "getDiag" => "emitError", shown_by("release/builder_default_properties");
        /// The parameter with which a storage takes its key.
        storage_key: "const KeyTy &" => "KeyTy &&", shown_by("release/untyped_parameters");
        /// The start of the comment on dialects in a pass' old base class.
        registered_dialects: "Return the dialect" => "Register the dialects", shown_by("release/older_passes");
        /// The code for the conversion of a null interface to one of its bases.
        null_base: "" => "\n    if (!*this) return nullptr;", shown_by("release/plain_interfaces");
        spirv_optional => "Optional", shown_by("release/spirv_arguments");
        first_of_group => "first parsable element of an optional group must be a literal, variable, or custom directive", shown_by("release/old_format_errors");
    }
    V17 {
        /// The method that tests whether a type that is defined at run time was parsed.
        has_dynamic_type: "hasValue" => "has_value", shown_by("release/dynamic_parsers");
        /// The method that returns the result of parsing that type.
        dynamic_type_value: "getValue" => "value", shown_by("release/dynamic_parsers");
        /// The expression for the absence of a type there.
        no_dynamic_type: "Type()" => "::mlir::Type()", shown_by("release/dynamic_parsers");
        /// The argument of an intrinsic for its groups of accesses.
        access_groups: "OptionalAttr<SymbolRefArrayAttr>:$access_groups" => "OptionalAttr<LLVM_AccessGroupArrayAttr>:$access_groups", shown_by("release/alias_scopes");
        /// The expression that casts the value of an interface of attributes to the attribute's class.
        concrete_attribute: "(tablegen_opaque_val.cast<ConcreteAttr>())" => "(::llvm::cast<ConcreteAttr>(tablegen_opaque_val))", shown_by("release/older_interfaces");
        /// The expression that casts the value of an interface of types to the type's class.
        concrete_type: "(tablegen_opaque_val.cast<ConcreteType>())" => "(::llvm::cast<ConcreteType>(tablegen_opaque_val))", shown_by("release/older_interfaces");
        /// The attribute with the lengths of operand groups.
        operand_segments: "operand_segment_sizes" => "operandSegmentSizes", shown_by("release/summaries");
        /// The attribute with the lengths of result groups.
        result_segments: "result_segment_sizes" => "resultSegmentSizes", shown_by("release/summaries");
    }
    V16 {
        /// The prefix of the names of SPIR-V's definitions.
        SPIRV: "SPV_" => "SPIRV_", shown_by("release/spirv_arguments");
        /// The start of the message about a pattern with too few results.
        not_enough: "no" => "not", shown_by("release/pattern_too_few");
        /// The start of the integer type that the compiler gives an enum.
        underlying_type_begin: "std::underlying_type<" => "std::underlying_type_t<", shown_by("release/older_enums");
        /// The end of that type.
        underlying_type_end: ">::type" => ">", shown_by("release/older_enums");
        /// The class of optional values.
        optional: "::llvm::Optional" => "::std::optional", shown_by("release/enum_summaries");
        /// The class of optional values, not looked up from the global namespace.
        near_optional: "llvm::Optional" => "std::optional", shown_by("release/spirv_enum_versions");
        /// The empty optional value.
        none: "::llvm::None" => "::std::nullopt", shown_by("release/enum_definitions");
        /// The empty optional value, not looked up from the global namespace.
        near_none: "llvm::None" => "std::nullopt", shown_by("release/definition_fields");
        /// The method that tests for a value.
        has_value: "hasValue" => "has_value", shown_by("release/dynamic_parsers");
        /// The method that returns the result of parsing an attribute that is defined at run time.
        dynamic_value: "getValue" => "value", shown_by("release/dynamic_parsers");
        /// The function that creates a reference to an array.
        array_ref: "::llvm::makeArrayRef" => "::llvm::ArrayRef", shown_by("release/accessor_numbers");
        /// The trait of an intrinsic that touches no memory.
        no_memory: "NoSideEffect" => "NoMemoryEffect", shown_by("release/intrinsics_of_llvm");
        /// The function that counts the bits of a number.
        count_bits: "countPopulation" => "popcount", shown_by("release/spirv_enum_versions");
        /// The sigil of an attribute in documents.
        attribute_mark: "!" => "#", shown_by("release/documents");
        /// The function that loads a dialect.
        load_dialect: "getOrLoadDialect" => "loadDialect", shown_by("release/dialect_helpers");
        /// The text after the parameters of a dialect's constructor.
        constructor_end: " " => "", shown_by("release/dialect_helpers");
        /// The parameters of a C function that has none.
        no_parameters: "" => "void", shown_by("release/pass_parts");
        /// The suffix of the function that registers a pass, in releases with one such function.
        registered_pass: "Pass" => "", shown_by("release/older_passes");
        /// The function that creates a mutable reference to an array.
        mutable_array_ref: "::llvm::makeMutableArrayRef" => "::llvm::MutableArrayRef", shown_by("release/ambiguous_region");
        /// The class of the attribute with the lengths of groups.
        SegmentSizes: "::mlir::DenseIntElementsAttr" => "::mlir::DenseI32ArrayAttr", shown_by("release/summaries");
        /// The function that creates that attribute.
        make_segments: "getI32VectorAttr" => "getDenseI32ArrayAttr", shown_by("release/summaries");
        /// The function that creates the attribute with the lengths of segments.
        make_run_lengths: "getI32TensorAttr" => "getDenseI32ArrayAttr", shown_by("release/op_classes");
        /// The expression for the number of lengths, after the equals sign.
        segment_count: "\n        sizeAttr.getType().cast<::mlir::ShapedType>().getNumElements()" => " sizeAttr.asArrayRef().size()", shown_by("release/summaries");
        /// The start of the test whether a group of results is empty.
        results_begin: "llvm::empty(" => "", shown_by("release/summaries");
        /// The end of that test.
        results_end: ")" => ".empty()", shown_by("release/summaries");
        /// The parameter for the name of an operation whose attributes are known.
        name_with_attributes: "const ::mlir::RegisteredOperationName &" => "const ::mlir::OperationName &", shown_by("release/adaptor_defaults");
        adaptor_default_margin => "", shown_by("release/adaptor_defaults");
        custom_optional => "::std::optional", shown_by("release/dense_formats");
        /// The test whether an optional element was parsed.
        succeeded: "succeeded" => "::mlir::succeeded", shown_by("release/format_ambiguity");
        /// The type of an absent optional operand or result, where a custom directive prints it.
        absent_type: "Type()" => "::mlir::Type()", shown_by("release/older_parts");
        parsed_case => "*attrOptional", shown_by("release/unindented_formats");
        /// The indentation of the statement that adds a default value.
        default_margin: " " => "", shown_by("release/adaptor_defaults");
        /// The cast of an attribute to one with a type.
        typed_attribute: "" => ".cast<::mlir::TypedAttr>()", shown_by("release/plain_adaptors");
        /// The regions from which a builder infers types.
        builder_regions: "/*regions=*/{}" => "odsState.regions", shown_by("release/inference_sources");
        /// The name of an optional operand of SPIR-V in a message.
        spirv_optional: "Optional" => "std::optional", shown_by("release/spirv_arguments");
    }
    V15 {
        /// The code that reads the keyword of an attribute, in releases whose parser does not.
        read_attribute_keyword: "  if (::mlir::failed(parser.parseKeyword(&attrTag)))\n    return {};\n" => "", shown_by("release/dynamic_parsers");
        /// The code that reads the keyword of a type, in releases whose parser does not.
        read_type_keyword: "  if (parser.parseKeyword(&mnemonic))\n    return ::mlir::Type();\n" => "", shown_by("release/dynamic_parsers");
        /// The operator before the argument through which that parser returns the keyword.
        keyword_address: "" => "&", shown_by("release/dynamic_parsers");
        /// The indentation of the part of a dialect's hook for definitions at run time.
        hook_margin: "" => "  ", shown_by("release/dynamic_parsers");
        /// The line end after that part.
        hook_end: "" => "\n", shown_by("release/dynamic_parsers");
        /// The method that tests whether a custom directive parsed an operand.
        operand_has_value: "hasValue" => "has_value", shown_by("release/older_parts");
        /// The class of lists in patterns.
        pattern_vector: "::mlir::SmallVector" => "::llvm::SmallVector", shown_by("release/pattern_equality");
        /// The test for a failure in patterns.
        pattern_failed: "failed" => "::mlir::failed", shown_by("release/pattern_property_names");
        /// The return value of a failed match.
        pattern_failure: "failure" => "::mlir::failure", shown_by("release/pattern_words");
        /// The return value of a successful match of operands in either order.
        either_success: "success" => "::mlir::success", shown_by("release/pattern_either");
        /// The parameter class of such a match.
        either_range: "OperandRange" => "::mlir::OperandRange", shown_by("release/pattern_either");
        /// The class of attributes that calls in patterns return.
        captured_attribute: "Attribute" => "::mlir::Attribute", shown_by("release/pattern_captures");
        /// The class of values that calls in patterns return.
        captured_value: "Value" => "::mlir::Value", shown_by("release/pattern_words");
        /// The indentation of the statements in an adaptor's getter that return a default value.
        adaptor_default_margin: "" => "  ", shown_by("release/adaptor_defaults");
        /// The prefix of the macros for type ids.
        type_id_prefix: "" => "MLIR_", shown_by("release/ambiguous_region");
        /// The class of short lists.
        SmallVector: "::mlir::SmallVector" => "::llvm::SmallVector", shown_by("release/format_ambiguity");
        /// The class of parsed operands that have no value yet.
        UnresolvedOperand: "::mlir::OpAsmParser::OperandType" => "::mlir::OpAsmParser::UnresolvedOperand", shown_by("release/format_ambiguity");
        /// The case of an enum that was parsed.
        parsed_case: "attrOptional.getValue()" => "attrOptional.value()", shown_by("release/unindented_formats");
        /// The placeholder for the context where a derived attribute is made.
        derived_context: "_ctx" => "_ctxt", shown_by("release/derived_attributes");
    }
    V14 {
        /// The class of lists of traits.
        TRAIT_LIST: "OpTraitList" => "TraitList", shown_by("release/trait_lists");
        /// The suffix of the accessor of a symbol that has an effect.
        raw_getter: "" => "Attr", shown_by("release/effects_on_symbols");
        /// The context, for the types of parsed values.
        parser_context: "parser.getBuilder().getContext()" => "parser.getContext()", shown_by("release/older_parts");
        /// The name of an entry in a list of attributes.
        attribute_name: "attr.first" => "attr.getName()", shown_by("release/spirv");
        /// The start of a call that creates the name of an entry of a dictionary, up to the text.
        entry_name_begin: "::mlir::Identifier::get(" => "::mlir::StringAttr::get(context, ", shown_by("release/older_structs");
        /// The end of that call, after the text.
        entry_name_end: ", context)" => ")", shown_by("release/older_structs");
        /// The start of a row of a table in documents.
        row_start: "" => "| ", shown_by("release/distinct_names");
        /// The comment at the end of a namespace, up to its name.
        namespace_end: "end namespace" => "namespace", shown_by("release/method_bodies");
        /// The prefix of the classes of parsers and printers of attributes and types.
        asm_classes: "Dialect" => "", shown_by("release/raw_apint");
        /// The start of the message that nothing defines an operand in a pattern, up to its number.
        undefined_begin: "Operand " => "There's no operation that defines operand ", shown_by("release/pattern_words");
        /// The end of that message, after the operation.
        undefined_end: " has null definingOp" => "", shown_by("release/pattern_words");
        /// The quotes around the summary of a constraint in messages of patterns.
        summary_quote: "" => "'", shown_by("release/pattern_equality");
        /// The function that creates the name of an attribute or of a location in patterns.
        pattern_name: "getIdentifier" => "getStringAttr", shown_by("release/pattern_captures");
        /// The class of names of attributes.
        AttributeName: "::mlir::Identifier" => "::mlir::StringAttr", shown_by("release/accessor_numbers");
        /// The function that returns the information on a registered operation.
        registered_info: "getAbstractOperation" => "getRegisteredInfo", shown_by("release/accessor_numbers");
        /// The test whether types were inferred.
        inferred: "succeeded" => "::mlir::succeeded", shown_by("release/inference_sources");
        /// The member for the name of a named attribute.
        name_of_named: "first" => "getName()", shown_by("release/op_formats");
        /// The value of an attribute in an operation's list.
        value_of_named: "attr.second" => "attr.getValue()", shown_by("release/op_formats");
        /// The printer of a format.
        printer: "p" => "_odsPrinter", shown_by("release/ambiguous_region");
        /// The start of a concatenation of lists of types.
        concat_types: "::llvm::concat<const Type>(" => "::llvm::concat<const ::mlir::Type>(", shown_by("release/unnamed_types");
        /// The class of an optional operand that a custom directive refers to.
        custom_optional: "llvm::Optional" => "::llvm::Optional", shown_by("release/dense_formats");
        /// The indentation of the second line of a call that prints a region.
        region_margin: "                  " => "      ", shown_by("release/dense_formats");
        /// The imports of functions that accept operations as operands.
        python_operand_helpers: "" => ", get_op_result_or_value as _get_op_result_or_value, get_op_results_or_values as _get_op_results_or_values", shown_by("release/python_attributes");
        /// The class of an attribute whose definition names none.
        attribute_class: "Attribute" => "::mlir::Attribute", shown_by("release/format_ambiguity");
        /// The error about a token that begins no element of a format.
        not_an_element: "expected directive, literal, variable, or optional group" => "expected literal, variable, directive, or optional group", shown_by("release/format_code");
        /// The error about a literal inside a directive.
        nested_literal: "literals may only be used in a top-level section of the format" => "literals may only be used in the top-level section of the format", shown_by("release/format_errors");
        /// The error about a group without an anchor.
        no_anchor: "optional group specified no anchor element" => "optional group has no anchor element", shown_by("release/format_errors");
        /// The error about a group that begins with an invalid element.
        first_of_group: "first parsable element of an operand group must be an attribute, literal, operand, or region" => "first parsable element of an optional group must be a literal or variable", shown_by("release/old_format_errors");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_with_two_changes() {
        let of = |release: Release| parsed_case.of(&release.rules());
        assert_eq!(of(Release::V13), "attrOptional.getValue()");
        assert_eq!(of(Release::V15), "attrOptional.value()");
        assert_eq!([Release::V16, Release::newest()].map(of), ["*attrOptional"; 2]);
    }

    #[test]
    fn rows_name_words() {
        assert!(ROWS.iter().all(|row| find(row.word).is_some()));
    }
}
