import Enforcement
import Foundation
import HTTPClient

@testable import checkpost_server

/// A storage as S3's interface describes it, in a process of its own (`Photos/storage.py`), with a bucket and a key.
final class StoragePeer: Sendable {
    static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    private static let script = PostgresCluster.package.appendingPathComponent(
        "Tests/CheckpostServerTests/Photos/storage.py")

    let port: Int
    let place: S3Place
    private let folder: URL
    private let process: Process
    private let input: Pipe

    struct NotStarted: Error {}

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("storage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let key = folder.appendingPathComponent("secret")
        try (Self.secret + "\n").write(to: key, atomically: true, encoding: .utf8)
        chmod(key.path, 0o640)
        (process, input) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", Self.script.path, "park", "np-east-1", "CHECKPOST", Self.secret]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else { throw NotStarted() }
        self.port = port
        var place = S3Place(
            endpoint: "http://127.0.0.1:\(port)", bucket: "park", accessKey: "CHECKPOST", secretKeyFile: key.path)
        place.region = "np-east-1"
        place.prefix = "bnp/2026/"
        self.place = place
    }

    /// It ends when its input does.
    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Nobody waits long in a test.
    static var patience: S3Bucket.Patience {
        var patience = S3Bucket.Patience()
        patience.pauses = [.seconds(0.01), .seconds(0.02)]
        patience.silence = .seconds(2)
        patience.total = .seconds(2)
        patience.rest = .milliseconds(50)
        return patience
    }

    /// - Parameter rest: for so long nobody asks a storage that didn't answer.
    func bucket(
        rest: Duration = StoragePeer.patience.rest, _ change: (inout S3Place) -> Void = { _ in }
    ) throws -> S3Bucket {
        var (place, patience) = (place, Self.patience)
        change(&place)
        patience.rest = rest
        return try S3Bucket(place, patience: patience)
    }

    /// A server's settings with its photos here.
    func configure(_ settings: inout Settings) {
        settings.photoBucket = place
        settings.photoPatience = Self.patience
    }

    @discardableResult
    private func ask(_ method: String, _ path: String, _ body: Data? = nil) throws -> (status: Int, data: Data) {
        guard let method = HTTPRequest.Method(rawValue: method) else { throw NotStarted() }
        let answer = try HTTPConnection().perform(
            HTTPRequest(method, Secret("http://127.0.0.1:\(port)\(path)"), body: body))
        return (answer.status, answer.body)
    }

    /// The next so many requests fail: with a status, or `drop`, `hang`, `half`, `empty` or `again`.
    ///
    /// - Parameter part: of the place of those that fail.
    func fails(_ kind: String, count: Int = 1_000_000, only part: String = "") throws {
        try ask("POST", "/-/fault?kind=\(kind)&count=\(count)&only=\(part)")
    }
    func works() throws { try ask("POST", "/-/fault") }

    /// What was asked since this was last asked: `GET /park/…`.
    func asked() throws -> [String] { try JSONDecoder().decode([String].self, from: ask("GET", "/-/log").data) }

    /// Uploads in parts that nobody ended.
    func uploads() throws -> [String] {
        try JSONDecoder().decode([String].self, from: ask("GET", "/-/uploads").data)
    }

    func object(_ name: String) throws -> Data? {
        let answer = try ask("GET", "/-/object?key=\(place.prefix + name)")
        return answer.status == 200 ? answer.data : nil
    }

    func setObject(_ name: String, _ data: Data?) throws {
        try ask(data == nil ? "DELETE" : "PUT", "/-/object?key=\(place.prefix + name)", data)
    }
}
