"""The protocol between odsmith and this program. `odsmith schema plugin` describes it."""

from __future__ import annotations

import json
import struct
import sys
from typing import Any, Callable, Iterator, Literal, TypedDict

@TYPES@

def needs(classes: list[str], fields: list[str] | None = None, model: bool = False) -> Response:
    """Asks for data: the program runs once more, and its request has them."""
    return {"protocol": PROTOCOL, "needs": {"classes": classes, "fields": fields or [], "model": model}}


def file(request: Request, text: str) -> Response:
    """Answers with the file that is asked for."""
    return {"protocol": PROTOCOL, "files": [{"name": request["outputs"][0], "text": text}]}


def error(record: str, message: str) -> Response:
    """Answers with an error at a def."""
    return {"protocol": PROTOCOL, "diagnostics": [{"message": message, "place": {"record": record}}]}


def of_class(records: dict[str, Any], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The defs of a class, by their names."""
    for record in records["!instanceof"].get(name, []):
        yield record, records[record]


def name_of(value: Any) -> str:
    """The name of the def that a field holds; empty for another value."""
    return value.get("def", "") if isinstance(value, dict) else ""


def text_of(value: Any) -> str:
    """The text that a field holds; empty for another value."""
    return value if isinstance(value, str) else ""


def run(generate: Callable[[Request], Response]) -> None:
    """Reads the request and writes the answer of `generate`."""
    (length,) = struct.unpack("<I", sys.stdin.buffer.read(4))
    request = json.loads(sys.stdin.buffer.read(length))
    message = json.dumps(generate(request), ensure_ascii=False).encode()
    sys.stdout.buffer.write(struct.pack("<I", len(message)) + message)
