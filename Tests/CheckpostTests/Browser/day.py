"""A ranger's day at the console, in a real Chromium, with no server anywhere. Prints what was done; fails with what was not."""

import pathlib
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

from box import Box, wait_for
from faults import freezing, losing_a_picture, losing_the_box, surviving, tapping_twice
from figures import figuring, standing_still
from light import by_day
from pages import conclude, done, look, open_browser, playing, shots, sign_in, tab_through, unguarded, until
from touch import touching
from weight import weighing

HERE = pathlib.Path(__file__).resolve().parent
SPEEDING, DOUBTFUL = "0501", "0524"

program = sys.argv[1]


def signing_in(page, box):
    page.goto(box.url + "/")
    assert page.url.endswith("/sign-in"), page.url
    look(page, "sign-in")
    page.get_by_label("User name").fill("ram")
    page.get_by_label("Password").fill("wrong")
    page.get_by_label("Password").press("Enter")
    page.wait_for_selector("[role=alert]")
    sign_in(page, box, "ram")
    done("a wrong password is refused, the right one opens the watch page")


def signing_in_with_pin(browser, box, failures):
    page = open_browser(browser, failures)
    page.goto(box.url + "/")
    look(page, "sign-in-pin", whole=True)
    page.locator("label.tile", has_text="sita").click()
    page.get_by_label("PIN").fill("1379")
    page.get_by_label("PIN").press("Enter")
    page.wait_for_selector("#record")
    page.context.close()
    done("a PIN opens the post's own screen")


def keyboard(page, box):
    """Whatever the keyboard reaches says so, also when it goes back up a long page."""
    page.goto(box.url + "/history")
    reached = tab_through(page, 60)
    assert reached > 10, reached
    done(f"the keyboard reaches {reached} controls, and each shows it")


def watching(page, box):
    page.goto(box.url + "/")
    page.wait_for_selector("#live-none:visible")
    box.arrive("0434")
    page.locator("#passages .plate", has_text="B AG 4106").wait_for()
    page.wait_for_selector("#live-picture:visible")
    until(page, "document.getElementById('live-picture').naturalWidth > 0")
    look(page, "watch")
    done("a vehicle arrives on the page by itself, with its picture")


def reviewing(page, box):
    box.arrive(DOUBTFUL)
    waiting = page.locator("header [data-count=review]")
    recorded = "SELECT count(*) FROM passages WHERE recorded_at > 1795237200000"
    wait_for("the vehicle", lambda: waiting.inner_text().strip() != "0" or box.count(recorded) > 0)
    if waiting.inner_text().strip() == "0":
        # The reader was sure of it: then the ranger wants it looked at.
        page.get_by_role("button", name="RECORD VEHICLE").click()
    else:
        page.get_by_role("link", name="Review").click()
    page.wait_for_selector("#submit")
    look(page, "review")
    if page.locator(".alternative").count():
        before = page.input_value("#plate")
        page.locator(".alternative").first.click()
        wait_for("the other plate", lambda: page.input_value("#plate") != before)
    page.fill("#plate", "भे १४ प ६३९२")
    until(page, "document.getElementById('plate-preview').textContent === 'BHE 14 PA 6392'")
    assert page.locator("input[name=vehicle_type]:checked").get_attribute("value") == "motorcycle"
    page.click("#submit")
    page.wait_for_selector(".said")
    page.goto(box.url + "/")
    # The reader may have been sure of it as well.
    page.locator("#passages .plate", has_text="BHE 14 PA 6392").first.wait_for()
    done("a doubtful plate is corrected in Devanagari and submitted")


def tab_to(page, control):
    """Reaches a control with the keyboard, from wherever the focus is."""
    for _ in range(60):
        if page.evaluate("document.activeElement.id") == control:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{control} is out of the keyboard's reach")


def recording(page, box):
    page.goto(box.url + "/")
    # Keyboard alone: the button has its place in the tab order, Enter presses it.
    tab_to(page, "record")
    page.keyboard.press("Enter")
    page.wait_for_selector("#submit")
    # An empty plate has the focus at once; one that was read is a few steps away.
    tab_to(page, "plate")
    page.keyboard.press("Control+A")
    page.keyboard.type("ba2kha<script>alert(1)</script>7")
    page.keyboard.press("Control+A")
    page.keyboard.type("ba 2 kha 1717")
    page.keyboard.press("Enter")
    page.wait_for_selector(".said")
    page.goto(box.url + "/")
    page.locator("#passages .plate", has_text="BA 2 KHA 1717").wait_for()
    done("a vehicle is recorded with the keyboard alone")


