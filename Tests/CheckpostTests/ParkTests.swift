import Enforcement
import Foundation
import ParkAPI
import Storage
import Testing

@testable import Appliance

@Suite("A park on one machine", .enabled(if: Park.isPossible), .serialized, .timeLimit(.minutes(15)))
struct ParkTests {
    /// One park for all of it, since making one takes a while.
    @Test func `shows a violation on both sides, and answers for its queue`() async throws {
        let park = try Park()
        for letter in ["a", "b"] {
            let violations = try await park.run(["violations", "--json"], at: letter).objects
            let found = Set(violations.map { "\($0["plate"] ?? "") \($0["kind"] ?? "") \($0["state"] ?? "")" })
            #expect(found.isSuperset(of: ["GAD2957 overstay confirmed", "UP32AB1234 speeding confirmed"]), "\(found)")
        }
        try await checkStatus(park)
        try await checkSync(park)
        try await checkShapes(park)
        try await checkEvidence(park)
        try await checkQueue(park)
        try await checkServerSettings(park)
        try await checkReload(park)
        try await checkKills(park)
        park.stop()
        #expect(!FileManager.default.fileExists(atPath: park.folder))
        #expect(try Self.processes(mentioning: park.folder) == [])
    }

    private func checkStatus(_ park: Park) async throws {
        let status = try #require(try await park.run(["status", "--json"], at: "a").objects.first)
        let running = try #require(status["running"] as? [String: Any])
        let link = try #require(running["link"] as? [String: Any])
        #expect(link["state"] as? String == "online")
        #expect(link["level"] as? Int == 1)
        #expect(link["offline_since"] == nil)
        #expect(link["clock_skew_ms"] is Int)
        let sync = try #require(status["sync"] as? [String: Any])
        #expect(sync["waiting"] as? Int == 0)
        #expect(sync["photos_waiting"] as? Int == 0)
        #expect(sync["last_run"] is [String: Any])
        let text = try await park.run(["status"], at: "a").output
        #expect(text.contains("server: online"))
        #expect(text.contains("sync queue: empty"))
        #expect(
            text.contains("from the server: 45 km, at most 40 km/h, at least 10 km/h, no tolerance, certificate DEMO"),
            "\(text)")
        let road = try #require(status["road"] as? [String: Any])
        #expect(road["is_from_server"] as? Bool == true && road["distance_certificate"] as? String == "DEMO")
    }

    private func checkSync(_ park: Park) async throws {
        let asked = try await park.run(["sync", "--now", "--json"], at: "a")
        #expect(asked.status == 0, "\(asked.errors)")
        #expect(asked.objects.first?["by"] as? String == "appliance")
        let shown = try await park.run(["sync", "--runs", "2"], at: "a")
        #expect(shown.output.contains("server: online"))
    }

    /// What only a box with a server prints.
    private func checkShapes(_ park: Park) async throws {
        for (command, shape) in [
            ("status", "status"), ("sync", "sync status"), ("sync --now", "sync status"),
            ("sync --verify", "sync status"),
            ("queue list --all", "queue list"), ("sms status", "sms status"),
        ] {
            let words = command.split(separator: " ").map(String.init) + ["--json"]
            let said = try await park.run(words, at: "a")
            try SchemaTests.hold(said.output, to: shape, errors: said.errors)
        }
    }

    /// From either post, with what the other has signed: a clerk finds it whole, and sees each byte that was changed.
    private func checkEvidence(_ park: Park) async throws {
        for letter in ["a", "b"] {
            let violations = try await park.run(["violations", "--json"], at: letter).objects
            let found = try #require(violations.first { $0["plate"] as? String == "UP32AB1234" })
            let id = try #require(found["id"] as? String)
            let folder = URL(fileURLWithPath: "\(park.folder)/evidence-\(letter)")
            let export = ["evidence", "export", String(id.prefix(8)), "--to", folder.path]
            // What the other post signed may be on its way to the server still.
            var made = try await park.run(export, at: letter)
            for _ in 0..<60 where made.status == 1 {
                try await Task.sleep(for: .seconds(1))
                try? FileManager.default.removeItem(at: folder)
                made = try await park.run(export, at: letter)
            }
            #expect(made.status == 0, "\(made.output) \(made.errors)")
            let paper = try Data(contentsOf: folder.appendingPathComponent("evidence.pdf"))
            #expect(paper.starts(with: Data("%PDF-".utf8)) && paper.count > 20_000)
            let told = try String(contentsOf: folder.appendingPathComponent("record.txt"), encoding: .utf8)
            #expect(
                told.contains("certificate of it   DEMO"), "the certificate of the distance, as the server tells it")
            let clerk = ClerkSteps(folder: folder)
            #expect(try await clerk.complaints() == [])
            #expect(try await park.run(export, at: letter).status == 1, "a folder that is there is left alone")
            let key = try await park.run(["evidence", "key"], at: letter).output.prefix(16)
            #expect(
                try park.query("select count(*) from evidence_entries where left(key, 16) = '\(key)' and is_signed")
                    != ["0"])
            for name in ["entry.jpg", "exit.jpg", "chain-entry/0000000001.txt", "chain-exit/0000000002.txt"] {
                let file = folder.appendingPathComponent(name)
                let bytes = try Data(contentsOf: file)
                var changed = bytes
                changed[changed.count / 2] ^= 1
                try changed.write(to: file)
                #expect(try await clerk.complaints() != [], "\(name) was changed, and nobody saw it")
                try bytes.write(to: file)
            }
            // A time, a signature, and an entry that is left out.
            let record = try String(contentsOf: folder.appendingPathComponent("record.txt"), encoding: .utf8)
            let signed = try #require(record.components(separatedBy: "\n").first { $0.hasPrefix("  signed in") })
            let entry = folder.appendingPathComponent(String(try #require(signed.split(separator: " ").last)))
            let text = try String(contentsOf: entry, encoding: .utf8)
            try text.replacing("recorded: 20", with: "recorded: 19").write(to: entry, atomically: true, encoding: .utf8)
            #expect(try await clerk.complaints() != [])
            try text.write(to: entry, atomically: true, encoding: .utf8)
            #expect(try await clerk.complaints() == [])
            try FileManager.default.removeItem(at: entry)
            #expect((try? await clerk.complaints()) != [])
        }
        #expect(try park.query("select count(*) from checkpost.evidence_problems()") == ["0"])
        #expect(try await park.run(["evidence", "export", "ffff", "--to", "/tmp/nowhere"], at: "a").status == 1)
    }

    private func checkQueue(_ park: Park) async throws {
        #expect(try await park.run(["queue"], at: "a").output == "Nothing waits.\n")
        let all = try await park.run(["queue", "list", "--all", "--json"], at: "a").objects
        #expect(all.allSatisfy { $0["status"] as? String == "synced" })
        #expect(all.allSatisfy { ($0["photo_path"] as? String)?.hasPrefix("passage-photos/") == true })
        // The warden sees each plate out of its picture.
        let places = try park.query(
            "select coalesce(metadata ->> 'plate', '') from storage.objects where bucket_id = 'passage-photos'")
        #expect(!places.isEmpty && places.allSatisfy { PlatePlace(sent: $0) != nil }, "\(places)")
        let id = try #require(all.first?["id"] as? Int)
        #expect(try await park.run(["queue", "show", "\(id)"], at: "a").output.contains("synced"))
        #expect(try await park.run(["queue", "retry", "\(id)"], at: "a").status == 1)
        #expect(try await park.run(["queue", "retry"], at: "a").status == 2)
    }

    /// The warden's settings for this post: what can't stand is named, and the rest holds.
    private func checkServerSettings(_ park: Park) async throws {
        func set(_ settings: String) async throws -> Program.Result {
            _ = try park.query(
                """
                insert into device_settings (checkpost_id, settings)
                select id, '\(settings)' from checkposts where code = 'BNP-A'
                on conflict (checkpost_id) do update set settings = excluded.settings
                """)
            #expect(try await park.run(["sync", "--now"], at: "a").status == 0)
            // The appliance takes new settings over by itself, a moment later.
            for _ in 0..<100 where try await !park.run(["status"], at: "a").output.contains("WARNING: Settings") {
                guard settings != "{}" else { break }
                usleep(100_000)
            }
            return try await park.run(["status"], at: "a")
        }
        let bad = try await set(#"{"sync.batch_size": 9999, "sync.intervall": 3, "matching.window_hours": 0}"#)
        for name in ["sync.batch_size = 9999", "sync.intervall: there is no such", "matching.window_hours = 0"] {
            #expect(bad.output.contains(name), "\(name)")
        }
        let log = try String(contentsOfFile: "\(park.folder)/bnp-a/run.log", encoding: .utf8)
        #expect(log.contains("what the park's office has set") && log.contains("sync.intervall 3"))
        _ = try await set("{}")
        for _ in 0..<100 where try await park.run(["status"], at: "a").output.contains("WARNING: Settings") {
            usleep(100_000)
        }
        let good = try await park.run(["status"], at: "a")
        #expect(!good.output.contains("WARNING: Settings"))
    }

    /// The file's interval is changed while it runs.
    private func checkReload(_ park: Park) async throws {
        let path = park.configuration("a")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("interval_seconds = 2", with: "interval_seconds = 3600")
            .write(toFile: path, atomically: true, encoding: .utf8)
        let status = try #require(try await park.run(["status", "--json"], at: "a").objects.first)
        let pid = try #require((status["running"] as? [String: Any])?["pid"] as? Int)
        kill(pid_t(pid), SIGHUP)
        let log = "\(park.folder)/bnp-a/run.log"
        for _ in 0..<600 where try !String(contentsOfFile: log, encoding: .utf8).contains("read again") {
            usleep(100_000)
        }
        // A cycle that was due before is let through; then there is none.
        _ = try await park.run(["sync", "--now"], at: "a")
        let before = try await park.run(["sync", "--json"], at: "a").objects.first?["runs"] as? [[String: Any]]
        // What must not come is waited for twice as long as it would take.
        usleep(4_000_000)
        let after = try await park.run(["sync", "--json"], at: "a").objects.first?["runs"] as? [[String: Any]]
        #expect(before?.first?["started_at"] as? String == after?.first?["started_at"] as? String)
        #expect(before?.first != nil)
    }

    /// The box is killed again and again while it sends, each time a little later.
    private func checkKills(_ park: Park) async throws {
        let status = try #require(try await park.run(["status", "--json"], at: "a").objects.first)
        let pid = try #require((status["running"] as? [String: Any])?["pid"] as? Int)
        kill(pid_t(pid), SIGKILL)
        let store = try Store(path: "\(park.folder)/bnp-a/data/checkpost.sqlite")
        var plates: [String] = []
        for number in 0..<40 {
            let passage = Passage(
                clientID: UUID(), plate: Plate(canonical: "KO \(number) PA 77"), plateRaw: "x", vehicleType: .car,
                checkpostCode: "BNP-A", recordedAt: BoxClock.now, clockState: .synchronised, origin: .manual)
            _ = try store.passages.record(passage, at: BoxClock.now)
            plates.append(passage.plate.compact)
        }
        let arguments = ["sync", "--now", "--config", park.configuration("a")]
        for step in 1...25 {
            let process = try Program.start(arguments)
            usleep(useconds_t(step * 15_000))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let done = try await Program.run(arguments)
        #expect(done.status == 0, "\(done.errors)")
        #expect(try store.queue.counts()[.synced] == store.queue.entries(limit: 1000).count)
        let there = try park.query(
            "select plate_number from vehicle_passages where plate_number like 'KO%77' order by server_seq")
        #expect(there == plates)
        let known = try store.passages.list(limit: 40).compactMap { $0.serverID?.uuidString.lowercased() }
        #expect(try Set(known) == Set(park.query("select id from vehicle_passages where plate_number like 'KO%77'")))
        try store.close()
    }

    private static func processes(mentioning text: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { $0.allSatisfy(\.isNumber) }
            .compactMap { try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8) }
            .filter { $0.contains(text) }
    }
}
