"""A ranger at the post's own screen: seven inches, 1024 by 600, fingers and nothing else."""

import re

from box import wait_for
from pages import done, look, problems, until

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
    context = browser.new_context(viewport={"width": 1024, "height": 600}, locale="en-US", has_touch=True)
    context.set_default_timeout(60000)
    page = context.new_page()
    page.on("pageerror", lambda error: failures.append(f"script: {error}"))
    signing_in(page, box)
    alerting(page, box)
    reviewing(page, box)
    dismissing(page, box)
    correcting(page, box)
    context.close()


def signing_in(page, box):
    page.goto(box.url + "/")
    page.locator("label.tile", has_text="sita").tap()
    page.get_by_label("PIN").tap()
    page.locator("#keys").wait_for()
    look(page, "keys-pin")
    tap_keys(page, "1379✓")
    page.wait_for_selector("#record")
    done("a PIN is tapped on the screen")


def alerting(page, box):
    box.speeding("BA 1 CHA 7788")
    page.reload()
    page.wait_for_selector("dialog[open] [data-finding=speeding]")
    # A finger that was on its way to something else.
    page.locator("[data-put=later]").dispatch_event("click")
    page.wait_for_timeout(200)
    assert page.locator("dialog[open] [data-finding=speeding]").count() == 1, "nothing is decided in the first second"
    for selector, minutes in ((".alert-plate span", 16), (".alert-speed", 16), (".alert .facts b", 10)):
        pixels = capital(page, selector)
        if pixels < minutes * PIXELS_A_MINUTE:
            problems.append(f"{selector}: {pixels:.1f} px, {minutes * PIXELS_A_MINUTE:.1f} wanted to be read at two metres")
    for words in ("BNP-A", "BNP-B", "It is at this post"):
        assert words in page.inner_text("dialog"), words
    for control in page.locator(".alert .actions a, .alert .actions button").all():
        box_of = control.bounding_box()
        assert box_of["y"] + box_of["height"] <= 600, "every button is on the screen"
    page.locator("dialog .alert:not(.fresh)").wait_for()
    page.locator("[data-put=later]").tap()
    until(page, "!document.getElementById('alert').open")
    page.goto(box.url + "/alerts")
    page.locator(".entry", has_text="BA 1 CHA 7788").get_by_text(re.compile("put off by sita")).wait_for()
    page.locator(".entry", has_text="BA 1 CHA 7788").get_by_role("button", name="UNDO").tap()
    page.wait_for_selector("dialog[open] [data-finding=speeding]")
    page.locator("dialog .alert:not(.fresh)").wait_for()
    page.locator("[data-put=seen]").tap()
    until(page, "!document.getElementById('alert').open")
    page.goto(box.url + "/alerts")
    page.locator(".entry", has_text="BA 1 CHA 7788").get_by_text(re.compile("seen by sita")).wait_for()
    look(page, "alerts-seen")
    done("an alert is read at two metres, can't be touched away in its first second, is put off, taken back, and seen by name")


def reviewing(page, box):
    page.goto(box.url + "/")
    page.get_by_role("button", name="RECORD VEHICLE").tap()
    page.wait_for_selector("#submit")
    page.locator("#plate").tap()
    page.locator("#keys").wait_for()
    look(page, "keys-plate")
    while page.input_value("#plate"):
        page.locator("#keys [data-key='⌫']").tap()
    tap_keys(page, "BA 2")
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
    page.locator("#submit").tap()
    page.wait_for_selector(".said")
    assert box.count("SELECT count(*) FROM passages WHERE plate = 'BA 2 KHA 1818'") == 1
    page.goto(box.url + "/reviews")
    look(page, "reviews")
    done("a plate is typed with the screen's keys, its picture is enlarged and closed again, and it is recorded")


def dismissing(page, box):
    page.goto(box.url + "/overstays")
    page.get_by_role("button", name="Park vehicle or staff").first.tap()
    page.get_by_role("button", name="DISMISS").first.tap()
    page.wait_for_selector(".said")
    done("an overstay is dismissed with two taps, and a reason")


def correcting(page, box):
    page.goto(box.url + "/history?plate=2KHA1818")
    page.locator(".row").first.tap()
    page.locator("summary", has_text="Correct").tap()
    field = page.locator("details[open] [name=plate]")
    field.tap()
    page.locator("#keys").wait_for()
    page.locator("#keys [data-key='⌫']").tap()
    tap_keys(page, "9✓")
    page.get_by_role("button", name="Misread").tap()
    page.get_by_role("button", name="CORRECT").tap()
    page.wait_for_selector("text=BA 2 KHA 1818 became BA 2 KHA 1819")
    done("a plate is corrected with one tap a character")
