"""A hostile night at the console, in a real Chromium by touch alone: 300 vehicles wait, two rangers act at once, fingers fall on what has
just appeared, every event stream is taken, the clock is wrong, the box is killed. Prints what was done; fails with what was not."""

import http.client
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import TimeoutError as Timeout
from playwright.sync_api import sync_playwright

from box import Box, wait_for
from pages import conclude, done, look, playing, shots, unguarded, until
from touch import see, tap_keys

HERE = pathlib.Path(__file__).resolve().parent
FIRST, PASSING, SPEEDING = "0524", "0434", "0501"
DAY = 86400
NO_COMPILER = 77

program = sys.argv[1]


class NightBox(Box):
    """One whose wall clock can be set while it runs."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        compiler = next((found for found in map(shutil.which, ("cc", "clang", "gcc")) if found), None)
        if not compiler:
            sys.exit(NO_COMPILER)
        library, self.machine = self.folder / "bent.so", self.folder / "bent"
        source = HERE.parent / "Machine" / "bent.c"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        self.machine.write_bytes(bytes(16))
        self.environment = {"LD_PRELOAD": str(library), "CHECKPOST_TEST_MACHINE": str(self.machine)}

    def set_clock(self, seconds):
        """Moves the box's clock by so many seconds against the true one."""
        with open(self.machine, "r+b") as file:
            file.write(struct.pack("<q", seconds * 1000))


def open_screen(browser, box, failures, width, height):
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-US", has_touch=True)
    context.set_default_timeout(60000)
    page = context.new_page()
    page.on("pageerror", lambda error: failures.append(f"script: {error}"))
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(box.url + "/")
    return page


def type_pin(page, name, pin):
    page.locator("label.tile", has_text=name).tap()
    with page.expect_navigation():
        if page.viewport_size["width"] < 600:
            # A phone has keys of its own.
            page.locator("input[name=pin]").fill(pin)
            page.locator("form:has(input[name=pin]) button.big").tap()
        else:
            page.locator("input[name=pin]").tap()
            page.locator("#keys").wait_for()
            tap_keys(page, pin + "✓")


def sign_in(page, name, pin):
    type_pin(page, name, pin)
    page.wait_for_selector("#record")


def piling_up(page, phone, box):
    """300 vehicles wait: they are counted the same everywhere, and the one at the barrier is in sight all the same."""
    box.arrive(FIRST)
    wait_for("a vehicle", lambda: box.count("SELECT count(*) FROM sightings"))
    # They look as that one does.
    box.reviews(*[f"BA {number // 9 + 1} PA {7000 + number}" for number in range(300)])
    page.goto(box.url + "/")
    page.locator("[data-count=review]", has_text="300").first.wait_for()
    box.arrive(PASSING)
    newest = page.locator("#passages .plate", has_text="B AG 4106")
    newest.wait_for()
    area = newest.first.bounding_box()
    assert area["y"] + area["height"] <= 600, f"the vehicle at the barrier is in sight: {area}"
    phone.goto(box.url + "/reviews")
    phone.locator("[data-count=review]", has_text="३००").first.wait_for()
    shown = phone.locator(".gallery > *").count()
    assert 0 < shown <= 100, f"a page of reviews is bounded: {shown}"
    look(phone, "night-reviews")
    done(f"300 vehicles wait, {shown} on the first page, and the one at the barrier stands on the watch page")


def hitting_early(page, box):
    """Fingers fall on an alert that has just opened: nothing is decided in its first second, nor by a hail of them."""
    page.goto(box.url + "/")
    unguarded(page)
    box.speeding("BA 9 CHA 9001")
    page.wait_for_selector("dialog[open] [data-finding=speeding]")
    # In the page, so that the taps come as early as a finger's, however busy this machine is.
    hits = page.evaluate("""async () => {
      const hits = [];
      for (const wait of [0, 24, 150, 300, 400, 900]) {
        await new Promise((then) => setTimeout(then, wait));
        const touch = document.querySelector(hits.length % 2 ? "dialog[open] [data-put=seen]" : "dialog[open] [data-put=later]");
        hits.push(document.body.classList.contains("fresh"));
        if (touch && hits.at(-1)) touch.click();
      }
      return hits;
    }""")
    assert hits[0] and hits[-1], f"each touch begins the second anew: {hits}"
    assert page.locator("dialog[open]", has_text="BA 9 CHA 9001").count() == 1
    assert box.count("SELECT count(*) FROM alert_touches") == 0, "nothing was decided"
    wait_for("the siren", lambda: playing(page, "speeding"))
    see(page)
    assert box.count("SELECT count(*) FROM alert_touches WHERE touched_by = 'sita' AND is_seen") == 1
    done(f"{sum(hits)} touches in an alert's first second decide nothing; the one after it does")


