/// Status reports act; the messages of others are handed over and deleted, so that the SIM never fills up.
extension GSMModem {
    mutating func unsolicited(_ line: ATLine, at now: Uptime) -> [Action] {
        if line.text.hasPrefix("+CDS:") { return report(line) }
        if line.text.hasPrefix("+CMGS:") { return lateAcceptance(line) }
        if line.text.hasPrefix("+CMT:") {
            // Delivered without being stored: there is nothing to delete.
            return tell(line.data.flatMap { try? SMSIncoming(hex: $0) })
        }
        if line.text.hasPrefix("+CMTI:") || line.text.hasPrefix("+CDSI:") { return stored(line) }
        if line.text.hasPrefix("+CUSD:") { return told(line) }
        guard current == nil else { return [] }
        if ATResult.restartSigns.contains(line.text) {
            return restarted(during: nil, payloadHandedOver: false, at: now)
        }
        if health.stage == .ready, ["+CPIN: NOT READY", "+CPIN: SIM PIN"].contains(line.text) {
            return refuseSending(.notReady) + begin(at: now, from: .leaveTextEntry, after: settings.timing.settle)
        }
        return []
    }

    /// `+CDS: 25` and a PDU, or in text mode `+CDS: fo,mr,"number",type,"sent","settled",status`.
    private func report(_ line: ATLine) -> [Action] {
        if let data = line.data {
            guard case .report(let report)? = try? SMSIncoming(hex: data) else { return [] }
            return [.report(report)]
        }
        let values = line.values
        guard values.count >= 3, let reference = UInt8(values[1]), let status = values.last.flatMap({ UInt8($0) })
        else { return [] }
        let recipient = PhoneNumber(values[2]) ?? PhoneNumber(kind: .national, digits: "")
        return [.report(StatusReport(reference: reference, recipient: recipient, status: status))]
    }

    /// `+CMTI: "SM",3`: something was stored. In text mode it is deleted unread: its text could look like an answer.
    private mutating func stored(_ line: ATLine) -> [Action] {
        let values = line.values
        guard settings.takesMessages, values.count >= 2, let index = Int(values[1]), (0...9999).contains(index),
            (1...4).contains(values[0].count), values[0].allSatisfy({ $0.isASCII && $0.isLetter }),
            plan.count + 4 <= Self.maximumPlan
        else { return [] }
        plan.append(.selectStore(values[0]))
        plan += health.usesTextMode ? [.delete(index)] : [.fetch(index), .delete(index)]
        return health.usesTextMode ? tell(nil) : []
    }

    /// `+CUSD: 0,"Your balance is Rs 35.20",15`; with coding 72 its text is UCS-2 in hexadecimal. Nothing else is ever dialled.
    private func told(_ line: ATLine) -> [Action] {
        guard settings.balanceCode != nil, let text = line.values.dropFirst().first, !text.isEmpty else { return [] }
        return [.balance(String(Self.fromUCS2(text).prefix(500)))]
    }

    mutating func fetched(_ index: Int, _ response: ATResponse) -> [Action] {
        guard let line = response.lines.last else { return [] }
        return read(line)
    }

    mutating func listed(_ response: ATResponse) -> [Action] {
        var actions: [Action] = []
        for line in response.lines {
            guard let index = line.values.first.flatMap({ Int($0) }), plan.count < Self.maximumPlan else { continue }
            actions += read(line)
            plan.append(.delete(index))
        }
        return actions
    }

    private mutating func read(_ line: ATLine) -> [Action] {
        let incoming = line.data.flatMap { try? SMSIncoming(hex: $0) }
        if case .report(let report)? = incoming { return [.report(report)] }
        return tell(incoming)
    }

    /// Hands a message of somebody over. Nothing acts on it.
    private mutating func tell(_ incoming: SMSIncoming?) -> [Action] {
        if case .submission? = incoming { return [] }
        health.messageCount += 1
        guard case .delivery(let delivery)? = incoming else { return [.message(InboundText())] }
        return [.message(InboundText(sender: delivery.sender, text: delivery.text))]
    }
}
