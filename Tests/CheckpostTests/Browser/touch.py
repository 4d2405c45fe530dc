"""A ranger at the post's own screen: seven inches, 1024 by 600, fingers and nothing else.

It is played in Nepali; CHECKPOST_LANGUAGE=en plays it in English.
"""

import pathlib
import re

from playwright.sync_api import TimeoutError as Timeout

from box import wait_for
from pages import done, look, playing, problems, unguarded, until
from words import LANGUAGE, NAMES, choice, figures, like, say

# What can be read at two metres: so many pixels of a capital's height for so many minutes of arc, on seven inches of 1024 by 600.
PIXELS_A_MINUTE = 2000 * 0.000290888 / (7 * 25.4 / (1024**2 + 600**2) ** 0.5)


def tap_keys(page, text):
    for key in text:
        page.locator(f"#keys [data-key='{'␣' if key == ' ' else key}']").tap()


def capital(page, selector):
    """The height of a capital in what a selector finds, in pixels."""
    return page.evaluate(
        "(selector) => { const style = getComputedStyle(document.querySelector(selector));"
        " const pen = document.createElement('canvas').getContext('2d');"
        " pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`; return pen.measureText('H').actualBoundingBoxAscent; }",
        selector)


def touching(browser, box, failures):
    context = browser.new_context(viewport={"width": 1024, "height": 600}, locale=f"{LANGUAGE}-NP", has_touch=True)
    context.set_default_timeout(60000)
    page = context.new_page()
    page.on("pageerror", lambda error: failures.append(f"script: {error}"))
    page.on("dialog", lambda dialog: dialog.accept())
    signed_out(page, box)
    signing_in(page, box)
    alerting(page, box)
    falling_through(page, box)
    moving(page, box)
    filling_in(page, box)
    reviewing(page, box)
    deciding_twice(page, box)
    finding_the_vehicle(page, box)
    dismissing(page, box)
    correcting(page, box)
    mistyping(page, box)
    fitting(page, box)
    watching_for(page, box)
    walking_away(page, box)
    locking(page, box)
    handing_over(page, box)
    context.close()


def on_screen(page, *selectors):
    """Whether all of these can be touched without scrolling."""
    page.evaluate("scrollTo(0, 0)")
    height = page.viewport_size["height"]
    for selector in selectors:
        for one in page.locator(selector).all():
            area = one.bounding_box()
            if area and area["y"] + area["height"] > height:
                problems.append(f"{page.url}: {selector} ends at {area['y'] + area['height']:.0f} of {height} px")


def signed_out(page, box):
    """An alert sounds and shows while nobody is signed in; who touches it is led to the PIN, in quiet."""
    page.goto(box.url + "/sign-in")
    if page.locator("html").get_attribute("lang") != LANGUAGE:
        page.get_by_role("button", name=NAMES[LANGUAGE]).tap()
        page.locator(f"html[lang={LANGUAGE}]").wait_for()
    box.speeding("BA 1 CHA 7701")
    page.wait_for_selector("dialog[open] [data-finding=speeding]")
    wait_for("the sound", lambda: playing(page, "speeding"))
    look(page, "alert-signed-out")
    assert page.locator("dialog img, dialog [data-put], dialog [data-touch]").count() == 0
    unguarded(page)
    page.get_by_role("button", name=say("to_act")).tap()
    until(page, "!document.getElementById('alert').open")
    assert not playing(page, "speeding")
    done("an alert sounds and shows at the post's screen while nobody is signed in")


def signing_in(page, box):
    unguarded(page)
    assert page.locator("[name=user]:checked").count() == 0, "nobody is chosen beforehand"
    page.get_by_label(say("pin"), exact=True).tap()
    page.locator("#keys").wait_for()
    tap_keys(page, "1379✓")
    page.get_by_text(say("sign_in_choose")).wait_for()
    assert not page.locator("dialog[open]").count(), "the quiet outlasts a wrong PIN"
    page.locator("label.tile", has_text="sita").tap()
    page.get_by_label(say("pin"), exact=True).tap()
    look(page, "keys-pin")
    tap_keys(page, "1379✓")
    page.wait_for_selector("#record")
    see(page)
    done("a PIN is tapped on the screen, after a name")


