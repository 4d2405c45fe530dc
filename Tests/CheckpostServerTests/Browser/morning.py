"""A warden's morning at the park's server, in a real Chromium. Prints what was done; fails with what was not."""

import base64
import hashlib
import hmac
import struct
import sys
import time

from playwright.sync_api import sync_playwright

import pages
from pages import conclude, done, look, open_browser, problems, tab_through, until

URL = sys.argv[1]
PAGES = ["", "/work", "/figures", "/passages", "/violations", "/overstays?state=all", "/roads", "/post?code=BNP-A", "/audit", "/texts", "/people", "/second-factor"]
pages.SIZES[:] = [(1366, 768), (360, 800)]


def name_of(path):
    return path.strip("/").split("?")[0] or "today"


def go(page, path=""):
    page.goto(f"{URL}/warden{path}")
    page.wait_for_selector("h1")


def sign_in(page, name):
    page.goto(URL + "/")
    page.get_by_label("E-mail").fill(f"{name}@bnp.local")
    page.get_by_label("Password").fill(f"password-{name}")
    page.get_by_label("Password").press("Enter")
    page.wait_for_selector("#today")


def press(page, name, role="button"):
    """Reaches a control with the keyboard and presses it."""
    control = page.get_by_role(role, name=name, exact=True).first
    control.focus()
    page.keyboard.press("Enter")


def signing_in(page):
    page.goto(URL + "/")
    assert page.url.endswith("/warden/sign-in"), page.url
    look(page, "sign-in")
    page.get_by_label("E-mail").fill("admin@bnp.local")
    page.get_by_label("Password").fill("wrong")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    assert page.get_by_label("E-mail").input_value() == "admin@bnp.local"
    sign_in(page, "admin")
    assert not page.evaluate("document.cookie"), "a script sees the cookie"
    done("a wrong password is refused, the right one opens today's page")


def looking(page, language):
    for path in PAGES:
        go(page, path)
        assert page.evaluate("document.documentElement.lang") == language
        look(page, f"{name_of(path)}-{language}", whole=True)
        for width in (360, 480, 768, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                problems.append(f"{path} in {language} is wider than {width} px")
        page.set_viewport_size({"width": 1366, "height": 768})
    done(f"every page passes the checks, in {language}")


def keyboard(page):
    for path in PAGES:
        go(page, path)
        reached = tab_through(page, 40)
        assert reached > 10, (path, reached)
    done("the keyboard reaches every page's controls, and each shows it")


def searching(page):
    go(page, "/passages")
    first = page.locator("#rows .row").count()
    assert first == 50, first
    page.locator("#rows .row").last.scroll_into_view_if_needed()
    until(page, "document.querySelectorAll('#rows .row').length >= 100")
    page.get_by_label("Part of a plate").fill("प १२३४")
    page.keyboard.press("Enter")
    page.wait_for_url("**plate=**")
    plates = set(page.locator("#rows .plate").all_inner_texts())
    assert plates == {"BA 1 PA 1234"}, plates
    done("a list goes on as it is read, and a part of a plate in Devanagari finds its vehicle")


def correcting(page):
    go(page, "/passages?plate=BA1PA1234")
    page.locator("#rows .row").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".evidence img")
    crop = page.locator(".evidence .crop").first.bounding_box()
    assert crop["height"] > 80, crop
    until(page, "document.querySelector('.evidence img').naturalWidth > 0")
    look(page, "passage", whole=True)
    page.locator("a[data-zoom]").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    page.locator("summary", has_text="Correct the plate").focus()
    page.keyboard.press("Enter")
    form = page.locator("form[action$=correct]")
    form.get_by_label("Plate").fill("!!")
    form.get_by_label("Reason").fill("<img src=x onerror=alert(1)>")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    assert form.get_by_label("Reason").input_value().startswith("<img")
    look(page, "passage-refused", whole=True)
    form.get_by_label("Plate").fill("बा १ प ९९९९")
    form.get_by_label("Plate").press("Enter")
    page.wait_for_selector("[role=status]")
    assert page.locator("h1 .plate").inner_text() == "BA 1 PA 9999"
    done("a passage is corrected by keyboard, and a form that was refused comes back with what was typed")


