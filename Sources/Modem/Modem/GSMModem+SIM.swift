extension GSMModem {
    mutating func simState(_ response: ATResponse, at now: Uptime) -> [Action] {
        let state = response.lines.last?.text.after("+CPIN:")
        switch (response.result, state) {
        case (_, "READY"?), (_, "SIM PIN2"?), (_, "SIM PUK2"?):
            // The second PIN guards settings that nobody here changes.
            health.sim = .ready
            simAttempts = 0
            health.stage = .starting
            return clear(.noSIM, .simFailure, .pinNeeded, .pinUncertain, .pukNeeded, .phoneLocked)
        case (_, "SIM PIN"?), (.equipmentError(11), _), (.messageError(311), _):
            health.sim = .wantsPIN
            return decideOnPIN(at: now)
        case (_, "SIM PUK"?), (.equipmentError(12), _), (.messageError(316), _):
            health.sim = .wantsPUK
            return waitForPerson(.pukNeeded, at: now)
        case (_, let other?) where other.hasPrefix("PH-"):
            health.sim = .locked
            return waitForPerson(.phoneLocked, at: now)
        case (.equipmentError(10), _), (.messageError(310), _), (_, "NOT INSERTED"?):
            health.sim = .missing
            return waitForPerson(.noSIM, at: now)
        case (.equipmentError(13), _), (.equipmentError(15), _), (.messageError(313), _), (.messageError(315), _):
            health.sim = .failed
            return waitForPerson(.simFailure, at: now)
        default: return simIsBusy(at: now)
        }
    }

    /// After power-on a SIM takes up to half a minute to answer.
    private mutating func simIsBusy(at now: Uptime) -> [Action] {
        health.sim = .busy
        simAttempts += 1
        guard simAttempts <= 20 else {
            simAttempts = 0
            return waitForPerson(.simFailure, at: now)
        }
        health.stage = .waitingForSIM
        plan.insert(.simState, at: 0)
        pauseUntil = now + settings.timing.simRetry
        return []
    }

    /// Types nothing. Looks again now and then, since a person may have helped.
    private mutating func waitForPerson(_ alarm: ModemAlarm, at now: Uptime) -> [Action] {
        health.stage = .waitingForSIM
        let actions = refuseSending(.notReady) + raise(alarm)
        return actions + begin(at: now, from: .simState, after: settings.timing.simRecheck)
    }

    // MARK: PIN

    private mutating func decideOnPIN(at now: Uptime) -> [Action] {
        guard settings.hasUsablePIN else { return waitForPerson(.pinNeeded, at: now) }
        switch pinMemory {
        case .untried:
            plan.insert(.storePINMemory(.attempted), at: 0)
            return []
        case .attempted:
            plan.insert(.pinAttemptsLeft, at: 0)
            return []
        case .rejected: return waitForPerson(.pinRejected, at: now)
        }
    }

    /// The answer to an attempt was lost, by a power cut perhaps. With all three attempts left it never reached the SIM, or was
    /// right; with fewer, or when the modem can't tell, nothing is typed.
    mutating func pinAttemptsLeft(_ response: ATResponse, at now: Uptime) -> [Action] {
        let line = response.lines.last { $0.values.first == "SIM PIN" }
        guard response.result == .ok, let left = line?.values.dropFirst().first.flatMap({ Int($0) }), left >= 3 else {
            return waitForPerson(.pinUncertain, at: now)
        }
        plan.insert(.storePINMemory(.attempted), at: 0)
        return []
    }

    mutating func pinMemoryStored(_ isStored: Bool, at now: Uptime) -> [Action] {
        guard case .storePINMemory(let memory)? = current else { return [] }
        current = nil
        if isStored { pinMemory = memory }
        guard memory == .attempted else { return [] }
        guard isStored else { return waitForPerson(.pinMemoryFailed, at: now) }
        plan.insert(.enterPIN, at: 0)
        return clear(.pinMemoryFailed)
    }

    mutating func enteredPIN(_ response: ATResponse, at now: Uptime) -> [Action] {
        if response.result == .ok {
            pinMemory = .untried
            // Modems that wanted the PIN first refused these before.
            plan.insert(contentsOf: [.storePINMemory(.untried), .echoOff, .numericErrors, .simState], at: 0)
            pauseUntil = now + settings.timing.simRetry
            return clear(.pinRejected)
        }
        if response.result == .equipmentError(14) {
            // The SIM was busy and judged nothing. Whether that is so, the number of attempts left tells.
            return begin(at: now, from: .simState, after: settings.timing.simRetry)
        }
        // In memory at once, so that a disk that fails can't lead to a second attempt in this run.
        pinMemory = .rejected
        let actions = waitForPerson(.pinRejected, at: now)
        pauseUntil = nil
        plan.insert(.storePINMemory(.rejected), at: 0)
        return actions
    }
}