def see(page):
    """Says of all alerts that they were seen."""
    page.wait_for_selector("dialog[open]")
    for _ in range(9):
        if not page.locator("dialog[open]").count():
            break
        unguarded(page)
        alert = page.locator("dialog[open] [data-alert]").get_attribute("data-alert")
        page.locator("[data-put=seen]").tap()
        # However long the box takes: then it is closed, or shows the next one.
        until(page, f"!document.querySelector('dialog[open] [data-alert=\"{alert}\"]')")
    unguarded(page)


def alerting(page, box):
    # A long plate, and as many figures as there can be.
    box.speeding("P3 02 013 PA 7173", seconds=3 * 3600 + 52 * 60 + 48)
    page.reload()
    page.wait_for_selector("dialog[open] [data-finding=speeding]")
    hidden = page.evaluate("(() => { const one = document.getElementById('alert'); return one.scrollHeight - one.clientHeight; })()")
    if hidden > 0:
        problems.append(f"an alert is {hidden} px higher than the screen")
    see(page)
    box.speeding("BA 1 CHA 7788")
    page.reload()
    page.wait_for_selector("dialog[open] [data-finding=speeding]")
    # A finger that was on its way to something else.
    page.locator("[data-put=later]").dispatch_event("click")
    page.wait_for_timeout(200)
    assert page.locator("dialog[open] [data-finding=speeding]").count() == 1, "nothing is decided in the first second"
    # Another one waits: how many must be read from afar as well.
    box.speeding("BA 1 CHA 7799")
    page.locator("#alert-more", has_text=say("alerts_more", count=figures("1"))).wait_for()
    far = ((".alert-plate span", 16), (".alert-speed", 16), (".alert .facts b", 10), (".alert-short", 10), (".advice", 10), ("#alert-more", 10))
    for selector, minutes in far:
        pixels = capital(page, selector)
        if pixels < minutes * PIXELS_A_MINUTE:
            problems.append(f"{selector}: {pixels:.1f} px, {minutes * PIXELS_A_MINUTE:.1f} wanted to be read at two metres")
    for words in ("BNP-A", "BNP-B", say("do_speeding"), f"{say('limit')} {figures('40')} {say('kmh')}"):
        assert words in page.inner_text("dialog"), words
    for control in page.locator(".alert .actions a, .alert .actions button").all():
        box_of = control.bounding_box()
        assert box_of["y"] + box_of["height"] <= 600, "every button is on the screen"
    unguarded(page)
    page.locator("[data-put=later]").tap()
    page.locator("dialog", has_text="BA 1 CHA 7799").wait_for()
    see(page)
    page.goto(box.url + "/alerts")
    page.locator(".entry", has_text="BA 1 CHA 7788").get_by_text(like("later_by", name="sita")).wait_for()
    unguarded(page)
    page.locator(".entry", has_text="BA 1 CHA 7788").get_by_role("button", name=say("undo")).tap()
    page.wait_for_selector("dialog[open] [data-finding=speeding]")
    unguarded(page)
    page.locator("[data-put=seen]").tap()
    until(page, "!document.getElementById('alert').open")
    page.goto(box.url + "/alerts")
    page.locator(".entry", has_text="BA 1 CHA 7788").get_by_text(like("seen_by", name="sita")).wait_for()
    look(page, "alerts-seen")
    done("an alert is read at two metres, can't be touched away in its first second, is put off, taken back, and seen by name")


def falling_through(page, box):
    """A second tap on what closed an alert doesn't reach the page behind it, and a tap in the second after begins it anew."""
    unguarded(page)
    page.goto(box.url + "/")
    box.speeding("BA 1 CHA 7702")
    page.wait_for_selector("dialog[open]", timeout=60000)
    unguarded(page)
    before = box.count("SELECT count(*) FROM sightings")
    page.evaluate("""() => {
      const touch = document.getElementById("record");
      document.getElementById("alert").addEventListener("close", () => touch.click());
    }""")
    page.locator("[data-put=seen]").tap()
    until(page, "!document.getElementById('alert').open")
    page.wait_for_timeout(700)
    page.locator("nav a", has_text=say("nav_history")).dispatch_event("click")
    page.wait_for_timeout(600)
    assert page.locator("body.fresh").count() == 1, "the second began anew, and shows it"
    unguarded(page)
    assert page.url.endswith("/") and box.count("SELECT count(*) FROM sightings") == before
    done("a tap falls through no alert that closes")


