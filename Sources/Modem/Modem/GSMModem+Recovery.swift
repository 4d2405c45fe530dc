extension GSMModem {
    mutating func opened() -> [Action] {
        isOpen = true
        portMissingSince = nil
        current = nil
        pauseUntil = nil
        hasSent = false
        plan = Self.initialisation
        health.stage = .starting
        return clear(.portMissing, .portUnusable)
    }

    /// Starts over at `step`, with everything of the initialisation that comes after it.
    mutating func begin(at now: Uptime, from step: Step, after pause: Duration) -> [Action] {
        let start = Self.initialisation.firstIndex(of: step) ?? 0
        plan = Array(Self.initialisation[start...])
        pauseUntil = now + pause
        nextWatchAt = nil
        if health.stage != .waitingForSIM { health.stage = .starting }
        return []
    }

    mutating func fellSilent(during step: Step, payloadHandedOver: Bool, at now: Uptime) -> [Action] {
        if case .attention(let attempt) = step, attempt < 3 {
            // The second question comes without an escape before it, for modems that take that for a part of the line.
            let next: [Step] =
                attempt == 1 ? [.attention(attempt: 2)] : [.leaveTextEntry, .attention(attempt: 3)]
            plan.insert(contentsOf: next, at: 0)
            return []
        }
        let actions = step.isSubmit ? abandonSending(payloadHandedOver: payloadHandedOver) : refuseSending(.noAnswer)
        if step == .restartRadio { rung = max(rung, 2) }
        return actions + climb(at: now)
    }

    /// The next rung: initialise again, restart the radio, reopen the port, take its power away, alarm.
    mutating func climb(at now: Uptime) -> [Action] {
        rung += 1
        lastTroubleAt = now
        let actions = refuseSending(.noAnswer)
        let timing = settings.timing
        switch rung {
        case 1: return actions + begin(at: now, from: .leaveTextEntry, after: timing.settle)
        case 2:
            _ = begin(at: now, from: .leaveTextEntry, after: timing.settle)
            plan = [.leaveTextEntry, .restartRadio]
            return actions
        case 3:
            closePort(until: now + timing.reopen)
            return actions + [.closePort]
        default:
            let doublings = min(rung - 4, 10)
            let wait = min(timing.lastRung * (1 << doublings), timing.longestLastRung)
            closePort(until: now + wait)
            // The first time its power alone is taken away: a person is called when that was no help.
            let power: [Action] = settings.canCyclePower ? [.cyclePower] : []
            return actions + [.closePort] + power + (power.isEmpty || rung > 4 ? raise(.unresponsive) : [])
        }
    }

    private mutating func closePort(until moment: Uptime) {
        isOpen = false
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

    mutating func portFailed(_ failure: PortFailure, at now: Uptime) -> [Action] {
        closePort(until: now + settings.timing.reopen)
        let since = portMissingSince ?? now
        portMissingSince = since
        guard now - since >= settings.timing.portAlarm else { return [] }
        let alarms: [PortFailure: ModemAlarm] = [
            .missing: .portMissing, .unusable: .portUnusable, .silent: .noPortAnswers,
        ]
        let others = alarms.filter { $0.key != failure }.values.flatMap { clear($0) }
        return others + (alarms[failure].map { raise($0) } ?? [])
    }

    // MARK: What a modem does by itself

    /// The modem's power came anew, in the middle of `step`: what it was told is forgotten, and no answer comes.
    mutating func restarted(during step: Step?, payloadHandedOver: Bool, at now: Uptime) -> [Action] {
        let isText = step?.isSubmit == true
        var actions = isText ? abandonSending(payloadHandedOver: payloadHandedOver) : refuseSending(.notReady)
        lostTextID = nil
        if step != .restartRadio { actions += countRestart(at: now) }
        return actions + begin(at: now, from: .leaveTextEntry, after: settings.timing.settle)
    }

    /// One restart is nothing; a modem whose supply gives in whenever it transmits never gets a text out.
    private mutating func countRestart(at now: Uptime) -> [Action] {
        let timing = settings.timing
        restarts.removeAll { now - $0 >= timing.goodTimeToForget }
        if restarts.last.map({ now - $0 >= timing.oneRestart }) ?? true { restarts.append(now) }
        return restarts.count >= 3 ? raise(.restarting) : []
    }

    /// A prompt came that nobody waits for. The text entry is left already; before anything else the modem has to listen again.
    mutating func promptedAstray() {
        guard health.stage == .ready, !plan.starts(with: Self.proof) else { return }
        plan.insert(contentsOf: Self.proof, at: 0)
    }
}
