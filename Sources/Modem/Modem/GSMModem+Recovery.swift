extension GSMModem {
    mutating func opened() -> [Action] {
        isOpen = true
        isOpening = false
        portMissingSince = nil
        current = nil
        pauseUntil = nil
        store = nil
        plan = Self.initialisation
        health.stage = .starting
        return clear(.portMissing)
    }

    /// Starts over at `step`, with everything of the initialisation that comes after it.
    mutating func begin(at now: Uptime, from step: Step, after pause: Duration) -> [Action] {
        let start = Self.initialisation.firstIndex(of: step) ?? 0
        plan = Array(Self.initialisation[start...])
        pauseUntil = now + pause
        nextWatchAt = nil
        store = nil
        if health.stage != .waitingForSIM { health.stage = .starting }
        return []
    }

    mutating func fellSilent(during step: Step, payloadHandedOver: Bool, at now: Uptime) -> [Action] {
        let actions = step.isSubmit ? abandonSending(payloadHandedOver: payloadHandedOver) : refuseSending(.noAnswer)
        if case .attention(let attempt) = step, attempt < 3 {
            plan.insert(.attention(attempt: attempt + 1), at: 0)
            return actions
        }
        if step == .restartRadio { rung = max(rung, 2) }
        return actions + climb(at: now)
    }

    /// The next rung: initialise again, restart the radio, reopen the port, alarm.
    mutating func climb(at now: Uptime) -> [Action] {
        rung += 1
        lastTroubleAt = now
        let actions = refuseSending(.noAnswer)
        let timing = settings.timing
        switch rung {
        case 1: return actions + begin(at: now, from: .attention(attempt: 1), after: timing.settle)
        case 2:
            _ = begin(at: now, from: .attention(attempt: 1), after: timing.settle)
            plan = [.restartRadio]
            return actions
        case 3:
            closePort(until: now + timing.reopen)
            return actions + [.closePort]
        default:
            let doublings = min(rung - 4, 10)
            let wait = min(timing.lastRung * (1 << doublings), timing.longestLastRung)
            closePort(until: now + wait)
            return actions + [.closePort] + raise(.unresponsive)
        }
    }

    private mutating func closePort(until moment: Uptime) {
        isOpen = false
        isOpening = false
        reopenAt = moment
        plan = []
        current = nil
        pauseUntil = nil
        nextWatchAt = nil
        health.stage = .closed
        health.registration = .unknown
        health.signalDBm = nil
        health.operatorName = nil
    }

    mutating func lostPort(at now: Uptime) -> [Action] {
        guard isOpen else { return [] }
        let actions = refuseSending(.noAnswer)
        closePort(until: now + settings.timing.reopen)
        portMissingSince = now
        return actions
    }

    mutating func portIsMissing(at now: Uptime) -> [Action] {
        closePort(until: now + settings.timing.reopen)
        let since = portMissingSince ?? now
        portMissingSince = since
        return now - since >= settings.timing.portAlarm ? raise(.portMissing) : []
    }
}
