#!/usr/bin/env python3
"""Asks `odsmith mcp`, or `/mcp` of a server, as a client of the protocol does: the handshake, the schemas of the tools, and
scripted tasks over the catalogue of tests/registry/organisation and a folder. Each task is a call and what its answer must
have. A server reads no folder, so that it gets files and published versions instead.

  mcp_tasks.py ODSMITH CATALOGUE ROOT      (a Python with the package `mcp` from PyPI: tests/setup/mcp.sh)
  mcp_tasks.py http://HOST:PORT/mcp ROOT
"""
import asyncio, json, os, pathlib, sys

import jsonschema
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

MOST_BYTES = 8192

def at(value, path):
    """The value at a path of names and numbers, with dots between them; `#` is the number of items."""
    for part in path.split("."):
        if part == "#":
            value = len(value or [])
        elif isinstance(value, list):
            value = value[int(part)] if int(part) < len(value) else None
        else:
            value = (value or {}).get(part)
    return value

# A task: a question, the tool and its arguments, and the fields of the answer.
TASKS = [
    ("which project has the dialect hw", "search", {"query": "kind:dialect name:hw"}, {"total": 1, "hits.0.id": "hw@1.1.0/hw/dialect/hw"}),
    ("operations from a memref to an index", "search", {"query": "memref -> index"}, {"total": 2, "hits.0.id": "mem@1.0.0/mem/op/rank"}),
    ("a misspelt name", "search", {"query": "extact_slice"}, {"hits.0.id": "tensorx@1.0.0/tensorx/op/extract_slice"}),
    ("matrix multiplication anywhere", "search", {"query": "matrix multiplication"}, {"total": 4}),
    ("the same by project", "search", {"query": "matrix multiplication count by project"}, {"hits.#": 4}),
    ("one page of it", "search", {"query": "matrix multiplication", "limit": 2}, {"hits.#": 2, "more": 2, "next": "2"}),
    ("the next page", "search", {"query": "matrix multiplication", "limit": 2, "cursor": "2"}, {"hits.#": 2, "more": 0, "next": None}),
    ("deprecated definitions", "search", {"query": "is:deprecated"}, {"total": 1, "hits.0.id": "base@1.0.0/base/op/old_cast"}),
    ("operations that came since June", "search", {"query": "kind:op released:>2026-06-01"}, {"total": 2}),
    ("operations without a summary", "search", {"query": "is:undocumented project:torchx kind:op"}, {"total": 2}),
    ("definitions that broke bytecode", "search", {"query": "breaks:wire"}, {"total": 1, "hits.0.id": "stable@1.14.0/stable/op/dot_general"}),
    ("nothing", "search", {"query": "zzqqx"}, {"total": 0, "hits.#": 0}),
    ("an operation by its name", "describe", {"symbol": "stable.dot_general"}, {"id": "stable@1.14.0/stable/op/dot_general", "operands.0.constraint": "HLO_Tensor"}),
    ("an older version of it", "describe", {"symbol": "stable@1.12.0/stable/op/dot_general"}, {"attributes.#": 1}),
    ("a part of an operation", "describe", {"symbol": "hw@1.0.0/hw/op/instance#operand:inputs"}, {"kind": "op"}),
    ("an interface", "describe", {"symbol": "TilingInterface"}, {"members.0.name": "getLoopIteratorTypes", "file": "base.td"}),
    ("an enum", "describe", {"symbol": "base/_/enum/Base_Rounding"}, {"members.#": 2, "kind": "enum"}),
    ("a pass by its flag", "describe", {"symbol": "-stable-legalize-to-linalg"}, {"kind": "pass"}),
    ("a type", "describe", {"symbol": "!quant2.scaled"}, {"members.0.name": "scale"}),
    ("a C++ class", "describe", {"symbol": "linalgx::GenericOp"}, {"id": "linalgx@3.1.0/linalgx/op/generic"}),
    ("who implements an interface", "uses", {"symbol": "TilingInterface"}, {"total": 4, "by_project.linalgx": 3}),
    ("patterns that create an operation", "uses", {"symbol": "linalgx.generic", "how": "creates"}, {"total": 2, "by_project.torchx": 2}),
    ("who depends on a dialect", "uses", {"symbol": "stable/stable/dialect/stable"}, {"total": 2}),
    ("uses through another constraint", "uses", {"symbol": "stable/_/constraint/HLO_Tensor"}, {"total": 11}),
    ("nobody matches tosa.add", "uses", {"symbol": "mlir/tosa/op/add", "how": "matches"}, {"total": 0}),
    ("what a change breaks, and where", "diff", {"old": "old", "new": "new", "catalog": True}, {"findings.0.rule": "IN001", "findings.0.elsewhere.0.project": "shard", "findings.0.elsewhere.0.users": 2}),
    ("errors in files that come along", "check", {"files": {"a.td": "def X : Y;"}}, {"total": 1, "findings.0.line": 1}),
    ("lint of a folder", "lint", {"folder": "new"}, {"next": None}),
    ("what mlir-tblgen would write", "generate", {"td": "stable.td", "folder": "new", "flags": ["-gen-op-decls", "-dialect=stable"]}, {}),
    ("a rule", "explain", {"rule": "IN001"}, {"rule": "IN001"}),
    ("a place in the folder instead", "search", {"query": "kind:op", "in": "old"}, {"total": 3}),
]
# Calls that are refused.
REFUSED = [
    ("describe", {"symbol": "nothing.here"}),
    ("search", {"query": "colour:red"}),
    ("check", {"folder": "../.."}),
    ("generate", {"td": "stable.td", "folder": "new", "flags": ["-gen-op-decls", "-o=x"]}),
]

