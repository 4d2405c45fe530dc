"""What every part of the day does at a page: signs in, looks, waits, listens."""

import pathlib
import sys

from axe_playwright_python.sync_playwright import Axe

from box import PASSWORD, wait_for

CHECKS = (pathlib.Path(__file__).resolve().parent / "checks.js").read_text()
SIZES = [(1024, 600), (360, 800)]

# Where each screen is photographed, if anybody wants it.
shots = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
problems = []


def done(text):
    print(f"- {text}", flush=True)


def conclude(failures, text):
    """Ends a script: with what went wrong, or with what it was for."""
    wrong = dict.fromkeys(failures + problems)
    for what in wrong:
        print(f"WRONG {what}")
    if wrong:
        sys.exit(1)
    done(text)


def look(page, name, whole=False):
    """Checks a screen by axe, and at each size by what axe doesn't know, and photographs it, all of its length if wanted."""
    # What takes no touch for a second is pale meanwhile.
    unguarded(page)
    for violation in Axe().run(page).response["violations"]:
        where = "; ".join(node["html"][:120] for node in violation["nodes"][:3])
        problems.append(f"{name}: axe {violation['id']}: {violation['help']}: {where}")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(150)
        for problem in page.evaluate(CHECKS):
            problems.append(f"{name} at {width}x{height}: {problem}")
        if shots:
            page.screenshot(path=str(shots / f"{name}-{width}x{height}.png"), full_page=whole)
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})


def tab_through(page, steps):
    """Goes through a page with the keyboard and back again. Whatever it reaches must show it. Gives how many controls it reached."""
    reached = 0
    for step in range(2 * steps):
        page.keyboard.press("Tab" if step < steps else "Shift+Tab")
        focus = page.evaluate(
            "(() => { const e = document.activeElement; if (e === document.body) return null;"
            " const s = getComputedStyle(e.matches('.tile input') ? e.nextElementSibling : e);"
            " const header = document.querySelector('header'), box = e.getBoundingClientRect();"
            " const isHidden = !header.contains(e) && getComputedStyle(header).position === 'sticky' && box.height > 2"
            "   && box.top < header.getBoundingClientRect().bottom - 1 && !e.matches('main, .skip');"
            " return { outline: s.outlineStyle !== 'none' ? parseFloat(s.outlineWidth) : 0, isHidden, what: e.outerHTML.slice(0, 80) }; })()")
        if focus is None:
            break
        reached += 1
        if focus["outline"] < 2:
            problems.append(f"focus is not seen: {focus['what']}")
        if focus["isHidden"]:
            problems.append(f"focus is below the header: {focus['what']}")
    return reached


def unguarded(page):
    """Waits until the second is over in which nothing takes a touch, since an alert came or went."""
    # The page's script knows of it, so it must have run.
    page.wait_for_load_state()
    page.locator("body:not(.fresh)").wait_for()


def until(page, condition):
    """Waits for a condition of the page. It is asked from outside: the page's own rules forbid to evaluate texts in it."""
    wait_for(condition, lambda: page.evaluate(condition))


def sign_in(page, box, name):
    page.goto(box.url + "/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Password").press("Enter")
    page.wait_for_selector("#record")


def open_browser(browser, failures):
    context = browser.new_context(viewport={"width": 1024, "height": 600}, locale="en-US")
    context.set_default_timeout(60000)
    page = context.new_page()
    page.on("pageerror", lambda error: failures.append(f"script: {error}"))
    page.on("dialog", lambda dialog: (failures.append("a script in a text ran"), dialog.dismiss()))
    page.on("request", lambda request: failures.append(f"asked {request.url}") if "127.0.0.1" not in request.url else None)
    return page


def playing(page, kind):
    return page.evaluate(f"(() => {{ const s = document.getElementById('sound-{kind}'); return !s.paused && s.currentTime > 0; }})()")