def moving(page, box):
    """A status that takes a line more moves the page: nothing below it takes a touch at once, since it would hit another button."""
    page.goto(box.url + "/")
    unguarded(page)

    def say_faults(count):
        chips = "<ul class='chips'>" + "<li class='chip plain'>A fault that is told</li>" * count + "</ul>"
        page.unroute("**/fragments/status")
        page.route("**/fragments/status", lambda route: route.fulfill(body=chips, content_type="text/html"))
        # Coming back to the page asks for what is new.
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        until(page, f"document.querySelectorAll('#status .chip').length === {count}")

    def top():
        return page.locator("#record").bounding_box()["y"]

    # The page itself touches a button at the moment when it moves, and the navigation above it.
    page.evaluate("""() => { window.taken = [];
      for (const name of ["#record", "nav a"]) document.querySelector(name).addEventListener("click", (event) => {
        taken.push(name); event.preventDefault(); event.stopPropagation(); });
      new MutationObserver(() => { if (document.body.classList.contains("fresh"))
        for (const name of ["#record", "nav a"]) document.querySelector(name).click(); })
        .observe(document.body, { attributes: true, attributeFilter: ["class"] }); }""")
    before = top()
    say_faults(40)
    until(page, "taken.length > 0")
    assert page.evaluate("taken.join()") == "nav a", "what moved took no touch, what stood still did"
    moved = top()
    assert moved > before + 30, "it moved"
    unguarded(page)
    say_faults(1)
    assert abs(top() - moved) < 1, "a line less moves nothing"
    page.unroute("**/fragments/status")
    done("a page that moved takes no touch at once")


def filling_in(page, box):
    """What was typed about an alert is kept for whoever typed it, and nothing of it is dropped."""
    page.goto(box.url + "/alerts")
    page.locator(".row", has_text="BA 1 CHA 7702").tap()
    page.wait_for_selector("#outcome")
    other = next(one for one in NAMES if one != LANGUAGE)
    for language in (other, LANGUAGE):
        page.locator("#outcome .tile", has_text=re.compile("Fined|जरिवाना")).tap()
        on_screen(page, "#outcome .tile span", "#outcome .submit", "#outcome [name=fine_amount]", ".account button")
        look(page, "outcome-" + language)
        page.locator("#outcome [data-fine]").tap()
        assert page.input_value("[name=fine_amount]") == "1500", "the park's fine at one tap"
        page.locator("[name=fine_amount]").fill("")
        page.get_by_role("button", name=NAMES[language]).tap()
        page.wait_for_url("**/outcome?*")
        page.locator(f"html[lang={language}]").wait_for()
    page.locator("#outcome .tile", has_text=say("outcome_fined")).tap()
    page.get_by_label(say("fine_amount")).tap()
    tap_keys(page, "500.✓")
    page.locator("#outcome .tile", has_text=say("outcome_warned")).tap()
    assert page.locator("[name=fine_amount]").is_hidden(), "no sum that isn't seen"
    page.locator("#outcome .tile", has_text=say("outcome_fined")).tap()
    page.locator("nav a", has_text=say("nav_history")).tap()
    page.wait_for_url("**/history")
    page.go_back()
    page.wait_for_selector("#outcome")
    # The draft comes back with the page's script.
    until(page, "document.querySelector('[name=fine_amount]').value === '500.'")
    page.get_by_role("button", name=say("save")).tap()
    page.get_by_text(f"BA 1 CHA 7702: {say('outcome_fined')} {say('rupee_sign')} {figures('500')}").wait_for()
    with page.expect_download() as saved:
        page.locator("#notice").tap()
    assert pathlib.Path(saved.value.path()).read_bytes().startswith(b"%PDF"), "a notice is saved, and the console is still there"
    page.get_by_role("link", name=say("change_outcome")).tap()
    page.wait_for_selector("#outcome")
    page.locator(".notice button", has_text=say("notice_print")).tap()
    page.locator("#printer", has_text=like("printed")).wait_for()
    assert box.printer.read_bytes().startswith(b"\x1b@\x1dv0")
    look(page, "outcome-printed")
    page.get_by_label(say("notes")).tap()
    tap_keys(page, "abc✓")
    page.get_by_role("button", name=say("sign_out")).tap()
    page.wait_for_url("**/sign-in")
    assert not page.evaluate("sessionStorage.getItem('drafts') || '{}'").count("abc"), "a sign-out forgets what was typed"
    page.locator("label.tile", has_text="sita").tap()
    page.get_by_label(say("pin"), exact=True).tap()
    tap_keys(page, "1379✓")
    page.wait_for_selector("#record")
    done("an outcome is saved with SAVE on the screen, its draft kept while it is left, and forgotten at the sign-out")


