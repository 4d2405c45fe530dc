"""What goes wrong under a page: the box is killed, it freezes, a picture is gone."""

import re
import signal

from box import wait_for
from pages import done, look, playing, unguarded, until

OVERSTAY, LATER = "0949", "0701"


def surviving(page, box):
    page.goto(box.url + "/")
    page.get_by_role("button", name="RECORD VEHICLE").click()
    page.wait_for_selector("#submit")
    page.goto(box.url + "/")
    box.arrive(OVERSTAY)
    page.wait_for_selector("dialog[open] [data-kind=overstay]", timeout=60000)
    box.stop(by=signal.SIGKILL)
    page.wait_for_selector("#lost", timeout=60000)
    waiting = box.count("SELECT count(*) FROM sightings WHERE state = 'review'")
    assert waiting >= 1
    box.start()
    page.wait_for_selector("#lost", state="detached", timeout=60000)
    page.wait_for_selector("dialog[open] [data-kind=overstay]")
    wait_for("the other sound", lambda: playing(page, "late"))
    look(page, "alert-overstay")
    unguarded(page)
    page.locator("[data-put=later]").click()
    until(page, "!document.getElementById('alert').open")
    assert page.locator("[data-count=review]").inner_text().strip() != "0"
    page.goto(box.url + "/alerts")
    page.wait_for_selector(".row.late")
    look(page, "alerts")
    box.see_what_was_put_off()
    done("after kill -9 the page finds back, and nothing that waited is lost")


def losing_the_box(page, box):
    """A kiosk has no way back from the browser's own page of errors: nothing leaves the page while the box is gone."""
    page.goto(box.url + "/history")
    unguarded(page)
    box.stop(by=signal.SIGKILL)
    page.wait_for_selector("#lost", timeout=60000)
    for control in (page.get_by_role("link", name="Overstays"), page.get_by_role("button", name="Search")):
        control.click()
        until(page, "/This page stays|Nothing was sent/.test((document.getElementById('lost') || {}).textContent)")
        assert page.url.endswith("/history"), page.url
    box.start()
    page.wait_for_selector("#lost", state="detached", timeout=60000)
    page.get_by_role("link", name="Overstays").click()
    page.wait_for_url("**/overstays")
    done("a touch while the box is gone stays on the page, says so, and works when it is back")


def tapping_twice(page, box):
    """A finger that bounces does a thing once, and is told nothing else."""
    sightings = "SELECT count(*) FROM sightings"
    page.goto(box.url + "/")
    before = box.count(sightings)
    page.get_by_role("button", name="RECORD VEHICLE").dblclick()
    page.wait_for_selector("#submit")
    assert box.count(sightings) == before + 1
    page.get_by_role("button", name="DISCARD").dblclick()
    page.locator("#record").wait_for()
    assert "did not work" not in page.inner_text("body")
    done("a double tap does a thing once")


def freezing(page, box):
    """A box that hangs keeps its connections: only the browser's own clock tells."""
    page.goto(box.url + "/")
    # The box was started anew, and has shown nothing since if it had recorded all before.
    box.arrive(LATER)
    page.locator("#live-age", has_text=re.compile(".")).wait_for()
    box.signal_all(signal.SIGSTOP)
    page.wait_for_selector("#live-age.old", timeout=90000)
    page.wait_for_selector("#lost", timeout=90000)
    page.locator("#record").click()
    until(page, "document.getElementById('lost').textContent.includes('Nothing was sent')")
    box.signal_all(signal.SIGCONT)
    page.wait_for_selector("#lost", state="detached", timeout=90000)
    done("a frozen box is no live one: the page says so, and sends nothing into the dark")


def losing_a_picture(page, box):
    """A file that is gone leaves words in its place. The page is one that has not seen the picture: browsers keep those."""
    photos = list((box.folder / "data/photos").rglob("*.jpg"))
    assert photos
    for photo in photos:
        photo.rename(photo.with_suffix(".away"))
    page.goto(box.url + "/history?plate=1717")
    page.locator(".row").first.click()
    page.locator(".none", has_text="No picture").wait_for()
    assert page.locator("a.whole img").count() == 0
    look(page, "passage-no-picture")
    for photo in photos:
        photo.with_suffix(".away").rename(photo)
    done("a picture whose file is gone leaves words in its place")
