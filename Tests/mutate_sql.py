"""The server's SQL functions for Tests/mutate: where they can be changed, and how a change is tried on PostgreSQL.

One cluster and one migrated database serve all of the runs. A change is a copy of that database with one function replaced; the built
suites of the server make their databases from the copy. Each suite is run once without a change first, while PostgreSQL counts which
functions it calls: a change is shown to the suites that call its function, the quickest first.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

# These read the functions' files, make databases without the changed template, or take very long for what they call.
LEFT_OUT = {
    "BrowserTests", "CommandTests", "CorpusTests", "FairnessTests", "FuzzTests", "InstallTests", "KnownMigrationTests", "MigrationTests",
    "PlanTests", "PublicClientTests", "SampleTests", "ServerFunctionTests", "SupabaseFunctionTests", "SupabaseTests", "WardenMorningTests",
}

TOKEN = re.compile(
    r"""(?P<comment>--[^\n]*) | (?P<string>[eE]?'(?:[^']|'')*' | \$(?P<tag>[a-z]+)\$.*?\$(?P=tag)\$) | (?P<parameter>\$\d+)
    | (?P<number>\d+(?:\.\d+)?) | (?P<word>[A-Za-z_]\w*|"[^"]*")
    | (?P<operator>:=|=>|::|\.\.|<=|>=|<>|!=|<<|>>|->>|->|\#>>|\#>|\|\||!~|\?\||@>|[-+*/<>=~?&|%.,;:()\[\]])""",
    re.VERBOSE | re.DOTALL)

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "<>", "<>": "=", "!=": "=", "~": "!~", "!~": "~"}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*"}

# Two times have a difference and no sum: `-` between them has no other operator to become.
TIMES = {"recorded_at", "deadline", "told"}

# What a statement of plpgsql begins with that may be left out. Without a `return` or a `for` a function is none.
DELETABLE = {"perform", "insert", "update", "delete", "raise", "select", "with", "get", "exit", "execute"}


class Token:
    def __init__(self, match):
        self.kind = next(name for name in ("comment", "string", "parameter", "number", "word", "operator") if match.group(name) is not None)
        self.text, self.start, self.end = match.group(0), match.start(), match.end()
        self.low = self.text.lower()


class Place:
    """A part of a file, as Tests/mutate takes it from a parser."""

    def __init__(self, source, start, end):
        self.start_byte, self.end_byte = start, end
        self.start_point = (source.count(b"\n", 0, start), 0)


def body_of(text):
    """Where a file's function has its body: between `$$` and `$$`, or its `return` of a single expression."""
    first = text.index("create or replace function")
    if "$$" in text:
        return text.index("$$", first) + 2, text.rindex("$$")
    begun = re.compile(r"^    return ", re.M).search(text, first)
    if not begun:
        sys.exit("Tests/mutate finds no body in the function that begins so: " + text[first:text.index("\n", first)])
    return begun.end(), text.index(";", begun.end())


def changes_of(path, source, change):
    """Every change of one file. `change` makes one of a path, a place, the source, a kind and the new text."""
    # One character a byte, so that places in the text are places in the file.
    text = source.decode("latin-1")
    start, end = body_of(text)
    tokens = [Token(match) for match in TOKEN.finditer(text, start, end)]
    tokens = [token for token in tokens if token.kind != "comment"]
    found = []

    def add(first, last, kind, mutated):
        found.append(change(path, Place(source, first, last), source, kind, mutated))

    Reader(tokens, text, add).read()
    return found


