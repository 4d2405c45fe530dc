#!/usr/bin/env python3
"""A small S3-compatible storage in memory, written from the published interface and with nothing of Checkpost's, for the tests.

  storage.py BUCKET REGION ACCESS_KEY SECRET_KEY

It listens on a free port of loopback, prints the port, and ends when its standard input does. It checks every signature (AWS Signature
Version 4) by its own reckoning. What begins with /-/ is for the test: /-/fault?kind=K&count=N&only=P makes the next N requests fail whose
place has P in it (a status, "drop": the connection ends, "hang": nothing is answered, "half": half of the body comes, "empty": a list has
no names and is not at its end, "again": each list begins from the start), /-/log lists what was asked, /-/uploads the uploads not ended,
/-/object?key=K gets, puts or deletes an object behind everybody's back.
"""
import hashlib
import hmac
import json
import sys
import threading
import time
import urllib.parse
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

BUCKET, REGION, ACCESS, SECRET = sys.argv[1:5]
lock = threading.Lock()
objects, uploads, log, fault = {}, {}, [], {"kind": "", "count": 0, "only": ""}


class Refused(Exception):
    def __init__(self, status, code):
        self.status, self.code = status, code


def encoded(text, keep=""):
    return urllib.parse.quote(text, safe="-._~" + keep)


def digest(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", fields=(), half=False):
        self.send_response(status)
        names = {name.lower() for name, _ in fields}
        if "content-length" not in names:
            self.send_header("Content-Length", str(len(body)))
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[: len(body) // 2] if half else body)
        if half:
            self.close_connection = True

    def refuse(self, status, code):
        self.answer(status, f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>No.</Message></Error>'.encode())

    def verify(self, path, query, body):
        words = self.headers.get("Authorization", "")
        if not words.startswith("AWS4-HMAC-SHA256 "):
            raise Refused(403, "AccessDenied")
        parts = dict(part.strip().split("=", 1) for part in words[17:].split(","))
        access, day, region, service, end = parts["Credential"].split("/")
        if access != ACCESS:
            raise Refused(403, "InvalidAccessKeyId")
        moment = self.headers["x-amz-date"]
        sent = datetime.strptime(moment, "%Y%m%dT%H%M%SZ").replace(tzinfo=timezone.utc)
        if abs((datetime.now(timezone.utc) - sent).total_seconds()) > 900 or not moment.startswith(day):
            raise Refused(403, "RequestTimeTooSkewed")
        names = parts["SignedHeaders"].split(";")
        if not {"host", "x-amz-date", "x-amz-content-sha256"} <= set(names) or names != sorted(names):
            raise Refused(403, "AccessDenied")
        pairs = sorted((encoded(k), encoded(v)) for k, v in urllib.parse.parse_qsl(query, keep_blank_values=True))
        canonical = "\n".join(
            [self.command, encoded(urllib.parse.unquote(path), "/"), "&".join(f"{k}={v}" for k, v in pairs)]
            + [f"{name}:{' '.join(self.headers[name].split())}" for name in names]
            + ["", ";".join(names), self.headers["x-amz-content-sha256"]])
        scope = f"{day}/{region}/s3/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
        key = ("AWS4" + SECRET).encode()
        for part in (day, REGION, "s3", "aws4_request"):
            key = digest(key, part)
        if (region, service, end) != (REGION, "s3", "aws4_request") or not hmac.compare_digest(
                digest(key, text).hex(), parts["Signature"]):
            raise Refused(403, "SignatureDoesNotMatch")
        if hashlib.sha256(body).hexdigest() != self.headers["x-amz-content-sha256"]:
            raise Refused(400, "XAmzContentSHA256Mismatch")

    def control(self, path, query, body):
        if path == "/-/fault":
            fault.update(kind=query.get("kind", ""), count=int(query.get("count", "0")), only=query.get("only", ""))
            return self.answer(200)
        if path == "/-/log":
            said = json.dumps(log).encode()
            log.clear()
            return self.answer(200, said)
        if path == "/-/uploads":
            return self.answer(200, json.dumps(list(uploads)).encode())
        key = query["key"]
        if self.command == "PUT":
            objects[key] = body
        elif self.command == "DELETE":
            objects.pop(key, None)
        return self.answer(200 if key in objects else 404, objects.get(key, b""))

    def handle_one(self):
        path, _, text = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        query = dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
        if path.startswith("/-/"):
            with lock:
                return self.control(path, query, body)
        with lock:
            fails = fault["count"] > 0 and fault["only"] in self.path
            kind = fault["kind"] if fails else ""
            fault["count"] -= fails
            log.append(f"{self.command} {self.path}")
        if kind == "drop":
            self.close_connection = True
            return None
        if kind == "hang":
            time.sleep(30)
            self.close_connection = True
            return None
        try:
            if kind.isdigit():
                raise Refused(int(kind), "InternalError" if kind == "500" else "SlowDown")
            self.verify(path, text, body)
            bucket, _, key = urllib.parse.unquote(path)[1:].partition("/")
            if bucket != BUCKET:
                raise Refused(404, "NoSuchBucket")
            with lock:
                self.serve(key, query, body, kind)
        except Refused as refused:
            self.refuse(refused.status, refused.code)
        return None

    def serve(self, key, query, body, kind):
        if not key:
            return self.list(query, kind)
        if self.command == "POST" and "uploads" in query:
            name = f"upload-{len(uploads)}"
            uploads[name] = {}
            return self.answer(200, f"<R><UploadId>{name}</UploadId></R>".encode())
        if "uploadId" in query:
            parts = uploads.get(query["uploadId"])
            if parts is None:
                raise Refused(404, "NoSuchUpload")
            if self.command == "PUT":
                parts[int(query["partNumber"])] = body
                tag = hashlib.md5(body).hexdigest()
                return self.answer(200, fields=[("ETag", f'"{tag}"')])
            del uploads[query["uploadId"]]
            if self.command == "DELETE":
                return self.answer(204)
            objects[key] = b"".join(parts[number] for number in sorted(parts))
            if body.count(b"<Part>") != len(parts):
                raise Refused(400, "InvalidPart")
            return self.answer(200, b"<CompleteMultipartUploadResult></CompleteMultipartUploadResult>")
        if self.command == "PUT":
            objects[key] = body
            return self.answer(200)
        if self.command == "DELETE":
            objects.pop(key, None)
            return self.answer(204)
        if key not in objects:
            raise Refused(404, "NoSuchKey")
        data = objects[key]
        return self.answer(200, data, [("Content-Length", str(len(data)))], kind == "half")

    def list(self, query, kind):
        if query.get("list-type") != "2":
            raise Refused(400, "InvalidArgument")
        most = min(1000, int(query.get("max-keys", "1000")))
        start = "" if kind == "again" else query.get("start-after", "")
        keys = sorted(k for k in objects if k.startswith(query.get("prefix", "")) and k.encode() > start.encode())
        items = "" if kind == "empty" else "".join(
            f"<Contents><Key>{escape(k)}</Key><Size>{len(objects[k])}</Size></Contents>" for k in keys[:most])
        more = "true" if kind == "empty" or len(keys) > most else "false"
        self.answer(
            200, f"<ListBucketResult><Name>{BUCKET}</Name><IsTruncated>{more}</IsTruncated>{items}</ListBucketResult>".encode())

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_one


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
