import Enforcement
import Foundation
import Storage
import Testing

@Suite("The command line", .timeLimit(.minutes(15)))
struct CommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func picture(_ name: String) -> String {
        Checkout.samples.appendingPathComponent(name).path
    }

    @Test func `teaches with --help, for itself and for each command`() async throws {
        let help = try await Program.run(["--help"])
        #expect(help.status == 0)
        for command in [
            "run", "setup", "read", "replay", "status", "passages", "violations", "export", "import", "exempt",
            "config",
        ] {
            #expect(help.output.contains("\n  \(command) "), "\(command) is not listed")
            let own = try await Program.run([command, "--help"])
            #expect(own.status == 0)
            #expect(own.output.contains("OVERVIEW:"))
        }
    }

    @Test func `exits with 2 when it is used wrongly`() async throws {
        #expect(try await Program.run(["read"]).status == 2)
        #expect(try await Program.run(["fly"]).status == 2)
        #expect(try await Program.run(["passages", "--from", "yesterday"]).status == 2)
        #expect(try await Program.run(["passages", "--limit", "0"]).status == 2)
    }

    @Test func `reads the other pictures when one is none, and exits with 1`() async throws {
        let text = try folder.write("no picture", to: "text.jpg")
        let empty = try folder.write("", to: "empty.png")
        let good = picture("drive/BNP-A/20261121T041530.250Z.jpg")
        let result = try await Program.run(["read", "--json", text.path, good, empty.path, folder["none.jpg"].path])
        #expect(result.status == 1)
        #expect(result.objects.count == 4)
        #expect(result.objects.map { $0["file"] as? String } == [text.path, good, empty.path, folder["none.jpg"].path])
        #expect(result.objects.map { $0["error"] != nil } == [true, false, true, true])
        #expect(result.objects.allSatisfy { $0["plates"] is [Any] })
    }

    @Test func `prints what was read as one JSON object a picture`() async throws {
        let result = try await Program.run(["read", "--json", picture("drive/BNP-A/20261121T041530.250Z.jpg")])
        let object = try #require(result.objects.first)
        #expect(result.status == 0)
        #expect(object["width"] as? Int == 960)
        #expect(object["height"] as? Int == 540)
        let plates = try #require(object["plates"] as? [[String: Any]])
        let plate = try #require(plates.first)
        #expect(plate["plate"] as? String == "BAC5763")
        #expect(plate["text"] as? String == "B AC 5763")
        #expect(plate["format"] as? String == "np-embossed")
        #expect((plate["box"] as? [Int])?.count == 4)
        let candidates = try #require(plate["candidates"] as? [[String: Any]])
        #expect((1...10).contains(candidates.count))
        #expect(candidates[0]["plate"] as? String == "BAC5763")
        #expect((object["regions"] as? [[Int]])?.isEmpty == false)
    }

    @Test func `names the mistakes of a configuration and exits with 1`() async throws {
        let file = try folder.write("[post]\ncode = 1\n", to: "checkpost.toml")
        let result = try await Program.run(["config", "check", file.path])
        #expect(result.status == 1)
        #expect(result.errors.contains("line 2: code can't be this"))
    }

    @Test func `says what to do when there is no configuration and no database`() async throws {
        let missing = try await Program.run(["passages", "--config", folder["none.toml"].path])
        #expect(missing.status == 1)
        #expect(missing.errors.contains("--config"))
        let empty = try await Program.run(["passages", "--database", folder["none.sqlite"].path])
        #expect(empty.status == 1)
        #expect(empty.errors.contains("checkpost run"))
    }

    @Test func `replay says that a folder is empty, and what is no picture`() async throws {
        try FileManager.default.createDirectory(at: folder["none"], withIntermediateDirectories: true)
        let empty = try await Program.run(["replay", folder["none"].path])
        #expect(empty.status == 1)
        #expect(empty.errors.contains("There is no picture in"))
        let text = try folder.write("no picture", to: "text.jpg")
        let unreadable = try await Program.run(["replay", text.path])
        #expect(unreadable.status == 1)
        #expect(unreadable.errors.contains("text.jpg: "))
    }

    @Test func `a span of days that ends before it begins is a mistake`() async throws {
        let database = folder["x.sqlite"].path
        try Store(path: database).close()
        let result = try await Program.run([
            "export", "--database", database, "--from", "2026-11-30", "--to", "2026-11-01",
        ])
        #expect(result.status == 2)
    }

    @Test func `a missing model is named with the folders that were searched`() async throws {
        let result = try await Program.run(
            ["read", "--models", folder.url.path, picture("drive/BNP-A/20261121T041530.250Z.jpg")])
        #expect(result.status == 1)
        #expect(result.errors.contains("eng.traineddata is missing. Looked in \(folder.url.path)"))
    }

    @Test func `a table of true plates with a word where a number belongs is a mistake that is named`() async throws {
        let table = try folder.write(
            "file,x,y,w,h,plate,country\na.jpg,1,2,3,4,BA1PA1,np\na.jpg,left,2,3,4,BA1PA2,np\n", to: "truth.csv")
        let score = ["replay", folder.url.path, "--truth", table.path]
        let result = try await Program.run(score)
        #expect(result.status == 1 && result.errors.contains("plate 2") && result.errors.contains("\"left\""))
        let recorded = try await Program.run(score + ["--database", folder["x.sqlite"].path])
        #expect(recorded.status == 2 && recorded.errors.contains("nothing is recorded"))
    }

    @Test func `a link that leads nowhere is called so`() async throws {
        try FileManager.default.createSymbolicLink(at: folder["a.jpg"], withDestinationURL: folder["gone.jpg"])
        let result = try await Program.run(["read", folder["a.jpg"].path])
        #expect(result.status == 1 && result.errors.contains("the link leads nowhere"))
    }

    @Test func `an empty CHECKPOST_MODELS is as none`() async throws {
        let result = try await Program.run(["model", "list"], environment: ["CHECKPOST_MODELS": ""])
        #expect(result.status == 0 && result.output.contains("latin-plate"))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a replay that is interrupted leaves nothing behind`(signal: Int32) async throws {
        func left() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasPrefix("checkpost-") }
        }
        let process = Process()
        process.executableURL = Checkout.program
        process.arguments = ["replay", Checkout.samples.appendingPathComponent("stills").path]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["OMP_THREAD_LIMIT": "1", "TMPDIR": folder.url.path]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runWithSignals()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        for _ in 0..<3000 where try left().isEmpty && process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try !left().isEmpty)
        kill(process.processIdentifier, signal)
        for _ in 0..<1000 where process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        #expect(!process.isRunning && process.terminationReason == .uncaughtSignal)
        #expect(try left().isEmpty)
    }
}
