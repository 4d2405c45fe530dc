import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

/// A running appliance with every part there is, and a folder camera: for what happens when one of them fails.
///
/// Its server doesn't answer and its modem isn't plugged in, so that synchronization and SMS have work that never ends, unless it is
/// given others.
final class RunningAppliance {
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// What a box is connected to, and further lines of its configuration.
    struct Outside {
        var server: String?
        var key = "key"
        var password = "no-password-of-anybody"
        var email = "bnp-a@bnp.local"
        /// Of a server with https that signed its certificate itself.
        var certificateFile: String?
        /// Nil for a box that has none.
        var modem: String? = "/dev/checkpost-no-modem"

        /// Which post it is, as `PostFile` writes it.
        var post = PostFile.text

        /// Of the camera, of `[sms]`, and sections of their own.
        var (camera, sms, more) = ("", "", "")
    }

    static let otherParts = ["rounds", "sync", "sms", "console"]

    let folder: TemporaryFolder
    let configuration: URL
    let port: Int
    private var process: Process?
    private var store: Store?

    /// What a service is given besides: a folder in memory for what its parts tell each other.
    private var environment: [String: String] = [:]

    /// - Parameters:
    ///   - disk: what the data folder lies on; nil for that of the other files.
    ///   - place: a folder that is the data folder, under another name.
    ///   - hasSpare: whether it has the folder `spare` to record in while its disk is away.
    ///   - lane: a second camera, `lane`, whose folder is here.
    ///   - outside: what it is connected to.
    init(
        disk: SmallDisk? = nil, place: URL? = nil, hasSpare: Bool = false, lane: URL? = nil,
        outside: Outside = Outside()
    ) throws {
        folder = try TemporaryFolder()
        if let place = place ?? disk?.folder {
            try FileManager.default.createSymbolicLink(at: folder["data"], withDestinationURL: place)
            try FileManager.default.createDirectory(at: folder["memory"], withIntermediateDirectories: true)
            environment["RUNTIME_DIRECTORY"] = folder["memory"].path
        }
        try FileManager.default.createDirectory(at: folder["incoming"], withIntermediateDirectories: true)
        _ = try folder.write(outside.password + "\n", to: "server.password")
        port = try FreePort.next()
        let server = try outside.server ?? "http://127.0.0.1:\(FreePort.next())"
        configuration = try folder.write(
            outside.post.replacing("\"incoming\"", with: "\"incoming\"\n" + outside.camera)
                .trimmingCharacters(in: .whitespacesAndNewlines) + """

                    \(hasSpare ? "spare = \"spare\"" : "")
                    [reader]
                    models = "\(Checkout.root.appendingPathComponent("models").path)"
                    [console]
                    port = \(port)
                    [server]
                    url = "\(server)"
                    email = "\(outside.email)"
                    password_file = "server.password"
                    anon_key = "\(outside.key)"
                    \(outside.certificateFile.map { "ca_file = \"\($0)\"" } ?? "")
                    [sms]
                    gateway_number = "+9779800000000"
                    \(outside.sms)
                    \(outside.modem.map { "[modem]\ndevice = \"\($0)\"" } ?? "")
                    \(outside.more)
                    \(lane.map { "[[camera]]\nname = \"lane\"\nkind = \"folder\"\npath = \"\($0.path)\"" } ?? "")
                    """, to: "checkpost.toml")
    }

