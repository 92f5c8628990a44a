"""A small and strict S3 store: every request must have a signature (SigV4, in the query), which is computed here
independently. Objects are files in a folder, which a test may read and change.

  s3.py PORT_FILE FOLDER KEY SECRET REGION BUCKET

With a file FULL beside the folder it answers uploads with 507; with a file BUSY, everything with 503.
"""
import datetime
import hashlib
import hmac
import pathlib
import sys
import urllib.parse

import stand_in

port_file, folder, key, secret, region, bucket = sys.argv[1:]
folder = pathlib.Path(folder)


def signature(method, path, query, host):
    """The signature of a request with these parameters, except the signature that it has."""
    pairs = sorted(pair for pair in query.split("&") if not pair.startswith("X-Amz-Signature="))
    canonical = "\n".join([method, path, "&".join(pairs), f"host:{host}", "", "host", "UNSIGNED-PAYLOAD"])
    given = dict(urllib.parse.parse_qsl(query))
    date = given["X-Amz-Date"]
    scope = f"{date[:8]}/{region}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    step = ("AWS4" + secret).encode()
    for part in [date[:8], region, "s3", "aws4_request"]:
        step = hmac.new(step, part.encode(), hashlib.sha256).digest()
    return hmac.new(step, text.encode(), hashlib.sha256).hexdigest(), scope


def fault(method, path, query, host):
    given = dict(urllib.parse.parse_qsl(query))
    if any(name not in given for name in ["X-Amz-Date", "X-Amz-Expires", "X-Amz-Signature", "X-Amz-Credential", "X-Amz-SignedHeaders"]):
        return "not signed"
    expected, scope = signature(method, path, query, host)
    signed = datetime.datetime.strptime(given["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
    age = (datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None) - signed).total_seconds()
    if given.get("X-Amz-Algorithm") != "AWS4-HMAC-SHA256" or given["X-Amz-SignedHeaders"] != "host":
        return "signed in another way"
    if given["X-Amz-Credential"] != f"{key}/{scope}":
        return "another's key"
    if not -60 <= age <= int(given["X-Amz-Expires"]):
        return "out of date"
    return None if hmac.compare_digest(expected, given["X-Amz-Signature"]) else "the signature is wrong"


class Bucket(stand_in.Handler):
    def handle_one(self):
        body = self.body()
        path, _, query = self.path.partition("?")
        wrong = fault(self.command, path, query, self.headers["Host"])
        if wrong:
            return self.answer(403, wrong.encode())
        if (folder.parent / "BUSY").exists():
            return self.answer(503)
        place, _, name = urllib.parse.unquote(path).lstrip("/").partition("/")
        if place != bucket:
            return self.answer(404)
        file = folder / urllib.parse.quote(name, safe="")
        if self.command == "PUT":
            if (folder.parent / "FULL").exists():
                return self.answer(507)
            self.store(folder, file, body)
            return self.answer(200)
        return self.answer(200, file.read_bytes()) if file.exists() else self.answer(404)

    do_GET = do_HEAD = do_PUT = handle_one


folder.mkdir(parents=True, exist_ok=True)
stand_in.serve(port_file, Bucket)