class Reader:
    def __init__(self, tokens, text, add):
        self.tokens, self.text, self.add = tokens, text, add
        self.depths = self.count_depths()

    def count_depths(self):
        depths, depth = [], 0
        for token in self.tokens:
            if token.text in (")", "]"):
                depth -= 1
            depths.append(depth)
            if token.text in ("(", "["):
                depth += 1
        return depths

    def at(self, index):
        return self.tokens[index].low if 0 <= index < len(self.tokens) else ""

    def read(self):
        is_statement_start = self.mark_statements()
        between, assignments, errors = [], None, False
        for index, token in enumerate(self.tokens):
            low, depth = token.low, self.depths[index]
            before, after = self.at(index - 1), self.at(index + 1)
            if low == ";":
                assignments, errors, between = None, False, []
            if index in is_statement_start:
                self.delete_statement(index)
            if errors:
                continue
            if low == "using" and any(self.at(back) == "raise" for back in self.back_to_statement(index)):
                errors = True
            elif low == "set" and before != "":
                assignments = depth
            elif assignments == depth and low in ("where", "from", "returning"):
                assignments = None
            elif low == "between":
                between.append(depth)
            elif low in ("and", "or"):
                if low == "and" and between and between[-1] == depth:
                    between.pop()
                else:
                    self.add(token.start, token.end, "operator", "or" if low == "and" else "and")
            elif low == "is":
                self.turn_is(index)
            elif low == "not" and before != "is":
                self.add(token.start, self.tokens[index + 1].start, "condition", "")
            elif token.kind == "operator" and low in COMPARISONS:
                is_assigned = low == "=" and (
                    (assignments == depth and self.at(index - 2) in ("set", ",")) or self.at(index - 2) == "diagnostics")
                if not is_assigned:
                    self.add(token.start, token.end, "operator", COMPARISONS[low])
            elif token.kind == "operator" and low in ARITHMETIC:
                self.turn_arithmetic(index)
            elif token.kind == "number" and before != "by" and not self.is_first_row(index):
                becomes = str(int(low) + 1) if low.isdigit() else f"{float(low) * 1.25 + 0.001:.4f}"
                self.add(token.start, token.end, "constant", becomes)
            elif token.kind == "string" and before == "interval":
                longer = re.sub(r"\d+", lambda match: str(int(match.group(0)) + 1), token.text, count=1)
                self.add(token.start, token.end, "constant", longer)
            elif low in ("true", "false") and before != "is" and after != "from":
                self.add(token.start, token.end, "constant", "false" if low == "true" else "true")
            elif low in ("least", "greatest") and after == "(":
                self.add(token.start, token.end, "bound", "greatest" if low == "least" else "least")
            elif low == "by" and before == "order":
                self.turn_order(index)
            elif low == "limit" and not self.is_first_row(index + 1):
                self.drop_limit(index)
            elif low in ("if", "elsif") and before != "end":
                self.turn_condition(index)

    def back_to_statement(self, index):
        while index >= 0 and self.at(index) != ";":
            yield index
            index -= 1

    def is_first_row(self, index):
        """`limit 1` of a `select … into`, which takes the first row without it as well."""
        return (self.at(index - 1) == "limit" and self.depths[index] == 0
                and any(self.at(back) == "into" for back in self.back_to_statement(index)))

    def mark_statements(self):
        """The first tokens of statements of plpgsql; a function of plain SQL is one expression."""
        if not any(token.low == "begin" for token in self.tokens):
            return set()
        starts, cases, declares = set(), 0, False
        for index, token in enumerate(self.tokens):
            low, before = token.low, self.at(index - 1)
            if low == "declare":
                declares = True
            elif low == "begin":
                declares = False
            opens = before == ";" or (before in ("begin", "then", "else", "loop") and cases == 0)
            if opens and not declares and (low in DELETABLE or self.is_assignment(index)):
                starts.add(index)
            if low == "case":
                cases += 1
            elif low == "end" and cases:
                cases -= 1
        return starts

    def is_assignment(self, index):
        while self.at(index + 1) == ".":
            index += 2
        return self.at(index + 1) == ":="

    def delete_statement(self, index):
        last = index
        while self.at(last) != ";":
            last += 1
        self.add(self.tokens[index].start, self.tokens[last].end, "statement", "null;")

    def turn_is(self, index):
        token, following = self.tokens[index], self.tokens[index + 1]
        if following.low == "not":
            self.add(token.start, following.end, "operator", "is")
        elif following.low in ("null", "distinct", "true", "false"):
            self.add(token.start, token.end, "operator", "is not")

    def turn_arithmetic(self, index):
        token, before, following = self.tokens[index], self.tokens[index - 1], self.tokens[index + 1]
        is_all = before.text in (".", "(") or before.low in ("select", "distinct", "returning") or following.text in (")", ",")
        if token.text == "*" and is_all:
            return
        if token.text == "-" and following.low == "array":
            return
        if before.text in ("(", ",") or before.low in ("and", "between", "then", "else", "when", "select"):
            self.add(token.start, token.end, "operator", "")
            return
        last = index + 1
        while self.at(last + 1) == ".":
            last += 2
        if token.text == "-" and self.at(last) in TIMES:
            return
        self.add(token.start, token.end, "operator", ARITHMETIC[token.text])

    def end_of_clause(self, index, words):
        depth = self.depths[index]
        last = index + 1
        while last < len(self.tokens) and not (
                self.depths[last] < depth or (self.depths[last] == depth and self.at(last) in words)):
            last += 1
        return last

    def turn_order(self, index):
        """Each key the other way round; each left out; the clause, where it has one key."""
        end = self.end_of_clause(index, ("limit", "offset", "for", "loop", ";", "having"))
        keys, first = [], index + 1
        for place in range(index + 1, end + 1):
            if place == end or (self.at(place) == "," and self.depths[place] == self.depths[index]):
                keys.append((first, place - 1))
                first = place + 1
        for number, (first, last) in enumerate(keys):
            begun, ended = self.tokens[first].start, self.tokens[last].end
            if self.at(last) == "desc":
                self.add(self.tokens[last].start, ended, "order", "")
            else:
                self.add(self.tokens[last].start, ended, "order", self.tokens[last].text + " desc")
            if len(keys) == 1:
                self.add(self.tokens[index - 1].start, ended, "order", "")
            elif number + 1 < len(keys):
                self.add(begun, self.tokens[keys[number + 1][0]].start, "order", "")
            else:
                self.add(self.tokens[keys[number - 1][1] + 1].start, ended, "order", "")

    def drop_limit(self, index):
        end = self.end_of_clause(index, ("offset", "for", "loop", ";"))
        self.add(self.tokens[index].start, self.tokens[end - 1].end, "bound", "")

    def turn_condition(self, index):
        """A condition that is a call or a name: turned round."""
        end = self.end_of_clause(index, ("then",))
        part = self.tokens[index + 1:end]
        if all(token.kind in ("word", "string") or token.text in "().," for token in part) and not any(
                token.low in ("not", "and", "or", "is", "in", "exists", "select") for token in part):
            first, last = part[0].start, part[-1].end
            self.add(first, last, "condition", f"not ({self.text[first:last]})")