def checking(page):
    """What a ranger changed is looked at again: one is put back, one is right; and a warden changes an outcome. By keyboard."""
    go(page, "/work")
    look(page, "work-check", whole=True)
    page.locator("summary", has_text="It is wrong").first.focus()
    page.keyboard.press("Enter")
    page.locator("form[action$=check].stack").get_by_label("Reason").fill("The picture shows the plate as it was")
    look(page, "work-check-back", whole=True)
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=status]")
    press(page, "Record or change the outcome", "link")
    page.wait_for_selector(".evidence")
    page.locator("summary", has_text="Record or change the outcome").focus()
    page.keyboard.press("Enter")
    form = page.locator("form[action$=outcome]")
    form.get_by_label("Outcome").select_option("fined")
    form.get_by_label("Reason").fill("Appeal")
    form.get_by_label("Reason").press("Enter")
    page.wait_for_selector("[role=alert]")
    assert form.get_by_label("Reason").input_value() == "Appeal"
    look(page, "outcome-refused", whole=True)
    form.get_by_label("Fine in rupees").fill("१,५००")
    form.get_by_label("Fine in rupees").press("Enter")
    page.wait_for_selector("[role=status]")
    assert "1500 rupees" in page.locator("main").inner_text()
    go(page, "/work")
    assert page.get_by_role("button", name="IT IS RIGHT").count() == 0
    done("what a ranger changed is put back or replaced by a warden, and nothing waits after that")


def answering(page):
    go(page, "/overstays")
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    page.locator("form[action$=resolve]").first.get_by_label("Reason").fill("Found, and sent out")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=status]")
    go(page, "/audit")
    page.get_by_label("Plate, person or reason").fill("src=x onerror")
    page.keyboard.press("Enter")
    page.wait_for_url("**onerror**")
    assert "BA 1 PA 9999" in page.locator("main").inner_text()
    done("an overstay is answered for, and the change of before is found by its reason")


WORDS = {
    "en": {"two": "TWO VEHICLES", "one": "ONE VEHICLE: LU 3 CHA 8123", "back": "Take it back", "hand": "Match by hand",
           "part": "Undo the match", "undo": "UNDO THE MATCH", "reason": "Reason"},
    "ne": {"two": "दुई सवारी हुन्", "one": "एउटै सवारी हो: LU 3 CHA 8123", "back": "फिर्ता लिनुहोस्", "hand": "आफैँ मिलाउनुहोस्",
           "part": "मिलान हटाउनुहोस्", "undo": "मिलान हटाउनुहोस्", "reason": "कारण"},
}


def working(page, language):
    """Two plates look alike: a word is said, taken back, said otherwise, and the match that it made is undone. By keyboard."""
    words = WORDS[language]
    go(page, "/work")
    until(page, "[...document.querySelectorAll('.photos .whole img')].filter((i) => i.getBoundingClientRect().height > 80).length === 2")
    press(page, words["two"])
    page.wait_for_selector("[role=status]")
    assert page.get_by_role("button", name=words["two"]).count() == 0
    press(page, words["back"])
    page.wait_for_selector("[role=status]")
    press(page, words["one"])
    page.wait_for_selector("[role=status]")
    look(page, f"work-done-{language}", whole=True)
    page.locator("#decided ~ section a.plate").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".evidence")
    page.locator("summary", has_text=words["part"]).focus()
    page.keyboard.press("Enter")
    form = page.locator("form[action$=pair]")
    form.get_by_label(words["reason"]).fill("<img src=x onerror=alert(2)>")
    look(page, f"passage-part-{language}", whole=True)
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=status]")
    page.get_by_role("link", name=words["hand"]).first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("h1")
    assert "/match?id=" in page.url, page.url
    look(page, f"match-{language}", whole=True)
    tab_through(page, 20)
    # As it was: the other language does it once more.
    go(page, "/work")
    for _ in range(2):
        press(page, words["back"])
        page.wait_for_selector("[role=status]")
    assert page.get_by_role("button", name=words["two"]).count() == 1
    done(f"a word about two vehicles is said and taken back, and a match undone, in {language}")


def finding(page):
    for path in ["/passages", "/violations", "/overstays?state=all"]:
        go(page, path)
        page.get_by_label("Part of a plate").fill("8AIPAI")
        page.get_by_label("Also look-alikes").focus()
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
        page.wait_for_url("**alike=1**")
        if "overstays" not in path:
            assert "BA 1 PA 1234" in page.locator("#rows").inner_text(), path
    done("a plate is found by what looks like a part of it")