def reviewing(page, box):
    page.goto(box.url + "/")
    page.get_by_role("button", name=say("record_vehicle")).tap()
    page.wait_for_selector("#submit")
    on_screen(page, "#submit", "#skip", ".decide .actions > *", ".types .tile span", ".account button")
    page.locator("#plate").tap()
    page.locator("#keys").wait_for()
    page.locator("#keys [data-key='⌧']").tap()
    assert page.input_value("#plate") == ""
    until(page, "!document.querySelector('#keys [data-key=B]').classList.contains('unlikely')")
    until(page, "document.querySelector(\"#keys [data-key='7']\").classList.contains('unlikely')")
    tap_keys(page, "BA 22")
    until(page, "!document.querySelector(\"#keys [data-key='K']\").classList.contains('unlikely')")
    look(page, "keys-likely")
    tap_keys(page, "✓")
    page.locator("#keys").wait_for(state="hidden")
    # The finger falls on the first letter, and the caret stands at the end all the same; the arrows move it.
    page.locator("#plate").tap(position={"x": 16, "y": 30})
    page.locator("#keys").wait_for()
    look(page, "keys-plate")
    assert page.evaluate("document.getElementById('plate').selectionStart") == 5
    tap_keys(page, "◀⌫")
    assert page.input_value("#plate") == "BA 2", page.input_value("#plate")
    tap_keys(page, "▶")
    page.locator("#keys [data-key='क']").tap()
    page.locator("#keys [data-key='प']").wait_for()
    look(page, "keys-devanagari")
    page.locator("#keys [data-key='A']").tap()
    tap_keys(page, " KHA 1818")
    until(page, "document.getElementById('plate-preview').textContent === 'BA 2 KHA 1818'")
    tap_keys(page, "✓")
    page.locator("#keys").wait_for(state="hidden")
    if page.locator(".evidence a[data-zoom]").count():
        page.locator(".evidence a[data-zoom]").first.tap()
        page.locator("#viewer[open]").wait_for()
        before = page.evaluate("document.querySelector('.viewer-pane img').clientWidth")
        page.locator("[data-zoom-by='2']").tap()
        wait_for("a larger picture", lambda: page.evaluate("document.querySelector('.viewer-pane img').clientWidth") > before)
        look(page, "viewer")
        page.locator("[data-close]").tap()
        until(page, "!document.getElementById('viewer').open")
    assert "/review" in page.url, "the picture opens in the page"
    unguarded(page)
    page.locator("#submit").tap()
    page.get_by_text(say("said_recorded", plate="BA 2 KHA 1818")).wait_for()
    there = "SELECT count(*) FROM passages WHERE plate = 'BA 2 KHA 1818' AND withdrawn_at IS NULL"
    assert box.count(there) == 1
    unguarded(page)
    page.locator("#undo").tap()
    page.get_by_text(say("said_restored")).wait_for()
    assert box.count(there) == 0
    unguarded(page)
    page.locator("#keys [data-key='✓']").tap() if page.locator("#keys").is_visible() else None
    page.locator("#plate").fill("BA 2 KHA 1818")
    # The status may have moved the page meanwhile, which then takes no touch for half a second.
    unguarded(page)
    page.locator("#submit").tap()
    page.get_by_text(say("said_recorded", plate="BA 2 KHA 1818")).wait_for()
    assert box.count(there) == 1
    page.goto(box.url + "/reviews")
    look(page, "reviews")
    done("a plate is typed with the screen's keys, its picture is enlarged and closed again, and it is recorded")


def deciding_twice(page, box):
    """A finger that taps twice decides one vehicle: the next one comes under it unseen."""
    box.reviews("BA 7 PA 701", "BA 7 PA 702")
    waiting = "SELECT count(*) FROM sightings WHERE state = 'review' AND camera = 'hand'"
    page.goto(box.url + "/review")
    unguarded(page)
    assert page.input_value("#plate") == "BA 7 PA 701"
    area = page.locator("#submit").bounding_box()
    for _ in range(2):
        page.touchscreen.tap(area["x"] + area["width"] / 2, area["y"] + area["height"] / 2)
    page.get_by_text(say("said_recorded", plate="BA 7 PA 701")).wait_for()
    assert page.input_value("#plate") == "BA 7 PA 702"
    # In one step, as long as the second lasts: a machine that is busy may come too late to tap in it.
    page.evaluate("document.body.classList.contains('fresh') && document.getElementById('submit').click()")
    unguarded(page)
    assert box.count(waiting) == 1 and page.input_value("#plate") == "BA 7 PA 702"
    page.locator("#submit").tap()
    page.get_by_text(say("said_recorded", plate="BA 7 PA 702")).wait_for()
    assert box.count(waiting) == 0
    done("a double tap on SUBMIT records one vehicle and leaves the next one")


