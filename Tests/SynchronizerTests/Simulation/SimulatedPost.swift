import Appliance
import Enforcement
import Foundation
import Storage
import TestKit

@testable import Synchronizer

/// A checkpost in a simulation: a real database, the real engine, a link with troubles, and the matching of the
/// appliance.
final class SimulatedPost: SyncSurroundings {
    let code: String
    let cameras = ["gate"]
    let clock: SimulatedClock
    let link: SimulatedLink
    private(set) var store: Store
    private(set) var engine: SyncEngine?
    /// When something is due again, on `clock.uptime`; while the box has no power, when it has it again.
    var nextTick: Instant
    private(set) var powerCuts = 0
    /// Passages in the order of the queue.
    var recorded: [Passage] = []
    /// Those that a ranger took back.
    var withdrawn: Set<UUID> = []
    /// Those that went with the box's records, and that nobody else has.
    var lost: [Passage] = []
    /// How often its records were lost.
    var losses = 0
    /// Those that went with the box's records, whoever else has them.
    var missing: [Passage] = []
    /// Plates that nobody could put right, since their passage was gone.
    var uncorrected: Set<String> = []
    /// Those that were put right before their picture was read once more: a text of then may say so.
    var retold: Set<String> = []
    var hasLiveCamera = false
    var watching: (stretch: FrameCommit.Stretch, until: Instant)?
    var isCameraDead = false
    /// Who passed while it was.
    var unseen: [(plate: Plate, at: Instant)] = []
    /// Those that were read once more, or came back under another id: their place in the queue is another one.
    var aside: Set<UUID> = []

    /// What the server files the texts of these passages under.
    func textIDs(of passages: Set<String>) throws -> [String] {
        try passages.compactMap(UUID.init(uuidString:)).compactMap {
            try store.passages.passage(clientID: $0)?.smsClientID?.uuidString.lowercased()
        }
    }

    /// Through the other post.
    var way: SimulatedWay?

    let changes: SimulatedChanges
    let disk: SimulatedDisk
    let texts: SimulatedTexts
    /// Those whose entry once used up its attempts: they may come later than others.
    private(set) var steppedAside: Set<UUID> = []

    let folder: String
    private let settings: SyncSettings
    private let park: ParkServer
    private var chance: Chance
    private(set) var isPowerless = false
    private let hasModem: Bool
    private var lastRound: Instant?
    var onAlert: (OverstayAlert) -> Void = { _ in }

    /// Its ids follow from the seed as well.
    let ids: DrawnIDs

    init(
        _ letter: String, folder: String, park: ParkServer, link: SimulatedLink, clock: SimulatedClock,
        settings: SyncSettings, disk: SimulatedDisk, chance: Chance, hasModem: Bool
    ) throws {
        self.hasModem = hasModem
        code = "BNP-\(letter.uppercased())"
        self.folder = folder
        self.park = park
        self.link = link
        changes = SimulatedChanges(link)
        self.clock = clock
        self.settings = settings
        self.disk = disk
        self.chance = chance
        // Of a seed of their own: how many are asked for changes nothing of what happens to the post.
        var own = chance
        ids = DrawnIDs(Chance(seed: own.next() &+ 1))
        texts = SimulatedTexts(code, park, link.time, Chance(seed: self.chance.next()))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FreshDatabase.place(at: folder + "/checkpost.sqlite") { try Store(path: $0).close() }
        store = try Store(path: folder + "/checkpost.sqlite", probe: disk.probe)
        nextTick = clock.uptime
        changes.onNews = { [unowned self] in nextTick = min(nextTick, clock.uptime + .milliseconds(500)) }
        link.cutPower = { [unowned self] in cutPower() }
        disk.cutPower = { [unowned self] in cutPower() }
        texts.cutPower = { [unowned self] in cutPower() }
    }

    /// Its last moment: the engine asks the post, and the post has the engine.
    func end() {
        engine = nil
        try? store.close()
    }

    /// The database is gone at once, whatever the engine is about to write.
    func cutPower() {
        guard !isPowerless else { return }
        isPowerless = true
        changes.cut()
        powerCuts += 1
        try? store.close()
    }

