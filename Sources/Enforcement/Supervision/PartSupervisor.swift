/// Decides when the parts of the appliance are started, ended and told of.
///
/// Each part is a process. One that ends without being asked is started again: at once the first time, then with growing pauses,
/// and from the beginning after it ran well for a while. One that owes its beat, or takes too much memory, is killed. `now`
/// comes from a clock that only runs forward.
package struct PartSupervisor: Sendable {
    package enum Event: Equatable, Sendable {
        case begin
        case beat(Part)
        /// A beat of a camera's part with which it says that a passage could be recorded now.
        case able(Part)
        case ended(Part, PartEnding)
        /// The process could not be made.
        case notStarted(Part, reason: String)
        case memory(Part, bytes: Int)
        case tick
        case stop
    }

    package enum Action: Equatable, Sendable {
        /// `after` says why the run before it ended, nil the first time. `ends` is how many runs ended before it.
        case start(Part, after: String?, ends: Int)
        /// Asks it to finish what it has in hand.
        case terminate(Part)
        case kill(Part)
        case raise(Part, PartAlarm)
        case clear(Part)
        /// All that records has shown that it can, or has had its time to.
        case ready
        /// Nothing runs any more.
        case finished
    }

    package enum Phase: Equatable, Sendable {
        /// Not started yet, or between two runs.
        case waiting(until: Instant)
        /// Started, and no beat yet.
        case starting
        case up
        /// Killed, and not gone yet.
        case ending(since: Instant, reason: String)
        case stopped
    }

    /// How one part is.
    package struct State: Equatable, Sendable {
        package let part: Part
        package fileprivate(set) var phase: Phase
        package fileprivate(set) var startedAt: Instant
        package fileprivate(set) var lastBeat: Instant

        /// Whether it has said since its start that it can record.
        package fileprivate(set) var isAble = false

        /// Ends in a row that nobody asked for.
        package fileprivate(set) var failures = 0

        /// All ends since the beginning.
        package fileprivate(set) var ends = 0
        package fileprivate(set) var reason: String?
        package fileprivate(set) var alarm: PartAlarm?
        fileprivate var lastEndAt: Instant?

        /// Whether a passage in front of this camera would be recorded now, as far as its part has said.
        package var isRecording: Bool { isAble && phase == .up }
    }

    /// A part that ran for so long without trouble starts anew: its next end is its first.
    package static let wellAfter = TimeSpan.seconds(120)

    /// Two ends within this are a part that can't be relied on.
    package static let shortWhile = TimeSpan.minutes(1)

    /// How long a part may take to finish what it has in hand. All must be gone 5 s after the signal.
    package static let stopPatience = TimeSpan.milliseconds(4250)

    /// A part that can't show that it records doesn't hold up the rest of the box for longer.
    package static let readyPatience = TimeSpan.seconds(30)

    /// A killed process is gone within this, unless it hangs in the kernel.
    private static let killPatience = TimeSpan.seconds(10)

    /// A longer gap between two ticks means that the whole machine stood still: nobody owes a beat for that time.
    private static let longestTickGap = TimeSpan.seconds(2)

    package private(set) var states: [State]
    private let bounds: [Part: PartBounds]
    private var begunAt: Instant?
    private var lastTick: Instant?
    private var stoppingSince: Instant?
    private var isReady = false
    private var hasFinished = false

    package init(_ parts: [(part: Part, bounds: PartBounds)]) {
        let start = Instant(milliseconds: 0)
        states = parts.map { State(part: $0.part, phase: .waiting(until: start), startedAt: start, lastBeat: start) }
        bounds = Dictionary(parts.map { ($0.part, $0.bounds) }) { first, _ in first }
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch event {
        case .begin:
            begunAt = now
            return states.indices.map { start($0, at: now) }
        case .beat(let part):
            return change(part) { $0.beat($1, at: now) }
        case .able(let part):
            return change(part) {
                $0.states[$1].isAble = true
                return $0.beat($1, at: now)
            } + readiness(at: now)
        case .ended(let part, let ending):
            return change(part) { $0.ended($1, because: ending.text, at: now) }
        case .notStarted(let part, let reason):
            return change(part) { $0.ended($1, because: "it can't be started: \(reason)", at: now) }
        case .memory(let part, let bytes):
            return change(part) { $0.weigh($1, bytes, at: now) }
        case .tick:
            return tick(at: now)
        case .stop:
            return stop(at: now)
        }
    }

    /// Whether all that the appliance is for is in hand: what is overdue was acted on, and the action had its effect.
    ///
    /// When this is false nothing that this process can do will help, and the system's watchdog is to start it anew.
    package func isInOrder(at now: Instant) -> Bool {
        states.filter(\.part.isEssential).allSatisfy { state in
            if case .ending(let since, _) = state.phase { return now - since < Self.killPatience }
            return true
        }
    }

    /// What `systemctl status` says: which cameras record, and which don't.
    package var statusText: String {
        let cameras = states.filter(\.part.isCamera)
        func names(_ states: [State]) -> String {
            states.map { String($0.part.name.dropFirst("camera.".count)) }.joined(separator: ", ")
        }
        let able = cameras.filter(\.isRecording)
        let others = cameras.filter { !$0.isRecording }
        let sentences = [
            able.isEmpty ? nil : "Recording: \(names(able)).",
            others.isEmpty ? nil : "Not recording: \(names(others)); `checkpost status` says why.",
        ]
        return sentences.compactMap(\.self).joined(separator: " ")
    }

    private mutating func change(_ part: Part, _ work: (inout Self, Int) -> [Action]) -> [Action] {
        guard let index = states.firstIndex(where: { $0.part == part }) else { return [] }
        return work(&self, index)
    }

    private func bounds(_ index: Int) -> PartBounds {
        bounds[states[index].part] ?? PartBounds(states[index].part, machineBytes: 0)
    }

    private mutating func start(_ index: Int, at now: Instant) -> Action {
        states[index].phase = .starting
        states[index].isAble = false
        states[index].startedAt = now
        states[index].lastBeat = now
        return .start(states[index].part, after: states[index].reason, ends: states[index].ends)
    }

    private mutating func beat(_ index: Int, at now: Instant) -> [Action] {
        states[index].lastBeat = now
        if states[index].phase == .starting { states[index].phase = .up }
        return []
    }

    private mutating func ended(_ index: Int, because ending: String, at now: Instant) -> [Action] {
        guard stoppingSince == nil else {
            states[index].phase = .stopped
            return finish()
        }
        var state = states[index]
        // What killed it says more than the signal that it was killed by.
        let reason: String
        if case .ending(_, let known) = state.phase { reason = known } else { reason = ending }
        let ranWell = state.phase == .up && now - state.startedAt >= Self.wellAfter
        state.failures = ranWell ? 1 : state.failures + 1
        state.ends += 1
        state.reason = reason
        let pause = bounds(index).pause(afterEnds: state.failures)
        state.phase = .waiting(until: now + pause)
        let isRepeated = state.failures > 1 && state.lastEndAt.map { now - $0 <= Self.shortWhile } ?? false
        let wasRepeated = state.alarm?.isRepeated ?? false
        let alarm = PartAlarm(
            part: state.part, reason: reason, count: state.failures, pause: pause,
            isRepeated: isRepeated || (wasRepeated && !ranWell))
        state.lastEndAt = now
        state.alarm = alarm
        states[index] = state
        return [.raise(state.part, alarm)]
    }

    private mutating func weigh(_ index: Int, _ bytes: Int, at now: Instant) -> [Action] {
        let limit = bounds(index).memoryBytes
        guard bytes > limit else { return [] }
        return kill(index, "it used \(bytes >> 20) MB of memory, more than its \(limit >> 20) MB", at: now)
    }

    private mutating func kill(_ index: Int, _ reason: String, at now: Instant) -> [Action] {
        guard states[index].phase == .starting || states[index].phase == .up else { return [] }
        states[index].phase = .ending(since: now, reason: reason)
        return [.kill(states[index].part)]
    }

    private mutating func tick(at now: Instant) -> [Action] {
        if let lastTick, now - lastTick > Self.longestTickGap {
            for index in states.indices { states[index].lastBeat = states[index].lastBeat + (now - lastTick) }
        }
        lastTick = now
        if let stoppingSince {
            guard now - stoppingSince >= Self.stopPatience else { return [] }
            return states.indices.flatMap { kill($0, "it did not stop", at: now) }
        }
        return states.indices.flatMap { look($0, at: now) } + readiness(at: now)
    }

    private mutating func look(_ index: Int, at now: Instant) -> [Action] {
        let state = states[index]
        let owed = now - state.lastBeat
        switch state.phase {
        case .waiting(let until):
            return now >= until ? [start(index, at: now)] : []
        case .starting where owed > bounds(index).start:
            return kill(index, "it hung at its start: no work done for \(owed.wholeSeconds) s", at: now)
        case .up where owed > bounds(index).work:
            return kill(index, "it hung: no work done for \(owed.wholeSeconds) s", at: now)
        case .up where state.alarm != nil && now - state.startedAt >= Self.wellAfter:
            states[index].alarm = nil
            states[index].failures = 0
            return [.clear(state.part)]
        default:
            return []
        }
    }

    private mutating func readiness(at now: Instant) -> [Action] {
        guard !isReady, stoppingSince == nil, let begunAt else { return [] }
        let cameras = states.filter(\.part.isCamera)
        guard cameras.allSatisfy(\.isRecording) || now - begunAt >= Self.readyPatience else { return [] }
        isReady = true
        return [.ready]
    }

    private mutating func stop(at now: Instant) -> [Action] {
        guard stoppingSince == nil else { return [] }
        stoppingSince = now
        var actions: [Action] = []
        for index in states.indices {
            switch states[index].phase {
            case .waiting, .stopped: states[index].phase = .stopped
            case .starting, .up: actions.append(.terminate(states[index].part))
            case .ending: break
            }
        }
        return actions + finish()
    }

    private mutating func finish() -> [Action] {
        guard !hasFinished, states.allSatisfy({ $0.phase == .stopped }) else { return [] }
        hasFinished = true
        return [.finished]
    }
}
