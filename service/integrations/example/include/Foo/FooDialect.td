// The dialect, its base classes and a type.
#ifndef FOO_DIALECT
#define FOO_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Foo_Dialect : Dialect {
  let name = "foo";
  let summary = "An example of a dialect.";
  let cppNamespace = "::foo";
  let useDefaultTypePrinterParser = 1;
}

class Foo_Op<string mnemonic, list<Trait> traits = []> : Op<Foo_Dialect, mnemonic, traits>;

def Foo_BoxType : TypeDef<Foo_Dialect, "Box"> {
  let mnemonic = "box";
  let summary = "Holds a value of some width.";
  let parameters = (ins "unsigned":$width);
  let assemblyFormat = "`<` $width `>`";
}

#endif