def finding_the_vehicle(page, box):
    """OVERSTAYS on an alert leads to that very vehicle, below the others."""
    box.overstays(12)
    page.goto(box.url + "/")
    page.wait_for_selector("dialog[open] [data-finding=inside]")
    unguarded(page)
    plate = page.locator(".alert-plate span").first.inner_text()
    page.locator("dialog [data-touch]").first.tap()
    page.wait_for_url("**/overstays#overstay-*")
    unguarded(page)
    box.see_overstays("sita")
    until(page, "!document.getElementById('alert').open")
    card = page.locator(":target", has_text=plate).bounding_box()
    header = page.locator("header").bounding_box()
    assert header["height"] <= card["y"] < 400, f"the vehicle is below the header and in sight: {card}"
    done("an alert of a vehicle inside leads to that vehicle")


def dismissing(page, box):
    page.goto(box.url + "/overstays")
    unguarded(page)
    page.get_by_role("button", name=choice("reasons_dismiss", 1)).first.tap()
    page.get_by_role("button", name=say("dismiss_button")).first.tap()
    page.get_by_text(like("said_dismissed")).wait_for()
    done("an overstay is dismissed with two taps, and a reason")


def correcting(page, box):
    page.goto(box.url + "/history?plate=2KHA1818")
    page.locator(".row:not(.gone)").first.tap()
    page.locator("summary", has_text=say("correct")).tap()
    # Its keys are there at once, the usual reason stands there, and the button is in sight above the keys.
    page.locator("#keys").wait_for()
    page.locator("#keys [data-key='⌫']").tap()
    tap_keys(page, "9")
    assert page.locator("details[open] [name=reason]").input_value() == choice("reasons_correct", 0)
    page.get_by_role("button", name=say("correct_button")).tap()
    page.get_by_text(like("change_corrected", old="BA 2 KHA 1818", new="BA 2 KHA 1819")).first.wait_for()
    done("a plate is corrected with one tap a character and two")


def mistyping(page, box):
    """PLATE IS WRONG opens the form in sight; what is refused comes back with what was typed."""
    box.speeding("BA 1 CHA 7703")
    page.goto(box.url + "/")
    page.wait_for_selector("dialog[open] [data-finding=speeding]")
    unguarded(page)
    page.get_by_role("link", name=say("correct_short")).tap()
    page.wait_for_selector("[data-filling]")
    unguarded(page)
    on_screen(page, "[data-filling] [name=plate]", "[data-filling] .submit")
    look(page, "plate-is-wrong")
    page.locator("#keys").wait_for()
    page.get_by_role("button", name=say("correct_button")).tap()
    page.get_by_text(say("error_same_plate")).wait_for()
    assert page.locator("[data-filling] [name=reason]").input_value() == choice("reasons_correct", 0), "what was typed is kept"
    # Where a reload leads.
    until(page, "location.pathname === '/passage'")
    look(page, "correction-refused")
    page.goto(box.url + "/alerts")
    done("a refused correction comes back to its form, with what was typed")


def fitting(page, box):
    """What is needed is on a screen of 600 px, in both languages."""
    for _ in range(2):
        for path in ("/inside", "/overstays", "/alerts", "/"):
            page.goto(box.url + path)
            on_screen(page, ".account button", "#record")
            look(page, "touch" + path.replace("/", "-") + page.locator("html").get_attribute("lang"))
        page.locator(".account form[action='/language'] button").tap()
        page.wait_for_timeout(300)
    done("what is needed stands on a screen of 600 px in both languages")


