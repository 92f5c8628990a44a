//! Words that releases spell differently, in a group for each release, newest first: words of generated C++, which
//! templates have as holes that callers need not fill, and names of the library's fields and classes.

#![expect(non_upper_case_globals, reason = "words are named as the holes of templates")]

use super::{Release, Rules};

const RELEASES: usize = Release::ALL.len();

/// The spellings of a word, in the order of [`Release::ALL`].
#[derive(Clone, Copy, Debug)]
pub struct Spelling([&'static str; RELEASES]);

impl Spelling {
    /// Creates a word that all releases spell alike.
    #[must_use]
    pub const fn of_all(text: &'static str) -> Self {
        Spelling([text; RELEASES])
    }

    /// Creates a listed word from its oldest spelling.
    const fn listed(word: &str, oldest: &'static str) -> Self {
        let mut spelling = Spelling::of_all(oldest);
        let mut row = ROWS.len();
        while row > 0 {
            row -= 1;
            let (since, name, text) = ROWS[row];
            let mut index = 0;
            while is_equal(name, word) && index < RELEASES && Release::ALL[index].has(since) {
                spelling.0[index] = text;
                index += 1;
            }
        }
        spelling
    }

    /// Returns the spelling of a release.
    #[must_use]
    pub fn of(self, rules: &Rules) -> &'static str {
        self.0[rules.release.index()]
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

/// Lists words by the release that changed their spelling: `hole: old => new`, or `hole => new` if an older release has
/// changed it before.
macro_rules! spellings {
    ($($since:ident { $($(#[$doc:meta])* $name:ident $(: $oldest:literal)? => $text:literal;)* })+) => {
        $($(word! { $(#[$doc])* $name $($oldest)? })*)+

        /// All rows: the first release with a spelling, the word, the spelling.
        const ROWS: &[(Release, &str, &str)] = &[$($((Release::$since, stringify!($name), $text),)*)+];

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
    }
    V23 {
        /// The class of the properties of any operation.
        PropertyRef: "::mlir::OpaqueProperties" => "::mlir::PropertyRef";
        /// The predicate that a message requires if several attributes or types in bytecode have one C++ type.
        needed_predicate: "parsing" => "printing";
        /// The closing mark after the name of a successor in messages.
        SuccessorEnd: ")'" => "')";
    }
    V22 {
        /// The mark of a function that may be unused, first in its declaration.
        maybe_unused: "" => "[[maybe_unused]] ";
        /// The mark of such a function, before its return type or name.
        attribute_unused: "LLVM_ATTRIBUTE_UNUSED " => "";
        /// The end of a part that a macro guards, up to the comment with the macro's name.
        endif: "#endif  //" => "#endif //";
        /// The text between the two parts of an adaptor's message, inside a string literal.
        message_joint: "\"\"" => "";
        /// The text between the parts of a message about lengths of groups.
        segments_joint: "" => "\"";
        /// The code that writes a new line in the format of an attribute or type.
        print_newline: " << '\\n'" => ".printNewline()";
        /// A word of the message about separators of bit enums.
        separator: "seperator" => "separator";
        /// The suffix of the function that hashes a property.
        hash_suffix: "" => "_";
        python_result_helper => "";
        /// The statement that excludes generated Python from locations.
        python_traceback_exclusion: "" => "_ods_cext.globals.register_traceback_file_exclusion(__file__)\n";
        /// The import for types of properties.
        python_optional: "" => ", Optional as _Optional";
        /// The text after the comma in a message about a field that is not a string.
        before_field: " ` " => " ";
        /// The text for that field.
        no_string: "string initializer!" => "string value";
    }
    V21 {
        /// The field with the C++ class of a type.
        CPP_TYPE: "cppClassName" => "cppType";
        /// The class of enums.
        ENUM: "EnumAttrInfo" => "EnumInfo";
        /// The class of bit enums.
        BIT_ENUM: "BitEnumAttr" => "BitEnumBase";
        /// The class of cases of a bit enum that are one bit.
        BIT_CASE: "BitEnumAttrCaseBit" => "BitEnumCaseBit";
        /// The class of cases of a bit enum that are several bits.
        GROUP_CASE: "BitEnumAttrCaseGroup" => "BitEnumCaseGroup";
        /// The class of the records that a document of enums lists. The older one is the class of attributes that hold
        /// an enum.
        ENUM_IN_DOCUMENTS: "EnumAttr" => "EnumInfo";
        /// The word of the message about a nested dag that is not a call, in the place of a parameter.
        nested_kinds: "attribute" => "attributes and properties";
        /// The text before the type of the parameter for a pass' options.
        options_const: "const " => "";
        /// The text after that type.
        options_reference: " &" => " ";
        /// The expression that passes the options of a pass on.
        passed_options: "options" => "std::move(options)";
        /// The class of a list among the options of a pass.
        options_list: "::llvm::ArrayRef" => "::llvm::SmallVector";
        /// The function that returns the integer of an enum from its attribute.
        integer_of_enum: "getInt()" => "getValue().getZExtValue()";
        /// The text before the type in the parameter of a property's setter.
        setter_const: "const " => "";
        /// The text after that type.
        setter_reference: " &" => " ";
        /// The return type in the declaration of a conversion from an attribute.
        conversion_result: "" => " -> ::mlir::LogicalResult";
        /// The statement that ends a builder whose result types could not be inferred.
        report_inference_failure: "::llvm::report_fatal_error(\"Failed to infer result type(s).\")" => "::mlir::detail::reportFatalInferReturnTypesError(odsState)";
        /// The indentation of the last line of such a builder.
        inference_end: "" => "        ";
        /// The text after the parameters of a getter that does not change properties.
        property_getter_const: "" => " const";
        /// The imports of helpers for results, and for operands that may be results.
        python_result_helper: "    get_op_result_or_op_results as _get_op_result_or_op_results,\n    get_op_result_or_value as _get_op_result_or_value,\n" => "    get_op_result_or_op_results as _get_op_result_or_op_results,\n";
        /// The error about the first field of a structure in a format.
        struct_first: "`struct` argument list expected a variable or directive" => "`struct` argument list expected a parameter or directive";
        /// The error about any other field.
        struct_next: "expected a variable in `struct` argument list" => "expected a parameter or `custom` directive in `struct` argument list";
        /// The separator of the cases of an enum of directives.
        directive_separator: "," => ", ";
        /// The condition that excludes the whole value from its bits in Python.
        python_whole_value: "" => " and self is not case";
        /// The call of the base class' constructor in Python, up to the parts of the operation.
        python_super: "self.build_generic(" => "self.OPERATION_NAME, self._ODS_REGIONS, self._ODS_OPERAND_SEGMENTS, self._ODS_RESULT_SEGMENTS, ";
        /// The end of that call.
        python_super_end: "))" => ")";
        /// The places where messages allow regions and successors in formats.
        where_in_formats: "at the top level" => "at the top level or in a ref directive";
    }
    V19 {
        /// The result of a custom directive that decides whether a group is present.
        optional_result: "result" => "optResult";
        /// The test whether that directive found nothing.
        found_nothing: "!odsResult" => "!odsResult.has_value()";
        /// The return type of most functions.
        LogicalResult: "::mlir::LogicalResult" => "::llvm::LogicalResult";
        /// The text after `RawOperand` or `RawType` where a parser declares the variable for a single one.
        raw_declared: "s[1]" => "{}";
        /// The text after the same name where the variable is used.
        raw_used: "s[0]" => "";
        /// The text before the name in a list of that variable.
        raw_address: "" => "&";
        /// The text after the name in that list.
        raw_listed: "s" => ", 1";
        /// The text after the classes of an interface's traits.
        traits_end: "" => "\n";
        /// The import of the class of values that functions return.
        python_value_import: "    SubClassValueT as _SubClassValueT,\n" => "";
        /// The class of a value that a function returns.
        python_value: "_SubClassValueT" => "_ods_ir.Value";
        /// The end of a dialect's class in Python.
        python_dialect_end: "\n  pass\n" => "";
        /// The test whether a custom directive has parsed nothing.
        no_custom_result: "!odsCustomResult" => "!odsCustomResult.has_value()";
        /// The end of the function of a pattern that matches and rewrites.
        rewrite_end: "};" => "}";
        /// The start of the test whether a value in Python is of a class.
        python_isinstance: "issubclass(type(" => "isinstance(";
        /// The end of that test, after the value.
        python_isinstance_end: ")" => "";
        /// The error about a `ref` outside a custom directive, in the format of an attribute or type.
        stray_reference: "`ref` is only allowed inside custom directives" => "'ref' is only valid within a `custom` directive";
    }
    V18 {
        /// The mark of a parser's location that may be unused.
        maybe_unused_location: "" => "[[maybe_unused]] ";
        /// The start of the statement that copies the lengths of parsed result groups.
        copy_result_sizes: "llvm::copy(ArrayRef" => "::llvm::copy(::llvm::ArrayRef";
        /// The number of values in one segment of several.
        run_size: "range.size()" => "static_cast<int32_t>(range.size())";
        /// The function with which attributes are verified, which opens a diagnostic.
        error_function: "getDiag" => "emitError";
        /// The parameter with which a storage takes its key.
        storage_key: "const KeyTy &" => "KeyTy &&";
        /// The start of the comment on dialects in a pass' old base class.
        registered_dialects: "Return the dialect" => "Register the dialects";
        /// The code for the conversion of a null interface to one of its bases.
        null_base: "" => "\n    if (!*this) return nullptr;";
        spirv_optional => "Optional";
        first_of_group => "first parsable element of an optional group must be a literal, variable, or custom directive";
    }
    V17 {
        /// The method that tests whether a type that is defined at run time was parsed.
        has_dynamic_type: "hasValue" => "has_value";
        /// The method that returns the result of parsing that type.
        dynamic_type_value: "getValue" => "value";
        /// The expression for the absence of a type there.
        no_dynamic_type: "Type()" => "::mlir::Type()";
        /// The argument of an intrinsic for its groups of accesses.
        access_groups: "OptionalAttr<SymbolRefArrayAttr>:$access_groups" => "OptionalAttr<LLVM_AccessGroupArrayAttr>:$access_groups";
        /// The expression that casts the value of an interface of attributes to the attribute's class.
        concrete_attribute: "(tablegen_opaque_val.cast<ConcreteAttr>())" => "(::llvm::cast<ConcreteAttr>(tablegen_opaque_val))";
        /// The expression that casts the value of an interface of types to the type's class.
        concrete_type: "(tablegen_opaque_val.cast<ConcreteType>())" => "(::llvm::cast<ConcreteType>(tablegen_opaque_val))";
        /// The attribute with the lengths of operand groups.
        operand_segments: "operand_segment_sizes" => "operandSegmentSizes";
        /// The attribute with the lengths of result groups.
        result_segments: "result_segment_sizes" => "resultSegmentSizes";
    }
    V16 {
        /// The prefix of the names of SPIR-V's definitions.
        SPIRV: "SPV_" => "SPIRV_";
        /// The start of the message about a pattern with too few results.
        not_enough: "no" => "not";
        /// The start of the integer type that the compiler gives an enum.
        underlying_type_begin: "std::underlying_type<" => "std::underlying_type_t<";
        /// The end of that type.
        underlying_type_end: ">::type" => ">";
        /// The class of optional values.
        optional: "::llvm::Optional" => "::std::optional";
        /// The class of optional values, not looked up from the global namespace.
        near_optional: "llvm::Optional" => "std::optional";
        /// The empty optional value.
        none: "::llvm::None" => "::std::nullopt";
        /// The empty optional value, not looked up from the global namespace.
        near_none: "llvm::None" => "std::nullopt";
        /// The method that tests for a value.
        has_value: "hasValue" => "has_value";
        /// The method that returns the result of parsing an attribute that is defined at run time.
        dynamic_value: "getValue" => "value";
        /// The function that creates a reference to an array.
        array_ref: "::llvm::makeArrayRef" => "::llvm::ArrayRef";
        /// The trait of an intrinsic that touches no memory.
        no_memory: "NoSideEffect" => "NoMemoryEffect";
        /// The function that counts the bits of a number.
        count_bits: "countPopulation" => "popcount";
        /// The sigil of an attribute in documents.
        attribute_mark: "!" => "#";
        /// The function that loads a dialect.
        load_dialect: "getOrLoadDialect" => "loadDialect";
        /// The text after the parameters of a dialect's constructor.
        constructor_end: " " => "";
        /// The parameters of a C function that has none.
        no_parameters: "" => "void";
        /// The suffix of the function that registers a pass, in releases with one such function.
        registered_pass: "Pass" => "";
        /// The function that creates a mutable reference to an array.
        mutable_array_ref: "::llvm::makeMutableArrayRef" => "::llvm::MutableArrayRef";
        /// The class of the attribute with the lengths of groups.
        SegmentSizes: "::mlir::DenseIntElementsAttr" => "::mlir::DenseI32ArrayAttr";
        /// The function that creates that attribute.
        make_segments: "getI32VectorAttr" => "getDenseI32ArrayAttr";
        /// The function that creates the attribute with the lengths of segments.
        make_run_lengths: "getI32TensorAttr" => "getDenseI32ArrayAttr";
        /// The expression for the number of lengths, after the equals sign.
        segment_count: "\n        sizeAttr.getType().cast<::mlir::ShapedType>().getNumElements()" => " sizeAttr.asArrayRef().size()";
        /// The start of the test whether a group of results is empty.
        results_begin: "llvm::empty(" => "";
        /// The end of that test.
        results_end: ")" => ".empty()";
        /// The parameter for the name of an operation whose attributes are known.
        name_with_attributes: "const ::mlir::RegisteredOperationName &" => "const ::mlir::OperationName &";
        adaptor_default_margin => "";
        custom_optional => "::std::optional";
        /// The test whether an optional element was parsed.
        succeeded: "succeeded" => "::mlir::succeeded";
        /// The type of an absent optional operand or result, where a custom directive prints it.
        absent_type: "Type()" => "::mlir::Type()";
        parsed_case => "*attrOptional";
        /// The indentation of the statement that adds a default value.
        default_margin: " " => "";
        /// The cast of an attribute to one with a type.
        typed_attribute: "" => ".cast<::mlir::TypedAttr>()";
        /// The regions from which a builder infers types.
        builder_regions: "/*regions=*/{}" => "odsState.regions";
        /// The name of an optional operand of SPIR-V in a message.
        spirv_optional: "Optional" => "std::optional";
    }
    V15 {
        /// The code that reads the keyword of an attribute, in releases whose parser does not.
        read_attribute_keyword: "  if (::mlir::failed(parser.parseKeyword(&attrTag)))\n    return {};\n" => "";
        /// The code that reads the keyword of a type, in releases whose parser does not.
        read_type_keyword: "  if (parser.parseKeyword(&mnemonic))\n    return ::mlir::Type();\n" => "";
        /// The operator before the argument through which that parser returns the keyword.
        keyword_address: "" => "&";
        /// The indentation of the part of a dialect's hook for definitions at run time.
        hook_margin: "" => "  ";
        /// The line end after that part.
        hook_end: "" => "\n";
        /// The method that tests whether a custom directive parsed an operand.
        operand_has_value: "hasValue" => "has_value";
        /// The class of lists in patterns.
        pattern_vector: "::mlir::SmallVector" => "::llvm::SmallVector";
        /// The test for a failure in patterns.
        pattern_failed: "failed" => "::mlir::failed";
        /// The return value of a failed match.
        pattern_failure: "failure" => "::mlir::failure";
        /// The return value of a successful match of operands in either order.
        either_success: "success" => "::mlir::success";
        /// The parameter class of such a match.
        either_range: "OperandRange" => "::mlir::OperandRange";
        /// The class of attributes that calls in patterns return.
        captured_attribute: "Attribute" => "::mlir::Attribute";
        /// The class of values that calls in patterns return.
        captured_value: "Value" => "::mlir::Value";
        /// The indentation of the statements in an adaptor's getter that return a default value.
        adaptor_default_margin: "" => "  ";
        /// The prefix of the macros for type ids.
        type_id_prefix: "" => "MLIR_";
        /// The class of short lists.
        SmallVector: "::mlir::SmallVector" => "::llvm::SmallVector";
        /// The class of parsed operands that have no value yet.
        UnresolvedOperand: "::mlir::OpAsmParser::OperandType" => "::mlir::OpAsmParser::UnresolvedOperand";
        /// The case of an enum that was parsed.
        parsed_case: "attrOptional.getValue()" => "attrOptional.value()";
        /// The placeholder for the context where a derived attribute is made.
        derived_context: "_ctx" => "_ctxt";
    }
    V14 {
        /// The class of lists of traits.
        TRAIT_LIST: "OpTraitList" => "TraitList";
        /// The suffix of the accessor of a symbol that has an effect.
        raw_getter: "" => "Attr";
        /// The context, for the types of parsed values.
        parser_context: "parser.getBuilder().getContext()" => "parser.getContext()";
        /// The name of an entry in a list of attributes.
        attribute_name: "attr.first" => "attr.getName()";
        /// The start of a call that creates the name of an entry of a dictionary, up to the text.
        entry_name_begin: "::mlir::Identifier::get(" => "::mlir::StringAttr::get(context, ";
        /// The end of that call, after the text.
        entry_name_end: ", context)" => ")";
        /// The start of a row of a table in documents.
        row_start: "" => "| ";
        /// The comment at the end of a namespace, up to its name.
        namespace_end: "end namespace" => "namespace";
        /// The prefix of the classes of parsers and printers of attributes and types.
        asm_classes: "Dialect" => "";
        /// The start of the message that nothing defines an operand in a pattern, up to its number.
        undefined_begin: "Operand " => "There's no operation that defines operand ";
        /// The end of that message, after the operation.
        undefined_end: " has null definingOp" => "";
        /// The quotes around the summary of a constraint in messages of patterns.
        summary_quote: "" => "'";
        /// The function that creates the name of an attribute or of a location in patterns.
        pattern_name: "getIdentifier" => "getStringAttr";
        /// The class of names of attributes.
        AttributeName: "::mlir::Identifier" => "::mlir::StringAttr";
        /// The function that returns the information on a registered operation.
        registered_info: "getAbstractOperation" => "getRegisteredInfo";
        /// The test whether types were inferred.
        inferred: "succeeded" => "::mlir::succeeded";
        /// The member for the name of a named attribute.
        name_of_named: "first" => "getName()";
        /// The value of an attribute in an operation's list.
        value_of_named: "attr.second" => "attr.getValue()";
        /// The printer of a format.
        printer: "p" => "_odsPrinter";
        /// The start of a concatenation of lists of types.
        concat_types: "::llvm::concat<const Type>(" => "::llvm::concat<const ::mlir::Type>(";
        /// The class of an optional operand that a custom directive refers to.
        custom_optional: "llvm::Optional" => "::llvm::Optional";
        /// The indentation of the second line of a call that prints a region.
        region_margin: "                  " => "      ";
        /// The imports of functions that accept operations as operands.
        python_operand_helpers: "" => ", get_op_result_or_value as _get_op_result_or_value, get_op_results_or_values as _get_op_results_or_values";
        /// The class of an attribute whose definition names none.
        attribute_class: "Attribute" => "::mlir::Attribute";
        /// The error about a token that begins no element of a format.
        not_an_element: "expected directive, literal, variable, or optional group" => "expected literal, variable, directive, or optional group";
        /// The error about a literal inside a directive.
        nested_literal: "literals may only be used in a top-level section of the format" => "literals may only be used in the top-level section of the format";
        /// The error about a group without an anchor.
        no_anchor: "optional group specified no anchor element" => "optional group has no anchor element";
        /// The error about a group that begins with an invalid element.
        first_of_group: "first parsable element of an operand group must be an attribute, literal, operand, or region" => "first parsable element of an optional group must be a literal or variable";
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
        assert!(ROWS.iter().all(|(_, name, _)| find(name).is_some()));
    }
}
