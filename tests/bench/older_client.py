#!/usr/bin/env python3
"""A proxy between an older Bazel and a remote executor, which lowers the oldest version that the executor says it serves.

Debian's Bazel 7 speaks version 2.0 of the protocol alone, and BuildBox answers that it serves 2.1 and later, though the calls
that Bazel makes are the same. Everything else is passed on as it is.

    older_client.py LISTEN SERVER
"""
import sys
from concurrent import futures

import grpc

CAPABILITIES = "/build.bazel.remote.execution.v2.Capabilities/GetCapabilities"
# ServerCapabilities.low_api_version, field 4: { major: 2 }.
LOWEST = bytes([4 << 3 | 2, 2, 1 << 3, 2])
LIMIT = [("grpc.max_receive_message_length", 64 << 20), ("grpc.max_send_message_length", 64 << 20)]


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def with_lowest(data):
    """The message with another field 4; all its fields are messages."""
    kept, at = b"", 0
    while at < len(data):
        start = at
        tag, at = varint(data, at)
        length, at = varint(data, at)
        at += length
        if tag >> 3 != 4:
            kept += data[start:at]
    return kept + LOWEST


class Proxy(grpc.GenericRpcHandler):
    def __init__(self, channel):
        self.channel = channel

    def service(self, details):
        method = details.method

        def passed(requests, context):
            remaining = context.time_remaining()
            # grpcio reports an absent deadline as a huge number of seconds.
            timeout = remaining if remaining and remaining < 1e9 else None
            call = self.channel.stream_stream(method, None, None)(requests, metadata=context.invocation_metadata(), timeout=timeout)
            context.add_callback(call.cancel)
            try:
                for response in call:
                    yield with_lowest(response) if method == CAPABILITIES else response
            except grpc.RpcError as error:
                context.set_trailing_metadata(error.trailing_metadata() or ())
                context.abort(error.code(), error.details())

        return grpc.stream_stream_rpc_method_handler(passed)


def main():
    listen, server = sys.argv[1:]
    proxy = grpc.server(futures.ThreadPoolExecutor(64), handlers=[Proxy(grpc.insecure_channel(server, LIMIT))], options=LIMIT)
    proxy.add_insecure_port(listen)
    proxy.start()
    proxy.wait_for_termination()


if __name__ == "__main__":
    main()
