import Enforcement
import Foundation
import HTTPClient
import Storage
import Synchronization
import TestKit

@testable import Synchronizer

/// A clock that a test turns.
final class TestClock: SyncClock {
    /// Since 2026-11-21T10:00:00Z.
    private let passed = Mutex<Int64>(0)

    var uptime: Instant { Instant(milliseconds: 1_000_000 + passed.withLock { $0 }) }
    var now: Instant { Instant(milliseconds: 1_795_255_200_000 + passed.withLock { $0 }) }
    func advance(_ span: TimeSpan) { passed.withLock { $0 += span.milliseconds } }

    /// The machine that it is of; nil for none.
    var machine: BootClock? {
        get { kernel.withLock { $0 } }
        set { kernel.withLock { $0 = newValue } }
    }
    private let kernel = Mutex<BootClock?>(nil)
    var boot: BootClock? { machine }
}

/// What the composition would fulfil.
final class TestSurroundings: SyncSurroundings {
    var arrivals = 0
    var cameras = ["gate"]
    var onArrival: (Instant) throws -> Void = { _ in }
    var photo = PreparedPhoto(bytes: Data([0xff, 0xd8, 0xff]), mediaType: "image/jpeg")

    func passagesArrived(at now: Instant) throws {
        arrivals += 1
        try onArrival(now)
    }

    /// Whether a photo is made as small as it is asked for.
    var isObedient = false

    func photo(_ record: PhotoRecord, maximumBytes: Int) throws -> PreparedPhoto {
        var made = photo
        if isObedient { made.bytes = photo.bytes.prefix(maximumBytes) }
        return made
    }

    var place: PlatePlace?

    func platePlace(of upload: PhotoUpload) -> PlatePlace? { place }
}

/// A post with a real database, and a server on a real socket.
final class Rig {
    let folder: URL
    let store: Store
    let server: ParkServer
    let clock = TestClock()
    let surroundings = TestSurroundings()
    let faults = StoreFaults()
    var settings = SyncSettings()
    var engine: SyncEngine

    init(_ configure: (inout SyncSettings) -> Void = { _ in }) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sync-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("checkpost.sqlite").path
        try FreshDatabase.place(at: path) { try Store(path: $0).close() }
        store = try Store(path: path, probe: faults.probe)
        server = try ParkServer()
        server.clock = clock
        configure(&settings)
        engine = try Self.engine(store, server, settings, folder, clock, surroundings)
    }

    deinit {
        server.goDown()
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func engine(
        _ store: Store, _ server: ParkServer, _ settings: SyncSettings, _ folder: URL, _ clock: TestClock,
        _ surroundings: TestSurroundings
    ) throws -> SyncEngine {
        let meter = DataMeter()
        return try SyncEngine(
            store: store, transport: ServerTransport(url: server.url, meter: meter),
            server: SyncServer(
                url: server.url, apiKey: nil, email: "bnp-a@bnp.local",
                password: { "right" },
                checkpostCode: "BNP-A",
                configured: ConfiguredPlace(code: "BNP-A", otherCode: "BNP-B", position: 0), deviceID: "box-1",
                appVersion: "1"),
            settings: settings, tokens: TokenStore(path: folder.appendingPathComponent("tokens").path), clock: clock,
            random: { 1 }, surroundings: surroundings, meter: meter)
    }

    var tokenFile: String { folder.appendingPathComponent("tokens").path }

    /// As after a kill: a new engine over the same files.
    func restart() throws { engine = try Self.engine(store, server, settings, folder, clock, surroundings) }

    /// Lets time pass in steps and does what is due.
    func run(for span: TimeSpan = .seconds(1), step: TimeSpan = .seconds(1)) throws {
        let end = clock.now + span
        while clock.now < end {
            try engine.tick()
            clock.advance(step)
        }
    }

    @discardableResult
    func record(
        _ plate: String, minute: Double = 0, photo: PhotoRecord? = nil, post: String = "BNP-A"
    ) throws -> Passage {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: post, recordedAt: Instant(milliseconds: 1_795_255_200_000) + .minutes(minute),
            clockState: .synchronised, confidence: 0.9, origin: .camera, photoSHA256: photo?.sha256)
        if let photo {
            var commit = FrameCommit(camera: "gate", at: clock.now)
            commit.photos = [photo]
            commit.recordings = [.init(passage: passage, sighting: nil)]
            try store.frames.commit(commit)
        } else {
            try store.passages.record(passage, at: clock.now)
        }
        clock.advance(.milliseconds(10))
        return passage
    }

    func record(count: Int) throws -> [String] {
        try (0..<count).map { try record("BA 1 PA \(1000 + $0)").plate.compact }
    }

    var serverPlates: [String] { server.texts("vehicle_passages", "plate_number") }
    func count(_ status: QueueStatus) throws -> Int { try store.queue.counts()[status] ?? 0 }
}