    func comeBack() throws {
        engine = nil
        isPowerless = false
        store = try Store(path: folder + "/checkpost.sqlite", probe: disk.probe)
        try? noteCameras()
    }

    /// Does what is due, and survives a power cut in the middle of it.
    func tick() throws {
        if isPowerless { try comeBack() }
        do {
            disk.isWatched = true
            defer { disk.isWatched = false }
            let engine = try engine ?? makeEngine()
            self.engine = engine
            try changes.turn(engine)
            nextTick = Instant(milliseconds: .max)
            // What is written meanwhile is told after it.
            nextTick = min(try engine.tick(), nextTick)
            if park.isExtended, hasModem {
                try texts.turn(store, offlineSince: offline(engine), at: clock.now)
            }
            if isPowerless { throw StoreError(.other, "the power went") }
            disk.isWatched = false
            try round()
            for entry in try store.queue.entries(status: .failed) { steppedAside.insert(entry.passageClientID) }
        } catch  where isPowerless {
            nextTick = clock.uptime + chance.span(1...600)
        } catch is StoreError {
            // As the service does it.
            nextTick = clock.uptime + settings.interval
        }
    }

    /// On the wall clock, as the box tells it.
    private func offline(_ engine: SyncEngine) -> Instant? {
        engine.link.offlineSince(at: clock.uptime).map { clock.now - (clock.uptime - $0) }
    }

    private func makeEngine() throws -> SyncEngine {
        var chance = chance
        _ = self.chance.next()
        try texts.start(store, at: clock.now)
        return try SyncEngine(
            store: store,
            transport: way.map { RoutedTransport(own: link, peer: $0, uptime: { [clock] in clock.uptime }) { _ in } }
                ?? link,
            server: SyncServer(
                url: "http://park", email: "\(code.lowercased())@bnp.local", password: { "right" },
                checkpostCode: code, deviceID: code, appVersion: "1"),
            settings: settings, tokens: TokenStore(path: folder + "/tokens"), clock: clock,
            random: { chance.share() }, surroundings: self)
    }

