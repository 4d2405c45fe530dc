import Enforcement
import Foundation
import Logging
import Modem
import ParkAPI
import Storage
import Synchronization
import Testing

@testable import Appliance

/// The fallback over a real database, with a modem and a network that fail at random, and power cuts at the worst moments.
@Suite("Outages, lost answers and power cuts", .timeLimit(.minutes(15)))
struct OutageSimulationTests {
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `never send a passage more often than answers to it were lost, nor early, nor in another wording`(
        seed: UInt64
    ) async throws {
        let simulation = try Simulation(seed: seed)
        for _ in 0..<60 { try await simulation.step() }
        try await simulation.drain()
        try simulation.check()
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `bring signed texts of several passages out as often as single ones, each passage in one text`(
        seed: UInt64
    ) async throws {
        let simulation = try Simulation(seed: seed, signs: true)
        for _ in 0..<160 { try await simulation.step() }
        try await simulation.drain()
        try simulation.check()
        try simulation.checkCompany()
    }
}

/// Numbers that are the same on every machine (SplitMix64).
private struct Dice: Sendable {
    var state: UInt64

    mutating func roll(_ sides: UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)) % sides
    }
}

/// What outlives a power cut of the box: the clock, the link, the network.
private final class World: DataLink {
    struct State {
        var now = FallbackRig.start
        var offlineSince: Instant?
        var dice: Dice
        var isKind = false

        /// How often each text went out, and how often the answer to it was lost.
        var sent: [String: Int] = [:]
        var lost: [String: Int] = [:]
        var early: [String] = []
    }

    let state: Mutex<State>

    init(seed: UInt64) { state = Mutex(State(dice: Dice(state: seed))) }

    func sight(at now: Instant) -> LinkSight {
        state.withLock { $0.offlineSince.map { .offline(since: $0) } ?? .online }
    }
}

/// A modem that is always ready and not always lucky.
private final class LuckyModem: TextCarrier {
    private let world: World
    private let isHanging = Mutex(false)
    private let hasDied = Mutex(false)

    init(_ world: World) { self.world = world }

    var health: ModemHealth {
        var health = ModemHealth()
        health.stage = .ready
        return health
    }

    /// The power goes in the middle of a text.
    var hangs: Bool { isHanging.withLock { $0 } }

    func start() {}
    func stop() {}
    func die() { hasDied.withLock { $0 = true } }

    func send(to target: TextTarget, text: String) async -> ModemDriver.Sent {
        let fate = world.state.withLock { state in
            if let since = state.offlineSince, state.now - since >= .minutes(5) {} else { state.early.append(text) }
            let fate = state.isKind ? 9 : state.dice.roll(10)
            let goesOut = fate >= 4 || (fate < 3 && state.dice.roll(2) == 0)
            if goesOut { state.sent[text, default: 0] += 1 }
            if fate < 3 { state.lost[text, default: 0] += 1 }
            return fate
        }
        switch fate {
        case 0, 1:
            isHanging.withLock { $0 = true }
            while !hasDied.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(1)) }
            return .init(id: 1, result: .ambiguous)
        case 2: return .init(id: 1, result: .ambiguous)
        case 3: return .init(id: 1, result: .refused(.network(42)))
        default: return .init(id: 1, result: .accepted(references: []))
        }
    }
}

private final class Simulation {
    private let world: World
    private let folder: TemporaryFolder
    private var dice: Dice
    private var store: Store
    private var modem: LuckyModem
    private var fallback: SMSFallback
    private var recorded = 0

    init(seed: UInt64, signs: Bool = false) throws {
        world = World(seed: seed)
        dice = Dice(state: seed &* 31)
        folder = try TemporaryFolder()
        if signs {
            let key = TextKey(number: 1, secret: Secret(String(repeating: "5a", count: 32)), lastTextNumber: 0)
            try TextKeyFile(dataFolder: folder["text.key"].deletingLastPathComponent()).keep(key)
        }
        (store, modem, fallback) = try Self.boot(folder, world)
    }