    deinit { if let process, process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var pid: pid_t { process?.processIdentifier ?? 0 }
    var log: String { (try? String(contentsOf: folder["run.log"], encoding: .utf8)) ?? "" }

    /// - Parameters:
    ///   - fault: what `CHECKPOST_FAULT` says.
    ///   - user: whose rights it has; nil for the tests' own.
    ///   - more: what the environment has besides.
    func start(fault: String? = nil, as user: uid_t? = nil, environment more: [String: String] = [:]) throws {
        try Data().write(to: folder["run.log"])
        process = try Program.start(
            ["run", "--simulated-clock", "--config", configuration.path], as: user,
            environment: environment.merging(fault.map { ["CHECKPOST_FAULT": $0] } ?? [:]) { $1 }.merging(more) { $1 },
            errors: try FileHandle(forWritingTo: folder["run.log"]))
    }

    var news: SupervisorNews? { SupervisorNews.read(in: RunFolder(dataFolder: folder["data"].path)) }

    func part(_ name: String) -> SupervisorNews.Line? { news?.parts.first { $0.name == name } }

    /// The processes of all parts, as the kernel knows them.
    func children() -> [pid_t] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return tasks.flatMap { task in
            ((try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/children", encoding: .utf8)) ?? "")
                .split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// The pictures that the camera has answered for.
    func takenCount() -> Int { (try? opened().frames.takenKeys(camera: "gate").count) ?? 0 }

    func opened() throws -> Store {
        if let store { return store }
        let opened = try Store(path: folder["data/checkpost.sqlite"].path)
        store = opened
        return opened
    }

    /// Lets go of the database that the test looks into.
    func close() throws {
        try store?.close()
        store = nil
    }

    static func frames() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: Checkout.samples.appendingPathComponent("drive/BNP-A"), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "jpg" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// Whether it is there: neither ended nor killed.
    var isRunning: Bool { process?.isRunning == true }

    /// Starts it as a service does, also once more; its log goes on.
    func startAgain(isClockSimulated: Bool = false, environment more: [String: String] = [:]) throws {
        let path = folder["run.log"].path
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: folder["run.log"]) }
        let log = try FileHandle(forWritingTo: folder["run.log"])
        try log.seekToEnd()
        process = try Program.start(
            ["run", "--config", configuration.path] + (isClockSimulated ? ["--simulated-clock"] : []),
            environment: environment.merging(more) { $1 }, errors: log)
    }

    /// Puts a picture into the camera's folder, whole, as one that was written at this moment.
    func arrive(_ picture: Data, at time: Instant) throws {
        let name = time.iso8601.replacing("-", with: "").replacing(":", with: "") + ".jpg"
        let hidden = folder["incoming/." + name]
        try picture.write(to: hidden)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)],
            ofItemAtPath: hidden.path)
        try FileManager.default.moveItem(at: hidden, to: folder["incoming/" + name])
    }

    /// Puts a picture into the camera's folder, whole.
    func arrive(_ frame: URL) throws {
        let hidden = folder["incoming/." + frame.lastPathComponent]
        try FileManager.default.copyItem(at: frame, to: hidden)
        try FileManager.default.moveItem(at: hidden, to: folder["incoming/" + frame.lastPathComponent])
    }

    /// Waits until something is so; bounded.
    func eventually(_ seconds: Double = 60, _ condition: () throws -> Bool) async throws -> Bool {
        try await TestKit.eventually(seconds, condition)
    }

    func isRecording() async throws -> Bool { try await eventually { part("camera.gate")?.state == "up" } }

    /// Asks it to stop.
    ///
    /// - Returns: how long that took, its exit status, and the parts that are still there.
    func stop() async throws -> (seconds: Double, status: Int32, left: [pid_t]) {
        guard let process else { throw Failure(description: "it does not run") }
        let parts = children()
        let began = ContinuousClock.now
        kill(process.processIdentifier, SIGTERM)
        while process.isRunning, ContinuousClock.now - began < .seconds(30) {
            try await Task.sleep(for: .milliseconds(20))
        }
        let seconds = (ContinuousClock.now - began).milliseconds / 1000
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        try store?.close()
        store = nil
        return (seconds, process.terminationStatus, parts.filter { kill($0, 0) == 0 })
    }

    /// A power cut for the supervisor alone.
    func killSupervisor() {
        guard let process else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    // MARK: Where it records

    /// Whether it comes up with its records in this folder.
    func isUp(in folder: URL) async throws -> Bool {
        let run = RunFolder(dataFolder: folder.path)
        return try await eventually {
            RunLock.isHeld(folder: folder.path)
                && SupervisorNews.read(in: run)?.parts.first { $0.name == "camera.gate" }?.state == "up"
        }
    }

    /// What a database holds, opened for this look only.
    func look<T>(into folder: URL, _ work: (Store) throws -> T) throws -> T {
        let store = try Store(path: folder.appendingPathComponent("checkpost.sqlite").path)
        defer { try? store.close() }
        return try work(store)
    }

    /// The passages that are on record in a folder.
    func passages(in folder: URL) throws -> Set<UUID> {
        Set(try look(into: folder) { try $0.passages.list(limit: 1000).map(\.passage.clientID) })
    }

    /// Gives it pictures, and waits until so many are answered for in this folder.
    func take(_ frames: ArraySlice<URL>, in folder: URL, count: Int) async throws {
        for frame in frames { try arrive(frame) }
        #expect(
            try await eventually {
                try look(into: folder) { try $0.frames.takenKeys(camera: "gate").count } >= count
            }, "\(log)")
    }
}

/// Ports of the loopback that nobody listens on.
typealias FreePort = TestKit.FreePort