    func record(_ plate: String, clockState: ClockState, hasPhoto: Bool) throws {
        guard !isCameraDead else { return unseen.append((Plate(canonical: plate), clock.now)) }
        if isPowerless { try comeBack() }
        let hash = hasPhoto ? String(repeating: "0", count: 56) + String(format: "%08d", recorded.count) : nil
        let passage = Passage(
            clientID: chance.id(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: code, recordedAt: clock.now, clockState: clockState, confidence: 0.9, origin: .camera,
            photoSHA256: hash)
        try commit(passage)
        recorded.append(passage)
        try match()
        if chance.happens(0.7) {
            engine?.requestCycle()
            nextTick = min(nextTick, clock.uptime)
        }
    }

    /// What the camera's part writes of a vehicle.
    func commit(_ passage: Passage) throws {
        var commit = FrameCommit(camera: "gate", at: clock.now)
        if let hash = passage.photoSHA256 {
            commit.photos = [
                PhotoRecord(
                    sha256: hash, path: "photos/\(hash).jpg", bytes: 3, mediaType: "image/jpeg", keptAt: clock.now)
            ]
        }
        commit.recordings = [.init(passage: passage, sighting: nil)]
        try store.frames.commit(commit)
    }

    /// A ranger records an outcome of a violation that the post shows, whether it has one or not.
    func act(_ chance: inout Chance, sparing plates: Set<Plate>) throws {
        guard !isPowerless,
            let violation = try store.violations.list().filter({ !plates.contains($0.violation.plate) })
                .randomElement(using: &chance)
        else { return }
        try store.violations.record(
            Outcome(
                kind: Outcome.Kind.allCases.randomElement(using: &chance) ?? .warned, recordedBy: "ranger of \(code)",
                recordedAt: clock.now), ofViolation: violation.id)
    }

    /// A ranger finds out that a plate was misread.
    func correct(_ wrong: String, to plate: String) throws {
        if isPowerless { try comeBack() }
        guard let index = recorded.firstIndex(where: { $0.plate.canonical == wrong }) else { return }
        guard try isOnRecord(recorded[index]) else {
            uncorrected.insert(Plate(canonical: plate).compact)
            return
        }
        recorded[index] = try store.passages.correct(
            clientID: recorded[index].clientID, to: Plate(canonical: plate), reason: "misread", by: "ranger",
            at: clock.now)
        try match()
    }

    /// A ranger finds out that there was no vehicle.
    func withdraw(_ plate: String) throws {
        if isPowerless { try comeBack() }
        guard let passage = recorded.first(where: { $0.plate.canonical == plate }), try isOnRecord(passage) else {
            return
        }
        try store.passages.withdraw(clientID: passage.clientID, reason: "a sign", by: "ranger", at: clock.now)
        withdrawn.insert(passage.clientID)
    }

    /// Whether it is there to be corrected or withdrawn: it may have gone with all records.
    private func isOnRecord(_ passage: Passage) throws -> Bool {
        try store.passages.passage(clientID: passage.clientID).map { $0.withdrawnAt == nil } ?? false
    }

    /// Gets a file with all that the other post has on record.
    func importAll(of other: SimulatedPost) throws {
        if isPowerless { try comeBack() }
        if other.isPowerless { try other.comeBack() }
        let rows = try other.store.passages.list(limit: 1000)
        _ = try store.otherPost.takeIn(
            rows.map {
                PostWord(MatchablePassage($0.passage), isWithdrawn: $0.withdrawnAt != nil, text: $0.smsClientID)
            }, at: clock.now)
        try match()
    }

    private var matching: MatchingService {
        var configuration = Configuration()
        configuration.post = Checkpost(code: code, name: code, positionIndex: code == "BNP-B" ? 1 : 0)
        configuration.otherPostCode = ["BNP-A": "BNP-B", "BNP-B": "BNP-A"][code] ?? "BNP-D"
        configuration.segment = Simulation.segment
        return MatchingService(
            store: store, configuration: configuration, makeID: { [ids] in ids.next() })
    }

    private func match() throws { for alert in try matching.catchUp(at: clock.now).alerts { onAlert(alert) } }

    /// What the box does every minute.
    private func round() throws {
        guard lastRound.map({ clock.uptime - $0 >= .minutes(1) }) ?? true else { return }
        if clock.error.milliseconds == 0, !isCameraDead { try watch() }
        for alert in try matching.round(at: clock.now).alerts { onAlert(alert) }
        lastRound = clock.uptime
    }

    func passagesArrived(at now: Instant) throws { try match() }

    func photo(_ record: PhotoRecord, maximumBytes: Int) throws -> PreparedPhoto {
        PreparedPhoto(bytes: Data(record.sha256.utf8), mediaType: "image/jpeg")
    }

    func platePlace(of upload: PhotoUpload) -> PlatePlace? { nil }

    /// Whether nothing waits any longer, apart from what the server refuses.
    ///
    /// - Parameter plates: what one post alone knows of is never confirmed.
    func isQuiet(besides plates: Set<String>) throws -> Bool {
        guard try !isPowerless && texts.isQuiet && store.keptTexts.count() == 0 else { return false }
        let failed = try store.queue.entries(status: .failed)
        return try store.queue.counts()[.pending] == 0 && failed.allSatisfy(\.isRefused)
            && store.photos.dueUploads(limit: 1).isEmpty && !hasPhotoThatRests()
            && store.reconciliation.matchesToPropose(limit: 1).isEmpty
            && store.violations.list(limit: 1000).allSatisfy {
                $0.violation.state == .confirmed || plates.contains($0.violation.plate.compact)
            }
    }

    /// A photo that failed too often is tried again within the hour.
    private func hasPhotoThatRests() throws -> Bool {
        try recorded.contains {
            guard let upload = try store.photos.upload(ofPassage: $0.clientID) else { return false }
            return upload.status == .failed && !upload.isRefused
        }
    }
}
