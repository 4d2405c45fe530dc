import Capture
import Enforcement
import Foundation
import Storage
import Testing

@testable import Appliance

@Suite("Setup", .timeLimit(.minutes(15)))
struct SetupTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func setUp(_ answers: [String], _ options: [String] = []) async throws -> Program.Result {
        let input = try folder.write(answers.map { $0 + "\n" }.joined(), to: "answers")
        return try await Program.run(["setup", "--output", folder["etc/checkpost.toml"].path] + options, input: input)
    }

    private var post: [String] {
        ["BNP-A", "Obhari gate", "BNP-B", "0", "", "45", "40", "10", "", "", folder["data"].path]
    }

    @Test func `tries the camera and writes a configuration that is right`() async throws {
        let frame = Checkout.samples.appendingPathComponent("drive/BNP-A/20261121T041530.250Z.jpg")
        try FileManager.default.createDirectory(at: folder["in"], withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: frame, to: folder["in/20261121T041530.250Z.jpg"])
        let result = try await setUp(
            post + ["gate", "folder", folder["in"].path, "yes", "no", "no", "no", "yes"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("A picture of 960 x 540 pixels"))
        #expect(result.output.contains("Plate B AC 5763"))
        #expect(result.output.contains("px high"))
        let configuration = try ConfigurationReader.read(path: folder["etc/checkpost.toml"].path)
        #expect(configuration.post.code == "BNP-A")
        #expect(configuration.post.name == "Obhari gate")
        #expect(configuration.cameras.map(\.kind) == [.folder(path: folder["in"].path)])
        #expect(configuration.segment.tolerance == Tolerance(kmh: 3, percent: 3))
    }

    @Test func `writes the models that the camera was tried with`() async throws {
        let models = Checkout.root.appendingPathComponent("models").path
        let result = try await setUp(
            post + ["gate", "folder", folder["in"].path, "no", "no", "no", "no", "yes"],
            ["--models", models + "/../models", "--country", "in"])
        #expect(result.status == 0, "\(result.errors)")
        let configuration = try ConfigurationReader.read(path: folder["etc/checkpost.toml"].path)
        #expect(configuration.reader.models == models)
        #expect(configuration.reader.country == "in")
    }

    @Test func `keeps passwords in files of their own that only their owner can read`() async throws {
        let result = try await setUp(
            post + ["gate", "mjpeg", "http://127.0.0.1:9/stream", "viewer", "hunter2", "no", "no", "no", "no", "yes"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(!result.output.contains("hunter2"))
        let secret = folder["etc/gate.password"].path
        let mode = try FileManager.default.attributesOfItem(atPath: secret)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let configuration = try ConfigurationReader.read(path: folder["etc/checkpost.toml"].path)
        #expect(
            configuration.cameras.map(\.kind)
                == [.mjpeg(url: "http://127.0.0.1:9/stream", user: "viewer", password: "hunter2", verifiesTLS: true)])
    }

    @Test func `asks for the modem, its number and its PIN, and keeps the PIN in a file of its own`() async throws {
        let camera = ["gate", "folder", folder["in"].path, "no", "no"]
        let modem = ["yes", "+9779812345678", "+9779841234321", folder["none"].path, "yes", "4711", "no"]
        let result = try await setUp(post + camera + ["no"] + modem + ["yes"])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(!result.output.contains("4711"))
        let configuration = try ConfigurationReader.read(path: folder["etc/checkpost.toml"].path)
        #expect(configuration.sms.gatewayNumber == "+9779812345678")
        #expect(configuration.sms.rangerPhone == "+9779841234321")
        #expect(configuration.modem?.device == folder["none"].path && configuration.modem?.pin == "4711")
    }

    @Test func `remembers what was answered when the answers end, and goes on with it`() async throws {
        let camera = ["gate", "mjpeg", "http://127.0.0.1:9/stream", "viewer", "hunter2"]
        let broken = try await setUp(post + camera)
        #expect(broken.status == 1)
        #expect(broken.errors.contains("checkpost setup goes on with it"))
        #expect(!FileManager.default.fileExists(atPath: folder["etc/checkpost.toml"].path))
        let draft = try FileManager.default.attributesOfItem(atPath: folder["etc/checkpost.toml.setup"].path)
        #expect(draft[.posixPermissions] as? Int == 0o600, "a password is in it")
        // Nothing but what is new is typed the second time.
        let kept = Array(repeating: "", count: post.count + camera.count)
        let result = try await setUp(kept + ["no", "no", "no", "no", "yes"])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        let configuration = try ConfigurationReader.read(path: folder["etc/checkpost.toml"].path)
        #expect(configuration.post.name == "Obhari gate")
        #expect(
            configuration.cameras.map(\.kind)
                == [.mjpeg(url: "http://127.0.0.1:9/stream", user: "viewer", password: "hunter2", verifiesTLS: true)])
        #expect(!FileManager.default.fileExists(atPath: folder["etc/checkpost.toml.setup"].path))
    }

    @Test func `goes back to the question before, as often as wanted`() async throws {
        let start = [
            "<", "BNP-A", "Obhari gaet", "BNP-X", "<", "<", "Obhari gate", "BNP-B", "0", "", "54", "40", "<", "<",
        ]
        let result = try await setUp(
            start + [
                "45", "40", "10", "", "", folder["data"].path, "gate", "folder", folder["in"].path, "no", "no", "no",
            ]
                + ["no", "yes"])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("This is the first question."))
        let configuration = try ConfigurationReader.read(path: folder["etc/checkpost.toml"].path)
        #expect(configuration.post.name == "Obhari gate" && configuration.otherPostCode == "BNP-B")
        #expect(configuration.segment.distanceKm == 45)
    }

    @Test func `begins with the configuration that stands, and leaves alone what it doesn't ask for`() async throws {
        try FileManager.default.createDirectory(at: folder["etc"], withIntermediateDirectories: true)
        _ = try folder.write(
            PostFile.text.replacingOccurrences(
                of: "path = \"incoming\"", with: "path = \"\(folder["in"].path)\"\nmask = \"0,0,40,8\""
            )
            .replacingOccurrences(of: "folder = \"data\"", with: "folder = \"\(folder["data"].path)\"")
                + "[sync]\ninterval_seconds = 45\n[console]\nport = 8181\n", to: "etc/checkpost.toml")
        let result = try await setUp(Array(repeating: "", count: 3) + ["1"] + Array(repeating: "", count: 12))
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        let configuration = try ConfigurationReader.read(path: folder["etc/checkpost.toml"].path)
        #expect(configuration.post.code == "BNP-A" && configuration.post.positionIndex == 1)
        #expect(configuration.cameras.first?.mask == PictureMask("0,0,40,8"))
        #expect(configuration.sync.interval == .seconds(45) && configuration.console?.port == 8181)
        #expect(FileManager.default.fileExists(atPath: folder["etc/checkpost.toml.old"].path))
    }

    @Test func `leaves a camera out that doesn't work, and has it typed again with what was right`() async throws {
        let frame = Checkout.samples.appendingPathComponent("drive/BNP-A/20261121T041530.250Z.jpg")
        try FileManager.default.createDirectory(at: folder["in"], withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: frame, to: folder["in/20261121T041530.250Z.jpg"])
        let missing = ["north", "folder", folder["nowhere"].path, "yes", "no", ""]
        // A camera is needed: the next question is for another one, and its name stands in brackets.
        let result = try await setUp(post + missing + ["", "", "", folder["in"].path, "yes", "no", "no", "no", "yes"])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("The camera north is left out"))
        #expect(result.output.contains("Name of the camera [north]"))
        let configuration = try ConfigurationReader.read(path: folder["etc/checkpost.toml"].path)
        #expect(configuration.cameras.map(\.name) == ["north"])
        #expect(configuration.cameras.map(\.kind) == [.folder(path: folder["in"].path)])
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files to others"))
    func `gives configuration and passwords to the service, whatever the umask is`() async throws {
        let camera = ["gate", "mjpeg", "http://127.0.0.1:9/stream", "viewer", "hunter2", "no", "no", "no", "no", "yes"]
        let result = try await setUp(post + camera, ["--service-user", "daemon"])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        let daemon = try #require(getpwnam("daemon")).pointee
        for (name, owner, mode) in [
            ("etc/checkpost.toml", uid_t(0), 0o640), ("etc", 0, 0o750), ("etc/gate.password", daemon.pw_uid, 0o600),
            ("data", daemon.pw_uid, 0o750),
        ] {
            var status = stat()
            #expect(stat(folder[name].path, &status) == 0)
            #expect(status.st_uid == owner && status.st_gid == daemon.pw_gid, "\(name)")
            #expect(Int(status.st_mode & 0o777) == mode, "\(name)")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can try a thing with another's rights"))
    func `tries a camera with the rights of the service`() async throws {
        try FileManager.default.createDirectory(
            at: folder["in"], withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let result = try await setUp(
            post + ["gate", "folder", folder["in"].path, "yes", "no", "no", "no"], ["--service-user", "daemon"])
        #expect(result.output.contains("failed  camera.gate"), "\(result.output)")
    }

    @Test func `makes no other post of a box whose records wait, unless forced with a typed word`() async throws {
        try FileManager.default.createDirectory(at: folder["data"], withIntermediateDirectories: true)
        let store = try Store(path: folder["data/checkpost.sqlite"].path)
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1"), plateRaw: "BA 1 PA 1", vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: BoxClock.now, clockState: .synchronised, origin: .camera)
        try store.passages.record(passage, at: BoxClock.now)
        try store.close()
        let camera = ["gate", "folder", folder["in"].path, "no", "no", "no", "no", "yes"]
        #expect(try await setUp(post + camera).status == 0, "the same post goes on")
        let refused = try await setUp(["BNP-C"])
        #expect(refused.status == 1)
        #expect(refused.output.contains("has been BNP-A, and 1 record of BNP-A waits"), "\(refused.output)")
        #expect(refused.output.contains("sync --now"))
        let forced = try await setUp(["BNP-C", "move", "MOVE", "Third gate", "BNP-B", "0"], ["--force"])
        #expect(forced.output.contains("stay on this box") && forced.output.contains("Or < to go back"))
        #expect(forced.output.contains("Name of the road"), "it goes on with the questions: \(forced.output)")
        let elsewhere = try await setUp(
            ["BNP-A", "Obhari gate", "BNP-B", "0", "", "45", "40", "10", "", "", folder["new"].path])
        #expect(elsewhere.output.contains("1 record of BNP-A waits for the server"), "\(elsewhere.output)")
        // What can't be read is not taken for nothing.
        try FileManager.default.moveItem(at: folder["data"], to: folder["whole"])
        try FileManager.default.createDirectory(at: folder["data"], withIntermediateDirectories: true)
        _ = try folder.write("no database", to: "data/checkpost.sqlite")
        let unread = try await setUp(
            ["BNP-A", "Obhari gate", "BNP-B", "0", "", "45", "40", "10", "", "", folder["new"].path])
        #expect(unread.output.contains("can't be said"), "\(unread.output)")
        try FileManager.default.removeItem(at: folder["data"])
        try FileManager.default.moveItem(at: folder["whole"], to: folder["data"])
        let synced = try Store(path: folder["data/checkpost.sqlite"].path)
        var entry = try #require(try synced.queue.entries().first)
        entry.status = .synced
        try synced.queue.update(entry)
        try synced.close()
        let free = try await setUp(["BNP-D", "Fourth gate"])
        #expect(free.output.contains("Code of the post at the other end"), "\(free.output)")
    }

    @Test func `says what a post without a camera is, asks again, and ends before the other questions`() async throws {
        let left = ["gate", "folder", folder["nowhere"].path, "yes", "no", "no"]
        let result = try await setUp(post + left + ["no", "no", "no", "no", "no", "yes"])
        #expect(result.status == 1)
        #expect(result.output.contains("Without a camera nothing is recorded"), "\(result.output)")
        #expect(result.errors.contains("nothing was written"), "\(result.errors)")
        #expect(!result.output.contains("park server"))
        // Or somebody enters one after all.
        let again = try await setUp(
            Array(repeating: "", count: post.count) + ["", "", folder["in"].path, "no"])
        #expect(again.output.contains("Another camera?"), "\(again.output)")
    }

    @Test func `takes a telephone number with its country only, and completes one of Nepal`() async throws {
        let camera = ["gate", "folder", folder["in"].path, "no", "no"]
        let result = try await setUp(
            post + camera + [
                "no", "yes", "+9779812345678", "081525123", "9841234321", folder["none"].path, "no", "no", "yes",
            ])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("is without its country") && result.output.contains("Taken as +9779841234321"))
        let configuration = try ConfigurationReader.read(path: folder["etc/checkpost.toml"].path)
        #expect(configuration.sms.rangerPhone == "+9779841234321")
        #expect(!configuration.advice.contains { $0.contains("ranger_phone") })
    }

    @Test func `asks again after an answer that can't be`() async throws {
        let result = try await setUp(["B N P", "BNP-A", "", "BNP-A", "BNP-B", "2", "0", "", "far", "45"])
        #expect(result.output.contains("1 to 20 letters"))
        #expect(result.output.contains("That is this post."))
        #expect(result.output.contains("One of 0, 1."))
        #expect(result.output.contains("This is to be a number"))
    }

    @Test func `refuses a login in an address, and a folder without its whole path, where it asks`() async throws {
        let start = ["BNP-A", "", "BNP-B", "0", "45", "40", "10"]
        let result = try await setUp(
            start + ["rel/data", folder["data"].path, "mjpeg", "http://viewer:TOPSECRET@127.0.0.1:9/"])
        #expect(result.status == 1)
        let output = result.output
        if output.contains("Folder for records") { #expect(output.contains("The whole path")) }
        #expect(!output.contains("Write this to"))
    }

    @Test(arguments: [
        ("http://viewer:x@127.0.0.1/", "the login stands in the address"), ("127.0.0.1", "this is no address"),
        ("ftp://127.0.0.1/", "this is no address"),
    ])
    func `knows what an address of a camera can't be`(address: String, reason: String) throws {
        let mistake = try #require(AddressRule.camera(kind: "mjpeg")?.mistake(in: address))
        #expect(mistake.reason.hasPrefix(reason))
        #expect(AddressRule.server.mistake(in: "https://park.example.org") == nil)
        #expect(AddressRule.camera(kind: "folder") == nil)
    }

    @Test func `says that there is no modem where there is none, and doesn't keep it unasked`() async throws {
        let camera = ["gate", "folder", folder["in"].path, "no", "no"]
        let modem = ["yes", "+9779812345678", "", folder["none"].path, "no", "yes"]
        let result = try await setUp(post + camera + ["no"] + modem)
        #expect(result.output.contains("failed  modem"), "\(result.output)")
        #expect(result.output.contains("Keep it all the same? (yes, no) [no]"))
    }

    @Test func `waits for the first picture of each camera, and says what is missing`() async throws {
        let box = try RunningAppliance()
        let startedAt = BoxClock.now - .seconds(1)
        try box.start()
        try box.arrive(try #require(RunningAppliance.frames().first))
        #expect(try await box.eventually { box.takenCount() == 1 }, "\(box.log)")
        var configuration = try ConfigurationReader.read(path: box.configuration.path)
        configuration.dataFolder = box.folder["data"].path
        var said: [String] = []
        let first = FirstMoments(configuration, startedAt: startedAt, patience: .seconds(10))
        #expect(await !first.watch { said.append($0) })
        #expect(said.first == "The camera gate gave its first picture.")
        #expect(said.last?.hasPrefix("The server was not reached yet") == true)
        _ = try await box.stop()
    }
}
