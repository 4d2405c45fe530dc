import Enforcement
import Foundation
import Logging
import Modem
import ParkAPI
import ServiceLifecycle
import Storage

/// Sends passages by SMS when the server has been out of reach for long: performs what ``EscalationPolicy`` decides.
///
/// It reads the queue and writes messages, on its own; recording and synchronization never wait for it. A message is on
/// the disk as `sending` before the modem gets its text. Returns after a graceful shutdown.
actor SMSFallback: Service {
    struct Settings: Sendable {
        var checkpostCode: String

        /// Where the server's provider takes messages; nil: the modem is watched and nothing is sent.
        var gatewayNumber: PhoneNumber?
        var phoneSuffix = SMSPassage.missingPhoneSuffix
        var policy = EscalationPolicy.Settings()

        /// What the modem is called in reports.
        var device = ""

        /// A program that takes the modem's power away for some seconds; empty: there is none.
        var powerCycle: [String] = []

        /// So little left on the SIM is an alarm, in the operator's currency.
        var lowBalance = 0.0
    }

    /// How often it looks at link, queue and clock.
    private static let tickInterval = Duration.seconds(1)

    /// A text that the modem has is waited for so long when the box stops: an answer saves a repetition.
    private static let patienceAtStop = 25
    private static let patienceStep = Duration.milliseconds(100)

    let settings: Settings
    let store: Store
    let alarms: AlarmBoard
    let log: Logger
    let clock: @Sendable () -> Instant
    nonisolated let modem: any TextCarrier
    private let link: any DataLink
    private let events: AsyncStream<Wake>
    private let wakes: AsyncStream<Wake>.Continuation

    var policy: EscalationPolicy
    var sight = LinkSight.unknown
    private var isModemReady = false
    var isStopping = false

    /// The text that the modem has.
    var sending: Sending?
    var sendTask: Task<Void, Never>?
    private var isAnswersTurn = false

    /// What the database did not take. Nothing more is sent until it has.
    var unwritten: [(entry: Int64, settlement: MessageSettlement, at: Instant)] = []

    var earlyReports: [(report: DeliveryReport, at: Instant)] = []
    var trouble: String?
    var powerTask: Task<Void, Never>?
    private var knownGateway: PhoneNumber?
    private var lastStoreTrouble: String?

    private enum Wake: Sendable {
        case modem(ModemEvent)
        case tick
    }

    enum Sending: Sendable {
        case passage(entry: Int64)
        /// A technician's test, or an answer to the office.
        case other(StoredMessage)
    }

    /// - Parameter makeModem: is given what the modem has to call with its events.
    init(
        settings: Settings, store: Store, link: any DataLink, alarms: AlarmBoard, log: Logger,
        clock: @escaping @Sendable () -> Instant = { BoxClock.now },
        makeModem: (@escaping @Sendable (ModemEvent) -> Void) throws -> any TextCarrier
    ) throws {
        let (events, wakes) = AsyncStream.makeStream(of: Wake.self, bufferingPolicy: .bufferingNewest(1024))
        self.settings = settings
        self.store = store
        self.link = link
        self.alarms = alarms
        self.log = log
        self.clock = clock
        self.events = events
        self.wakes = wakes
        policy = EscalationPolicy(settings: settings.policy)
        modem = try makeModem { wakes.yield(.modem($0)) }
    }

    func run() async throws {
        start()
        await cancelWhenGracefulShutdown { await self.work() }
        await finish()
    }

    /// Takes up what an earlier run left, and wakes the modem.
    func start() {
        forgetOldAlarms()
        attempt("Recovering messages") {
            let now = clock()
            let count = try store.messages.recover(at: now)
            if count > 0 { log.notice("an SMS was under way when the box stopped", metadata: ["count": "\(count)"]) }
            let handOvers = try store.messages.handOvers(since: now - .hours(24))
            perform(policy.handle(.started(sentAt: handOvers), at: now))
        }
        modem.start()
    }

    private func work() async {
        let ticking = Task { [wakes] in
            while !Task.isCancelled {
                wakes.yield(.tick)
                try? await Task.sleep(for: Self.tickInterval)
            }
        }
        defer { ticking.cancel() }
        for await wake in events {
            switch wake {
            case .modem(let event): take(event)
            case .tick: break
            }
            turn()
        }
    }

    /// Waits a little for the modem's answer, then stops the modem; what it has by then is ambiguous.
    private func finish() async {
        isStopping = true
        powerTask?.cancel()
        for _ in 0..<Self.patienceAtStop where sending != nil { try? await Task.sleep(for: Self.patienceStep) }
        let modem = modem
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                modem.stop()
                continuation.resume()
            }
        }
        await sendTask?.value
        _ = writeUnwritten()
    }

    /// Looks at everything once: what the policy has to know, and what it decides.
    func turn() {
        // One that is no passage's has the modem to itself.
        if case .other? = sending { return }
        guard !isStopping, writeUnwritten() else { return }
        let now = clock()
        observeLink(at: now)
        policy.settings.gathers = store.textKey.read() != nil
        let isReady = modem.health.stage == .ready && target() != nil
        if isReady != isModemReady {
            isModemReady = isReady
            perform(policy.handle(.modem(ready: isReady), at: now))
        }
        if sending == nil {
            if sendTest(at: now) { return }
            // Then a passage, where one waits: neither keeps the other from its turn.
            isAnswersTurn.toggle()
            if isAnswersTurn, sendAnswer(at: now) { return }
            if isReady {
                attempt("Reading the queue") {
                    let waiting = try store.messages.waiting(
                        createdSince: now - policy.settings.maximumAge, newestFirst: policy.takesNewestFirst,
                        lostAnswers: max(1, policy.settings.allowedLosses))
                    perform(policy.handle(.waiting(waiting), at: now))
                }
            }
        }
        perform(policy.handle(.clockTicked, at: now))
    }

    private func observeLink(at now: Instant) {
        let seen = link.sight(at: now)
        guard seen != sight else { return }
        defer { sight = seen }
        switch (sight, seen) {
        case (_, .offline(let since)): perform(policy.handle(.linkDown(since: since), at: now))
        case (.offline, _): perform(policy.handle(.linkUp, at: now))
        default: break
        }
    }

    /// The gateway's number: the server's word before the file's. While the database can't be read, the number that held before holds
    /// on; where none was ever read there is none, since the file's may be another one's by now.
    func gatewayNumber() -> PhoneNumber? {
        attempt("reading the gateway's number") {
            knownGateway = try ServerSettings(store).gatewayNumber ?? settings.gatewayNumber
        }
        return knownGateway
    }

    /// Where passages go; nil where nobody has said.
    func target() -> TextTarget? { modem.target(gateway: gatewayNumber()) }

    /// - Returns: whether it went well. A trouble of the disk is logged once.
    @discardableResult
    func attempt(_ what: String, _ work: () throws -> Void) -> Bool {
        do {
            try work()
            lastStoreTrouble = nil
            return true
        } catch {
            if lastStoreTrouble != "\(error)" {
                lastStoreTrouble = "\(error)"
                log.error("\(what) failed", metadata: ["error": "\(error)"])
            }
            return false
        }
    }
}
