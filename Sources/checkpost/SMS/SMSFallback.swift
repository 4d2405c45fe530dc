import Enforcement
import Foundation
import Logging
import Modem
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
    nonisolated let modem: any TextModem
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

    /// What ``EscalationPolicy/Action/record(id:_:lostAnswers:)`` prepared for the `send` that follows it.
    private var prepared: (entry: Int64, handOver: HandOver)?

    /// What is known of the outcome that the policy is being told.
    private var details = Details()

    /// The messages of entries that were handed over in this run and are not finished.
    var messages: [Int64: Int64] = [:]

    /// What the database did not take. Nothing more is sent until it has.
    private var unwritten: [(message: Int64, settlement: MessageSettlement, at: Instant)] = []

    /// The driver's number of the last text whose answer was lost, and its entry.
    var lost: (driverID: UInt64, entry: Int64)?
    var earlyReports: [(report: DeliveryReport, at: Instant)] = []
    var trouble: String?
    private var lastStoreTrouble: String?

    private struct Details {
        var reason: String?
        var references: [UInt8] = []

        /// The modem had the text and nothing went out.
        var takesBack = false
    }

    private enum Wake: Sendable {
        case modem(ModemEvent)
        case tick
    }

    enum Sending: Sendable {
        case passage(entry: Int64)
        case test(StoredMessage)
    }

    /// - Parameter makeModem: is given what the modem has to call with its events.
    init(
        settings: Settings, store: Store, link: any DataLink, alarms: AlarmBoard, log: Logger,
        clock: @escaping @Sendable () -> Instant = { BoxClock.now },
        makeModem: (@escaping @Sendable (ModemEvent) -> Void) throws -> any TextModem
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
            let count = try store.recoverMessages(at: now)
            if count > 0 { log.notice("an SMS was under way when the box stopped", metadata: ["count": "\(count)"]) }
            let handOvers = try store.handOvers(since: now - .hours(24))
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
        // A test that is under way has the modem to itself.
        if case .test? = sending { return }
        guard !isStopping, writeUnwritten() else { return }
        let now = clock()
        observeLink(at: now)
        let isReady = modem.health.stage == .ready && gatewayNumber() != nil
        if isReady != isModemReady {
            isModemReady = isReady
            perform(policy.handle(.modem(ready: isReady), at: now))
        }
        if sending == nil {
            if sendTest(at: now) { return }
            if isReady {
                attempt("Reading the queue") {
                    perform(policy.handle(.waiting(try store.waitingForSMS()), at: now))
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

    /// The server may set this one.
    static let gatewayKey = "sms.gateway_number"

    /// The gateway's number: the server's word before the file's.
    func gatewayNumber() -> PhoneNumber? {
        let told = try? store.setting(Self.gatewayKey)
        let text = told.flatMap { try? JSONDecoder().decode(String.self, from: Data($0.utf8)) }
        return text.flatMap { PhoneNumber($0) } ?? settings.gatewayNumber
    }

    // MARK: Performing

    func perform(_ actions: [EscalationPolicy.Action]) {
        for action in actions {
            switch action {
            case .record(let id, .sending, _): prepare(id)
            case .record(let id, let state, let lostAnswers): record(id, state, lostAnswers)
            case .send(let id): send(id)
            case .alarm(let alarm): raise(alarm)
            case .clear(let kind): alarms.clear(Self.key(kind))
            }
        }
    }

    private func prepare(_ entry: Int64) {
        prepared = nil
        guard !isStopping, let number = gatewayNumber() else { return }
        let settings = settings
        attempt("Writing down that an SMS is sent") {
            let handOver = try store.beginSending(entry: entry, to: number.description, at: clock()) {
                (passage: Passage) throws(SMSFormatError) in
                try SMSEncoder.encode(
                    SMSPassage(
                        checkpostCode: settings.checkpostCode, compactPlate: passage.plate.compact,
                        vehicleType: passage.vehicleType, recordedAt: passage.recordedAt,
                        rangerPhoneSuffix: settings.phoneSuffix))
            }
            prepared = (entry, handOver)
        }
    }

    private func send(_ entry: Int64) {
        let handOver = prepared?.entry == entry ? prepared?.handOver : nil
        prepared = nil
        switch handOver {
        case .begun(let message, let text):
            messages[entry] = message
            sending = .passage(entry: entry)
            give(text, of: .passage(entry: entry))
        case .unwritable(let message, let reason):
            messages[entry] = message
            log.warning("a passage can't be written as an SMS", metadata: ["reason": "\(reason)"])
            settle(entry, .unwritable, reason: reason)
        case .overtaken: settle(entry, .overtaken)
        case nil: settle(entry, .refused)  // The disk did not take it: nothing is handed over.
        }
    }

    func give(_ text: String, of what: Sending) {
        let target: PhoneNumber? =
            switch what {
            case .passage: gatewayNumber()
            case .test(let message): PhoneNumber(message.number)
            }
        sendTask = Task {
            guard let target else { return settled(what, .init(id: 0, outcome: .refused(.notReady))) }
            let sent = await modem.send(to: target, text: text)
            settled(what, sent)
        }
    }

    private func settled(_ what: Sending, _ sent: ModemDriver.Sent) {
        sending = nil
        switch what {
        case .passage(let entry): settled(entry, sent)
        case .test(let message): settled(message, sent.outcome)
        }
    }

    private func settled(_ entry: Int64, _ sent: ModemDriver.Sent) {
        switch sent.outcome {
        case .accepted(let references):
            log.notice("SMS sent", metadata: ["entry": "\(entry)"])
            settle(entry, .accepted, references: references)
        case .refused(let failure): settle(entry, .refused, reason: failure.description, takesBack: true)
        case .stopped(let failure):
            let reason = failure.description
            settle(entry, .stopped(reason: reason), reason: reason, takesBack: true)
        case .unsendable(let error): settle(entry, .unwritable, reason: error.description, takesBack: true)
        case .ambiguous:
            lost = (sent.id, entry)
            log.warning("the modem fell silent over an SMS", metadata: ["entry": "\(entry)"])
            settle(entry, .wentSilent, reason: "the modem had the text and did not answer")
        }
    }

    func settle(
        _ entry: Int64, _ outcome: EscalationPolicy.Outcome, reason: String? = nil, references: [UInt8] = [],
        takesBack: Bool = false
    ) {
        details = Details(reason: reason, references: references, takesBack: takesBack)
        let actions = policy.handle(.settled(id: entry, outcome), at: clock())
        perform(actions)
    }

    /// Writes down what became of a message, or keeps it until the database takes it.
    private func record(_ entry: Int64, _ state: MessageState, _ lostAnswers: Int) {
        let details = details
        self.details = Details()
        guard let message = messages[entry] else { return }
        if state.isFinished { messages[entry] = nil }
        unwritten.append(
            (
                message,
                MessageSettlement(
                    state: state, lostAnswers: lostAnswers, reason: details.reason, references: details.references,
                    takesBack: details.takesBack), clock()
            ))
        if writeUnwritten(), !details.references.isEmpty { takeEarlyReports(of: details.references) }
    }

    /// - Returns: the message of an entry, if the policy said nothing of it and none is under way.
    func finishLate(_ entry: Int64) -> Int64? {
        sending == nil ? messages.removeValue(forKey: entry) : nil
    }

    /// - Returns: whether everything is on the disk.
    private func writeUnwritten() -> Bool {
        while let first = unwritten.first {
            guard
                attempt(
                    "Writing down what became of an SMS",
                    { try store.settle(message: first.message, first.settlement, at: first.at) })
            else { return false }
            unwritten.removeFirst()
        }
        return true
    }

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