    private static func boot(_ folder: TemporaryFolder, _ world: World) throws -> (Store, LuckyModem, SMSFallback) {
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try Store(path: folder["checkpost.sqlite"].path)
        let modem = LuckyModem(world)
        let fallback = try SMSFallback(
            settings: .init(checkpostCode: "BNP-A", gatewayNumber: PhoneNumber(FallbackRig.gateway)), store: store,
            link: world, alarms: AlarmBoard(store: store, log: log), log: log,
            clock: { world.state.withLock { $0.now } }, makeModem: { _ in modem })
        return (store, modem, fallback)
    }

    private var isFirst = true

    func step() async throws {
        if isFirst { await fallback.start() }
        isFirst = false
        let chance = dice.roll(10)
        if chance < 5 { try record() }
        if chance == 6 || chance == 7 { try toggleLink() }
        let minutes = Double(dice.roll(4))
        world.state.withLock { $0.now = $0.now + .minutes(minutes) }
        try await turn()
        if chance == 8 { try await cutPower() }
    }

    private func record() throws {
        recorded += 1
        let now = world.state.withLock { $0.now }
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 PA \(recorded)"), plateRaw: "x", vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: now, clockState: .synchronised, origin: .camera)
        try store.passages.record(passage, at: now)
    }

    /// When the link is back, some of what waits gets through.
    private func toggleLink() throws {
        let isBack = world.state.withLock { state in
            defer { state.offlineSince = state.offlineSince == nil ? state.now : nil }
            return state.offlineSince != nil
        }
        guard isBack else { return }
        for var entry in try store.queue.entries(status: .pending).prefix(Int(dice.roll(3))) {
            entry.status = .synced
            try store.queue.update(entry)
        }
    }

    private func turn() async throws {
        await fallback.turn()
        while await fallback.sending != nil {
            if modem.hangs { return try await cutPower() }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Nothing that the old process does reaches the disk any more.
    private func cutPower() async throws {
        try store.close()
        modem.die()
        (store, modem, fallback) = try Self.boot(folder, world)
        await fallback.start()
    }

    /// A long outage with good luck: everything that may go out goes.
    func drain() async throws {
        world.state.withLock { state in
            state.isKind = true
            state.offlineSince = state.offlineSince ?? state.now
        }
        for _ in 0..<6 {
            world.state.withLock { $0.now = $0.now + .minutes(20) }
            try await turn()
        }
    }

    /// A text that may have gone out is the only one of its passages.
    func checkCompany() throws {
        let world = world.state.withLock { $0 }
        var texts: [String: Set<String>] = [:]
        for text in world.sent.keys {
            for passage in try SignedSMSDecoder.readUnchecked(text).passages {
                texts[passage.compactPlate, default: []].insert(text)
            }
        }
        for (plate, texts) in texts { #expect(texts.count == 1, "\(plate) went out in \(texts)") }
        #expect(texts.count > world.sent.count, "\(texts.count) passages in \(world.sent.count) texts")
    }

    func check() throws {
        let world = world.state.withLock { $0 }
        #expect(world.early.isEmpty)
        for (text, count) in world.sent {
            #expect(count <= 1 + min(1, world.lost[text, default: 0]), "\(text) went out \(count) times")
        }
        let messages = try store.messages.list(limit: 1000)
        #expect(Set(messages.map(\.text)).isSuperset(of: world.sent.keys), "a text that is not on record")
        #expect(messages.allSatisfy { $0.handOvers <= 2 && $0.state != .sending })
        for entry in try store.queue.entries(status: .pending, limit: 1000) {
            let message = try #require(try store.messages.message(ofPassage: entry.passageClientID))
            #expect(message.state == .sent || message.lostAnswers == 2, "\(message)")
        }
        #expect(!world.sent.isEmpty && !world.lost.isEmpty)
    }
}