# Calls that a server refuses besides.
REFUSED_OVER_HTTP = [
    ("check", {"folder": "."}),
    ("search", {"query": "kind:op", "in": "oci://registry.example/x:1"}),
    ("diff", {"old": "release:21", "new": "release:22"}),
]
# What a server is asked in place of the folders below the root.
PUBLISHED = {"old": "stable@1.12.0", "new": "stable@1.13.0"}

def over_http(arguments, root):
    """The same call without folders."""
    changed = {name: PUBLISHED.get(value, value) if name in ("old", "new", "in") else value for name, value in arguments.items()}
    folder = changed.pop("folder", None)
    if folder:
        changed["files"] = {path.name: path.read_text() for path in (root / folder).iterdir()}
    return changed

async def main():
    if sys.argv[1].startswith("http"):
        url, root = sys.argv[1], pathlib.Path(sys.argv[2])
        tasks = [(question, name, over_http(arguments, root), fields) for question, name, arguments, fields in TASKS]
        async with streamable_http_client(url) as streams:
            return await ask(streams, tasks, [call for call in REFUSED if "folder" not in call[1]] + REFUSED_OVER_HTTP)
    program, catalogue, root = sys.argv[1:4]
    parameters = StdioServerParameters(command=program, args=["mcp", "--root", root, "--catalog", catalogue], env=dict(os.environ))
    async with stdio_client(parameters) as streams:
        return await ask(streams, TASKS, REFUSED)

async def ask(streams, tasks, refused):
    async with ClientSession(streams[0], streams[1]) as session:
        hello = await session.initialize()
        info = getattr(hello, "server_info", None) or hello.serverInfo
        assert info.name == "odsmith", hello
        tools = {tool.name: tool.model_dump(by_alias=True) for tool in (await session.list_tools()).tools}
        for tool in tools.values():
            for schema in (tool["inputSchema"], tool["outputSchema"]):
                jsonschema.Draft202012Validator.check_schema(schema)
            assert tool["annotations"]["readOnlyHint"] and not tool["annotations"]["destructiveHint"], tool["name"]
        wrong = 0
        for question, name, arguments, fields in tasks:
            jsonschema.validate(arguments, tools[name]["inputSchema"])
            answer = (await session.call_tool(name, arguments)).model_dump(by_alias=True)
            value = answer["structuredContent"]
            size = len(json.dumps(value)) + len(json.dumps(answer["content"][0]["text"]))
            problems = [f"{field} is {seen!r}, and not {expected!r}" for field, expected in fields.items()
                        if not answer["isError"] and (seen := at(value, field)) != expected]
            if answer["isError"]:
                problems.append(answer["content"][0]["text"])
            else:
                jsonschema.validate(value, tools[name]["outputSchema"])
                if json.loads(answer["content"][0]["text"]) != value:
                    problems.append("the text is another answer")
            if size > MOST_BYTES:
                problems.append(f"{size} bytes")
            if problems:
                wrong += 1
                print(f"{question}: {name} {arguments}: {'; '.join(problems)}")
        for name, arguments in refused:
            answer = (await session.call_tool(name, arguments)).model_dump(by_alias=True)
            if not answer["isError"]:
                wrong += 1
                print(f"{name} {arguments} is answered")
        print(f"{len(tasks)} tasks and {len(refused)} refusals, {wrong} wrong")
        return wrong

sys.exit(1 if asyncio.run(main()) else 0)
