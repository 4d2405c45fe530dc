/// Brings a modem up, sends texts, takes status reports, and gets the modem going again when it stops to answer.
///
/// A pure machine above ``ATChannel``. The shell (``ModemDriver``) performs the actions in order and feeds back what comes of
/// them. One command is under way at a time; what is still to do waits in a plan.
///
/// When the modem falls silent it climbs a ladder: initialise again, restart the radio (`AT+CFUN=1,1`), reopen the port, and
/// an alarm with ever longer waits. Each rung begins by leaving a text entry that may be open. An accepted text or ten good
/// minutes bring it back to the first rung.
package struct GSMModem: Sendable {
    package enum Event: Hashable, Sendable {
        case started
        case portOpened
        case portFailed(PortFailure)
        case portClosed
        case answered(ATResponse)
        case unsolicited(ATLine)

        /// ``ATChannel/Action/strayPrompt``.
        case strayPrompt

        /// Send a text. The answer is an ``Action/result(id:_:)`` with the same id.
        case send(OutgoingText)

        /// The result of ``Action/storePINMemory(_:)``.
        case pinMemoryStored(Bool)

        case clockTicked
    }

    package enum Action: Hashable, Sendable {
        case openPort
        case closePort
        case command(ATCommand)

        /// Write this down so that it survives a power cut, then answer.
        case storePINMemory(PINMemory)

        /// Take the modem's power away for some seconds. Nothing waits for it: the port opens when it is there again.
        case cyclePower

        /// What the operator says of the SIM's balance.
        case balance(String)

        case result(id: UInt64, SendResult)
        case report(StatusReport)

        /// A message from somebody arrived and is being deleted.
        case message(InboundText)

        case alarm(ModemAlarm)
        case clear(ModemAlarm)
        case health(ModemHealth)
    }

    /// Why no port could be opened.
    package enum PortFailure: Hashable, Sendable {
        /// Nothing is plugged in, or the configured port isn't there.
        case missing

        /// It is there and can't be opened: permissions, another program.
        case unusable

        /// None of several answers like a modem.
        case silent
    }

    package struct OutgoingText: Hashable, Sendable {
        package var id: UInt64
        package var number: PhoneNumber
        package var text: String

        package init(id: UInt64, number: PhoneNumber, text: String) {
            self.id = id
            self.number = number
            self.text = text
        }
    }

    /// What is remembered of entering the configured PIN. Three wrong ones lock the SIM, so that a wrong one is entered once.
    package enum PINMemory: String, Hashable, Sendable, CaseIterable {
        case untried

        /// Written before the PIN is entered. Found later it means that the answer was lost.
        case attempted

        case rejected
    }

    let settings: Settings
    var health = ModemHealth()
    var pinMemory: PINMemory

    /// What is still to do, in order. Bounded by ``maximumPlan``.
    var plan: [Step] = []

    /// The step whose answer is awaited.
    var current: Step?

    /// No command before this.
    var pauseUntil: Uptime?

    /// When to open the closed port.
    var reopenAt: Uptime?
    var isOpen = false

    /// Which rung of the ladder was climbed last; 0: none.
    var rung = 0
    var lastTroubleAt: Uptime?
    var portMissingSince: Uptime?
    var searchingSince: Uptime?
    var simAttempts = 0
    var serviceCentreQuestions = 0
    var timesOutOfStep = 0

    /// When the modem restarted by itself within the last minutes.
    var restarts: [Uptime] = []

    /// Whether a text went out since the port was opened.
    var hasSent = false

    var sending: Sending?

    /// The text whose answer was lost last, for a `+CMGS` that comes late.
    var lostTextID: UInt64?
    var reference: UInt8 = 0
    var textCoding = TextCoding.ascii

    /// The store that `+CMGR` and `+CMGD` work on, as far as this machine set it. A modem that was silent or away may still have it.
    var store: String?
    var pollsMessages = false
    var nextWatchAt: Uptime?
    var nextListAt: Uptime?
    var nextBalanceAt: Uptime?
    private var reportedHealth: ModemHealth?

    static let maximumPlan = 300

    package init(settings: Settings, pinMemory: PINMemory = .untried) {
        self.settings = settings
        self.pinMemory = pinMemory
    }

    package mutating func handle(_ event: Event, at now: Uptime) -> [Action] {
        var actions: [Action] = []
        switch event {
        case .started: reopenAt = now
        case .portOpened: actions += opened()
        case .portFailed(let failure): actions += portFailed(failure, at: now)
        case .portClosed: actions += lostPort(at: now)
        case .answered(let response): actions += answered(response, at: now)
        case .unsolicited(let line): actions += unsolicited(line, at: now)
        case .strayPrompt: promptedAstray()
        case .send(let text): actions += accept(text)
        case .pinMemoryStored(let isStored): actions += pinMemoryStored(isStored, at: now)
        case .clockTicked: break
        }
        actions += advance(at: now)
        if health != reportedHealth {
            reportedHealth = health
            actions.append(.health(health))
        }
        return actions
    }

    /// When ``Event/clockTicked`` has to come at the latest; nil when nothing but an event can change anything.
    package var deadline: Uptime? {
        guard isOpen else { return reopenAt }
        guard current == nil else { return nil }
        if let pauseUntil { return pauseUntil }
        return health.stage == .ready ? nextWatchAt : nil
    }

    /// Opens the port or goes on with the plan.
    private mutating func advance(at now: Uptime) -> [Action] {
        guard isOpen else {
            guard let reopenAt, reopenAt <= now else { return [] }
            self.reopenAt = nil
            return [.openPort]
        }
        guard current == nil, pauseUntil.map({ $0 <= now }) ?? true else { return [] }
        pauseUntil = nil
        if plan.isEmpty { becomeReady(at: now) }
        guard !plan.isEmpty else { return [] }
        let step = plan.removeFirst()
        current = step
        if case .storePINMemory(let memory) = step { return [.storePINMemory(memory)] }
        guard let command = command(for: step) else {
            current = nil
            return advance(at: now)
        }
        return [.command(command)]
    }

    private mutating func becomeReady(at now: Uptime) {
        health.stage = .ready
        if let sending {
            // It waited for the SIM.
            plan.append(.submit(part: sending.references.count))
            return
        }
        if let lastTroubleAt, now - lastTroubleAt >= settings.timing.goodTimeToForget {
            rung = 0
            self.lastTroubleAt = nil
        }
        guard let nextWatchAt else {
            self.nextWatchAt = now + settings.timing.watchInterval
            nextListAt = now + listInterval
            return
        }
        guard nextWatchAt <= now else { return }
        self.nextWatchAt = now + settings.timing.watchInterval
        plan = [.signal, .registration]
        if health.serviceCentre == nil { plan.append(.serviceCentre(afterParameters: false)) }
        if settings.takesMessages, let nextListAt, nextListAt <= now {
            self.nextListAt = now + listInterval
            // Once a store was chosen, lists show that one only.
            plan += store == nil ? [.list] : [.selectStore("ME"), .list, .selectStore("SM"), .list]
        }
        guard settings.balanceCode != nil else { return }
        guard let nextBalanceAt else {
            self.nextBalanceAt = now + settings.timing.firstBalance
            return
        }
        guard nextBalanceAt <= now else { return }
        self.nextBalanceAt = now + settings.timing.balanceInterval
        plan.append(.balance)
    }

    private var listInterval: Duration {
        pollsMessages ? settings.timing.watchInterval : settings.timing.listInterval
    }

    // MARK: Alarms

    mutating func raise(_ alarm: ModemAlarm) -> [Action] {
        health.alarms.insert(alarm).inserted ? [.alarm(alarm)] : []
    }

    mutating func clear(_ alarms: ModemAlarm...) -> [Action] {
        alarms.compactMap { health.alarms.remove($0).map { .clear($0) } }
    }
}
