extension GSMModem {
    mutating func accept(_ text: OutgoingText) -> [Action] {
        guard health.stage == .ready, sending == nil else {
            return [.result(id: text.id, .refused(.notReady))]
        }
        reference &+= 1
        do throws(PDUError) {
            let submit = try SMSSubmit(
                to: text.number, text: text.text, validity: settings.validity, wantsReport: settings.wantsReports,
                concatenationReference: reference)
            if health.usesTextMode, submit.coding == .ucs2 || submit.parts.count > 1 || !isTextModeText(text.text) {
                return [.result(id: text.id, .refused(.needsPDUMode))]
            }
            sending = Sending(id: text.id, number: text.number, text: text.text, parts: submit.parts)
            lostTextID = nil
            // Before what is left of looking after stored messages: a flood of them holds no text up.
            plan.insert(.submit(part: 0), at: plan.prefix { $0.isProof }.count)
            return []
        } catch {
            return [.result(id: text.id, .unsendable(error))]
        }
    }

    /// Whether text mode passes the text on unchanged: letters, digits and signs that ASCII and the 7-bit alphabet share, and the
    /// pipe. `$` and `@` are among those that modems get wrong.
    private func isTextModeText(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && scalar.value >= 32 && !"`$@^{}\\[]~".unicodeScalars.contains(scalar)
        }
    }

    func submitCommand(part: Int) -> ATCommand? {
        guard let sending, sending.parts.indices.contains(part) else { return nil }
        var command: ATCommand
        if health.usesTextMode {
            let number = textCoding == .ucs2 ? Self.ucs2(sending.number.description) : sending.number.description
            let type = sending.number.kind == .international ? 145 : 129
            command = ATCommand("AT+CMGS=\"\(number)\",\(type)", timeout: settings.timing.prompt)
            command.payload = Array((textCoding == .ucs2 ? Self.ucs2(sending.text) : sending.text).utf8)
        } else {
            command = ATCommand("AT+CMGS=\(sending.parts[part].length)", timeout: settings.timing.prompt)
            command.payload = Array(sending.parts[part].hex.utf8)
        }
        command.answerPrefix = "+CMGS:"
        command.payloadTimeout = settings.timing.submit
        command.graceWithoutOK = settings.timing.submitGrace
        return command
    }

    static func ucs2(_ text: String) -> String {
        Hex.text(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    }

    mutating func submitted(_ part: Int, _ response: ATResponse, at now: Uptime) -> [Action] {
        guard var sending else { return [] }
        switch response.result {
        case .ok:
            sending.references.append(response.lines.last?.values.first.flatMap { UInt8($0) })
            self.sending = sending
            guard sending.references.count == sending.parts.count else {
                plan.insert(.submit(part: sending.references.count), at: 0)
                return []
            }
            self.sending = nil
            rung = 0
            restarts = []
            hasSent = true
            return [.result(id: sending.id, .accepted(references: sending.references.compactMap { $0 }))]
                + clear(.noServiceCentre, .restarting)
        case .error: return failed(.error, at: now)
        case .equipmentError(let code): return failed(.equipment(code), at: now)
        case .messageError(let code): return failed(.network(code), at: now)
        case .noPrompt, .noAnswer, .restarted: return failed(.noAnswer, at: now)
        }
    }

    private mutating func failed(_ failure: SendFailure, at now: Uptime) -> [Action] {
        guard let id = sending?.id else { return [] }
        sending = nil
        var actions: [Action] = [.result(id: id, .refused(failure))]
        if failure.concernsSIM {
            actions += begin(at: now, from: .simState, after: settings.timing.simRetry)
        } else if plan.count < Self.maximumPlan {
            // The next look at the network comes at once: it may be gone.
            plan.append(.registration)
            if failure == .network(322), settings.takesMessages { plan.append(.list) }
        }
        if failure == .network(330) {
            hasSent = false
            plan.append(.serviceCentre(afterParameters: false))
            actions += raise(.noServiceCentre)
        }
        // Should the refusal have been about something else, the prompt may still come.
        plan.insert(contentsOf: Self.proof, at: 0)
        return actions
    }

    /// Gives up the text that waits to be handed over, if any.
    mutating func refuseSending(_ failure: SendFailure) -> [Action] {
        guard let id = sending?.id else { return [] }
        sending = nil
        return [.result(id: id, .refused(failure))]
    }

    /// Ends a text whose answer did not come.
    mutating func abandonSending(payloadHandedOver: Bool) -> [Action] {
        guard let id = sending?.id else { return [] }
        guard payloadHandedOver else { return refuseSending(.noAnswer) }
        // A late answer settles a text of one part; of several, others never went.
        lostTextID = sending?.parts.count == 1 ? id : nil
        sending = nil
        return [.result(id: id, .ambiguous)]
    }

    /// `+CMGS: 41` after the wait was over: it went out after all.
    mutating func lateAcceptance(_ line: ATLine) -> [Action] {
        guard let id = lostTextID else { return [] }
        lostTextID = nil
        let reference = line.values.first.flatMap { UInt8($0) }
        return [.result(id: id, .accepted(references: reference.map { [$0] } ?? []))]
    }
}
