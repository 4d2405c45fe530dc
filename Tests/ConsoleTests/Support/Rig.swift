import Enforcement
import Foundation
import Logging
import Paper
import ServiceLifecycle
import Storage
import Synchronization
import TestKit
import Testing

@testable import Console

/// A console on a port of its own, with a real database, a clock that the test sets and a stand-in for the rest of the box.
final class Rig: Sendable {
    let folder: URL
    let store: Store
    let console: Console
    let host: StandInHost
    let live = LivePictures()
    let clock = TestClock()
    let port: Int
    private let task: Task<Void, any Error>
    private let group: ServiceGroup

    /// Made once: each takes a while, as it should.
    private static let hashes = Dictionary(
        uniqueKeysWithValues: ["ranger-pass-1", "1379", "technician-1"].map { ($0, (try? PasswordHash.make($0)) ?? "") }
    )

    static func run(_ body: (Rig) async throws -> Void) async throws {
        let rig = try await Rig()
        do {
            try await body(rig)
        } catch {
            await rig.stop()
            throw error
        }
        await rig.stop()
    }

    /// - Parameter folder: of an earlier rig: the same box, started again.
    init(
        folder: URL? = nil, host: StandInHost = StandInHost(), printer: String? = nil,
        fines: FineSchedule = FineSchedule()
    ) async throws {
        let folder =
            folder ?? FileManager.default.temporaryDirectory.appendingPathComponent("console-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        self.host = host
        let path = folder.appendingPathComponent("checkpost.sqlite").path
        try FreshDatabase.place(at: path) { try Store(path: $0).close() }
        store = try Store(path: path)
        var configuration = ConsoleConfiguration()
        configuration.port = 0
        configuration.printer = printer
        configuration.fines = fines
        configuration.country = "np"
        let clock = clock
        var log = Logger(label: "console-test")
        log.logLevel = .critical
        console = Console(
            configuration: configuration, post: Checkpost(code: "BNP-B", name: "Obhari gate", positionIndex: 1),
            otherPost: "BNP-A", store: store, photos: PhotoStore(folder: folder), host: host, live: live, log: log,
            clock: { clock.now })
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: ConsoleService(console) { found.yield($0) })], logger: log))
        self.group = group
        task = Task { try await group.run() }
        var iterator = ports.makeAsyncIterator()
        port = await iterator.next() ?? 0
        if try store.accounts.user("ram") == nil {
            try store.accounts.add(
                User(
                    name: "ram", fullName: "Ram Thapa", role: .ranger, origin: .box,
                    passwordHash: Self.hashes["ranger-pass-1"], pinHash: Self.hashes["1379"],
                    createdAt: clock.now))
            try store.accounts.add(
                User(
                    name: "tek", fullName: "Tek", role: .technician, origin: .box,
                    passwordHash: Self.hashes["technician-1"], createdAt: clock.now))
        }
    }

    func stop(keepingFolder: Bool = false) async {
        await group.triggerGracefulShutdown()
        _ = try? await task.value
        try? store.close()
        if !keepingFolder { try? FileManager.default.removeItem(at: folder) }
    }

    func visitor() -> Visitor { Visitor(port: port) }

    /// Somebody who has signed in.
    func ranger(_ name: String = "ram", _ password: String = "ranger-pass-1") async throws -> Visitor {
        let visitor = visitor()
        _ = try await visitor.signIn(name, password)
        return visitor
    }

    func technician() async throws -> Visitor { try await ranger("tek", "technician-1") }

    /// A passage of this post with a violation, found now.
    @discardableResult
    func violation(
        _ plate: String = "BA 1 CHA 1234", kind: Violation.Kind = .speeding, minutes: Double = 40,
        toleranceKmh: Double = 0, isExitHere: Bool = true
    ) throws -> Violation {
        let exit = clock.now - .minutes(1)
        let entry = exit - .minutes(minutes)
        let own = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: "BNP-B", recordedAt: isExitHere ? exit : entry, clockState: .simulated, confidence: 0.9,
            origin: .camera)
        try store.passages.record(own, at: clock.now)
        let other = MatchablePassage(
            clientID: UUID(), plate: own.plate, vehicleType: .car, checkpostCode: "BNP-A",
            recordedAt: isExitHere ? entry : exit, clockState: .simulated)
        try store.otherPost.upsert([other], at: clock.now)
        let match = Match(other, MatchablePassage(own), certainty: .exact)
        let segment = Segment(
            name: "Banke", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10, toleranceKmh: toleranceKmh)
        let violation = try #require(Violation(match, on: segment, id: UUID()))
        _ = try store.matches.save(match, violation: violation, at: clock.now)
        return violation
    }

    /// A vehicle that the camera recorded just now.
    @discardableResult
    func passage(_ plate: String) throws -> UUID {
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: "BNP-B", recordedAt: clock.now, clockState: .simulated, confidence: 0.9, origin: .camera)
        try store.passages.record(passage, at: clock.now)
        return passage.clientID
    }

    /// A vehicle that came in here six hours ago and has not come out.
    ///
    /// - Returns: the alert's id.
    @discardableResult
    func overstay(_ plate: String) throws -> Int64 {
        let entry = Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: "", vehicleType: .bus, checkpostCode: "BNP-B",
            recordedAt: clock.now - .hours(6), clockState: .simulated, origin: .manual)
        try store.passages.record(entry, at: clock.now)
        _ = try store.alerts.raise(
            [
                OverstayAlert(
                    entryClientID: entry.clientID, plate: entry.plate, vehicleType: .bus, entryTime: entry.recordedAt,
                    expectedExitBy: clock.now - .hours(1), isDoubtful: false)
            ], at: clock.now)
        return try #require(try store.alerts.list().first { $0.alert.entryClientID == entry.clientID }?.id)
    }

    /// A doubtful sighting that waits.
    @discardableResult
    func doubtful(_ plate: String, number: Int = 1) throws -> String {
        let reading = PlateReading(
            plate: Plate(canonical: plate), raw: plate, confidence: 0.5, box: Box(x: 10, y: 10, width: 80, height: 20),
            format: "np-zonal",
            candidates: [
                .init(plate: Plate(canonical: plate), confidence: 0.5),
                .init(plate: Plate(canonical: plate + "9"), confidence: 0.2),
            ], characters: [])
        let sighting = Sighting(
            number: number, camera: "gate", firstSeenAt: clock.now, lastSeenAt: clock.now, frameCount: 2,
            bestFrame: FrameReference(
                sha256: String(repeating: "a", count: 64), camera: "gate", recordedAt: clock.now - .minutes(2),
                clockState: .simulated), reading: reading)
        try store.frames.commit(FrameCommit(camera: "gate", reviews: [sighting], at: clock.now))
        return sighting.id
    }
}