def alerting(page, other, box):
    page.goto(box.url + "/history")
    box.arrive(SPEEDING)
    for one in (page, other):
        one.wait_for_selector("dialog[open] [data-kind=speeding]", timeout=60000)
    assert page.locator("#alert-title").inner_text() == "SPEEDING"
    wait_for("the sound", lambda: playing(page, "speeding"))
    page.locator("figure .none", has_text="at the other post").wait_for()
    look(page, "alert-one-picture")
    box.other_pictures()
    page.reload()
    page.wait_for_selector("dialog[open] [data-kind=speeding]")
    wait_for("the sound after a reload", lambda: playing(page, "speeding"))
    until(page, "[...document.querySelectorAll('dialog figure img')].filter((one) => one.naturalWidth > 0).length === 2")
    look(page, "alert")
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 1, "Escape is no decision"
    done("the alert comes over any page, sounds, and survives a reload; two browsers have it")
    # Not in its first second: a finger may have been on its way to something else.
    unguarded(page)
    page.locator("[data-touch]").first.click()
    page.wait_for_selector("#outcome")
    until(other, "!document.getElementById('alert').open")
    assert not playing(other, "speeding")
    look(page, "outcome", whole=True)
    unguarded(page)
    page.locator("label.tile", has_text="Fined").click()
    page.get_by_label("Fine in rupees").fill("1500")
    # It is left for another page, and found as it was.
    page.get_by_role("link", name="History").click()
    page.wait_for_url("**/history")
    page.goto(box.url + "/alerts")
    page.locator(".row", has_text="UP 32 AB 1234").click()
    page.wait_for_selector("#outcome")
    # The draft comes back with the page's script.
    until(page, "document.querySelector('[name=fine_amount]').value === '1500'")
    page.get_by_label("Notes").fill("<script>alert(1)</script><img src=x onerror=alert(2)>")
    page.get_by_role("button", name="SAVE").click()
    page.wait_for_selector(".said")
    done("what one browser touches is silent in the other; the outcome is recorded")


def searching(page, box):
    page.goto(box.url + "/history")
    page.get_by_label("Part of a plate").fill("ab12")
    page.get_by_role("button", name="Search").click()
    page.locator(".row:not(.other) .plate", has_text="UP 32 AB 1234").click()
    page.wait_for_selector("text=SPEEDING")
    look(page, "passage", whole=True)
    page.get_by_role("link", name="CHANGE OUTCOME").click()
    page.wait_for_selector("#outcome")
    page.locator(".earlier", has_text="<script>alert(1)</script>").wait_for()
    page.goto(box.url + "/history")
    look(page, "history")
    rows = page.locator(".row").count()
    began = time.monotonic()
    for _ in range(200):
        page.mouse.wheel(0, 5000)
        page.wait_for_timeout(20)
        if page.locator(".row").count() > rows * 5:
            break
    assert page.locator(".row").count() > rows * 5, "scrolling brings more"
    scrolled = time.monotonic() - began
    began = time.monotonic()
    page.goto(box.url + "/history?plate=17CHA52&alike=1")
    page.wait_for_selector(".row")
    done(
        f"ten thousand passages: five more pages by scrolling in {scrolled:.1f} s, a search in "
        f"{1000 * (time.monotonic() - began):.0f} ms")


