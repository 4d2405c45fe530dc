"""The same console by day: black on white, for a screen in the sun."""

from pages import done, look, unguarded, until


def colours(page, selector):
    return page.evaluate(f"(() => {{ const s = getComputedStyle(document.querySelector('{selector}')); return [s.color, s.backgroundColor]; }})()")


def by_day(page, technician, box):
    for one in (page, technician):
        one.goto(box.url + "/history")
        one.locator("#theme").click()
        one.locator("html.day").wait_for()
        assert "/history" in one.url, "it comes back to where it was asked"
    assert colours(page, "html") == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"], colours(page, "html")
    for name in ("", "review", "alerts", "inside", "history", "overstays"):
        page.goto(f"{box.url}/{name}")
        unguarded(page)
        look(page, (name or "watch") + "-day", whole=True)
    page.goto(box.url + "/alerts")
    page.locator(".row").first.click()
    page.wait_for_selector("h1")
    look(page, "outcome-day", whole=True)
    for name in ("technician", "api"):
        technician.goto(f"{box.url}/{name}")
        look(technician, name + "-day", whole=True)
    # An alert looks as it does by night: nobody has to learn it twice.
    page.goto(box.url + "/")
    unguarded(page)
    box.speeding("BA 1 CHA 7799")
    page.locator("dialog[open]", has_text="BA 1 CHA 7799").wait_for()
    unguarded(page)
    assert colours(page, "#alert") == ["rgb(242, 242, 242)", "rgb(0, 0, 0)"], colours(page, "#alert")
    look(page, "alert-day")
    page.locator("[data-put=seen]").click()
    until(page, "!document.getElementById('alert').open")
    for one in (page, technician):
        one.goto(box.url + "/history")
        unguarded(one)
        one.locator("#theme").click()
        one.locator("html:not(.day)").wait_for()
    done("every page is black on white where somebody wants it so, and an alert stays as it is")
