"""Figures, what is wrong, and what the other post saw: in both languages, at both sizes."""

import shutil
import time
import uuid

from box import SAMPLES
from pages import done, look, unguarded, until


def speak(page, box, button, language):
    page.goto(box.url + "/")
    unguarded(page)
    page.get_by_role("button", name=button).click()
    page.locator(f"html[lang={language}]").wait_for()


def fill(box):
    """A month of samples, trips of the last day at several speeds, and alarms."""
    database, now = box.database(), int(time.time() * 1000)
    slot = 600000
    for number in range(1, 30 * 24 * 6 - 10):
        at = now // slot * slot - number * slot
        database.execute(
            "INSERT OR REPLACE INTO box_samples (at, signal, free_bytes, waiting, queue_age_ms) VALUES (?, ?, ?, 3, ?)",
            (at, 8 + number // 40 % 18, 40000000000 - number * 3000000, number % 144 * 60000))
    for number in range(60):
        own, other, plate = str(uuid.uuid4()), str(uuid.uuid4()), f"BA 5 KHA {500 + number}"
        exit_time = now - 1200000 - number * 1300000
        entry = exit_time - int(45 / (24 + number % 36) * 3600000)
        database.execute(
            "INSERT INTO passages (client_id, plate, plate_compact, plate_raw, vehicle_type, checkpost_code, recorded_at,"
            " clock_state, confidence, origin, created_at) VALUES (?1, ?2, ?3, ?2, 'car', 'BNP-B', ?4, 'simulated', ?5, ?6, ?4)",
            (own, plate, plate.replace(" ", ""), exit_time, 0.7 + number % 30 / 100, "review" if number % 7 == 0 else "camera"))
        database.execute(
            "INSERT INTO remote_passages (client_id, plate, plate_compact, vehicle_type, checkpost_code, recorded_at, clock_state,"
            " fetched_at) VALUES (?, ?, ?, 'car', 'BNP-A', ?, 'simulated', ?)", (other, plate, plate.replace(" ", ""), entry, now))
        database.execute(
            "INSERT INTO matches (own_client_id, remote_client_id, own_is_entry, certainty, state, created_at)"
            " VALUES (?, ?, 0, 'exact', 'provisional', ?)", (own, other, now))
    for key, severity, message, hint in (
            ("photos.gate", "critical", "Photos of the camera gate can't be kept, and passages are recorded without them: no room", "Look at the data folder and its disk."),
            ("sync.offline", "warning", "The server has been out of reach since 11:00.", "Check the data link.")):
        database.execute(
            "INSERT OR REPLACE INTO alarms (key, severity, message, hint, raised_at) VALUES (?, ?, ?, ?, ?)",
            (key, severity, message, hint, now - 3600000))
    database.commit()
    database.close()


def figuring(page, box):
    fill(box)
    # The console was started anew, and has shown nothing since.
    shutil.copy(SAMPLES.parent / "stills/clean_none_empty_road.jpg", box.folder / "incoming/empty.jpg")
    for language, button in (("en", "English"), ("ne", "नेपाली")):
        if page.locator("html").get_attribute("lang") != language:
            speak(page, box, button, language)
        for days in (1, 7, 30):
            page.goto(f"{box.url}/figures?days={days}")
            assert page.locator(".chart svg rect").count() > 20
            assert page.locator(".chart line").count() == 1, "the limit"
            look(page, f"figures-{days}-{language}", whole=True)
        page.goto(box.url + "/history?plate=5KHA51")
        assert page.locator(".row.other").count() and page.locator(".row:not(.other)").count()
        look(page, "history-both-" + language)
        page.locator(".row.other").first.click()
        page.wait_for_selector(".facts")
        look(page, "other-passage-" + language, whole=True)
        page.locator(".chip.linked a").first.click()
        page.wait_for_url("**/alarms")
        page.locator(".alarm.critical").wait_for()
        look(page, "alarms-" + language)
        page.goto(box.url + "/")
        page.locator("#live-age", has_text="when something moves" if language == "en" else "केही चल्दा").wait_for()
        look(page, "watch-motion-" + language)
    speak(page, box, "English", "en")
    database = box.database()
    database.execute("DELETE FROM alarms WHERE key IN ('photos.gate', 'sync.offline')")
    database.commit()
    database.close()
    done("figures, what is wrong and what the other post saw, in both languages")


def standing_still(page, box):
    """A sign that is found now and then is one thing, and no vehicle."""
    page.goto(box.url + "/aim")
    until(page, "document.getElementById('aim-verdict').className !== 'verdict'")
    page.clock.install()
    sign = {"box": [10, 10, 90, 30], "plate": "", "confidence": 0.2, "glyph_height": 20, "edge_width": 2, "contrast": 90,
            "is_good": False, "problems": ["unread"]}
    shown = {"number": 1000}

    def answer(route):
        shown["number"] += 1
        sights = [{**sign, "box": [10, 10, 90, 30 + shown["number"] % 2]}] if shown["number"] % 3 else []
        route.fulfill(json={
            "camera": "gate", "number": shown["number"], "width": 640, "height": 480, "age_ms": 100, "is_old": False,
            "verdict": "problem", "verdict_text": "x", "ways": [], "sights": sights})

    page.route("**/api/aim?*", answer)
    page.route("**/live?*", lambda route: route.fulfill(status=404))
    rows = page.locator("#aim-rows")
    for _ in range(40):
        page.clock.run_for(12000)
        # What is asked for comes in real time.
        page.wait_for_timeout(250)
        if rows.get_by_text("stands still").count():
            break
    assert rows.get_by_text("stands still").count() == 1, rows.inner_text()
    assert page.locator("#aim-sum").inner_text().startswith("Vehicles: 0"), page.locator("#aim-sum").inner_text()
    page.unroute("**/api/aim?*")
    page.unroute("**/live?*")
    page.clock.resume()
    done("a sign that is found now and then counts as no vehicle")