final class TestClock: Sendable {
    private let state = Mutex(Instant(iso8601: "2026-11-21T06:15:00Z") ?? Instant(milliseconds: 0))
    var now: Instant { state.withLock { $0 } }
    func advance(_ span: TimeSpan) { state.withLock { $0 = $0 + span } }
}

/// What the console asks of the rest of the box, answered from what the test says.
final class StandInHost: ConsoleHost {
    private struct State {
        var status = ConsoleStatus()
        var verdict: ServerVerdict?
        var readings: [PlateReading] = []
        var sights: [PlateSight] = []
        var hiddenSights = 0
        var approaching: Travel?
        var pictures = PictureNews.noServer
        var wanted: [UUID] = []
        var numbers: [String?] = []
        var peer: PeerStanding?
    }

    private let state = Mutex(State())
    private let arrivals = AsyncStream.makeStream(of: UUID.self)

    func answer(_ verdict: ServerVerdict?) { state.withLock { $0.verdict = verdict } }
    func answer(_ status: ConsoleStatus) { state.withLock { $0.status = status } }
    func answer(_ readings: [PlateReading]) { state.withLock { $0.readings = readings } }
    func answer(_ sights: [PlateSight], hidden: Int = 0) {
        state.withLock { ($0.sights, $0.hiddenSights) = (sights, hidden) }
    }
    func answer(approaching: Travel?) { state.withLock { $0.approaching = approaching } }
    func answer(peer: PeerStanding?) { state.withLock { $0.peer = peer } }
    func answer(pictures: PictureNews) { state.withLock { $0.pictures = pictures } }

    /// The pictures of the other post that were asked for.
    var wanted: [UUID] { state.withLock { $0.wanted } }

    /// Where test messages were sent to.
    var numbers: [String?] { state.withLock { $0.numbers } }

    func arrived(_ passage: UUID) { arrivals.continuation.yield(passage) }

    func read(_ picture: Data) async throws -> ConsoleReading {
        ConsoleReading(width: 640, height: 480, readings: state.withLock { $0.readings }, milliseconds: 1)
    }

    func mask(of camera: String) -> PictureMask { PictureMask("0,0,100,10") ?? PictureMask() }
    func approaching(of camera: String) -> Travel? { state.withLock { $0.approaching } }
    func look(at picture: Data, of camera: String) async throws -> ConsoleLook {
        state.withLock { state in
            var look = ConsoleLook(width: 640, height: 480, sights: state.sights)
            look.hiddenCount = state.hiddenSights
            return look
        }
    }

    func size(of picture: Data) -> (width: Int, height: Int)? { (640, 480) }
    func paper(_ picture: Data, asDots: Bool) -> PaperPicture? {
        asDots
            ? try? PaperPicture(.gray([UInt8](repeating: 99, count: 300)), width: 20, height: 15)
            : try? PaperPicture(.file(picture), width: 960, height: 540)
    }

    func match(_ passages: [Passage]) {}
    var time: StampedState { StampedState(clockState: .simulated) }
    func segment() async throws -> Segment? {
        Segment(name: "Banke", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10)
    }
    func status() async -> ConsoleStatus { state.withLock { $0.status } }
    func signInAtServer(name: String, password: Secret) async -> ServerVerdict? { state.withLock { $0.verdict } }

    func wantPicture(ofOtherPost passage: UUID) -> PictureNews {
        state.withLock {
            $0.wanted.append(passage)
            return $0.pictures
        }
    }

    var arrivedPictures: AsyncStream<UUID> { arrivals.stream }

    func peer() async -> PeerStanding? { state.withLock { $0.peer } }
    func makePeerCode(forGuest: Bool) throws -> String? {
        state.withLock { $0.peer } == nil ? nil : "7K2M-9QXR-0ABC-DE45"
    }
    func joinPeer(address: String, code: String, asHub: Bool) async -> PeerJoining {
        switch (address, code) {
        case ("here", _): .badAddress
        case (_, "7K2M"): .badCode
        case ("10.0.0.2", _): .paired
        default: .refused("nothing listens there")
        }
    }

    func sendTestSMS(to number: String?) async -> TestSMS {
        state.withLock { $0.numbers.append(number) }
        return number == "nonsense" ? .badNumber : .inLine("1")
    }
}