class Cluster:
    """A PostgreSQL of the run's own. The suites make the first template in it; each change has one of its own."""

    TEMPLATE = "checkpost_template"

    def __init__(self, root, folder):
        self.root, self.folder = root, folder
        self.lock = threading.Lock()
        self.programs = self.find_programs()
        self.fingerprint = self.find_fingerprint()

    @staticmethod
    def find_programs():
        versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: -float(path.parts[-3]))
        found = versions[0] if versions else Path(shutil.which("initdb") or sys.exit("PostgreSQL is missing: install the package postgresql."))
        return found.parent

    def find_fingerprint(self):
        """How the server knows its functions again. It starts on a changed one only when the list says that it is meant."""
        replacer = next((self.root / "Sources" / "checkpost-server").rglob("FunctionReplacer.swift")).read_text()
        found = re.search(r'let present = """\n(.*?)\n\s*"""', replacer, re.S)
        return found.group(1) if found else sys.exit("FunctionReplacer.swift has no query `present` any more.")

    def as_owner(self, command):
        # initdb and postgres refuse to run as root.
        return ["runuser", "-u", "postgres", "--"] + command if os.getuid() == 0 else command

    def start(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        # The suites run as this user; others need to get to the socket only when that is root.
        data, log = self.folder / "data", self.folder / "postgres.log"
        self.call([str(self.programs / "initdb"), "-D", str(data), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-locale", "--no-sync"])
        self.process = subprocess.Popen(
            self.as_owner([
                str(self.programs / "postgres"), "-D", str(data), "-k", str(self.folder), "-p", "5432", "-c", "listen_addresses=",
                "-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "max_connections=300",
                "-c", "track_functions=all", "-c", "autovacuum=off"]),
            cwd="/", stdout=subprocess.DEVNULL, stderr=open(log, "wb"), start_new_session=True)
        for _ in range(200):
            if subprocess.run([str(self.programs / "pg_isready"), "-q", "-h", str(self.folder)]).returncode == 0:
                return
            time.sleep(0.05)
        sys.exit(f"PostgreSQL did not start: see {log}")

    def call(self, command):
        done = subprocess.run(self.as_owner(command), cwd="/", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{command[0]} failed:\n{done.stdout}")

    def stop(self):
        # runuser hands an interrupt on to PostgreSQL, which then ends at once in good order.
        os.killpg(self.process.pid, 2)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def psql(self, database, *statements, check=True):
        command = [str(self.programs / "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", str(self.folder), "-U", "postgres", "-d",
                   database]
        for statement in statements:
            command += ["-c", statement]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0 and check:
            sys.exit(f"psql failed: {done.stderr}")
        return done

    def make_template(self, name, function):
        """A copy of the migrated database with one function replaced. Returns whether PostgreSQL takes it."""
        with self.lock:
            self.psql("postgres", "select pg_advisory_lock(1)", f"create database {name} template {self.TEMPLATE}")
        present = self.fingerprint
        known = f"update checkpost.schema_functions f set fingerprint = p.fingerprint from ({present}) p where p.signature = f.signature"
        return self.psql(name, function, "set search_path = ''", known, check=False).returncode == 0

    def databases(self, template):
        """Those that the suites made of a template."""
        listed = self.psql("postgres", f"select datname from pg_database where starts_with(datname, '{template}_test_')")
        return listed.stdout.split()

    def drop(self, names):
        for name in names:
            self.psql("postgres", f"drop database if exists {name} with (force)", check=False)

    def called(self, database):
        """The functions that were called in a database."""
        return set(self.psql(database, "select schemaname || '.' || funcname from pg_stat_user_functions").stdout.split())


class Trial:
    """What the suites of the server say about changed functions."""

    def __init__(self, root, folder, run, patience):
        """`patience`: how many seconds of suites one change is shown to, counted as they take without it."""
        self.folder, self.run, self.patience = folder, run, patience
        self.program = root / ".build" / "debug" / "checkpostPackageTests.xctest"
        if not self.program.exists():
            sys.exit("The tests are not built: swift build --build-tests")
        # A copy beside it: what is built meanwhile would take the program away from under the runs.
        built, self.program = self.program, self.program.with_name(f"mutate-sql-{os.getpid()}.xctest")
        shutil.copy2(built, self.program)
        self.cluster = Cluster(root, Path(f"/tmp/checkpost-mutate-pg-{os.getpid()}"))
        self.files = {path.stem: path.read_text() for path in (root / "deploy" / "server" / "functions").rglob("*.sql")}

    def __enter__(self):
        self.cluster.start()
        return self

    def __exit__(self, *error):
        self.cluster.stop()
        self.program.unlink(missing_ok=True)

    def environment(self, template):
        return {"CHECKPOST_TEST_CLUSTER": str(self.cluster.folder), "CHECKPOST_TEST_TEMPLATE": template}

    def learn(self):
        """Runs each suite once as it is: how long it takes, and which functions it calls. What was learnt of these tests is kept."""
        kept = self.folder / "sql-suites.json"
        stamp = f"{self.program.stat().st_mtime} {self.program.stat().st_size}"
        known = json.loads(kept.read_text()) if kept.exists() else {}
        if known.get("stamp") != stamp:
            listed = subprocess.run(
                [str(self.program), "--testing-library", "swift-testing", "--list-tests"], stdout=subprocess.PIPE, text=True).stdout
            names = sorted({name for name in re.findall(r"^CheckpostServerTests\.(\w+)/", listed, re.M)} - LEFT_OUT)
            suites = {}
            # The first one makes the template, and its time says nothing.
            self.outcome(names[0], Cluster.TEMPLATE, 600)
            self.cluster.drop(self.cluster.databases(Cluster.TEMPLATE))
            for name in names:
                outcome, why, took = self.outcome(name, Cluster.TEMPLATE, 600)
                if outcome != "survived":
                    sys.exit(f"{name} fails without any change: {why}")
                databases = self.cluster.databases(Cluster.TEMPLATE)
                called = set().union(*(self.cluster.called(database) for database in databases)) & set(self.files)
                self.cluster.drop(databases)
                suites[name] = {"seconds": took, "calls": sorted(called)}
                print(f"          {name}: {took:.1f} s, {len(called)} functions", flush=True)
            known = {"stamp": stamp, "suites": suites}
            self.folder.mkdir(parents=True, exist_ok=True)
            kept.write_text(json.dumps(known, indent=1))
        else:
            # One that calls functions makes a database, and the first one the template.
            callers = [name for name, suite in known["suites"].items() if suite["calls"]]
            quickest = min(callers, key=lambda name: known["suites"][name]["seconds"])
            self.outcome(quickest, Cluster.TEMPLATE, 600)
            self.cluster.drop(self.cluster.databases(Cluster.TEMPLATE))
        self.suites = known["suites"]

    def suites_of(self, function):
        """Those that call it, the quickest first. PostgreSQL counts no function that it writes into its caller: then whoever calls a caller."""
        names = {function}
        if not any(function in suite["calls"] for suite in self.suites.values()):
            names = {name for name, text in self.files.items() if name != function and function + "(" in text} | names
        found = [name for name, suite in self.suites.items() if names & set(suite["calls"])]
        chosen, seconds = [], 0.0
        for name in sorted(found, key=lambda name: self.suites[name]["seconds"]):
            if chosen and seconds + self.suites[name]["seconds"] > self.patience:
                break
            chosen.append(name)
            seconds += self.suites[name]["seconds"]
        return chosen

    def outcome(self, suite, template, limit):
        return self.run(self.program, [rf"^CheckpostServerTests\.{suite}/"], [], self.environment(template), limit)

    def attempt(self, change, source, jobs):
        """Tries one change. Returns the outcome, why, and the time; the outcome is `dropped` when PostgreSQL doesn't take the function."""
        template = f"mutant_{change.number}"
        text = (source[:change.start] + change.mutated.encode() + source[change.end:]).decode()
        took = 0.0
        try:
            if not self.cluster.make_template(template, text):
                return "dropped", "", took
            for suite in self.suites_of(Path(change.path).stem):
                outcome, why, seconds = self.outcome(suite, template, 20 + 4 * self.suites[suite]["seconds"] * jobs)
                took += seconds
                if outcome == "caught":
                    return "caught", f"{suite}: {why}", took
            return "survived", "", took
        finally:
            self.cluster.drop(self.cluster.databases(template) + [template])
