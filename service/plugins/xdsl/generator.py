#!/usr/bin/env python3
"""-gen-xdsl: dialects as Python definitions for xDSL, which reads and writes MLIR's generic form by them.

The module has a class for each operation, type and attribute, a `Dialect` for each dialect, and `DIALECTS`, the list of them. Types and
attributes keep their parameters as they are written; the types and attributes among those are read too. The dialect `builtin` is xDSL's own.
"""

import keyword
import re

import odsmith

# Names that xDSL's operations have already.
TAKEN = {
    "name", "operands", "results", "successors", "attributes", "properties", "regions", "parent", "traits", "irdl_options", "location",
    "assembly_format", "create", "build", "clone", "detach", "drop_all_references", "erase", "verify", "verify_", "print", "parse", "walk",
    "next_op", "prev_op", "result_types", "operand_types", "has_trait", "get_trait", "is_ancestor", "is_structurally_equivalent", "custom_print_attributes",
    "add_region", "detach_region", "get_irdl_definition", "__init__", "emit_error", "parent_op", "parent_block", "parent_region", "block", "region", "get_toplevel_object",
    "dialect_name",
}
# Traits of MLIR that decide how xDSL reads a block.
TRAITS = {
    "::mlir::OpTrait::IsTerminator": "IsTerminator()",
    "::mlir::OpTrait::NoTerminator": "NoTerminator()",
    "::mlir::OpTrait::IsIsolatedFromAbove": "IsolatedFromAbove()",
}
OPTIONS = {
    "::mlir::OpTrait::AttrSizedOperandSegments": "AttrSizedOperandSegments(as_property={})",
    "::mlir::OpTrait::AttrSizedResultSegments": "AttrSizedResultSegments(as_property={})",
    "::mlir::OpTrait::SameVariadicOperandSize": "SameVariadicOperandSize()",
    "::mlir::OpTrait::SameVariadicResultSize": "SameVariadicResultSize()",
}
WORDS = {"one": "", "optional": "opt_", "variadic": "var_", "variadic-of-variadic": "var_"}
# Types and attributes of MLIR's dialects that only C++ reads, so that no definition has their names.
IN_CXX = {
    "gpu": "!async.token !mma_matrix !sparse.dntensor_handle !sparse.spgemmop_handle !sparse.spmat_handle",
    "llvm": "!label !metadata !ppc_fp128 !token !void !x86_amx",
    "quant": "!any !calibrated !uniform",
    "spirv": "!arm.tensor !array !coopmatrix !image !matrix !named_barrier !ptr !rtarray !sampled_image !sampler !struct "
    "#interface_var_abi #target_env #vce #ver",
}
HEAD = '''"""Dialects of {root}, for xDSL."""

from abc import ABC

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute, BuiltinAttribute, Dialect, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments, AttrSizedResultSegments, IRDLOperation, SameVariadicOperandSize, SameVariadicResultSize, attr_def,
    irdl_attr_definition, irdl_op_definition, operand_def, opt_attr_def, opt_operand_def, opt_prop_def, opt_result_def, prop_def, region_def,
    result_def, successor_def, traits_def, var_operand_def, var_region_def, var_result_def, var_successor_def,
)
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator

CLOSES = {{"<": ">", "(": ")", "[": "]", "{{": "}}"}}


class Written(ParametrizedAttribute, BuiltinAttribute, ABC):
    """A type or attribute as it is written: pieces of text, and the types and attributes between them."""

    parts: ArrayAttr

    @staticmethod
    def end_before(text, at):
        """The end of the token before a place, without the spaces after it."""
        while at and text[at - 1].isspace():
            at -= 1
        return at

    @classmethod
    def parse_parameters(cls, parser):
        text, at, parts, open_ = parser.lexer.input.content, parser.pos, [], []
        before = cls.end_before(text, at)
        # `#d<name x>` begins after the name, `#d.name<x>` at the bracket; a name alone has no parameters.
        is_short = text.endswith(cls.name.replace(".", "<", 1), 0, before)
        if not is_short and not text.startswith("<", at):
            return [ArrayAttr([])]
        start = at = before if is_short else at
        while at < len(text):
            if text[at] in "!#" and (text[at + 1].isalpha() or text[at + 1] == "_"):
                parts.append(StringAttr(text[start:at]))
                parser._resume_from(at)
                parts.append(parser.parse_attribute())
                start = at = cls.end_before(text, parser.pos)
                continue
            if text[at] in CLOSES:
                open_.append(CLOSES[text[at]])
            elif text[at] in ">)]}}" and not text.startswith("->", at - 1):
                if not open_:
                    break
                if open_.pop() != text[at]:
                    parser.raise_error(f"unbalanced '{{text[at]}}' in the parameters of {{cls.name}}", at, at + 1)
                if not open_ and not is_short:
                    at += 1
                    break
            elif text[at] == '"':
                at += 1
                while at < len(text) and text[at] != '"':
                    at += 2 if text[at] == "\\\\" else 1
            at += 1
        parts.append(StringAttr(text[start:at]))
        parser._resume_from(at)
        return [ArrayAttr(parts)]

    def print_builtin(self, printer):
        printer.print_string("!" if isinstance(self, TypeAttribute) else "#")
        parts = self.parts.data
        is_short = parts and not parts[0].data.startswith("<")
        printer.print_string(self.name.replace(".", "<", 1) if is_short else self.name)
        for number, part in enumerate(parts):
            printer.print_attribute(part) if number % 2 else printer.print_string(part.data)
        printer.print_string(">" if is_short else "")

'''


