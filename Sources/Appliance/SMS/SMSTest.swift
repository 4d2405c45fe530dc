import Enforcement
import Modem
import Storage

/// A technician's test: one text to a number. The running appliance has the modem and sends it; while none runs, this process does.
package struct SMSTest {
    /// What becomes known on the way.
    package enum Progress: Sendable {
        case handedToAppliance
        case modemReady(SMSReport.Modem)
        case messageLost(any Error)
    }

    /// The appliance gives a test up after three minutes; a modem takes two at most.
    private static let patience = TimeSpan.minutes(5)

    private let configuration: Configuration
    private let modem: Configuration.Modem
    private let store: Store
    private let tell: @Sendable (Progress) -> Void

    package init(
        _ configuration: Configuration, modem: Configuration.Modem, store: Store,
        tell: @escaping @Sendable (Progress) -> Void
    ) {
        self.configuration = configuration
        self.modem = modem
        self.store = store
        self.tell = tell
    }

    /// Sends it, and waits for what becomes of it: for a report of delivery as well, half a minute at most.
    ///
    /// - Parameter text: nil for one that says which post sends it, and when.
    package func send(to number: PhoneNumber, text: String?) async throws -> StoredMessage {
        let now = BoxClock.now
        let text = text ?? "Checkpost \(configuration.post.code) test \(now.nepalText)"
        let id = try store.messages.addTest(to: number.description, text: text, at: now)
        guard RunLock.isHeld(folder: configuration.dataFolder) else { return try await sendHere(id) }
        tell(.handedToAppliance)
        return try await awaitAppliance(id)
    }

    private func awaitAppliance(_ id: Int64) async throws -> StoredMessage {
        let deadline = BoxClock.now + Self.patience
        var sentAt: Instant?
        while true {
            guard let message = try store.messages.message(id: id) else {
                throw AdvisedError("The test is gone from the database.", hint: "Try again.")
            }
            let now = BoxClock.now
            if message.state == .sent, sentAt == nil { sentAt = now }
            let isDone = ![.queued, .sending, .sent].contains(message.state)
            // The report of delivery comes within seconds, if the number's phone is on.
            let isLongSent = sentAt.map { now - $0 > .seconds(30) } ?? false
            if isDone || isLongSent || now > deadline { return message }
            if message.state == .queued, now - message.createdAt > .seconds(40),
                let modem = StatusBoard.read(folder: configuration.dataFolder)?.sms?.modem, modem.stage != "ready"
            {
                throw Self.notReady(modem)
            }
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    /// Sends it with the modem in hand.
    private func sendHere(_ id: Int64) async throws -> StoredMessage {
        let session = try ModemSession(modem, dataFolder: configuration.dataFolder) { [store, tell] message in
            do {
                try store.messages.noteInbound(from: message.sender?.description, text: message.text, at: BoxClock.now)
            } catch {
                tell(.messageLost(error))
            }
        }
        defer { session.stop() }
        let health = await session.becomeReady()
        let shown = SMSReport.Modem(device: modem.device, health: health, trouble: session.trouble)
        guard health.stage == .ready else {
            try store.messages.settle(
                message: id, MessageSettlement(state: .failed, lostAnswers: 0, reason: shown.waitingFor),
                at: BoxClock.now)
            throw Self.notReady(shown)
        }
        tell(.modemReady(shown))
        guard let begun = try store.messages.beginTest(id: id, at: BoxClock.now), let number = PhoneNumber(begun.number)
        else {
            throw AdvisedError("Somebody else has taken the test.", hint: "See `checkpost sms log`.")
        }
        let settlement = MessageSettlement(await session.send(to: number, text: begun.text))
        try store.messages.settle(message: id, settlement, at: BoxClock.now)
        if settlement.state == .sent, let report = await session.report(on: settlement.references) {
            try store.messages.takeReport(
                reference: report.reference, status: report.status,
                event: report.verdict == .delivered ? .reportedDelivered : .reportedUndeliverable, at: BoxClock.now)
        }
        return try store.messages.message(id: id) ?? begun
    }

    private static func notReady(_ modem: SMSReport.Modem) -> AdvisedError {
        let reason = modem.waitingFor
        return AdvisedError(
            "The modem is not ready: \(String(sentence: reason))",
            hint: "See `checkpost sms status`.")
    }
}