def acting_at_once(page, phone, box):
    """Two rangers at the same alert and the same review: the first one counts, the other is told."""
    box.speeding("BA 9 CHA 9002")
    for one in (page, phone):
        one.goto(box.url + "/")
        one.wait_for_selector("dialog[open] [data-finding=speeding]")
        unguarded(one)
    phone.locator("[data-put=seen]").tap()
    until(phone, "!document.getElementById('alert').open")
    until(page, "!document.getElementById('alert').open")
    assert not playing(page, "speeding"), "what somebody has seen is silent everywhere"
    unguarded(page)
    page.goto(box.url + "/alerts")
    page.locator(".entry", has_text="BA 9 CHA 9002").get_by_text(re.compile("seen by gita")).wait_for()

    for one in (page, phone):
        one.goto(box.url + "/review")
        unguarded(one)
    plate = page.input_value("#plate")
    assert plate and phone.input_value("#plate") == plate, "both look at the same vehicle"
    phone.locator("#submit").tap()
    phone.wait_for_url("**/review?*")
    phone.locator(".said").wait_for()
    before = box.count("SELECT count(*) FROM passages")
    page.locator("#submit").tap()
    page.get_by_text("gita was faster").wait_for()
    look(page, "night-faster")
    assert box.count("SELECT count(*) FROM passages") == before, "one vehicle is recorded once"
    done("of two rangers at one alert and one review the first counts, and the other is told who it was")


def filling_streams(page, phone, box):
    """All event streams of both are taken: alerts come all the same, and nobody is told that the connection is lost."""
    taken = []
    for one in (page, phone):
        cookies = "; ".join(f"{each['name']}={each['value']}" for each in one.context.cookies())
        for _ in range(20):
            stream = http.client.HTTPConnection("127.0.0.1", box.port, timeout=30)
            stream.request("GET", "/api/events", headers={"Cookie": cookies, "Accept": "text/event-stream"})
            answer = stream.getresponse()
            taken.append((stream, answer))
    refused = sum(answer.status == 503 for _, answer in taken)
    assert refused >= 8, f"no stream is left: {[answer.status for _, answer in taken]}"
    for one in (page, phone):
        one.goto(box.url + "/")
        unguarded(one)
    box.speeding("BA 9 CHA 9003")
    for one in (page, phone):
        one.locator("dialog[open]", has_text="BA 9 CHA 9003").wait_for()
        assert not one.locator("#lost").count(), "the connection is there"
    unguarded(page)
    page.locator("[data-put=seen]").tap()
    until(page, "!document.getElementById('alert').open")
    page.wait_for_timeout(3000)
    assert not page.locator("#lost").count()
    for stream, _ in taken:
        stream.close()
    until(phone, "!document.getElementById('alert').open")
    done(f"with every event stream taken ({refused} were refused) an alert comes, is seen, and closes at both")


def mistaking_the_time(page, phone, box):
    """The clock goes back and comes home: alerts show, vehicles are recorded, and who was locked out is so for its time and not longer."""
    page.goto(box.url + "/")
    box.set_clock(-DAY)
    page.goto(box.url + "/history")
    assert page.url.endswith("/history"), f"a clock set back signs nobody out: {page.url}"
    unguarded(phone)
    phone.locator("#lock button").tap()
    phone.wait_for_url("**/sign-in?*")
    for _ in range(5):
        type_pin(phone, "gita", "0000")
        phone.locator("[role=alert]").wait_for()
    phone.locator("[role=alert]", has_text="धेरै पटक").wait_for()
    locked = time.monotonic()
    # The time server sets the clock right, and a battery that is empty back once more.
    for offset in (0, -DAY, 0, -2 * DAY):
        box.set_clock(offset)
        time.sleep(1)
    look(phone, "night-locked")

    def is_in():
        if time.monotonic() - locked < 32:
            return False
        phone.goto(box.url + "/sign-in")
        type_pin(phone, "gita", "2468")
        return phone.locator("#record").count() == 1

    # Each look at it while it is shut makes it no longer; one that is begun anew when the clock jumps is so once. One that slid with each
    # look, which comes every few seconds, would never open.
    wait_for("the lock to open", is_in, 240)
    took = time.monotonic() - locked
    box.set_clock(0)
    page.goto(box.url + "/")
    # Two days passed at once: that is longer than a session lasts, and the PIN is asked for. Alerts show all the same.
    box.speeding("BA 9 CHA 9004")
    page.locator("dialog[open] [data-finding=speeding]").wait_for()
    unguarded(page)
    page.get_by_role("button", name="SIGN IN TO ACT").tap()
    until(page, "!document.getElementById('alert').open")
    unguarded(page)
    type_pin(page, "sita", "1379")
    page.wait_for_selector("#record")
    see(page)
    box.arrive(SPEEDING)
    page.locator("dialog[open]", has_text="UP 32 AB 1234").wait_for()
    see(page)
    done(f"a clock set back a day signs nobody out, one set right by two days asks for the PIN, a lock was shut for {took:.0f} s")


