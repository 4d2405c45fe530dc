"""What a visit costs: bytes, and the time to the first paint."""

import http.server
import os
import statistics
import threading

from pages import done, sign_in, until


class Empty(http.server.BaseHTTPRequestHandler):
    """A page with one word: what a browser needs for nothing."""

    def do_GET(self):
        body = b"<!doctype html><title>empty</title><p>empty"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def weighing(browser, box):
    """What a visit costs, beside an empty page on loopback."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Empty)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    sign_in(page, box, "tek")

    weights = {}
    # Pictures are what the camera gives, also that of an alert that came; an answer that was not modified weighs nothing.
    page.on("response", lambda answer: weights.update({answer.url: int(answer.headers.get("content-length", 0))}) if answer.status in (200, 206) and "/live?" not in answer.url and "/photos/" not in answer.url and "events" not in answer.url else None)

    def paint(address):
        page.goto(address)
        until(page, "performance.getEntriesByName('first-contentful-paint').length > 0")
        return page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")

    addresses = (box.url + "/", f"http://127.0.0.1:{server.server_port}/")
    # By turns, so that what else the machine does weighs on both alike.
    times = [[paint(address) for address in addresses] for _ in range(25 if os.environ.get("CHECKPOST_FIGURES") else 3)]
    server.shutdown()
    context.close()
    watch, empty = (statistics.median(column) for column in zip(*times))
    weight = sum(weights.values())
    assert weight < 150_000, f"{weight} bytes: {weights}"
    done(
        f"first paint: the watch page {watch:.0f} ms, an empty page {empty:.0f} ms, {watch / empty:.2f} of it (medians of "
        f"{len(times)}); {weight / 1000:.0f} kB in all")
