//! Words of generated C++ that releases spell differently. A template has them as holes, which callers need not fill.

use super::Rules;

/// A word's spellings, oldest first, each with the release that brought it.
#[derive(Clone, Copy, Debug)]
pub struct Spelling(&'static [(u8, &'static str)]);

impl Spelling {
    /// Creates a word from its spellings, oldest first.
    pub(crate) const fn new(spellings: &'static [(u8, &'static str)]) -> Self {
        Spelling(spellings)
    }

    /// Returns the spelling of a release.
    #[must_use]
    pub fn of(self, rules: &Rules) -> &'static str {
        let known = self.0.iter().rfind(|(since, _)| *since <= rules.number());
        known.map_or("", |(_, spelling)| spelling)
    }
}

/// Lists spellings: the hole's name, the oldest spelling, and newer ones with the release that brought them.
macro_rules! spellings {
    ($($(#[$doc:meta])+ $name:ident: [$oldest:literal $(, $since:literal => $newer:literal)*];)*) => {
        $(
            $(#[$doc])+
            #[expect(non_upper_case_globals, reason = "it is named as the hole of templates")]
            pub const $name: Spelling = Spelling(&[(0, $oldest) $(, ($since, $newer))*]);
        )*

        /// Returns the word that fills a hole; nothing for an unknown hole.
        pub fn find(hole: &str) -> Option<Spelling> {
            match hole {
                $(stringify!($name) => Some($name),)*
                _ => None,
            }
        }
    };
}

spellings! {
    /// The suffix of the accessor of a symbol that has an effect.
    raw_getter: ["", 14 => "Attr"];
    /// The context, for the types of parsed values.
    parser_context: ["parser.getBuilder().getContext()", 14 => "parser.getContext()"];
    /// The start of the message about a pattern with too few results.
    not_enough: ["no", 16 => "not"];
    /// The name of an entry in a list of attributes.
    attribute_name: ["attr.first", 14 => "attr.getName()"];
    /// The start of a call that creates the name of an entry of a dictionary, up to the text.
    entry_name_begin: ["::mlir::Identifier::get(", 14 => "::mlir::StringAttr::get(context, "];
    /// The end of that call, after the text.
    entry_name_end: [", context)", 14 => ")"];
    /// The start of a row of a table in documents.
    row_start: ["", 14 => "| "];
    /// The comment at the end of a namespace, up to its name.
    namespace_end: ["end namespace", 14 => "namespace"];
    /// The start of the integer type that the compiler gives an enum.
    underlying_type_begin: ["std::underlying_type<", 16 => "std::underlying_type_t<"];
    /// The end of that type.
    underlying_type_end: [">::type", 16 => ">"];
    /// The prefix of the classes of parsers and printers of attributes and types.
    asm_classes: ["Dialect", 14 => ""];
    /// The code that reads the keyword of an attribute, in releases whose parser does not.
    read_attribute_keyword: ["  if (::mlir::failed(parser.parseKeyword(&attrTag)))\n    return {};\n", 15 => ""];
    /// The code that reads the keyword of a type, in releases whose parser does not.
    read_type_keyword: ["  if (parser.parseKeyword(&mnemonic))\n    return ::mlir::Type();\n", 15 => ""];
    /// The operator before the argument through which that parser returns the keyword.
    keyword_address: ["", 15 => "&"];
    /// The indentation of the part of a dialect's hook for definitions at run time.
    hook_margin: ["", 15 => "  "];
    /// The line end after that part.
    hook_end: ["", 15 => "\n"];
    /// The class of optional values.
    optional: ["::llvm::Optional", 16 => "::std::optional"];
    /// The class of optional values, not looked up from the global namespace.
    near_optional: ["llvm::Optional", 16 => "std::optional"];
    /// The empty optional value.
    none: ["::llvm::None", 16 => "::std::nullopt"];
    /// The empty optional value, not looked up from the global namespace.
    near_none: ["llvm::None", 16 => "std::nullopt"];
    /// The method that tests for a value.
    has_value: ["hasValue", 16 => "has_value"];
    /// The method that returns the result of parsing an attribute that is defined at run time.
    dynamic_value: ["getValue", 16 => "value"];
    /// The method that tests whether a type that is defined at run time was parsed.
    has_dynamic_type: ["hasValue", 17 => "has_value"];
    /// The method that returns the result of parsing that type.
    dynamic_type_value: ["getValue", 17 => "value"];
    /// The expression for the absence of a type there.
    no_dynamic_type: ["Type()", 17 => "::mlir::Type()"];
    /// The method that tests whether a custom directive parsed an operand.
    operand_has_value: ["hasValue", 15 => "has_value"];
    /// The start of the message that nothing defines an operand in a pattern, up to its number.
    undefined_begin: ["Operand ", 14 => "There's no operation that defines operand "];
    /// The end of that message, after the operation.
    undefined_end: [" has null definingOp", 14 => ""];
    /// The quotes around the summary of a constraint in messages of patterns.
    summary_quote: ["", 14 => "'"];
    /// The function that creates the name of an attribute or of a location in patterns.
    pattern_name: ["getIdentifier", 14 => "getStringAttr"];
    /// The word of the message about a nested dag that is not a call, in the place of a parameter.
    nested_kinds: ["attribute", 21 => "attributes and properties"];
    /// The class of lists in patterns.
    pattern_vector: ["::mlir::SmallVector", 15 => "::llvm::SmallVector"];
    /// The test for a failure in patterns.
    pattern_failed: ["failed", 15 => "::mlir::failed"];
    /// The return value of a failed match.
    pattern_failure: ["failure", 15 => "::mlir::failure"];
    /// The return value of a successful match of operands in either order.
    either_success: ["success", 15 => "::mlir::success"];
    /// The parameter class of such a match.
    either_range: ["OperandRange", 15 => "::mlir::OperandRange"];
    /// The class of attributes that calls in patterns return.
    captured_attribute: ["Attribute", 15 => "::mlir::Attribute"];
    /// The class of values that calls in patterns return.
    captured_value: ["Value", 15 => "::mlir::Value"];
    /// The function that creates a reference to an array.
    array_ref: ["::llvm::makeArrayRef", 16 => "::llvm::ArrayRef"];
    /// The argument of an intrinsic for its groups of accesses.
    access_groups: ["OptionalAttr<SymbolRefArrayAttr>:$access_groups", 17 => "OptionalAttr<LLVM_AccessGroupArrayAttr>:$access_groups"];
    /// The trait of an intrinsic that touches no memory.
    no_memory: ["NoSideEffect", 16 => "NoMemoryEffect"];
    /// The function that counts the bits of a number.
    count_bits: ["countPopulation", 16 => "popcount"];
    /// The sigil of an attribute in documents.
    attribute_mark: ["!", 16 => "#"];
    /// The function that loads a dialect.
    load_dialect: ["getOrLoadDialect", 16 => "loadDialect"];
    /// The text after the parameters of a dialect's constructor.
    constructor_end: [" ", 16 => ""];
    /// The parameters of a C function that has none.
    no_parameters: ["", 16 => "void"];
    /// The suffix of the function that registers a pass, in releases with one such function.
    registered_pass: ["Pass", 16 => ""];
    /// The expression that casts the value of an interface of operations to the operation's class.
    concrete_op: ["(llvm::cast<ConcreteOp>(tablegen_opaque_val))"];
    /// The expression that casts the value of an interface of attributes to the attribute's class.
    concrete_attribute: ["(tablegen_opaque_val.cast<ConcreteAttr>())", 17 => "(::llvm::cast<ConcreteAttr>(tablegen_opaque_val))"];
    /// The expression that casts the value of an interface of types to the type's class.
    concrete_type: ["(tablegen_opaque_val.cast<ConcreteType>())", 17 => "(::llvm::cast<ConcreteType>(tablegen_opaque_val))"];
    /// The function that creates a mutable reference to an array.
    mutable_array_ref: ["::llvm::makeMutableArrayRef", 16 => "::llvm::MutableArrayRef"];
    /// The class of the attribute with the lengths of groups.
    SegmentSizes: ["::mlir::DenseIntElementsAttr", 16 => "::mlir::DenseI32ArrayAttr"];
    /// The function that creates that attribute.
    make_segments: ["getI32VectorAttr", 16 => "getDenseI32ArrayAttr"];
    /// The function that creates the attribute with the lengths of segments.
    make_run_lengths: ["getI32TensorAttr", 16 => "getDenseI32ArrayAttr"];
    /// The expression for the number of lengths, after the equals sign.
    segment_count: ["\n        sizeAttr.getType().cast<::mlir::ShapedType>().getNumElements()", 16 => " sizeAttr.asArrayRef().size()"];
    /// The start of the test whether a group of results is empty.
    results_begin: ["llvm::empty(", 16 => ""];
    /// The end of that test.
    results_end: [")", 16 => ".empty()"];
    /// The parameter for the name of an operation whose attributes are known.
    name_with_attributes: ["const ::mlir::RegisteredOperationName &", 16 => "const ::mlir::OperationName &"];
    /// The indentation of the statements in an adaptor's getter that return a default value.
    adaptor_default_margin: ["", 15 => "  ", 16 => ""];
    /// The class of names of attributes.
    AttributeName: ["::mlir::Identifier", 14 => "::mlir::StringAttr"];
    /// The function that returns the information on a registered operation.
    registered_info: ["getAbstractOperation", 14 => "getRegisteredInfo"];
    /// The test whether types were inferred.
    inferred: ["succeeded", 14 => "::mlir::succeeded"];
    /// The member for the name of a named attribute.
    name_of_named: ["first", 14 => "getName()"];
    /// The value of an attribute in an operation's list.
    value_of_named: ["attr.second", 14 => "attr.getValue()"];
    /// The printer of a format.
    printer: ["p", 14 => "_odsPrinter"];
    /// The start of a concatenation of lists of types.
    concat_types: ["::llvm::concat<const Type>(", 14 => "::llvm::concat<const ::mlir::Type>("];
    /// The class of an optional operand that a custom directive refers to.
    custom_optional: ["llvm::Optional", 14 => "::llvm::Optional", 16 => "::std::optional"];
    /// The indentation of the second line of a call that prints a region.
    region_margin: ["                  ", 14 => "      "];
    /// The prefix of the macros for type ids.
    type_id_prefix: ["", 15 => "MLIR_"];
    /// The class of short lists.
    SmallVector: ["::mlir::SmallVector", 15 => "::llvm::SmallVector"];
    /// The class of parsed operands that have no value yet.
    UnresolvedOperand: ["::mlir::OpAsmParser::OperandType", 15 => "::mlir::OpAsmParser::UnresolvedOperand"];
    /// The test whether an optional element was parsed.
    succeeded: ["succeeded", 16 => "::mlir::succeeded"];
    /// The type of an absent optional operand or result, where a custom directive prints it.
    absent_type: ["Type()", 16 => "::mlir::Type()"];
    /// The case of an enum that was parsed.
    parsed_case: ["attrOptional.getValue()", 15 => "attrOptional.value()", 16 => "*attrOptional"];
    /// The indentation of the statement that adds a default value.
    default_margin: [" ", 16 => ""];
    /// The cast of an attribute to one with a type.
    typed_attribute: ["", 16 => ".cast<::mlir::TypedAttr>()"];
    /// The regions from which a builder infers types.
    builder_regions: ["/*regions=*/{}", 16 => "odsState.regions"];
    /// The attribute with the lengths of operand groups.
    operand_segments: ["operand_segment_sizes", 17 => "operandSegmentSizes"];
    /// The attribute with the lengths of result groups.
    result_segments: ["result_segment_sizes", 17 => "resultSegmentSizes"];
    /// The mark of a parser's location that may be unused.
    maybe_unused_location: ["", 18 => "[[maybe_unused]] "];
    /// The start of the statement that copies the lengths of parsed result groups.
    copy_result_sizes: ["llvm::copy(ArrayRef", 18 => "::llvm::copy(::llvm::ArrayRef"];
    /// The number of values in one segment of several.
    run_size: ["range.size()", 18 => "static_cast<int32_t>(range.size())"];
    /// The result of a custom directive that decides whether a group is present.
    optional_result: ["result", 19 => "optResult"];
    /// The test whether that directive found nothing.
    found_nothing: ["!odsResult", 19 => "!odsResult.has_value()"];
    /// The return type of most functions.
    LogicalResult: ["::mlir::LogicalResult", 19 => "::llvm::LogicalResult"];
    /// The function with which attributes are verified, which opens a diagnostic.
    error_function: ["getDiag", 18 => "emitError"];
    /// The text after `RawOperand` or `RawType` where a parser declares the variable for a single one.
    raw_declared: ["s[1]", 19 => "{}"];
    /// The text after the same name where the variable is used.
    raw_used: ["s[0]", 19 => ""];
    /// The text before the name in a list of that variable.
    raw_address: ["", 19 => "&"];
    /// The text after the name in that list.
    raw_listed: ["s", 19 => ", 1"];
    /// The parameter with which a storage takes its key.
    storage_key: ["const KeyTy &", 18 => "KeyTy &&"];
    /// The start of the comment on dialects in a pass' old base class.
    registered_dialects: ["Return the dialect", 18 => "Register the dialects"];
    /// The code for the conversion of a null interface to one of its bases.
    null_base: ["", 18 => "\n    if (!*this) return nullptr;"];
    /// The text after the classes of an interface's traits.
    traits_end: ["", 19 => "\n"];
    /// The text before the type of the parameter for a pass' options.
    options_const: ["const ", 21 => ""];
    /// The text after that type.
    options_reference: [" &", 21 => " "];
    /// The expression that passes the options of a pass on.
    passed_options: ["options", 21 => "std::move(options)"];
    /// The class of a list among the options of a pass.
    options_list: ["::llvm::ArrayRef", 21 => "::llvm::SmallVector"];
    /// The function that returns the integer of an enum from its attribute.
    integer_of_enum: ["getInt()", 21 => "getValue().getZExtValue()"];
    /// The text before the type in the parameter of a property's setter.
    setter_const: ["const ", 21 => ""];
    /// The text after that type.
    setter_reference: [" &", 21 => " "];
    /// The return type in the declaration of a conversion from an attribute.
    conversion_result: ["", 21 => " -> ::mlir::LogicalResult"];
    /// The statement that ends a builder whose result types could not be inferred.
    report_inference_failure: ["::llvm::report_fatal_error(\"Failed to infer result type(s).\")", 21 => "::mlir::detail::reportFatalInferReturnTypesError(odsState)"];
    /// The indentation of the last line of such a builder.
    inference_end: ["", 21 => "        "];
    /// The text after the parameters of a getter that does not change properties.
    property_getter_const: ["", 21 => " const"];
    /// The mark of a function that may be unused, first in its declaration.
    maybe_unused: ["", 22 => "[[maybe_unused]] "];
    /// The mark of such a function, before its return type or name.
    attribute_unused: ["LLVM_ATTRIBUTE_UNUSED ", 22 => ""];
    /// The end of a part that a macro guards, up to the comment with the macro's name.
    endif: ["#endif  //", 22 => "#endif //"];
    /// The text between the two parts of an adaptor's message, inside a string literal.
    message_joint: ["\"\"", 22 => ""];
    /// The text between the parts of a message about lengths of groups.
    segments_joint: ["", 22 => "\""];
    /// The code that writes a new line in the format of an attribute or type.
    print_newline: [" << '\\n'", 22 => ".printNewline()"];
    /// A word of the message about separators of bit enums.
    separator: ["seperator", 22 => "separator"];
    /// The suffix of the function that hashes a property.
    hash_suffix: ["", 22 => "_"];
    /// The imports of helpers for results, and for operands that may be results.
    python_result_helper: ["    get_op_result_or_op_results as _get_op_result_or_op_results,\n    get_op_result_or_value as _get_op_result_or_value,\n", 21 => "    get_op_result_or_op_results as _get_op_result_or_op_results,\n", 22 => ""];
    /// The imports of functions that accept operations as operands.
    python_operand_helpers: ["", 14 => ", get_op_result_or_value as _get_op_result_or_value, get_op_results_or_values as _get_op_results_or_values"];
    /// The import of the class of values that functions return.
    python_value_import: ["    SubClassValueT as _SubClassValueT,\n", 19 => ""];
    /// The class of a value that a function returns.
    python_value: ["_SubClassValueT", 19 => "_ods_ir.Value"];
    /// The end of a dialect's class in Python.
    python_dialect_end: ["\n  pass\n", 19 => ""];
    /// The test whether a custom directive has parsed nothing.
    no_custom_result: ["!odsCustomResult", 19 => "!odsCustomResult.has_value()"];
    /// The end of the function of a pattern that matches and rewrites.
    rewrite_end: ["};", 19 => "}"];
    /// The error about the first field of a structure in a format.
    struct_first: ["`struct` argument list expected a variable or directive", 21 => "`struct` argument list expected a parameter or directive"];
    /// The error about any other field.
    struct_next: ["expected a variable in `struct` argument list", 21 => "expected a parameter or `custom` directive in `struct` argument list"];
    /// The separator of the cases of an enum of directives.
    directive_separator: [",", 21 => ", "];
    /// The condition that excludes the whole value from its bits in Python.
    python_whole_value: ["", 21 => " and self is not case"];
    /// The start of the test whether a value in Python is of a class.
    python_isinstance: ["issubclass(type(", 19 => "isinstance("];
    /// The end of that test, after the value.
    python_isinstance_end: [")", 19 => ""];
    /// The call of the base class' constructor in Python, up to the parts of the operation.
    python_super: ["self.build_generic(", 21 => "self.OPERATION_NAME, self._ODS_REGIONS, self._ODS_OPERAND_SEGMENTS, self._ODS_RESULT_SEGMENTS, "];
    /// The end of that call.
    python_super_end: ["))", 21 => ")"];
    /// The statement that excludes generated Python from locations.
    python_traceback_exclusion: ["", 22 => "_ods_cext.globals.register_traceback_file_exclusion(__file__)\n"];
    /// The import for types of properties.
    python_optional: ["", 22 => ", Optional as _Optional"];
    /// The class of the properties of any operation.
    PropertyRef: ["::mlir::OpaqueProperties", 23 => "::mlir::PropertyRef"];
    /// The predicate that a message requires if several attributes or types in bytecode have one C++ type.
    needed_predicate: ["parsing", 23 => "printing"];
    /// The name of an optional operand of SPIR-V in a message.
    spirv_optional: ["Optional", 16 => "std::optional", 18 => "Optional"];
    /// The text after the comma in a message about a field that is not a string.
    before_field: [" ` ", 22 => " "];
    /// The text for that field.
    no_string: ["string initializer!", 22 => "string value"];
    /// The places where messages allow regions and successors in formats.
    where_in_formats: ["at the top level", 21 => "at the top level or in a ref directive"];
    /// The error about a `ref` outside a custom directive, in the format of an attribute or type.
    stray_reference: ["`ref` is only allowed inside custom directives", 19 => "'ref' is only valid within a `custom` directive"];
    /// The class of an attribute whose definition names none.
    attribute_class: ["Attribute", 14 => "::mlir::Attribute"];
    /// The placeholder for the context where a derived attribute is made.
    derived_context: ["_ctx", 15 => "_ctxt"];
    /// The error about a token that begins no element of a format.
    not_an_element: [
        "expected directive, literal, variable, or optional group",
        14 => "expected literal, variable, directive, or optional group"
    ];
    /// The error about a literal inside a directive.
    nested_literal: [
        "literals may only be used in a top-level section of the format",
        14 => "literals may only be used in the top-level section of the format"
    ];
    /// The error about a group without an anchor.
    no_anchor: ["optional group specified no anchor element", 14 => "optional group has no anchor element"];
    /// The error about a group that begins with an invalid element.
    first_of_group: [
        "first parsable element of an operand group must be an attribute, literal, operand, or region",
        14 => "first parsable element of an optional group must be a literal or variable",
        18 => "first parsable element of an optional group must be a literal, variable, or custom directive"
    ];
    /// The closing mark after the name of a successor in messages.
    SuccessorEnd: [")'", 23 => "')"];
}
