/// The box's end of the line to a trigger: what is kept of what comes, what is answered, and what the technician is told.
///
/// An event is acknowledged when it is on the disk, and not before: until then the device keeps it and sends it again. One that is on the
/// disk already is acknowledged once more and not kept.
package struct TriggerReceiver: Sendable {
    package enum Event: Sendable, Equatable {
        /// The port was opened.
        case opened

        /// - Parameter now: by the box's clock.
        case received([UInt8], at: Instant)

        /// What was to be kept is on the disk.
        case kept(TriggerEvent.Name)

        /// It could not be kept. The device sends it again.
        case notKept(TriggerEvent.Name)

        /// Time has passed.
        case tick

        /// The port is gone.
        case closed
    }

    package enum Action: Sendable, Equatable {
        case write(TriggerFrame)
        case keep(TriggerEvent)
        case raise(TriggerAlarm)
        case clear(TriggerAlarm)
    }

    /// Events on record that are remembered: a device holds fewer.
    package static let remembered = 256

    /// A number that is missing may come for so long, since another one may have been damaged on its way.
    static let patience = TimeSpan.seconds(60)

    /// Numbers that are waited for at once.
    static let mostMissing = 64

    package private(set) var counts = TriggerCounts()

    /// When a frame that made sense came last, by the box's clock.
    package private(set) var lastFrameAt: Instant?

    /// Whether one came since the port was opened.
    package private(set) var hasHeard = false

    /// Whether none came for so long that the technician was told.
    package private(set) var isSilent = false

    private let silentAfter: TimeSpan?
    private var decoder = TriggerDecoder()
    private var known: [TriggerEvent.Name]
    private var inHand: Set<TriggerEvent.Name> = []

    /// The run of the device, its highest number, and how many events it had no room for so far.
    private var boot: UInt16?
    private var highest: UInt16?
    private var overflow: UInt16?
    private var missing: [(name: TriggerEvent.Name, since: Instant)] = []

    /// Nil while the port is closed.
    private var heardAt: Instant?

    /// What was counted when that was told last.
    private var told = TriggerCounts()
    private var toldAt: Instant?

    private var events = EventAllowance()

    /// Events that could not be kept: they come again, and are counted once.
    private var allowed: [TriggerEvent.Name] = []

    /// No line has that many errors that are worth an answer.
    private var refusals = Allowance(atOnce: 5, perSecond: 2)

    /// - Parameters:
    ///   - known: the last events on record, the newest last: what is sent once more after a restart of the box.
    ///   - silentAfter: without any frame for so long there is an alarm; nil for never.
    package init(known: [TriggerEvent.Name] = [], silentAfter: TimeSpan? = .seconds(60)) {
        self.known = Array(known.suffix(Self.remembered))
        self.silentAfter = silentAfter
        guard let last = known.last else { return }
        boot = last.boot
        // The last one may have been sent once more.
        highest = known.filter { $0.boot == last.boot }.map(\.number).reduce(last.number) { highest, number in
            (1..<0x8000).contains(Int(number &- highest)) ? number : highest
        }
    }

    /// - Parameter now: on a clock that nobody sets.
    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch event {
        case .opened:
            decoder = TriggerDecoder()
            (heardAt, hasHeard) = (now, false)
            return [.write(.ask)]
        case .received(let bytes, let moment):
            return decoder.feed(bytes).flatMap { take($0, at: now, moment) }
        case .kept(let name):
            inHand.remove(name)
            allowed.removeAll { $0 == name }
            remember(name)
            counts.events += 1
            return [.write(.acknowledged(name))]
        case .notKept(let name):
            inHand.remove(name)
            allowed.append(name)
            if allowed.count > Self.remembered { allowed.removeFirst() }
            return []
        case .tick: return tick(now)
        case .closed:
            (heardAt, hasHeard) = (nil, false)
            inHand = []
            return hear()
        }
    }

    private mutating func take(_ finding: TriggerDecoder.Finding, at now: Instant, _ moment: Instant) -> [Action] {
        switch finding {
        case .damaged, .unknown:
            counts.damaged += 1
            return refusals.take(at: now) ? [.write(.refused(finding == .damaged ? .damaged : .unknown))] : []
        case .frame(.event(let name, let told, let age, let lane, let direction, let speed)):
            (heardAt, lastFrameAt, hasHeard) = (now, moment, true)
            let event = TriggerEvent(
                name: name, at: moment - .milliseconds(Int64(age)), lane: Int(lane), direction: direction,
                speedKmh: speed.map { Double($0) / 10 })
            begin(name.boot, told)
            return hear() + take(event, at: now)
        case .frame(.heartbeat(let name, let told)):
            (heardAt, lastFrameAt, hasHeard) = (now, moment, true)
            begin(name.boot, told)
            return hear()
        case .frame:
            // A line of two wires brings back what the box itself has said.
            return []
        }
    }

    private mutating func take(_ event: TriggerEvent, at now: Instant) -> [Action] {
        let name = event.name
        if known.contains(name) {
            counts.duplicates += 1
            return [.write(.acknowledged(name))]
        }
        guard !inHand.contains(name) else { return [] }
        var isAllowed = allowed.contains(name)
        if !isAllowed { isAllowed = events.take(event.at) }
        guard isAllowed else {
            counts.flooded += 1
            remember(name)
            note(name, at: now)
            // Acknowledged, so that the device comes to an end with them.
            return [.write(.acknowledged(name))]
        }
        note(name, at: now)
        inHand.insert(name)
        return [.keep(event)]
    }

    /// What a device says of the run that it is in.
    private mutating func begin(_ boot: UInt16, _ told: UInt16) {
        if self.boot != boot {
            // Of a run that nobody has heard of, what it had no room for so far is news; after a restart of the box it isn't.
            overflow = self.boot == nil ? told : 0
            (self.boot, highest) = (boot, nil)
            // What was to come of the run before comes no more.
            counts.lost += missing.count
            missing = []
        }
        counts.overflow += Int(told &- (overflow ?? told))
        overflow = told
    }

    /// Keeps in mind which numbers are missing, in front of this one.
    private mutating func note(_ name: TriggerEvent.Name, at now: Instant) {
        missing.removeAll { $0.name == name }
        guard let last = highest else { return highest = name.number }
        let step = Int(name.number &- last)
        // Half of all numbers are ahead, the others behind.
        guard step > 0, step < 0x8000 else { return }
        highest = name.number
        let waited = min(step - 1, Self.mostMissing - missing.count)
        counts.lost += step - 1 - waited
        for behind in 0..<waited {
            let number = name.number &- UInt16(behind + 1)
            missing.append((TriggerEvent.Name(boot: name.boot, number: number), now))
        }
    }

    private mutating func remember(_ name: TriggerEvent.Name) {
        known.append(name)
        if known.count > Self.remembered { known.removeFirst() }
    }

    private mutating func tick(_ now: Instant) -> [Action] {
        let waited = missing.count
        missing.removeAll { now - $0.since >= Self.patience }
        counts.lost += waited - missing.count
        return tell(now) + listen(now)
    }

    /// What was lost is told at once, and again with each minute that brought more.
    private mutating func tell(_ now: Instant) -> [Action] {
        guard toldAt.map({ now - $0 >= .minutes(1) }) ?? true else { return [] }
        var alarms: [TriggerAlarm] = []
        if counts.lost > told.lost { alarms.append(.lost(counts.lost)) }
        if counts.overflow > told.overflow { alarms.append(.overflow(counts.overflow)) }
        if counts.flooded > told.flooded { alarms.append(.flood(counts.flooded)) }
        guard !alarms.isEmpty else { return [] }
        (told, toldAt) = (counts, now)
        return alarms.map { .raise($0) }
    }

    private mutating func listen(_ now: Instant) -> [Action] {
        guard !isSilent, let silentAfter, let heardAt, now - heardAt >= silentAfter else { return [] }
        isSilent = true
        // A device that has just come may not know that anybody listens.
        return [.write(.ask), .raise(.silent(silentAfter))]
    }

    private mutating func hear() -> [Action] {
        guard isSilent else { return [] }
        isSilent = false
        return [.clear(.silent(.seconds(0)))]
    }
}
