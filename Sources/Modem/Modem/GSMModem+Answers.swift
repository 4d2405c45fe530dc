extension GSMModem {
    mutating func answered(_ response: ATResponse, at now: Uptime) -> [Action] {
        guard let step = current else { return [] }
        current = nil
        if case .noAnswer(let payloadHandedOver) = response.result {
            return fellSilent(during: step, payloadHandedOver: payloadHandedOver, at: now)
        }
        if case .restarted(let payloadHandedOver) = response.result {
            return restarted(during: step, payloadHandedOver: payloadHandedOver, at: now)
        }
        if isOutOfStep(response, step) { return begin(at: now, from: .leaveTextEntry, after: settings.timing.settle) }
        // Some modems answer anything with this until they have the PIN.
        if [.equipmentError(11), .messageError(311)].contains(response.result), step.needsSIM {
            return begin(at: now, from: .simState, after: settings.timing.simRetry)
        }
        switch step {
        case .attention: return attention(response, at: now)
        case .function:
            // 0 and 4 are the radio switched off.
            if ["0", "4"].contains(response.lines.last?.values.first) { plan.insert(.switchOn, at: 0) }
            return []
        case .switchOn:
            pauseUntil = now + settings.timing.simRetry
            return []
        case .simState: return simState(response, at: now)
        case .pinAttemptsLeft: return pinAttemptsLeft(response, at: now)
        case .enterPIN: return enteredPIN(response, at: now)
        case .registration, .packetRegistration: return registration(response, step, at: now)
        case .signal:
            health.signalDBm = Self.signalDBm(response.lines.last)
            return []
        case .operatorName:
            if let values = response.lines.last?.values, values.count > 2 { health.operatorName = values[2] }
            return []
        case .pduMode, .textMode, .characterSet, .serviceCentre, .textParameters, .setServiceCentre, .notifications:
            return configured(step, response, at: now)
        case .list: return listed(response)
        case .fetch(let index): return fetched(index, response)
        case .selectStore(let name):
            store = response.result == .ok ? name : nil
            return []
        case .submit(let part): return submitted(part, response, at: now)
        case .restartRadio:
            return begin(at: now, from: .leaveTextEntry, after: settings.timing.radioRestart)
        case .leaveTextEntry, .verboseResults, .echoOff, .numericErrors, .messageService, .delete, .storePINMemory,
            .balance:
            return []  // Good to have; modems without them work too.
        }
    }

    /// An OK without the line that was asked for is the end of an earlier command, of the box before it started anew perhaps.
    /// Every answer would be taken for the one before it; a wait without a question lets the late ones pass.
    private mutating func isOutOfStep(_ response: ATResponse, _ step: Step) -> Bool {
        guard step == .simState || step == .registration, response.result == .ok else { return false }
        guard response.lines.isEmpty else {
            timesOutOfStep = 0
            return false
        }
        timesOutOfStep += 1
        return timesOutOfStep <= 3  // There are modems that answer so.
    }

    /// Whatever the modem says, it listens: before the PIN some refuse even this.
    private mutating func attention(_ response: ATResponse, at now: Uptime) -> [Action] {
        if response.isNumeric { plan.insert(.verboseResults, at: 0) }
        // The end of something older may have been taken for this one; the real one would be taken for the next.
        pauseUntil = now + settings.timing.quiet
        return clear(.portMissing, .portUnusable, .noPortAnswers, .unresponsive)
    }

    // MARK: Network

    private mutating func registration(_ response: ATResponse, _ step: Step, at now: Uptime) -> [Action] {
        let found = Self.registration(in: response.lines) ?? .unknown
        // A modem on LTE only may be registered there and nowhere else; its other answers say less than the first one.
        if step == .registration || found.isRegistered { health.registration = found }
        if found == .roaming, !settings.allowsRoaming {
            return clear(.notRegistered, .registrationDenied) + raise(.roaming) + searchOn(at: now)
        }
        if found.isRegistered {
            searchingSince = nil
            return clear(.notRegistered, .registrationDenied, .roaming)
        }
        if step == .registration {
            plan.insert(.packetRegistration, at: 0)
            return []
        }
        return searchOn(at: now)
    }

    private mutating func searchOn(at now: Uptime) -> [Action] {
        health.stage = .searching
        health.operatorName = nil
        let since = searchingSince ?? now
        searchingSince = since
        var actions = refuseSending(.notReady)
        if health.registration == .denied { actions += raise(.registrationDenied) }
        // A network that may not be used is one: the radio needs no restart.
        let isBarred = health.registration == .roaming
        if now - since >= settings.timing.registrationAlarm, !isBarred { actions += raise(.notRegistered) }
        if now - since >= settings.timing.registrationPatience, !isBarred {
            searchingSince = now
            plan = [.leaveTextEntry, .restartRadio]
            return actions
        }
        plan.insert(.registration, at: 0)
        pauseUntil = now + settings.timing.registrationPoll
        return actions
    }

    /// The answer to a query is `+CREG: n,stat[,…]`; a line that nobody asked for is `+CREG: stat[,"area",…]`.
    static func registration(in lines: [ATLine]) -> ModemHealth.Registration? {
        for line in lines.reversed() {
            let values = line.values
            // An area in quotes may look like a small number, so that only the raw text tells it from a status.
            if values.count > 1, let status = Int(values[1]), !line.text.contains(",\"\(values[1])\"") {
                return ModemHealth.Registration(status: status)
            }
            if let status = values.first.flatMap({ Int($0) }) { return ModemHealth.Registration(status: status) }
        }
        return nil
    }

    /// `+CSQ: 20,99` is −113 + 2 × 20 = −73 dBm; 99 is unknown.
    static func signalDBm(_ line: ATLine?) -> Int? {
        guard let strength = line?.values.first.flatMap({ Int($0) }), (0...31).contains(strength) else { return nil }
        return -113 + 2 * strength
    }

    // MARK: Settings of the modem

    private mutating func configured(_ step: Step, _ response: ATResponse, at now: Uptime) -> [Action] {
        let isDone = response.result == .ok
        switch step {
        case .pduMode:
            health.usesTextMode = !isDone
            if !isDone { plan.insert(.textMode, at: 0) }
        case .textMode where !isDone, .characterSet(.ucs2) where !isDone:
            return raise(.unsuitable) + climb(at: now)
        case .textMode:
            // The parameters come between two looks at the service centre, since some modems forget it with them.
            plan.insert(.characterSet(.ascii), at: 0)
        case .characterSet(let coding):
            if isDone { textCoding = coding } else { plan.insert(.characterSet(.ucs2), at: 0) }
        case .serviceCentre(let afterParameters):
            return serviceCentre(response, afterParameters: afterParameters, at: now)
        case .textParameters(let wantsReport):
            if !isDone, wantsReport { plan.insert(.textParameters(wantsReport: false), at: 0) }
        case .setServiceCentre(let number):
            guard isDone else { return raise(.noServiceCentre) }
            health.serviceCentre = number.description
            return clear(.noServiceCentre)
        case .notifications(let variant):
            pollsMessages = !isDone
            if !isDone, variant + 1 < Self.notificationVariants.count {
                plan.insert(.notifications(variant: variant + 1), at: 0)
            }
        default: break
        }
        return []
    }

    private mutating func serviceCentre(
        _ response: ATResponse, afterParameters: Bool, at now: Uptime
    ) -> [Action] {
        if ![.ok, .error].contains(response.result), serviceCentreQuestions < 3 {
            // A SIM that is busy says nothing about what is on it.
            serviceCentreQuestions += 1
            plan.insert(.serviceCentre(afterParameters: afterParameters), at: 0)
            pauseUntil = now + settings.timing.simRetry
            return []
        }
        serviceCentreQuestions = 0
        let read = response.lines.last?.values.first.flatMap { PhoneNumber(Self.fromUCS2($0)) }
        let before = afterParameters ? health.serviceCentre.flatMap { PhoneNumber($0) } : nil
        let wanted = settings.serviceCentre ?? read ?? before
        health.serviceCentre = wanted?.description
        if health.usesTextMode, !afterParameters {
            plan.insert(contentsOf: [.textParameters(wantsReport: true), .serviceCentre(afterParameters: true)], at: 0)
            return []
        }
        guard let wanted else {
            // A modem that can't tell, or that has sent without one, is no reason to call a person.
            return response.result == .ok && !hasSent ? raise(.noServiceCentre) : []
        }
        if wanted.digits != read?.digits { plan.insert(.setServiceCentre(wanted), at: 0) }
        return clear(.noServiceCentre)
    }

    /// A modem that was set to UCS-2 gives numbers in it too: `002B0039` is `+9`.
    static func fromUCS2(_ text: String) -> String {
        guard text.utf8.count >= 8, text.utf8.count.isMultiple(of: 4), text.hasPrefix("00"),
            let octets = Hex.octets(text)
        else { return text }
        let units = stride(from: 0, to: octets.count, by: 2).map { UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }
}

extension GSMModem.Step {
    var isSubmit: Bool {
        if case .submit = self { return true }
        return false
    }

    /// Whether it finds out that the modem listens to commands: nothing is handed over before.
    var isProof: Bool {
        switch self {
        case .leaveTextEntry, .attention, .verboseResults: true
        default: false
        }
    }

    /// Whether a refusal for want of the PIN means that the SIM was locked again. Before the SIM was looked at, it means nothing
    /// new; a text ends with its own answer first.
    var needsSIM: Bool {
        switch self {
        case .leaveTextEntry, .attention, .verboseResults, .echoOff, .numericErrors, .function, .switchOn, .simState,
            .pinAttemptsLeft, .enterPIN,
            .storePINMemory, .submit:
            false
        default: true
        }
    }
}
