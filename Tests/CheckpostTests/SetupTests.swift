import Capture
import Enforcement
import Foundation
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
            post + ["gate", "folder", folder["in"].path, "yes", "no", "no", "no", "no", "yes"])
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
        let modem = ["yes", "+9779812345678", "+9779841234321", folder["none"].path, "yes", "4711"]
        let result = try await setUp(post + camera + ["no"] + modem + ["yes"])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(!result.output.contains("4711"))
        let configuration = try ConfigurationReader.read(path: folder["etc/checkpost.toml"].path)
        #expect(configuration.sms.gatewayNumber == "+9779812345678")
        #expect(configuration.sms.rangerPhone == "+9779841234321")
        #expect(configuration.modem?.device == folder["none"].path && configuration.modem?.pin == "4711")
    }

    @Test func `writes nothing when the answers end early`() async throws {
        let result = try await setUp(["BNP-A", ""])
        #expect(result.status == 1)
        #expect(result.errors.contains("Nothing was written."))
        #expect(!FileManager.default.fileExists(atPath: folder["etc"].path))
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

    @Test func `says that there is no modem where there is none`() {
        #expect(ModemTest.problem(device: folder["none"].path) != nil)
    }
}
