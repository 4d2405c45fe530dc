import Enforcement
import Foundation
import Storage
import TestKit

@testable import Watch

/// A running appliance with a console, in a folder of its own: post BNP-B with the drive's camera folder, and a technician
/// whose name is `tek`.
final class ConsoleBox {
    struct Failure: Error, CustomStringConvertible { let description: String }

    static let password = "a-long-password"

    let folder: TemporaryFolder
    let port: Int
    let configuration: URL
    private let environment: [String: String]
    private var process: Process?

    var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameter console: more lines of `[console]`.
    init(console: String = "", environment: [String: String] = [:]) async throws {
        folder = try TemporaryFolder()
        port = try FreePort.next()
        self.environment = environment
        for name in ["incoming", "data"] {
            try FileManager.default.createDirectory(at: folder[name], withIntermediateDirectories: true)
        }
        let text = PostFile.text(of: "BNP-B", other: "BNP-A", position: 1)
        let models = Checkout.root.appendingPathComponent("models").path
        configuration = try folder.write(
            text + "[reader]\nmodels = \"\(models)\"\n[console]\nport = \(port)\n\(console)\n", to: "checkpost.toml")
        let password = try folder.write(Self.password + "\n", to: "password")
        let added = try await Program.run(
            ["user", "add", "tek", "--role", "technician", "--config", configuration.path], input: password)
        guard added.status == 0 else { throw Failure(description: added.errors) }
    }

    deinit { stop() }

    /// Starts it and waits until its console listens.
    func start() async throws {
        let log = folder["run.log"]
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let handle = try FileHandle(forWritingTo: log)
        try handle.seekToEnd()
        process = try Program.start(
            ["run", "--simulated-clock", "--config", configuration.path], environment: environment, output: handle,
            errors: handle)
        let before = try String(contentsOf: log, encoding: .utf8).components(separatedBy: "the console is served").count
        try await Self.wait("the console to be served") {
            try String(contentsOf: log, encoding: .utf8).components(separatedBy: "the console is served").count > before
        }
    }

    /// A box that runs, its database, and a client that `tek` has signed in.
    static func signedIn() async throws -> (ConsoleBox, Store, WatchClient) {
        let box = try await ConsoleBox()
        try await box.start()
        let client = WatchClient(url: box.url)
        try client.signIn("tek", Secret(password))
        return (box, try Store(path: box.folder["data/checkpost.sqlite"].path), client)
    }

    /// - Parameter signal: SIGKILL is a power cut.
    func stop(by signal: Int32 = SIGTERM) {
        guard let process else { return }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        self.process = nil
    }

    /// Puts frames of the sample day into the camera's folder, by their time of day: `0501`.
    func arrive(_ time: String) throws {
        let frames = Checkout.samples.appendingPathComponent("drive/BNP-B")
        for name in try FileManager.default.contentsOfDirectory(atPath: frames.path).sorted()
        where name.contains("T\(time)") {
            let hidden = folder["incoming"].appendingPathComponent("." + name)
            try FileManager.default.copyItem(at: frames.appendingPathComponent(name), to: hidden)
            try FileManager.default.moveItem(
                at: hidden, to: folder["incoming"].appendingPathComponent(name))
        }
    }

    /// Brings in what the other end of the road recorded: the two vehicles that break a limit here.
    func bringInOtherPost() async throws {
        let samples = try await SampleDay.replayed.value.folder
        let other = try SampleDay.copy(of: "BNP-A", in: samples, to: folder)
        let exported = try await Program.run(["export", "passages", "--format", "json", "--database", other])
        let wanted = exported.output.split(separator: "\n").filter {
            $0.contains("UP32AB1234") || $0.contains("GAD2957")
        }
        guard wanted.count == 2 else { throw Failure(description: exported.output + exported.errors) }
        let file = try folder.write(wanted.joined(separator: "\n") + "\n", to: "other.json")
        let imported = try await Program.run(["import", "passages", file.path, "--config", configuration.path])
        guard imported.status == 0 else { throw Failure(description: imported.errors) }
    }

    func run(_ arguments: [String]) async throws -> Program.Result {
        try await Program.run(arguments + ["--config", configuration.path])
    }

    /// Waits for something, generously: test machines are busy.
    static func wait(_ what: String, until isSo: () async throws -> Bool) async throws {
        for _ in 0..<600 {
            if try await isSo() { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Failure(description: "waited a minute for \(what)")
    }
}