def accounts(page):
    """The own password, another post, and a session that ends: by keyboard."""
    go(page, "/people")
    page.locator("summary", has_text="Change my own password").focus()
    page.keyboard.press("Enter")
    form = page.locator("form[action$=own-password]")
    form.get_by_label("The password until now").fill("wrong")
    form.get_by_label("New password").fill("password-admin")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    look(page, "people-own", whole=True)
    form.get_by_label("The password until now").fill("password-admin")
    form.get_by_label("New password").fill("password-admin")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=status]")
    person = page.locator(".person", has_text="sita@bnp.local")
    person.locator("summary", has_text="Move to another post").focus()
    page.keyboard.press("Enter")
    person.locator("form[action$=move] select").select_option(label="BNP-C C")
    person.get_by_role("button", name="Move", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=status]")
    assert "BNP-C" in page.locator(".person", has_text="sita@bnp.local").inner_text()
    own = page.locator(".person", has_text="admin@bnp.local")
    own.locator("summary", has_text="Sessions").focus()
    page.keyboard.press("Enter")
    look(page, "people-sessions", whole=True)
    assert own.get_by_text("this one").count() == 1
    done("the own password is changed, an account moved, and sessions are listed")


def code_of(key, steps=0):
    """What an app on a telephone shows for a key (RFC 6238)."""
    step = struct.pack(">Q", int(time.time() // 30) + steps)
    mac = hmac.new(base64.b32decode(key.replace(" ", "")), step, hashlib.sha1).digest()
    number = struct.unpack(">I", mac[mac[19] & 15:][:4])[0] & 0x7FFFFFFF
    return f"{number % 1000000:06d}"


def doubling(page):
    """The own sign-in asks for a code from then on: the last part of the morning."""
    go(page, "/second-factor")
    press(page, "Begin")
    key = page.locator(".secret").inner_text()
    look(page, "second-factor-begun", whole=True)
    page.get_by_label("Code").fill("000000")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    assert page.locator(".secret").count() == 0, "the key is shown once"
    page.get_by_label("Code").fill(code_of(key))
    page.keyboard.press("Enter")
    page.wait_for_selector("text=From now on your sign-in asks for a code")
    look(page, "second-factor-on", whole=True)
    press(page, "Sign out")
    page.wait_for_selector("h2:has-text('Sign in')")
    page.get_by_label("E-mail").fill("admin@bnp.local")
    page.get_by_label("Password").fill("password-admin")
    page.keyboard.press("Enter")
    page.get_by_label("Code").wait_for()
    look(page, "sign-in-code")
    # Each is good once: the one after.
    page.keyboard.type(code_of(key, 1))
    page.keyboard.press("Enter")
    page.wait_for_selector("#today")
    done("the sign-in asks for a code of the telephone, and takes each once")


def joining(page):
    """A road is added that begins at a post that is there; a code that another post has comes back."""
    go(page, "/roads")
    form = page.locator("form[action$='/roads/add']")
    page.locator("summary", has_text="Add a road").focus()
    page.keyboard.press("Enter")
    form.get_by_label("Name of the road").fill("B to <b>E</b>")
    for label, value in [("Distance", "20"), ("Highest speed", "40"), ("Lowest speed", "10")]:
        form.get_by_label(label).fill(value)
    form.get_by_role("group", name="Where it begins").get_by_label("Post that is there").select_option("BNP-B")
    end = form.get_by_role("group", name="Where it ends")
    end.get_by_label("Code of the new post").fill("BNP-A")
    end.get_by_label("Name of the new post").fill("Checkpost E")
    form.get_by_label("Reason").fill("A new gate")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Another post has this code")
    look(page, "road-new", whole=True)
    form.get_by_role("group", name="Where it ends").get_by_label("Code of the new post").fill("BNP-E")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=The road was added")
    assert "BNP-B-2 Checkpost B (at BNP-B) – BNP-E Checkpost E" in page.locator("section.road", has_text="B to <b>E</b>").inner_text()
    look(page, "roads-joined", whole=True)
    done("a road is added that begins at a post of another one")


def peopling(page):
    go(page, "/people")
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    look(page, "people-new", whole=True)
    page.get_by_label("User name").fill("sita")
    page.get_by_label("Full name").fill("Sita <b>Thapa</b>")
    page.get_by_label("Password").first.fill("a-long-password")
    press(page, "New account of a ranger or a box")
    page.wait_for_selector("[role=status]")
    person = page.locator(".person", has_text="sita@bnp.local")
    assert "Sita <b>Thapa</b>" in person.inner_text()
    person.get_by_role("button", name="Switch off").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=The account is off")
    assert "switched off" in page.locator(".person", has_text="sita@bnp.local").inner_text()
    done("an account is made and switched off")


def roading(page):
    """A limit is changed by keyboard, after its effect was shown; a number that is none comes back."""
    go(page, "/roads")
    road = page.locator("section.road").first
    assert page.locator(".map circle").count() == 4
    road.locator("summary").first.focus()
    page.keyboard.press("Enter")
    road.get_by_label("Highest speed").fill("fast")
    road.get_by_label("Reason").fill("A new <b>sign</b>")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]")
    road = page.locator("section.road", has=page.locator("[role=alert]"))
    assert road.get_by_label("Reason").input_value() == "A new <b>sign</b>"
    look(page, "roads-refused", whole=True)
    road.get_by_label("Highest speed").fill("45")
    # A type with a limit of its own.
    road.get_by_role("textbox", name="Truck").fill("30")
    night = road.get_by_role("group", name="Hours 1")
    night.get_by_label("From").fill("22:00")
    night.get_by_label("Until").fill("05:00")
    night.get_by_label("at most").fill("32")
    road.get_by_label("Certificate of the distance").fill("NBSM 2081-117")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Lawfully inside now")
    look(page, "road-effect", whole=True)
    press(page, "CHANGE THE ROAD")
    page.wait_for_selector("text=The road is changed.")
    road = page.locator("section.road").first.inner_text()
    assert "45 km/h" in road and "Truck 30 km/h" in road and "22:00-05:00 32 km/h" in road and "NBSM 2081-117" in road, road
    go(page, "/audit?subject=road")
    assert "40.00 → 45.00" in page.locator("main").inner_text()
    done("a road's limit is changed after its effect was shown, and the change keeps its reason")


def switching(page):
    go(page)
    press(page, "नेपाली")
    page.locator("html[lang=ne]").wait_for()
    looking(page, "ne")
    working(page, "ne")
    go(page)
    press(page, "English")
    page.locator("html[lang=en]").wait_for()


def ranging(browser, failures):
    page = open_browser(browser, failures)
    sign_in(page, "a")
    assert page.get_by_role("link", name="People").count() == 0
    for path in PAGES[:-3]:
        go(page, path)
        look(page, f"{name_of(path)}-ranger")
        assert page.locator("form[action*='/do/']").count() == 0, path
    page.goto(URL + "/warden/people")
    assert "You may not do this." in page.locator("main").inner_text()
    page.context.close()
    done("a ranger sees the own segment and has nothing to change")


def auditing(browser, failures):
    """Who reads all and changes nothing finds every page, and no form but those of language and sign-out."""
    page = open_browser(browser, failures)
    sign_in(page, "audit")
    for path in ["", "/work", "/figures", "/passages", "/violations", "/overstays", "/lists", "/roads", "/audit", "/texts", "/people"]:
        go(page, path)
        assert page.locator("form[action*='/do/']:not([action$='own-password'])").count() == 0, path
    look(page, "auditor-people")
    assert page.locator("section.person").count() > 3
    press(page, "Sign out")
    page.wait_for_selector("h2:has-text('Sign in')")
    page.context.close()
    done("an auditor reads every page, that of the people too, has nothing to change, and signs out")


def leaving(page):
    go(page)
    press(page, "Sign out")
    page.wait_for_selector("input[type=password]")
    page.go_back()
    page.wait_for_selector("input[type=password]")
    done("after the sign-out the way back shows nothing")


def without_scripts(browser):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 800})
    page = context.new_page()
    sign_in(page, "admin")
    page.get_by_role("link", name="Passages", exact=True).click()
    page.get_by_role("link", name="More", exact=True).click()
    page.wait_for_selector("#rows .row")
    context.close()
    done("without scripts the pages are there all the same")


def main():
    failures = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = open_browser(browser, failures)
        try:
            signing_in(page)
            checking(page)
            looking(page, "en")
            keyboard(page)
            searching(page)
            finding(page)
            working(page, "en")
            correcting(page)
            answering(page)
            peopling(page)
            accounts(page)
            roading(page)
            joining(page)
            switching(page)
            ranging(browser, failures)
            auditing(browser, failures)
            leaving(page)
            without_scripts(browser)
            sign_in(page, "admin")
            doubling(page)
        except Exception:
            print(f"at {page.url}: {page.locator('main').inner_text()[:1000]}", flush=True)
            if pages.shots:
                page.screenshot(path=str(pages.shots / "failed.png"))
            raise
        finally:
            browser.close()
    conclude(failures, "every screen passes the checks of names, contrast, sizes and structure")


main()
