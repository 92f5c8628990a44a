// Types and attributes with parameters, and an enum.
include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Shape_Dialect : Dialect {
  let name = "shape2d";
  let summary = "Plane shapes";
  let cppNamespace = "::shape2d";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

class Shape_Type<string name, string mnemonicOfType> : TypeDef<Shape_Dialect, name> {
  let mnemonic = mnemonicOfType;
}

def Shape_PolygonType : Shape_Type<"Polygon", "polygon"> {
  let summary = "A polygon with so many corners";
  let description = [{
    ```mlir
    !shape2d.polygon<4, convex>
    ```
  }];
  let parameters = (ins "unsigned":$corners, OptionalParameter<"bool">:$convex);
  let assemblyFormat = "`<` $corners (`,` `convex` `=` $convex^)? `>`";
  let genVerifyDecl = 1;
}

def Shape_CircleType : Shape_Type<"Circle", "circle"> {
  let summary = "A circle";
}

// The cases of an enum, with the numbers that bytecode has of them.
def Shape_Fill : I32EnumAttr<"Fill", "how a shape is filled", [
    I32EnumAttrCase<"Empty", 0, "empty">,
    I32EnumAttrCase<"Solid", 1, "solid">,
    I32EnumAttrCase<"Striped", 2, "striped">
  ]> {
  let cppNamespace = "::shape2d";
  let genSpecializedAttr = 0;
}

def Shape_FillAttr : EnumAttr<Shape_Dialect, Shape_Fill, "fill"> {
  let assemblyFormat = "`<` $value `>`";
}

def Shape_PointAttr : AttrDef<Shape_Dialect, "Point"> {
  let mnemonic = "point";
  let summary = "A point of the plane";
  let parameters = (ins "int64_t":$x, "int64_t":$y);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Shape_AnyShape : AnyTypeOf<[Shape_PolygonType, Shape_CircleType], "a shape">;

def Shape_DrawOp : Op<Shape_Dialect, "draw"> {
  let summary = "Draws a shape at a point";
  let arguments = (ins Shape_AnyShape:$shape, Shape_PointAttr:$at, Shape_FillAttr:$fill);
  let assemblyFormat = "$shape `at` $at $fill attr-dict `:` type($shape)";
}
