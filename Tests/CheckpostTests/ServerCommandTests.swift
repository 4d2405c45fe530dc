import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

/// What a technician asks of the park's server at the command line: a real one, over PostgreSQL.
@Suite("The commands that ask the server", .timeLimit(.minutes(15)), .enabled(if: RealPark.isPossible), .serialized)
struct ServerCommandTests {
    private let park: RealPark
    private let folder: TemporaryFolder

    init() throws {
        park = try RealPark(port: FreePort.next())
        folder = try TemporaryFolder()
        for name in ["incoming", "data"] {
            try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
        }
    }

    /// A configuration with this server.
    private func configure(
        post: String = "BNP-A", other: String? = nil, position: Int? = nil, account: String = "bnp-a@bnp.local",
        password: String = "right-and-long-enough",
        url: String? = nil
    ) throws -> String {
        _ = try folder.write(password + "\n", to: "server.password")
        return try folder.write(
            PostFile.text(
                of: post, other: other ?? (post == "BNP-B" ? "BNP-A" : "BNP-B"),
                position: position ?? (post == "BNP-B" ? 1 : 0))
                + "[server]\nurl = \"\(url ?? park.url)\"\nemail = \"\(account)\"\npassword_file = \"server.password\"\n"
                + "anon_key = \"\(park.key)\"\n", to: "checkpost.toml"
        ).path
    }

    private func check(_ configuration: String) async throws -> Program.Result {
        try await Program.run(["config", "check", "--config", configuration])
    }

    /// Something that answers, and is no park's server.
    private final class Stranger {
        let url: String
        private let process: Process

        init() async throws {
            let port = try FreePort.next()
            url = "http://127.0.0.1:\(port)"
            process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-m", "http.server", "--bind", "127.0.0.1", String(port)]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.runWithSignals()
            try await ConsoleBox.wait("a stranger to listen") {
                let arguments = ["curl", "-s", "-o", "/dev/null", "http://127.0.0.1:\(port)"]
                return try OtherProgram.runAndWait("/usr/bin/env", arguments, limitSeconds: 60).status == 0
            }
        }

