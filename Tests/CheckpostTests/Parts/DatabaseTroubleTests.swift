import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

/// The real program, whose database can't be used for a while.
@Suite("A box whose database fails", .timeLimit(.minutes(15)), .serialized)
struct DatabaseTroubleTests {
    private let box: RunningAppliance
    private var path: String { box.folder["data/checkpost.sqlite"].path }

    init() throws { box = try RunningAppliance() }

    private func status() async throws -> (text: Program.Result, problems: [String: String]) {
        let json = try await Program.run(["status", "--json", "--config", box.configuration.path])
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        let problems = try #require(object?["problems"] as? [[String: Any]], "\(json.output)")
        let named = problems.compactMap { problem -> (String, String)? in
            guard let name = problem["name"] as? String, let message = problem["message"] as? String else { return nil }
            return (name, message)
        }
        return (
            try await Program.run(["status", "--config", box.configuration.path]),
            Dictionary(named, uniquingKeysWith: { first, _ in first })
        )
    }

    private func problemNames() -> Set<String> {
        Set(StatusBoard.read(folder: box.folder["data"].path)?.problems.map(\.name) ?? [])
    }

    private func metrics() async throws -> String {
        let text = try String(contentsOf: box.configuration, encoding: .utf8)
        let port = try #require(text.firstMatch(of: #/port = ([0-9]+)/#)).1
        return try await Visitor(port: try #require(Int(port))).get("/metrics").text
    }

    @Test func `that another program holds names that program, everywhere, until it lets go`() async throws {
        try box.start()
        #expect(try await box.isRecording(), "\(box.log)")
        let holder = try LockHolder(path)
        for frame in try RunningAppliance.frames().prefix(8) { try box.arrive(frame) }
        #expect(try await box.eventually(25) { problemNames().contains("database.locked") }, "\(box.log)")
        let (text, problems) = try await status()
        let message = try #require(problems["database.locked"], "\(problems)")
        #expect(message.contains("Another program holds the database") && message.contains(path))
        #expect(text.status == 1 && text.output.contains("fuser -v"), "\(text.output)")
        let figures = try await metrics()
        #expect(figures.contains("checkpost_problem{name=\"database.locked\"} 1"), "\(figures)")
        // The page's line of alarms, and who it is.
        let run = RunFolder(dataFolder: box.folder["data"].path)
        #expect(
            try await box.eventually {
                StatusBoard.databaseProblems(in: run).contains {
                    $0.message.contains("process \(holder.pid)")
                }
            }, "\(StatusBoard.databaseProblems(in: run))")
        // Longer than a camera may do no work: what it waits for is told all the while, and it is not ended.
        for _ in 0..<35 {
            let names = problemNames()
            #expect(names.contains("database.locked"), "\(box.log)")
            #expect(!names.contains { $0.hasSuffix(".silent") }, "\(names): why they are silent is told already")
            #expect(
                StatusBoard.databaseProblems(in: run).contains { $0.message.contains("process \(holder.pid)") },
                "\(StatusBoard.databaseProblems(in: run))")
            try await Task.sleep(for: .seconds(1))
        }
        #expect(!box.log.contains("it hung"), "\(box.log)")
        holder.letGo()
        #expect(try await box.eventually { !problemNames().contains("database.locked") }, "\(box.log)")
        #expect(try await box.eventually { box.takenCount() == 8 }, "\(box.log)")
        #expect(try await box.stop().status == 0)
    }

    @Test(.enabled(if: BentMachine.isPossible, "a C compiler makes the broken disk"))
    func `on a disk that gives errors says so in plain words, and goes on by itself`() async throws {
        let machine = try BentMachine(in: box.folder, disk: ["checkpost.sqlite"])
        try box.start(environment: machine.environment)
        #expect(try await box.isRecording(), "\(box.log)")
        machine.diskError = EIO
        for frame in try RunningAppliance.frames().prefix(8) { try box.arrive(frame) }
        #expect(try await box.eventually(90) { problemNames().contains("database.disk-error") }, "\(box.log)")
        let (text, problems) = try await status()
        #expect(problems["database.disk-error"]?.contains("The disk gives errors") == true, "\(problems)")
        #expect(text.output.contains("sudo dmesg") && text.output.contains("disk I/O error"), "\(text.output)")
        #expect(try await metrics().contains("checkpost_problem{name=\"database.disk-error\"} 1"))
        machine.diskError = 0
        #expect(try await box.eventually { problemNames().isDisjoint(with: ["database.disk-error"]) }, "\(box.log)")
        #expect(try await box.eventually { box.takenCount() == 8 }, "\(box.log)")
        #expect(try await box.stop().status == 0)
    }

    @Test func `says of each fault what it is and what to do`() {
        let faults: [(StoreError.Kind, String, String)] = [
            (.readOnly, "database.read-only", "can only be read"), (.busy, "database.locked", "Another program"),
            (.diskError, "database.disk-error", "gives errors"), (.cannotOpen, "database.unopened", "can't be opened"),
            (.other, "database.failing", "can't be used"),
        ]
        for (kind, name, words) in faults {
            let trouble = DatabaseTrouble(StoreError(kind, "Writing failed."), since: Instant(milliseconds: 0))
            #expect(trouble.name == name)
            let message = trouble.message(database: "/data/checkpost.sqlite")
            #expect(message.contains(words) && message.contains("Writing failed."), "\(message)")
            #expect(trouble.hint(database: "/data/checkpost.sqlite").count > 30)
        }
    }

    @Test func `says how many vehicles of all cameras a restart would lose`() throws {
        let folder = RunFolder(dataFolder: try TemporaryFolder().url.path)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let error = StoreError(.busy, "Writing failed.")
        let since = Instant(milliseconds: 1_000)
        for (part, waiting, later) in [(Part.camera("a"), 2, 5.0), (.camera("b"), 1, 0), (.rounds, 0, 3)] {
            RunFolder.write(
                DatabaseTrouble(error, waiting: waiting, since: since + .seconds(later)), to: folder.trouble(of: part))
        }
        let all = DatabaseTrouble.all(of: [.camera("a"), .camera("b"), .rounds], in: folder)
        #expect(all.map(\.since) == [since])
        let words = try #require(all.first).message(database: "/data/checkpost.sqlite")
        #expect(
            words.contains("3 vehicles of live cameras wait in memory, where a restart would lose them"), "\(words)")
        let one = DatabaseTrouble(error, waiting: 1, since: since).message(database: "/data/checkpost.sqlite")
        #expect(one.contains("One vehicle of live cameras waits in memory"), "\(one)")
        let none = DatabaseTrouble(error, since: since).message(database: "/data/checkpost.sqlite")
        #expect(none.contains("What live cameras show waits in memory"), "\(none)")
    }

    @Test func `names who holds a file's locks for writing, and none of its own`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("x", to: "checkpost.sqlite")
        var status = stat()
        #expect(stat(file.path, &status) == 0)
        let locks = """
            1: POSIX  ADVISORY  WRITE 4194301 08:01:\(status.st_ino) 120 120
            2: POSIX  ADVISORY  READ 4194302 08:01:\(status.st_ino) 120 120
            3: POSIX  ADVISORY  WRITE 4194303 08:01:\(status.st_ino) 120 120
            4: FLOCK  ADVISORY  WRITE 4194304 08:01:\(status.st_ino) 0 EOF
            5: POSIX  ADVISORY  WRITE 4194300 08:01:1\(status.st_ino) 120 120
            """
        #expect(LockHolders.names(of: file.path, besides: [4_194_303], locks: locks) == ["process 4194301"])
    }
}
