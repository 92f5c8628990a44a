// Custom directives of the mill dialect and of its sibling. They are static, as the generated parsers of one file call them.
#pragma once

#include "mlir/IR/OpImplementation.h"

using namespace mlir;

// custom<Text>: the text, in the brackets that the format names.
static ParseResult parseText(OpAsmParser &parser, StringAttr &text, StringRef brackets) {
  return failure(parser.parseLess() || parser.parseAttribute(text) || parser.parseGreater());
}
static void printText(OpAsmPrinter &printer, Operation *, StringAttr text, StringRef brackets) {
  printer << brackets.front() << text << brackets.back();
}

// custom<Marks>: as many marks as the text has letters.
static ParseResult parseMarks(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &marks,
                              SmallVectorImpl<Type> &types, StringAttr text) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("unmarked")))
    return success();
  if (parser.parseOperandList(marks) || parser.parseColonTypeList(types))
    return failure();
  if (marks.size() != text.size())
    return parser.emitError(loc) << marks.size() << " marks on " << text.size() << " letters";
  return success();
}
static void printMarks(OpAsmPrinter &printer, Operation *, OperandRange marks, TypeRange types, StringAttr) {
  if (marks.empty())
    printer << "unmarked";
  else
    printer << marks << " : " << types;
}
