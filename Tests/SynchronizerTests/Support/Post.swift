import Enforcement
import Foundation
import Storage
import TestKit

@testable import Synchronizer

/// One post against the real server: its own database, clock and engine.
final class Post {
    let folder: URL
    let store: Store
    let clock = TestClock()
    let surroundings = TestSurroundings()
    private(set) var engine: SyncEngine
    private let makeEngine: () throws -> SyncEngine
    let code: String

    /// - Parameters:
    ///   - url: another way to the park than the straight one.
    ///   - database: a file that it begins with.
    ///   - transport: instead of one over HTTP.
    convenience init(
        _ letter: String, _ park: RealPark, url: String? = nil, database: String? = nil,
        transport: (any SyncTransport)? = nil,
        _ configure: (inout SyncSettings) -> Void = { _ in }
    ) throws {
        try self.init(
            letter, at: (park.url, park.key), transport: transport ?? ServerTransport(url: url ?? park.url),
            database: database, configure)
    }

    /// - Parameter place: of a server, and its key.
    init(
        _ letter: String, at place: (url: String, key: String), transport: any SyncTransport, database: String? = nil,
        _ configure: (inout SyncSettings) -> Void = { _ in }
    ) throws {
        code = "BNP-\(letter.uppercased())"
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("post-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("checkpost.sqlite").path
        if let database { try FileManager.default.copyItem(atPath: database, toPath: path) }
        store = try Store(path: path)
        var settings = SyncSettings()
        configure(&settings)
        let (store, folder, clock, surroundings, code) = (store, folder, clock, surroundings, code)
        makeEngine = { [settings] in
            try SyncEngine(
                store: store, transport: transport,
                server: SyncServer(
                    url: place.url, apiKey: place.key, email: "bnp-\(letter)@bnp.local",
                    password: { "right-and-long-enough" }, checkpostCode: code, deviceID: "box-\(letter)",
                    appVersion: "1"),
                settings: settings, tokens: TokenStore(path: folder.appendingPathComponent("tokens").path),
                clock: clock, surroundings: surroundings)
        }
        engine = try makeEngine()
    }

    /// The part that synchronizes begins anew.
    func restart() throws { engine = try makeEngine() }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    func record(_ plate: String, minute: Double) throws -> Passage {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car, checkpostCode: code,
            recordedAt: Instant(milliseconds: 1_795_255_200_000) + .minutes(minute), clockState: .synchronised,
            confidence: 0.9, origin: .camera)
        try store.passages.record(passage, at: clock.now)
        clock.advance(.milliseconds(1))
        return passage
    }

    func run(seconds: Int = 1) throws {
        for _ in 0..<seconds {
            try engine.tick()
            clock.advance(.seconds(1))
        }
    }
}