def watching_for(page, box):
    """A plate is put on the list by touch alone; it alerts when it passes, and the alert says why."""
    page.goto(box.url + "/alerts")
    unguarded(page)
    page.get_by_role("link", name=say("list_wanted")).tap()
    page.locator("#add [name=plate]").tap()
    tap_keys(page, "BA 6 KHA 606✓")
    page.get_by_role("button", name=choice("reasons_wanted", 1)).tap()
    page.get_by_role("button", name=say("list_add")).tap()
    page.get_by_text(say("said_listed")).wait_for()
    assert page.locator("#add [name=plate]").input_value() == "", "the next one is typed anew"
    look(page, "wanted")
    box.passage("BA 6 KHA 606")
    page.wait_for_selector("dialog[open] [data-finding=wanted]")
    wait_for("the sound", lambda: playing(page, "wanted"))
    for words in (say("wanted"), choice("reasons_wanted", 1), "BA 6 KHA 606"):
        assert words in page.inner_text("dialog"), words
    on_screen(page, ".alert .actions a", ".alert .actions button")
    look(page, "alert-wanted")
    unguarded(page)
    page.locator("[data-put=seen]").tap()
    until(page, "!document.getElementById('alert').open")
    page.goto(box.url + "/wanted")
    unguarded(page)
    page.get_by_role("button", name=say("list_remove")).tap()
    page.get_by_text(say("list_empty")).wait_for()
    done("a plate is watched for, alerts with its reason, and is taken off the list")


def walking_away(page, box):
    """A form that somebody fills in is not covered; one that was left standing is, and what was typed in it is kept."""
    page.clock.install()
    page.goto(box.url + "/alerts")
    unguarded(page)
    page.locator(".row", has_text="BA 1 CHA 7703").tap()
    page.wait_for_selector("#outcome")
    page.locator("#outcome .tile", has_text=say("outcome_warned")).tap()
    box.speeding("BA 1 CHA 7704")
    page.clock.run_for(60000)
    assert not page.locator("dialog[open]").count(), "nothing lies over a form"
    page.clock.run_for(80000)
    page.locator("dialog[open]", has_text="BA 1 CHA 7704").wait_for()
    seen = page.locator("[data-put=seen]")

    def is_closed():
        # An alert that was drawn anew takes nothing in its first second, and that second is the page's.
        page.clock.run_for(2000)
        try:
            seen.tap(timeout=2000)
        except Timeout:
            pass  # It has closed, or was drawn anew under the finger.
        return page.evaluate("!document.getElementById('alert').open")

    wait_for("the alert to close", is_closed)
    assert page.locator("[name=kind]:checked").get_attribute("value") == "warned"
    done("an alert waits for a form that is filled in, and for none that was left standing")


def locking(page, box):
    """A screen that nobody touches asks for the PIN, and goes on where it was."""
    page.goto(box.url + "/history?plate=2KHA")
    page.locator(".row").first.wait_for()
    page.clock.run_for(29 * 60 * 1000)
    assert "/history" in page.url
    page.clock.fast_forward(2 * 60 * 1000)
    page.clock.resume()
    page.wait_for_url("**/sign-in?user=sita&next=*")
    assert page.locator("[name=user]:checked").get_attribute("value") == "sita"
    page.get_by_label(say("pin"), exact=True).tap()
    tap_keys(page, "1379✓")
    page.wait_for_url("**/history?plate=2KHA")
    done("a screen that nobody touches is locked, and opens with the PIN where it was")


def handing_over(page, box):
    """Whoever takes the screen over doesn't find what the other one had begun to type; the other one does."""
    page.goto(box.url + "/")
    unguarded(page)
    page.get_by_role("button", name=say("record_vehicle")).tap()
    page.wait_for_selector("#submit")
    address = page.url
    # What is typed before the page's script is there counts as well.
    held = []
    page.route("**/console.js*", lambda route: held.append(route))
    page.goto(address, wait_until="commit")
    page.locator("#plate").fill("BA 8 PA 8888")
    wait_for("the script is asked for", lambda: page.evaluate("1") and held)
    held[0].continue_()
    page.unroute("**/console.js*")
    until(page, "document.getElementById('plate-preview').textContent === 'BA 8 PA 8888'")
    for name, pin, typed in (("gita", "2468", False), ("sita", "1379", True)):
        page.get_by_role("button", name=say("lock")).tap()
        page.wait_for_url("**/sign-in?*")
        page.locator("label.tile", has_text=name).tap()
        page.get_by_label(say("pin"), exact=True).tap()
        tap_keys(page, pin + "✓")
        page.wait_for_selector("#submit")
        # What was begun comes back by the page's script, which runs when all of the page is there.
        page.wait_for_load_state("load")
        assert page.url == address, page.url
        assert (page.input_value("#plate") == "BA 8 PA 8888") == typed, (name, page.input_value("#plate"))
    done("what a ranger had begun to type waits for them, and for nobody else")