        deinit {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    @Test func `config check says whether the server knows the box and its post`() async throws {
        let right = try await check(configure())
        #expect(right.status == 0 && right.output.contains("The server knows this box and BNP-A."), "\(right)")
        let wrong: [(String, String, String, String)] = [
            ("BNP-X", "bnp-a@bnp.local", "right-and-long-enough", "The server knows no checkpost BNP-X"),
            ("BNP-B", "bnp-a@bnp.local", "right-and-long-enough", "not assigned to BNP-B"),
            ("BNP-A", "bnp-a@bnp.local", "wrong-and-long-enough", "refused the account or the password"),
            ("BNP-A", "nobody@bnp.local", "right-and-long-enough", "refused the account or the password"),
        ]
        for (post, account, password, says) in wrong {
            let result = try await check(configure(post: post, account: account, password: password))
            #expect(result.status == 1 && result.errors.contains(says), "\(result)")
            #expect(!result.output.contains("is right") && !(result.output + result.errors).contains(password))
            let json = try await Program.run(["config", "check", "--json", folder["checkpost.toml"].path])
            #expect(json.status == 1 && json.output.contains(says), "\(json)")
        }
        _ = try park.query("update user_profiles set is_active = false")
        let banned = try await check(configure())
        #expect(banned.status == 1 && banned.errors.contains("refused the account"), "\(banned)")
    }

    @Test func `config check says what the server has otherwise of the road and of the account`() async throws {
        for (other, position, says) in [
            ("BNP-Z", 0, "the server has BNP-B, and not BNP-Z"), ("BNP-B", 1, "has BNP-A at position 0"),
        ] {
            let result = try await check(configure(other: other, position: position))
            #expect(result.status == 1 && result.errors.contains(says), "\(result)")
        }
        _ = try park.query("update user_profiles set role = 'admin'")
        let warden = try await check(configure())
        #expect(warden.status == 1 && warden.errors.contains("is a warden's"), "\(warden)")
    }

    @Test func `config check takes no silence for a mistake`() async throws {
        let configuration = try configure()
        park.stop()
        let down = try await check(configuration)
        #expect(down.status == 0 && down.output.contains("could not be asked whether it knows BNP-A"), "\(down)")
        let stranger = try await Stranger()
        let strange = try await check(configure(url: stranger.url))
        #expect(strange.status == 0 && strange.output.contains("is not the park's server"), "\(strange)")
        let offline = try await Program.run(["config", "check", "--offline", configuration])
        #expect(offline.status == 0 && !offline.output.contains("asked"), "\(offline)")
    }

    private func setUp(_ server: [String]) async throws -> (Program.Result, Configuration?) {
        let post = ["BNP-A", "Obhari gate", "BNP-B", "0", "", "45", "40", "10", "", "", folder["data"].path]
        let camera = ["gate", "folder", folder["incoming"].path, "no", "no"]
        let input = try folder.write(
            (post + camera + ["yes"] + server + ["no", "yes"]).map { $0 + "\n" }.joined(), to: "answers")
        // Each begins on a box of its own.
        let output = folder["etc-\(UUID().uuidString)/checkpost.toml"].path
        let result = try await Program.run(["setup", "--output", output], input: input)
        return (result, try? ConfigurationReader.read(path: output))
    }

    @Test func `setup asks the server, and asks again for what it refused`() async throws {
        let right = [park.url, "bnp-a@bnp.local", "right-and-long-enough", park.key]
        let (known, written) = try await setUp(right)
        #expect(known.status == 0 && known.output.contains("The server knows this box and BNP-A."), "\(known)")
        #expect(written?.server?.url == park.url && written?.server?.anonKey == park.key)
        let wrong = [park.url, "bnp-a@bnp.local", "wrong-and-long-enough", park.key]
        let (again, mended) = try await setUp(wrong + ["no"] + right)
        #expect(again.status == 0, "\(again)")
        #expect(again.output.contains("refused the account or the password"))
        #expect(again.output.contains("The server knows this box and BNP-A."))
        #expect(!again.output.contains("wrong-and-long-enough") && mended?.server?.email == "bnp-a@bnp.local")
        // The technician may be there before the server is.
        park.stop()
        let (kept, early) = try await setUp(right + ["yes"])
        #expect(kept.status == 0 && kept.output.contains("could not be asked"), "\(kept)")
        #expect(early?.server?.url == park.url)
    }

    /// On one day of the server's, whatever the time is now: yesterday, after noon UTC.
    private func record(_ plates: [String], minute: Int = 0) throws {
        let day = BoxClock.now.milliseconds / 86_400_000
        let noon = Instant(milliseconds: day * 86_400_000) - .hours(12)
        let store = try Store(path: folder["data/checkpost.sqlite"].path)
        defer { try? store.close() }
        for (number, plate) in plates.enumerated() {
            let passage = Passage(
                clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
                checkpostCode: "BNP-A", recordedAt: noon + .minutes(Double(minute + number)),
                clockState: .synchronised, confidence: 0.9, origin: .camera)
            try store.passages.record(passage, at: BoxClock.now)
        }
    }

    @Test func `sync --verify shows what the server lost, and sends it again`() async throws {
        let configuration = try configure()
        func sync(_ arguments: String...) async throws -> Program.Result {
            try await Program.run(["sync"] + arguments + ["--config", configuration])
        }
        try record((1...5).map { "BA 1 PA \($0)" })
        #expect(try await sync("--now").status == 0)
        let whole = try await sync("--verify")
        #expect(
            whole.status == 0 && whole.output.contains("The server has everything that this post sent."), "\(whole)")
        try park.backUp()

        _ = try park.query(
            "delete from vehicle_passages where plate_number in ('BA1PA2', 'BA1PA4'); truncate deleted_passages")
        let lost = try await sync("--verify")
        #expect(lost.status == 1 && lost.output.contains("2 records that the server had lost: sent again"), "\(lost)")
        #expect(lost.output.contains("2 sent again"))
        #expect(try park.query("select count(*) from vehicle_passages") == ["5"])
        let mended = try await sync("--verify", "--json")
        #expect(mended.status == 0 && mended.output.contains("\"sent_again\":0"), "\(mended)")

        // Put back to an older state: two passages are gone, and so are the numbers that they had.
        try record(["BA 1 PA 6", "BA 1 PA 7"], minute: 5)
        #expect(try await sync("--now").status == 0)
        try park.restore()
        let older = try await sync("--verify")
        #expect(older.status == 1 && older.output.contains("that the server had lost: sent again"), "\(older)")
        #expect(try park.query("select count(*) from vehicle_passages") == ["7"])
        #expect(try await sync("--verify").status == 0)

        // What the warden deleted is no loss.
        _ = try park.query("delete from vehicle_passages where plate_number = 'BA1PA1'")
        let deleted = try await sync("--verify")
        #expect(deleted.status == 0 && !deleted.output.contains("sent again"), "\(deleted)")
        #expect(try park.query("select count(*) from vehicle_passages") == ["6"])

        park.stop()
        let silent = try await sync("--verify")
        #expect(silent.status == 1 && !silent.errors.isEmpty, "\(silent)")
    }
}
