"""Stand-ins of stores: an HTTP server on the port that a file names, or on a free one, which is written there."""
import http.server
import pathlib


class Handler(http.server.BaseHTTPRequestHandler):
    """A handler that logs nothing and keeps the connection."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def store(self, folder, file, body):
        """Writes a file at once, whoever reads it."""
        unfinished = folder.parent / f"unfinished-{id(self)}"
        unfinished.write_bytes(body)
        unfinished.rename(file)


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128


def serve(port_file, handler):
    wanted = pathlib.Path(port_file)
    port = int(wanted.read_text()) if wanted.exists() else 0
    server = Server(("127.0.0.1", port), handler)
    wanted.with_suffix(".new").write_text(str(server.server_port))
    wanted.with_suffix(".new").rename(wanted)
    server.serve_forever()
