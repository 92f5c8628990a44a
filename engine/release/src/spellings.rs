//! Words of generated C++ that releases spell differently. A template has them as holes, which callers need not fill.

use super::Rules;

/// A word's spellings, oldest first, each with the release that brought it.
#[derive(Clone, Copy, Debug)]
pub struct Spelling(&'static [(u8, &'static str)]);

impl Spelling {
    /// Spellings, oldest first.
    pub(crate) const fn new(spellings: &'static [(u8, &'static str)]) -> Self {
        Spelling(spellings)
    }

    /// How a release spells the word.
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

        /// The spelling that fills a hole; nothing if it is none of these.
        pub fn find(hole: &str) -> Option<Spelling> {
            match hole {
                $(stringify!($name) => Some($name),)*
                _ => None,
            }
        }
    };
}

spellings! {
    /// What ends the name of the accessor of a symbol that has an effect.
    raw_getter: ["", 14 => "Attr"];
    /// The context, for the types of what is parsed.
    parser_context: ["parser.getBuilder().getContext()", 14 => "parser.getContext()"];
    /// Begins the message on results of a pattern that are too few.
    not_enough: ["no", 16 => "not"];
    /// The name of an entry in a list of attributes.
    attribute_name: ["attr.first", 14 => "attr.getName()"];
    /// Makes the name of an entry of a dictionary, up to the text.
    entry_name_begin: ["::mlir::Identifier::get(", 14 => "::mlir::StringAttr::get(context, "];
    /// What follows the text.
    entry_name_end: [", context)", 14 => ")"];
    /// What rows of tables begin with in documents.
    row_start: ["", 14 => "| "];
    /// What the comment at the end of a namespace says before its name.
    namespace_end: ["end namespace", 14 => "namespace"];
    /// What names the integer type that the compiler gives an enum.
    underlying_type_begin: ["std::underlying_type<", 16 => "std::underlying_type_t<"];
    /// What ends that name.
    underlying_type_end: [">::type", 16 => ">"];
    /// What the classes of parsers and printers of attributes and types begin with.
    asm_classes: ["Dialect", 14 => ""];
    /// Reads the keyword of an attribute, where its parser does not do that.
    read_attribute_keyword: ["  if (::mlir::failed(parser.parseKeyword(&attrTag)))\n    return {};\n", 15 => ""];
    /// The same of a type.
    read_type_keyword: ["  if (parser.parseKeyword(&mnemonic))\n    return ::mlir::Type();\n", 15 => ""];
    /// How that parser gets the keyword.
    keyword_address: ["", 15 => "&"];
    /// What is before the part of a dialect's hook for definitions at run time.
    hook_margin: ["", 15 => "  "];
    /// What is after it.
    hook_end: ["", 15 => "\n"];
    /// The class of values that may be missing.
    optional: ["::llvm::Optional", 16 => "::std::optional"];
    /// The same, where it is not looked up from the root.
    near_optional: ["llvm::Optional", 16 => "std::optional"];
    /// The value of it that is missing.
    none: ["::llvm::None", 16 => "::std::nullopt"];
    /// The same, where it is not looked up from the root.
    near_none: ["llvm::None", 16 => "std::nullopt"];
    /// Asks whether there is a value.
    has_value: ["hasValue", 16 => "has_value"];
    /// Gets the result of parsing an attribute that is defined at run time.
    dynamic_value: ["getValue", 16 => "value"];
    /// Asks whether a type that is defined at run time was parsed.
    has_dynamic_type: ["hasValue", 17 => "has_value"];
    /// Gets the result of that.
    dynamic_type_value: ["getValue", 17 => "value"];
    /// What stands for no type there.
    no_dynamic_type: ["Type()", 17 => "::mlir::Type()"];
    /// The same of an operand that a custom directive parsed.
    operand_has_value: ["hasValue", 15 => "has_value"];
    /// Begins the message that nothing defines an operand in a pattern, up to its number.
    undefined_begin: ["Operand ", 14 => "There's no operation that defines operand "];
    /// Ends that message, after the operation.
    undefined_end: [" has null definingOp", 14 => ""];
    /// What is around the summary of a constraint in messages of patterns.
    summary_quote: ["", 14 => "'"];
    /// Makes the name of an attribute or of a location in patterns.
    pattern_name: ["getIdentifier", 14 => "getStringAttr"];
    /// What a nested dag may not make that is no call, where the operation has separate parameters.
    nested_kinds: ["attribute", 21 => "attributes and properties"];
    /// The class of lists in patterns.
    pattern_vector: ["::mlir::SmallVector", 15 => "::llvm::SmallVector"];
    /// Asks in patterns whether something failed.
    pattern_failed: ["failed", 15 => "::mlir::failed"];
    /// What a match that failed gives.
    pattern_failure: ["failure", 15 => "::mlir::failure"];
    /// What the match of operands in either order gives that succeeded.
    either_success: ["success", 15 => "::mlir::success"];
    /// The class of what such a match takes.
    either_range: ["OperandRange", 15 => "::mlir::OperandRange"];
    /// The class of attributes that calls in patterns give.
    captured_attribute: ["Attribute", 15 => "::mlir::Attribute"];
    /// The class of values that calls in patterns give.
    captured_value: ["Value", 15 => "::mlir::Value"];
    /// Makes a reference to an array.
    array_ref: ["::llvm::makeArrayRef", 16 => "::llvm::ArrayRef"];
    /// The argument of an intrinsic for its groups of accesses.
    access_groups: ["OptionalAttr<SymbolRefArrayAttr>:$access_groups", 17 => "OptionalAttr<LLVM_AccessGroupArrayAttr>:$access_groups"];
    /// The trait of an intrinsic that touches no memory.
    no_memory: ["NoSideEffect", 16 => "NoMemoryEffect"];
    /// Counts the bits of a number.
    count_bits: ["countPopulation", 16 => "popcount"];
    /// What the name of an attribute begins with in documents.
    attribute_mark: ["!", 16 => "#"];
    /// Loads a dialect.
    load_dialect: ["getOrLoadDialect", 16 => "loadDialect"];
    /// What follows the parameters of a dialect's constructor.
    constructor_end: [" ", 16 => ""];
    /// The parameters of a C function that has none.
    no_parameters: ["", 16 => "void"];
    /// What ends the name of a function that registers a pass, where there was no other one yet.
    registered_pass: ["Pass", 16 => ""];
    /// The value of an interface of operations as an instance of the operation's class.
    concrete_op: ["(llvm::cast<ConcreteOp>(tablegen_opaque_val))"];
    /// The same for attributes.
    concrete_attribute: ["(tablegen_opaque_val.cast<ConcreteAttr>())", 17 => "(::llvm::cast<ConcreteAttr>(tablegen_opaque_val))"];
    /// The same for types.
    concrete_type: ["(tablegen_opaque_val.cast<ConcreteType>())", 17 => "(::llvm::cast<ConcreteType>(tablegen_opaque_val))"];
    /// Makes a reference to an array that may be changed.
    mutable_array_ref: ["::llvm::makeMutableArrayRef", 16 => "::llvm::MutableArrayRef"];
    /// The class of the attribute with the lengths of groups.
    SegmentSizes: ["::mlir::DenseIntElementsAttr", 16 => "::mlir::DenseI32ArrayAttr"];
    /// Makes that attribute.
    make_segments: ["getI32VectorAttr", 16 => "getDenseI32ArrayAttr"];
    /// Makes the attribute with the lengths of runs.
    make_run_lengths: ["getI32TensorAttr", 16 => "getDenseI32ArrayAttr"];
    /// How many lengths there are, after the equals sign.
    segment_count: ["\n        sizeAttr.getType().cast<::mlir::ShapedType>().getNumElements()", 16 => " sizeAttr.asArrayRef().size()"];
    /// Begins a question whether a group of results is empty.
    results_begin: ["llvm::empty(", 16 => ""];
    /// Ends it.
    results_end: [")", 16 => ".empty()"];
    /// The parameter for the name of an operation whose attributes are known.
    name_with_attributes: ["const ::mlir::RegisteredOperationName &", 16 => "const ::mlir::OperationName &"];
    /// What is before the statements of an adaptor's getter that give a default value.
    adaptor_default_margin: ["", 15 => "  ", 16 => ""];
    /// The class of names of attributes.
    AttributeName: ["::mlir::Identifier", 14 => "::mlir::StringAttr"];
    /// Gets what is known of a registered operation.
    registered_info: ["getAbstractOperation", 14 => "getRegisteredInfo"];
    /// Asks whether types were inferred.
    inferred: ["succeeded", 14 => "::mlir::succeeded"];
    /// The name of an attribute among its name and value.
    name_of_named: ["first", 14 => "getName()"];
    /// The value of an attribute of an operation's list.
    value_of_named: ["attr.second", 14 => "attr.getValue()"];
    /// The printer of a format.
    printer: ["p", 14 => "_odsPrinter"];
    /// Begins lists of types after one another.
    concat_types: ["::llvm::concat<const Type>(", 14 => "::llvm::concat<const ::mlir::Type>("];
    /// The class of an optional operand that a custom directive refers to.
    custom_optional: ["llvm::Optional", 14 => "::llvm::Optional", 16 => "::std::optional"];
    /// What is before the second line of a call that prints a region.
    region_margin: ["                  ", 14 => "      "];
    /// Begins the names of macros for type ids.
    type_id_prefix: ["", 15 => "MLIR_"];
    /// The class of short lists.
    SmallVector: ["::mlir::SmallVector", 15 => "::llvm::SmallVector"];
    /// The class of operands that are parsed and have no value yet.
    UnresolvedOperand: ["::mlir::OpAsmParser::OperandType", 15 => "::mlir::OpAsmParser::UnresolvedOperand"];
    /// Asks whether something that is optional was parsed.
    succeeded: ["succeeded", 16 => "::mlir::succeeded"];
    /// The type of an optional operand or result that is absent, where a custom directive prints it.
    absent_type: ["Type()", 16 => "::mlir::Type()"];
    /// The case of an enum that was parsed.
    parsed_case: ["attrOptional.getValue()", 15 => "attrOptional.value()", 16 => "*attrOptional"];
    /// What is before the statement that adds a default value.
    default_margin: [" ", 16 => ""];
    /// An attribute as one that has a type.
    typed_attribute: ["", 16 => ".cast<::mlir::TypedAttr>()"];
    /// The regions that a builder infers types from.
    builder_regions: ["/*regions=*/{}", 16 => "odsState.regions"];
    /// The attribute with the lengths of operand groups.
    operand_segments: ["operand_segment_sizes", 17 => "operandSegmentSizes"];
    /// The attribute with the lengths of result groups.
    result_segments: ["result_segment_sizes", 17 => "resultSegmentSizes"];
    /// Marks a location of a parser that may be unused.
    maybe_unused_location: ["", 18 => "[[maybe_unused]] "];
    /// How the lengths of result groups that are parsed are copied.
    copy_result_sizes: ["llvm::copy(ArrayRef", 18 => "::llvm::copy(::llvm::ArrayRef"];
    /// The number of values in one run of many.
    run_size: ["range.size()", 18 => "static_cast<int32_t>(range.size())"];
    /// The result of a custom directive that decides whether a group is there.
    optional_result: ["result", 19 => "optResult"];
    /// Whether that directive found nothing.
    found_nothing: ["!odsResult", 19 => "!odsResult.has_value()"];
    /// What most functions say that they return.
    LogicalResult: ["::mlir::LogicalResult", 19 => "::llvm::LogicalResult"];
    /// The function that attributes are verified with, which opens a diagnostic.
    error_function: ["getDiag", 18 => "emitError"];
    /// What follows `RawOperand` or `RawType` where a parser declares the place of a single one.
    raw_declared: ["s[1]", 19 => "{}"];
    /// The same where that one is used.
    raw_used: ["s[0]", 19 => ""];
    /// What a list of it has before the name.
    raw_address: ["", 19 => "&"];
    /// What the list has after the name.
    raw_listed: ["s", 19 => ", 1"];
    /// How a storage takes the key that it is made of.
    storage_key: ["const KeyTy &", 18 => "KeyTy &&"];
    /// Which dialects the comment in a pass' old base class speaks of.
    registered_dialects: ["Return the dialect", 18 => "Register the dialects"];
    /// What an interface that is none is as one of its bases.
    null_base: ["", 18 => "\n    if (!*this) return nullptr;"];
    /// What follows the classes of an interface's traits.
    traits_end: ["", 19 => "\n"];
    /// How the options of a pass are taken, before their type.
    options_const: ["const ", 21 => ""];
    /// The same, after their type.
    options_reference: [" &", 21 => " "];
    /// What hands the options of a pass on.
    passed_options: ["options", 21 => "std::move(options)"];
    /// The class of a list among the options of a pass.
    options_list: ["::llvm::ArrayRef", 21 => "::llvm::SmallVector"];
    /// Gets the integer of an enum from its attribute.
    integer_of_enum: ["getInt()", 21 => "getValue().getZExtValue()"];
    /// How setters of properties take their value, before its type.
    setter_const: ["const ", 21 => ""];
    /// The same, after its type.
    setter_reference: [" &", 21 => " "];
    /// What a conversion from an attribute says that it returns.
    conversion_result: ["", 21 => " -> ::mlir::LogicalResult"];
    /// Ends a builder whose result types could not be inferred.
    report_inference_failure: ["::llvm::report_fatal_error(\"Failed to infer result type(s).\")", 21 => "::mlir::detail::reportFatalInferReturnTypesError(odsState)"];
    /// What the last line of such a builder has before its end.
    inference_end: ["", 21 => "        "];
    /// What follows the parameters of a getter that leaves properties alone.
    property_getter_const: ["", 21 => " const"];
    /// Marks a function that may be unused, first in its declaration.
    maybe_unused: ["", 22 => "[[maybe_unused]] "];
    /// Marks it, before its return type or name.
    attribute_unused: ["LLVM_ATTRIBUTE_UNUSED ", 22 => ""];
    /// What ends a part that a macro guards, up to the comment with the macro's name.
    endif: ["#endif  //", 22 => "#endif //"];
    /// Between the two parts of an adaptor's message, inside of a string literal.
    message_joint: ["\"\"", 22 => ""];
    /// Between the parts of a message on lengths of groups.
    segments_joint: ["", 22 => "\""];
    /// Writes a new line in the format of an attribute or type.
    print_newline: [" << '\\n'", 22 => ".printNewline()"];
    /// A word of the message on separators of bit enums.
    separator: ["seperator", 22 => "separator"];
    /// What ends the name of a function that hashes a property.
    hash_suffix: ["", 22 => "_"];
    /// Imports helpers for results, and for operands that may be results.
    python_result_helper: ["    get_op_result_or_op_results as _get_op_result_or_op_results,\n    get_op_result_or_value as _get_op_result_or_value,\n", 21 => "    get_op_result_or_op_results as _get_op_result_or_op_results,\n", 22 => ""];
    /// Imports what takes operations as operands.
    python_operand_helpers: ["", 14 => ", get_op_result_or_value as _get_op_result_or_value, get_op_results_or_values as _get_op_results_or_values"];
    /// Imports the class of values that functions return.
    python_value_import: ["    SubClassValueT as _SubClassValueT,\n", 19 => ""];
    /// What a value is that a function returns.
    python_value: ["_SubClassValueT", 19 => "_ods_ir.Value"];
    /// What ends the class of a dialect in Python.
    python_dialect_end: ["\n  pass\n", 19 => ""];
    /// Whether a custom directive has parsed nothing.
    no_custom_result: ["!odsCustomResult", 19 => "!odsCustomResult.has_value()"];
    /// What ends the function of a pattern that matches and rewrites.
    rewrite_end: ["};", 19 => "}"];
    /// What is wrong with the first field of a structure in a format.
    struct_first: ["`struct` argument list expected a variable or directive", 21 => "`struct` argument list expected a parameter or directive"];
    /// What is wrong with another one.
    struct_next: ["expected a variable in `struct` argument list", 21 => "expected a parameter or `custom` directive in `struct` argument list"];
    /// What is between the cases of an enum of directives.
    directive_separator: [",", 21 => ", "];
    /// What Python leaves out of the bits of a value.
    python_whole_value: ["", 21 => " and self is not case"];
    /// Begins a question whether a value in Python is of a class.
    python_isinstance: ["issubclass(type(", 19 => "isinstance("];
    /// What follows the value in that question.
    python_isinstance_end: [")", 19 => ""];
    /// What calls the constructor of the base class in Python, up to the parts of the operation.
    python_super: ["self.build_generic(", 21 => "self.OPERATION_NAME, self._ODS_REGIONS, self._ODS_OPERAND_SEGMENTS, self._ODS_RESULT_SEGMENTS, "];
    /// What ends that call.
    python_super_end: ["))", 21 => ")"];
    /// Keeps generated Python out of locations.
    python_traceback_exclusion: ["", 22 => "_ods_cext.globals.register_traceback_file_exclusion(__file__)\n"];
    /// Imports what types of properties need.
    python_optional: ["", 22 => ", Optional as _Optional"];
    /// Properties of an operation of any class.
    PropertyRef: ["::mlir::OpaqueProperties", 23 => "::mlir::PropertyRef"];
    /// The predicate that a message asks for where several attributes or types in bytecode have one C++ type.
    needed_predicate: ["parsing", 23 => "printing"];
    /// What a message calls an optional operand of SPIR-V.
    spirv_optional: ["Optional", 16 => "std::optional", 18 => "Optional"];
    /// What follows the comma in a message on a field that holds no string.
    before_field: [" ` ", 22 => " "];
    /// What is wrong with that field.
    no_string: ["string initializer!", 22 => "string value"];
    /// Where messages allow regions and successors in formats.
    where_in_formats: ["at the top level", 21 => "at the top level or in a ref directive"];
    /// What is wrong with a `ref` in the format of an attribute or type that is in no custom directive.
    stray_reference: ["`ref` is only allowed inside custom directives", 19 => "'ref' is only valid within a `custom` directive"];
    /// The class of an attribute whose definition names none.
    attribute_class: ["Attribute", 14 => "::mlir::Attribute"];
    /// The placeholder for the context where a derived attribute is made.
    derived_context: ["_ctx", 15 => "_ctxt"];
    /// What is wrong with a token that begins no element of a format.
    not_an_element: [
        "expected directive, literal, variable, or optional group",
        14 => "expected literal, variable, directive, or optional group"
    ];
    /// What is wrong with a literal that is inside of a directive.
    nested_literal: [
        "literals may only be used in a top-level section of the format",
        14 => "literals may only be used in the top-level section of the format"
    ];
    /// What is wrong with a group that has no anchor.
    no_anchor: ["optional group specified no anchor element", 14 => "optional group has no anchor element"];
    /// What is wrong with a group that begins with something else.
    first_of_group: [
        "first parsable element of an operand group must be an attribute, literal, operand, or region",
        14 => "first parsable element of an optional group must be a literal or variable",
        18 => "first parsable element of an optional group must be a literal, variable, or custom directive"
    ];
    /// How messages close the name of a successor.
    SuccessorEnd: [")'", 23 => "')"];
}