def remaining(page, technician, box):
    page.goto(box.url + "/overstays")
    look(page, "overstays-none")
    box.overstay()
    page.goto(box.url + "/")
    # On a busy machine the alert comes after the page: its second begins then.
    page.wait_for_selector("dialog[open] [data-put=seen]", timeout=60000)
    unguarded(page)
    page.locator("[data-put=seen]").click()
    until(page, "!document.getElementById('alert').open")
    page.goto(box.url + "/overstays")
    page.locator("section.overstay").wait_for()
    look(page, "overstays")
    technician.goto(box.url + "/technician")
    look(technician, "technician", whole=True)
    for path in ("users", "exempt"):
        technician.goto(f"{box.url}/{path}")
        look(technician, path)
    aiming(technician, box)
    technician.goto(box.url + "/technician")
    technician.set_input_files("#read input[type=file]", str(next((HERE / "../../../deploy/samples/stills").resolve().glob("clean_india_up_car.jpg"))))
    technician.click("#read button")
    until(technician, "/ms:/.test(document.getElementById('read-out').textContent)")
    technician.goto(box.url + "/api")
    look(technician, "api")
    page.goto(box.url + "/")
    page.get_by_role("button", name="नेपाली").click()
    page.wait_for_selector("text=सवारी दर्ता")
    assert page.evaluate("document.documentElement.lang") == "ne"
    look(page, "watch-ne")
    for name in ("review", "alerts", "history", "overstays"):
        page.goto(f"{box.url}/{name}")
        look(page, name + "-ne")
    page.goto(box.url + "/alerts")
    page.locator(".row").first.click()
    page.wait_for_selector("h1")
    look(page, "outcome-ne", whole=True)
    technician.goto(box.url + "/")
    technician.get_by_role("button", name="नेपाली").click()
    technician.locator("html[lang=ne]").wait_for()
    technician.goto(box.url + "/technician")
    look(technician, "technician-ne", whole=True)
    technician.goto(box.url + "/aim")
    until(technician, "document.getElementById('aim-verdict').className !== 'verdict'")
    look(technician, "aim-ne", whole=True)
    technician.goto(box.url + "/")
    technician.get_by_role("button", name="English").click()
    technician.locator("html[lang=en]").wait_for()
    page.goto(box.url + "/")
    for width in (360, 480, 768, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"wider than {width} px"
    done("overstays, technician and API pages, and Nepali, at 360 to 1920 px")


def two_fingers(page, place):
    """Two fingers on a picture, at places where no rectangle is: the first one draws a line too narrow to be seen."""
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": place["x"] + place["width"] * x, "y": place["y"] + place["height"] * y, "id": number} for number, x, y in points]})

    touch("touchStart", (0, .1, .1))
    touch("touchStart", (0, .1, .1), (1, .3, .3))
    touch("touchMove", (0, .1, .3), (1, .4, .45))
    touch("touchEnd", (0, .1, .3))
    touch("touchEnd")
    session.detach()


def aiming(technician, box):
    technician.goto(box.url + "/technician")
    technician.get_by_role("link", name="Set the camera").first.click()
    technician.locator("#aim-picture").wait_for()
    until(technician, "document.getElementById('aim-verdict').className !== 'verdict'")
    place = technician.locator("#aim-picture").bounding_box()
    technician.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    technician.mouse.down()
    technician.mouse.move(place["x"] + place["width"] - 1, place["y"] + place["height"] - 1)
    technician.mouse.up()
    mask = technician.locator("#aim-mask").text_content()
    left, top, width, height = (float(part) for part in mask.removeprefix('mask = "').removesuffix('"').split(","))
    assert abs(left - 50) < 2 and abs(top - 50) < 2 and left + width <= 100 and top + height <= 100, mask
    look(technician, "aim", whole=True)
    assert technician.locator("#aim-mask-state").text_content() == "Not saved yet."
    technician.get_by_role("button", name="SAVE", exact=True).click()
    technician.get_by_text("what is drawn counts from now on").wait_for()
    technician.goto(box.url + "/aim")
    assert technician.locator("#aim-mask").text_content() == mask
    assert "Drawn by tek" in technician.locator("#aim-mask-state").text_content()
    technician.get_by_text("READ ONLY HERE").last.click()
    place = technician.locator("#aim-picture").bounding_box()
    technician.mouse.move(place["x"] + 2, place["y"] + place["height"] * .25)
    technician.mouse.down()
    technician.mouse.move(place["x"] + place["width"] - 2, place["y"] + place["height"] - 2)
    technician.mouse.up()
    zone = technician.locator("#aim-mask").text_content()
    assert ";+" in zone and technician.locator("#aim-boxes .zone").count() == 1, zone
    look(technician, "aim-saved", whole=True)
    # A tap takes the one below it away.
    technician.mouse.click(place["x"] + place["width"] * .2, place["y"] + place["height"] * .6)
    assert technician.locator("#aim-mask").text_content() == mask and not technician.locator("#aim-boxes .zone").count()
    two_fingers(technician, place)
    assert technician.locator("#aim-mask").text_content() == mask, "two fingers that hardly move draw nothing and take nothing away"
    technician.get_by_role("button", name="CLEAR", exact=True).click()
    assert technician.locator("#aim-mask").text_content() == 'mask = ""'
    technician.get_by_role("button", name="BACK TO CHECKPOST.TOML", exact=True).click()
    technician.get_by_text("as checkpost.toml says again").wait_for()


def main():
    failures = []
    with tempfile.TemporaryDirectory(prefix="checkpost-browser-") as folder, sync_playwright() as playwright:
        box = Box(program, folder)
        box.add_user("ram", "ranger")
        box.add_user("sita", "ranger", pin="1379")
        box.add_user("gita", "ranger", pin="2468")
        box.add_user("tek", "technician")
        box.earlier_passages(10000)
        box.other_post()
        box.start()
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"])
        try:
            page, other = open_browser(browser, failures), open_browser(browser, failures)
            signing_in(page, box)
            sign_in(other, box, "tek")
            signing_in_with_pin(browser, box, failures)
            keyboard(page, box)
            watching(page, box)
            reviewing(page, box)
            recording(page, box)
            alerting(page, other, box)
            searching(page, box)
            losing_a_picture(other, box)
            tapping_twice(page, box)
            losing_the_box(page, box)
            surviving(page, box)
            freezing(page, box)
            remaining(page, other, box)
            figuring(page, box)
            standing_still(other, box)
            by_day(page, other, box)
            touching(browser, box, failures)
            weighing(browser, box)
        except Exception:
            if shots:
                page.screenshot(path=str(shots / "failed.png"))
            print((pathlib.Path(folder) / "run.log").read_text()[-3000:], flush=True)
            raise
        finally:
            browser.close()
            box.stop()
    conclude(failures, "every screen passes the checks of names, contrast, sizes and structure")


main()
