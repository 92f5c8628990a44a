"""A round trip through the client that openapi-python-client generates from the service's description. Run by clients.py,
which puts that client on the path: `client.py http://127.0.0.1:8080`.
"""
import hashlib
import sys
import time

from odsmith_client import Client
from odsmith_client.api.make import generate, generate_result
from odsmith_client.api.results import by_digest, result, result_archive, result_file
from odsmith_client.models import KeptResult, Problem, ProgressReport, RequestBody

GOOD = """include "mlir/IR/OpBase.td"
def Mill_Dialect : Dialect { let name = "mill"; let cppNamespace = "::mill"; }
def Mill_GrindOp : Op<Mill_Dialect, "grind"> { let arguments = (ins I32:$grains); }
"""


def request(text):
    return RequestBody.from_dict({"files": {"input.td": text}})


def begin(client, text):
    """Begins a request, and polls its address until the result is ready."""
    begun = generate_result.sync_detailed(client=client, body=request(text), prefer="respond-async")
    assert begun.status_code == 202 and isinstance(begun.parsed, ProgressReport), begun
    key = begun.headers["location"].removeprefix("/v1/results/")
    while (answer := result.sync_detailed(client=client, key=key)).status_code == 202:
        time.sleep(0.05)
    return answer


def main():
    client = Client(base_url=sys.argv[1])
    made = begin(client, GOOD)
    kept = made.parsed
    assert isinstance(kept, KeptResult), made
    # The same for a client that waits.
    waited = generate_result.sync_detailed(client=client, body=request(GOOD))
    assert (waited.status_code, waited.content) == (200, made.content), waited
    whole = generate.sync_detailed(client=client, body=request(GOOD))
    assert hashlib.sha256(whole.content).hexdigest() in {archive.sha256 for archive in kept.archives}, whole
    named = result_archive.sync_detailed(client=client, key=kept.key, extension="tar.gz")
    assert named.content == whole.content, named
    for archive in kept.archives:
        bytes_of_it = by_digest.sync_detailed(client=client, sha256=archive.sha256).parsed.payload.read()
        assert hashlib.sha256(bytes_of_it).hexdigest() == archive.sha256, archive
    assert len(kept.archives) == 4 and kept.outputs, kept
    for output in kept.outputs:
        file = result_file.sync_detailed(client=client, key=kept.key, path=output.path)
        assert hashlib.sha256(file.content).hexdigest() == output.sha256, output
    failed = begin(client, "def A : Missing;\n")
    assert failed.status_code == 422 and isinstance(failed.parsed, Problem), failed
    assert failed.parsed.code == "tablegen-errors" and failed.parsed.diagnostics[0].range_.start.line == 1, failed
    print("   Python: begun, asked for, fetched and compared; a failure")


if __name__ == "__main__":
    main()
