"""A small and strict cache of builds, as bazel-remote serves it: blobs by their digest at /cas, results of actions at
/ac. Blobs are checked by their digest. The result of an action must be an `ActionResult`, whose blobs must be there when
it comes and when it is read. Entries are files in a folder, which a test may read and change.

  http_cache.py PORT_FILE FOLDER

Addresses begin with /some. With a file FULL beside the folder it answers uploads with 507; with a file BUSY, everything
with 503; with a file SLOW, an upload takes as many milliseconds for each KiB as the file says.
"""
import hashlib
import pathlib
import re
import sys
import threading
import time

import stand_in

port_file, folder = sys.argv[1:]
folder = pathlib.Path(folder)
line = threading.Lock()


def number(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return value, at


def fields(data):
    """The fields of a message: (number, value)."""
    at = 0
    while at < len(data):
        tag, at = number(data, at)
        if tag & 7 == 0:
            value, at = number(data, at)
        elif tag & 7 == 2:
            length, at = number(data, at)
            value, at = data[at : at + length], at + length
            if len(value) != length:
                raise ValueError("cut off")
        else:
            raise ValueError(f"wire type {tag & 7}")
        yield tag >> 3, value


def is_whole(action):
    """Whether a message is an ActionResult whose blobs are there."""
    try:
        parts = list(fields(action))
        if not parts or any(part not in (2, 5) for part, _ in parts):
            return False
        for part, value in parts:
            if part == 2:
                file = dict(fields(value))
                digest = dict(fields(file[2]))
                blob = folder / "cas" / digest[1].decode()
                if not file[1] or not blob.exists() or blob.stat().st_size != digest[2]:
                    return False
        return True
    except (IndexError, KeyError, ValueError):
        return False


class Cache(stand_in.Handler):
    def handle_one(self):
        body = self.body()
        if (folder.parent / "BUSY").exists():
            return self.answer(503)
        match = re.fullmatch(r"/some/(cas|ac)/([0-9a-f]{64})", self.path)
        if not match:
            return self.answer(400, b"no such address")
        kind, name = match.groups()
        file = folder / kind / name
        if self.command != "PUT":
            content = file.read_bytes() if file.exists() else None
            if content is None or (kind == "ac" and not is_whole(content)):
                return self.answer(404)
            return self.answer(200, content)
        if (folder.parent / "FULL").exists():
            return self.answer(507)
        slow = folder.parent / "SLOW"
        if slow.exists():
            with line:
                time.sleep(len(body) / 1024 * float(slow.read_text()) / 1000)
        if kind == "cas" and hashlib.sha256(body).hexdigest() != name:
            return self.answer(400, b"another digest")
        if kind == "ac" and not is_whole(body):
            return self.answer(400, b"no ActionResult, or its blobs are missing")
        self.store(folder, file, body)
        return self.answer(200)

    do_GET = do_HEAD = do_PUT = handle_one


for kind in ("cas", "ac"):
    (folder / kind).mkdir(parents=True, exist_ok=True)
stand_in.serve(port_file, Cache)