def plain_name(name, kind, taken):
    """A name for a member of a class; parts without names have numbers."""
    base = re.sub(r"\W", "_", name) or f"{kind}_"
    if base in TAKEN or keyword.iskeyword(base) or base.startswith("_"):
        base = f"{kind}_{base.strip('_')}"
    number, chosen = 0, base
    while chosen in taken:
        number, chosen = number + 1, f"{base}_{number}"
    taken.add(chosen)
    return chosen


def members(op, model, in_properties):
    """The members of an operation's class: their names, and what defines them."""
    taken = set()
    kind_of_attribute = "prop" if in_properties else "attr"
    for part in op["arguments"] + op["results"]:
        constraint = model["constraints"][part["constraint"]]
        name = plain_name(part["name"], part["kind"], taken)
        if part["kind"] in ("operand", "result"):
            yield name, f"{WORDS[constraint['type']['cardinality']]}{part['kind']}_def()"
            continue
        attribute = constraint.get("attribute", {})
        is_optional = part["kind"] == "property" or attribute.get("is_optional") or "default_value" in attribute
        kind = "prop" if part["kind"] == "property" else kind_of_attribute
        yield name, f"{'opt_' if is_optional else ''}{kind}_def(Attribute, {kind}_name=\"{part['name']}\")"
    for part in op["regions"] + op["successors"]:
        word = "var_" if part.get("is_variadic") else ""
        yield plain_name(part["name"], part["kind"], taken), f"{word}{part['kind']}_def()"


def operation(op, name, model, in_properties):
    text = f'@irdl_op_definition\nclass {name}(IRDLOperation):\n'
    if op["summary"]:
        summary = op["summary"].replace("\\", "\\\\").replace('"', '\\"')
        text += f'    """{" ".join(summary.split())}"""\n\n'
    text += f'    name = "{op["name"]}"\n'
    text += "".join(f"    {name} = {made}\n" for name, made in members(op, model, in_properties))
    names = [model["traits"][at]["cpp_name"] for at in op["traits"]]
    options = [OPTIONS[name].format(in_properties) for name in names if name in OPTIONS]
    traits = [TRAITS[name] for name in names if name in TRAITS]
    text += f"    irdl_options = ({', '.join(options)},)\n" if options else ""
    return text + (f"    traits = traits_def({', '.join(traits)})\n" if traits else "")


def written(name, class_name, is_type):
    bases = "Written, TypeAttribute" if is_type else "Written"
    return f'@irdl_attr_definition\nclass {class_name}({bases}):\n    name = "{name}"\n'


def types_and_attributes(dialect, model):
    """The types and attributes of a dialect that have names: the name, the class in C++, and whether it is a type."""
    for kind in ("types", "attributes"):
        for own in (own for own in model[kind] if own["dialect"] == dialect and own.get("mnemonic")):
            yield own["mnemonic"], own["cpp_class"], kind == "types"
    for name in IN_CXX.get(dialect, "").split():
        words = re.split(r"\W|_", name[1:])
        yield name[1:], "".join(map(str.capitalize, words)) + ("Type" if name[0] == "!" else "Attr"), name[0] == "!"


def generate(request):
    if "model" not in request:
        return odsmith.needs([], model=True)
    # No class has the name of something that the head of the module uses.
    model, classes = request["model"], set(re.findall(r"\w+", HEAD))
    text, lists = HEAD.format(root=request["root"]), []
    for dialect in (dialect for dialect in model["dialects"] if dialect["name"] != "builtin"):
        attributes, own = [], []
        for name, class_name, is_type in types_and_attributes(dialect["name"], model):
            attributes.append(plain_name(class_name, "Written", classes))
            text += "\n" + written(f"{dialect['name']}.{name}", attributes[-1], is_type) + "\n"
        for op in (op for op in model["operations"] if op["dialect"] == dialect["name"]):
            own.append(plain_name(op["cpp_class"], "Operation", classes))
            text += "\n" + operation(op, own[-1], model, dialect["uses_properties_for_attributes"]) + "\n"
        if own or attributes:
            lists.append(plain_name(dialect["name"].capitalize(), "Dialect", classes))
            text += f"\n{lists[-1]} = Dialect(\"{dialect['name']}\", [{', '.join(own)}], [{', '.join(attributes)}])\n"
    return odsmith.file(request, text + f"\nDIALECTS = [{', '.join(lists)}]\n")


if __name__ == "__main__":
    odsmith.run(generate)
