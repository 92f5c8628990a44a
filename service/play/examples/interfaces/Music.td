// An interface of operations, another one of types, and a trait, all written in C++ inside of them.
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def Music_Dialect : Dialect {
  let name = "music";
  let summary = "Notes, and what all of them can do";
  let cppNamespace = "::music";
  let useDefaultTypePrinterParser = 1;
}

def Music_Playable : OpInterface<"Playable"> {
  let description = [{ What can be played for a while. }];
  let cppNamespace = "::music";
  let methods = [
    InterfaceMethod<"How long it lasts, in beats.", "unsigned", "getBeats">,
    InterfaceMethod<
      "Whether it is over soon.", "bool", "isShort", (ins "unsigned":$most),
      /*methodBody=*/[{ return $_op.getBeats() <= most; }]>,
    StaticInterfaceMethod<"The family of instruments.", "::llvm::StringRef", "getFamily",
      (ins), /*methodBody=*/"", /*defaultImplementation=*/[{ return "strings"; }]>
  ];
  let verify = [{
    if (::llvm::cast<::music::Playable>($_op).getBeats() == 0)
      return $_op->emitOpError("must last for some time");
    return ::mlir::success();
  }];
}

def Music_Pitched : TypeInterface<"Pitched"> {
  let description = [{ What has a pitch. }];
  let cppNamespace = "::music";
  let methods = [InterfaceMethod<"In hertz.", "double", "getFrequency">];
}

def Music_Loud : NativeOpTrait<"Loud"> {
  let cppNamespace = "::music";
}

def Music_ToneType : TypeDef<Music_Dialect, "Tone", [DeclareTypeInterfaceMethods<Music_Pitched>]> {
  let mnemonic = "tone";
  let summary = "A tone of a key";
  let parameters = (ins "unsigned":$key);
  let assemblyFormat = "`<` $key `>`";
}

class Music_Op<string mnemonic, list<Trait> traits = []>
    : Op<Music_Dialect, mnemonic, traits>;

def Music_NoteOp : Music_Op<"note", [DeclareOpInterfaceMethods<Music_Playable>]> {
  let summary = "Plays a note";
  let arguments = (ins I32Attr:$beats);
  let results = (outs Music_ToneType:$tone);
  let assemblyFormat = "$beats attr-dict `:` type($tone)";
}

def Music_DrumOp : Music_Op<"drum", [
    Music_Loud, DeclareOpInterfaceMethods<Music_Playable, ["getFamily"]>]> {
  let summary = "Beats a drum";
  let arguments = (ins Variadic<Music_ToneType>:$with);
  let assemblyFormat = "($with^ `:` type($with))? attr-dict";
}
