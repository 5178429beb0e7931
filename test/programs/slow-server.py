"""Serves 6,000,000 bytes over some seconds on the given loopback port, for two requests."""

import http.server
import sys
import time


class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "6000000")
        self.end_headers()
        for _ in range(60):
            self.wfile.write(b"x" * 100_000)
            time.sleep(0.05)

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Slow)
for _ in range(2):
    server.handle_request()
