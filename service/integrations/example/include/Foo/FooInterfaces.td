// The interface of operations that open something.
#ifndef FOO_INTERFACES
#define FOO_INTERFACES

include "mlir/IR/Interfaces.td"

def Foo_Openable : OpInterface<"Openable"> {
  let cppNamespace = "::foo";
  let description = "Can be opened.";
  let methods = [InterfaceMethod<"Opens it.", "bool", "open">];
}

#endif