def losing_all(page, box):
    """The box is killed while an alert is open and a plate half typed: both are there again, and nothing was counted twice."""
    before = box.count("SELECT count(*) FROM sightings WHERE state = 'review'")
    page.goto(box.url + "/review")
    unguarded(page)
    address = page.url
    page.locator("#plate").tap()
    page.locator("#keys").wait_for()
    page.locator("#keys [data-key='⌧']").tap()
    tap_keys(page, "BA 3 PA 33")
    box.stop(by=signal.SIGKILL)
    page.wait_for_selector("#lost", timeout=60000)
    tap_keys(page, "33✓")
    page.locator("#keys").wait_for(state="hidden")
    page.locator("#submit").tap()
    until(page, "document.getElementById('lost').textContent.includes('Nothing was sent')")
    assert page.url == address and page.input_value("#plate") == "BA 3 PA 3333"
    assert page.locator("#plate-preview").inner_text() == "…", "nothing is said of a plate that nobody was asked about"
    look(page, "night-lost")
    box.start()
    page.wait_for_selector("#lost", state="detached", timeout=60000)
    recorded = page.get_by_text("BA 3 PA 3333 is recorded.")
    # As its banner says: press again, if nothing was sent. What comes back may move the page, and a tap at that moment decides nothing.
    for _ in range(5):
        unguarded(page)
        page.locator("#submit").tap()
        try:
            recorded.wait_for(timeout=12000)
            break
        except Timeout:
            assert page.input_value("#plate") == "BA 3 PA 3333", "what was typed stays until it is recorded"
    recorded.wait_for()
    assert box.count("SELECT count(*) FROM sightings WHERE state = 'review'") == before - 1
    assert box.count("SELECT count(*) FROM passages WHERE plate = 'BA 3 PA 3333'") == 1
    done("a plate half typed outlasts the box, is sent by nobody meanwhile, and is recorded once")


def working_off(page, box):
    """Vehicles are worked off one tap each; the next one comes by itself."""
    page.goto(box.url + "/review")
    before = box.count("SELECT count(*) FROM sightings WHERE state = 'review'")
    for number in range(10):
        unguarded(page)
        plate = page.input_value("#plate")
        page.locator("#submit" if number % 3 else "#discard").tap()
        page.locator(f"#plate:not([value='{plate}'])").wait_for()
    assert box.count("SELECT count(*) FROM sightings WHERE state = 'review'") == before - 10
    assert box.count("SELECT count(*) - count(DISTINCT client_id) FROM passages") == 0
    done("ten vehicles are worked off at one tap each")


def main():
    failures = []
    with tempfile.TemporaryDirectory(prefix="checkpost-night-") as folder, sync_playwright() as playwright:
        box = NightBox(program, folder)
        box.add_user("sita", "ranger", pin="1379")
        box.add_user("gita", "ranger", pin="2468")
        box.other_post()
        box.start()
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"])
        try:
            page = open_screen(browser, box, failures, 1024, 600)
            sign_in(page, "sita", "1379")
            phone = open_screen(browser, box, failures, 360, 800)
            sign_in(phone, "gita", "2468")
            phone.get_by_role("button", name="नेपाली").tap()
            phone.locator("html[lang=ne]").wait_for()
            piling_up(page, phone, box)
            hitting_early(page, box)
            acting_at_once(page, phone, box)
            filling_streams(page, phone, box)
            mistaking_the_time(page, phone, box)
            losing_all(page, box)
            working_off(page, box)
        except Exception:
            for each in (page, phone):
                print(each.url, each.inner_text("body")[:1000], each.locator("body").get_attribute("class"), flush=True)
            if shots:
                page.screenshot(path=str(shots / "night-failed.png"))
                phone.screenshot(path=str(shots / "night-failed-phone.png"))
            print((pathlib.Path(folder) / "run.log").read_text()[-3000:], flush=True)
            raise
        finally:
            browser.close()
            box.stop()
    conclude(failures, "the night is over: nothing was lost, doubled or decided by mistake")


main()
