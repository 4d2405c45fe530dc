"""A box with a console, run as a child process in a folder of its own."""

import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "deploy/samples/drive"
PASSWORD = "a-long-password"

CONFIGURATION = """
[post]
code = "BNP-B"
name = "Obhari gate"
other_code = "BNP-A"
[segment]
distance_km = 45.0
max_speed_kmh = 40.0
min_speed_kmh = 10.0
[[camera]]
name = "gate"
kind = "folder"
path = "incoming"
[data]
folder = "data"
[reader]
models = "{models}"
country = "np"
[console]
port = {port}
printer = "{printer}"
[fines]
speeding = "0: 500, 20: 1500; bus truck 0: 3000"
"""


def wait_for(what, condition, seconds=60):
    """Waits until the condition gives something; generously, since test machines are busy."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds} s for {what}")


class Box:
    def __init__(self, program, folder):
        self.program = program
        self.folder = pathlib.Path(folder)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.configuration = self.folder / "checkpost.toml"
        self.process = None
        # Of the running box, beyond that of this process.
        self.environment = {}
        (self.folder / "incoming").mkdir()
        # A file takes what a receipt printer would.
        self.printer = self.folder / "printer"
        self.printer.touch()
        self.configuration.write_text(CONFIGURATION.format(port=self.port, models=ROOT / "models", printer=self.printer))

    def command(self, *arguments, text=None):
        result = subprocess.run(
            [self.program, *arguments], input=text, capture_output=True, text=True, timeout=120,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"})
        assert result.returncode == 0, f"{arguments}: {result.stdout}{result.stderr}"
        return result.stdout

    def add_user(self, name, role, pin=None):
        more = ["--pin"] if pin else []
        self.command(
            "user", "add", name, "--role", role, "--config", str(self.configuration), *more,
            text=PASSWORD + "\n" + (pin + "\n" if pin else ""))

    def start(self):
        log = open(self.folder / "run.log", "a")
        self.process = subprocess.Popen(
            [self.program, "run", "--simulated-clock", "--config", str(self.configuration)], stdout=log, stderr=log,
            stdin=subprocess.DEVNULL, env={**os.environ, "OMP_THREAD_LIMIT": "1", **self.environment})

        def answers():
            assert self.process.poll() is None, (self.folder / "run.log").read_text()
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.port)) == 0

        wait_for("the console to listen", answers)

    def stop(self, by=signal.SIGTERM):
        if self.process:
            self.process.send_signal(by)
            self.process.wait(timeout=30)
            self.process = None

    def signal_all(self, number):
        """To the supervisor first, so that it doesn't start its parts anew, and then to each part."""
        self.process.send_signal(number)
        for children in pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/children"):
            try:
                parts = children.read_text().split()
            except (FileNotFoundError, ProcessLookupError):
                # A thread that ended meanwhile had started none.
                continue
            for part in parts:
                os.kill(int(part), number)

    def database(self):
        return sqlite3.connect(self.folder / "data/checkpost.sqlite", timeout=30)

    def count(self, query):
        database = self.database()
        try:
            return database.execute(query).fetchone()[0]
        finally:
            database.close()

    def other_post(self):
        """Brings in what the other end of the road recorded, as a server would. Its pictures come later, on a drive."""
        other = str(self.folder / "other.sqlite")
        self.command("replay", f"BNP-A={SAMPLES}/BNP-A", "--models", str(ROOT / "models"), "--database", other)
        rows = self.command("export", "passages", "--format", "json", "--database", other)
        # The photos that a replay keeps lie beside its database.
        # The two that break a limit here; what else is read there is no part of this day.
        wanted = [row for row in rows.splitlines() if "UP32AB1234" in row or "GAD2957" in row]
        assert len(wanted) == 2, rows
        (self.folder / "other.json").write_text("\n".join(wanted) + "\n")
        self.bring_in()

    def bring_in(self, *more):
        self.command("import", "passages", str(self.folder / "other.json"), "--config", str(self.configuration), *more)

    def other_pictures(self):
        self.bring_in("--photos", str(self.folder / "photos"))

    def overstay(self):
        """A vehicle that came in and has not come out."""
        database = self.database()
        now = int(time.time() * 1000)
        entry = database.execute("SELECT client_id, plate, vehicle_type, recorded_at FROM passages LIMIT 1").fetchone()
        database.execute(
            "INSERT INTO overstay_alerts (entry_client_id, plate, vehicle_type, entry_time, expected_exit_by, is_doubtful,"
            " raised_at) VALUES (?, ?, ?, ?, ?, 1, ?)", (*entry, entry[3] + 16200000, now))
        database.commit()
        database.close()

    def overstays(self, count):
        """Vehicles that came in one after the other and have not come out."""
        database = self.database()
        now = int(time.time() * 1000)
        for number in range(count):
            own, plate = str(uuid.uuid4()), f"BA 3 KHA {100 + number}"
            entered = now - 20000000 - number * 60000
            database.execute(
                "INSERT INTO passages (client_id, plate, plate_compact, plate_raw, vehicle_type, checkpost_code, recorded_at,"
                " clock_state, confidence, origin, created_at)"
                " VALUES (?1, ?2, ?3, ?2, 'bus', 'BNP-B', ?4, 'simulated', 0.9, 'camera', ?4)",
                (own, plate, plate.replace(" ", ""), entered))
            database.execute(
                "INSERT INTO overstay_alerts (entry_client_id, plate, vehicle_type, entry_time, expected_exit_by, is_doubtful,"
                " raised_at) VALUES (?, ?, 'bus', ?, ?, 0, ?)", (own, plate, entered, entered + 16200000, now - number * 1000))
        database.commit()
        database.close()

    def reviews(self, *plates):
        """Vehicles that wait for a ranger, the first of them the newest."""
        database = self.database()
        now = int(time.time() * 1000)
        for number, plate in enumerate(plates):
            database.execute(
                "INSERT INTO sightings (id, camera, number, state, first_seen_at, last_seen_at, frame_count, plate_compact,"
                " confidence, reading, best_sha256, best_recorded_at, best_clock_state)"
                " SELECT 'hand/' || ?1, 'hand', ?1, 'review', ?2, ?2, 1, ?3, 0.4, json_set(reading, '$.plate', ?4), best_sha256,"
                " ?2, best_clock_state FROM sightings WHERE camera <> 'hand' LIMIT 1",
                (number, now - number * 1000, plate.replace(" ", ""), plate))
        database.commit()
        database.close()

    def see_overstays(self, name):
        """Somebody has seen them all."""
        database = self.database()
        database.execute(
            "INSERT OR REPLACE INTO alert_touches (alert, touched_by, touched_at, is_seen)"
            " SELECT 'overstay/' || id, ?, ?, 1 FROM overstay_alerts", (name, int(time.time() * 1000)))
        database.commit()
        database.close()

    def see_what_was_put_off(self):
        """What was put off comes back after five minutes, wherever the day is then."""
        database = self.database()
        database.execute("UPDATE alert_touches SET is_seen = 1")
        database.commit()
        database.close()

    def passage(self, plate):
        """A vehicle that came by here a moment ago."""
        database = self.database()
        now = int(time.time() * 1000)
        database.execute(
            "INSERT INTO passages (client_id, plate, plate_compact, plate_raw, vehicle_type, checkpost_code, recorded_at,"
            " clock_state, confidence, origin, created_at)"
            " VALUES (?1, ?2, ?3, ?2, 'car', 'BNP-B', ?4, 'simulated', 0.9, 'camera', ?4)",
            (str(uuid.uuid4()), plate, plate.replace(" ", ""), now))
        database.commit()
        database.close()

    def speeding(self, plate, seconds=2400):
        """A vehicle that came out here, too fast, a moment ago."""
        database = self.database()
        now = int(time.time() * 1000)
        own, other, compact = str(uuid.uuid4()), str(uuid.uuid4()), plate.replace(" ", "")
        database.execute(
            "INSERT INTO passages (client_id, plate, plate_compact, plate_raw, vehicle_type, checkpost_code, recorded_at,"
            " clock_state, confidence, origin, created_at)"
            " VALUES (?1, ?2, ?3, ?2, 'car', 'BNP-B', ?4, 'simulated', 0.9, 'camera', ?4)", (own, plate, compact, now))
        database.execute(
            "INSERT INTO violations (id, own_client_id, kind, entry_client_id, exit_client_id, plate, plate_compact, vehicle_type,"
            " entry_time, exit_time, distance_km, speed_limit_kmh, calculated_speed_kmh, is_implausible, state, created_at)"
            " VALUES (?, ?, 'speeding', ?, ?, ?, ?, 'car', ?, ?, 45, 40, 67.5, 0, 'provisional', ?)",
            (str(uuid.uuid4()), own, other, own, plate, compact, now - 1000 * seconds, now, now))
        database.commit()
        database.close()

    def earlier_passages(self, count):
        """Passages of the days before, so that the history has something to search."""
        database = self.database()
        now = 1795200000000
        rows = []
        for number in range(count):
            plate = f"BA {number % 90 + 1} CHA {1000 + number % 9000}"
            rows.append((str(uuid.uuid4()), plate, plate.replace(" ", ""), now - number * 60000))
        database.executemany(
            "INSERT INTO passages (client_id, plate, plate_compact, plate_raw, vehicle_type, checkpost_code, recorded_at,"
            " clock_state, confidence, origin, created_at)"
            " VALUES (?1, ?2, ?3, ?2, 'car', 'BNP-B', ?4, 'simulated', 0.9, 'camera', ?4)", rows)
        database.commit()
        database.close()

    def arrive(self, hour_minute):
        """A vehicle drives up: its frames of the sample day, by their time of day (UTC)."""
        for picture in sorted((SAMPLES / "BNP-B").glob(f"*T{hour_minute}*.jpg")):
            shutil.copy(picture, self.folder / "incoming" / ("." + picture.name))
            os.rename(self.folder / "incoming" / ("." + picture.name), self.folder / "incoming" / picture.name)
