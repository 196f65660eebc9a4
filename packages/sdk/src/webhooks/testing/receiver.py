"""A webhook receiver of the Python 3 standard library alone: verify the raw bytes, then parse, then answer 200.

    WEBHOOK_SECRET=... python3 receiver.py [port]

It prints its port, then every accepted event as one line of JSON.
"""
import hashlib, hmac, json, os, sys
import xml.etree.ElementTree as ElementTree
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 1024 * 1024))
        expected = hmac.new(SECRET, body, hashlib.sha256).hexdigest().encode()
        given = self.headers.get("X-Platform-Signature", "").encode()
        if not hmac.compare_digest(given, expected):
            return self.answer(401)
        if body.startswith(b"<"):
            event = {member.tag: member.text or "" for member in ElementTree.fromstring(body)}
        else:
            event = json.loads(body)
        print(json.dumps(event), flush=True)
        self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
