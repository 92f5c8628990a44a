// Interfaces of the mill dialect: one of each kind, with required, default and static methods.
#ifndef MILL_INTERFACES_TD
#define MILL_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Mill_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::mill";
  let description = "Work that takes time, in minutes.";
  let methods = [
    InterfaceMethod<"Minutes that the work takes.", "int64_t", "getMinutes", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return 1;">,
    InterfaceMethod<"Minutes for so many rounds.", "int64_t", "getMinutesFor", (ins "int64_t":$rounds),
      /*methodBody=*/"return $_op.getMinutes() * rounds;">,
    StaticInterfaceMethod<"Who does it.", "::llvm::StringRef", "getWorker", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return \"miller\";">,
  ];
  let extraSharedClassDeclaration = [{
    bool isShort() { return $_op.getMinutes() < 5; }
  }];
  let verify = "return ::mill::detail::verifyCost($_op);";
}

def Mill_CerealTypeInterface : TypeInterface<"CerealTypeInterface"> {
  let cppNamespace = "::mill";
  let description = "What is made of one cereal.";
  let methods = [
    InterfaceMethod<"The cereal.", "::mill::Cereal", "getCereal">,
    InterfaceMethod<"Whether it keeps over a winter.", "bool", "keeps", (ins), "", "return false;">,
  ];
}

def Mill_WeighedAttrInterface : AttrInterface<"WeighedAttrInterface"> {
  let cppNamespace = "::mill";
  let description = "What has a weight.";
  let methods = [InterfaceMethod<"The weight in grams.", "int64_t", "getGrams">];
}

#endif
