import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Modem
import Storage

struct SMSTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send one SMS to a number, and say what became of it.",
        discussion: """
            While the appliance runs, it has the modem and sends the test; otherwise this does. It is no passage: send it to a \
            phone, and use the gateway's number only to see whether the server hears of it. A test that the network takes \
            lets everything that was refused be tried again at once. The report of delivery is waited for, for half a minute at most.
            Exits with 0 when the network took it. Example: checkpost sms test +9779812345678
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The number, such as +9779812345678.")
    var number: String

    @Argument(help: "The text.")
    var text: String?

    @Flag(help: "Print JSON.")
    var json = false

    private struct Result: Encodable {
        let state: String
        let reason: String?
    }

    /// The appliance gives a test up after three minutes; a modem takes two at most.
    private static let patience = TimeSpan.minutes(5)

    func validate() throws {
        _ = try PhoneNumber.argument(number)
        if let text, text.isEmpty || text.utf8.count > 500 { throw ValidationError("The text has 1 to 500 bytes.") }
    }

    func run() async throws {
        var configuration = try store.configuration()
        configuration.dataFolder = try store.dataFolder()
        guard let modem = configuration.modem else {
            throw AdvisedError("No modem is configured.", hint: "Set [modem] device in \(store.configPath).")
        }
        let database = try store.openStore(making: true)
        let number = try PhoneNumber.argument(number)
        let now = BoxClock.now
        let text = self.text ?? "Checkpost \(configuration.post.code) test \(now.nepalText)"
        let id = try database.addTestMessage(to: number.description, text: text, at: now)
        let message: StoredMessage
        if RunLock.isHeld(folder: configuration.dataFolder) {
            if !json {
                Output.note("The appliance runs and has the modem: it sends the test. This takes up to a minute.")
            }
            message = try await askAppliance(id, database, configuration)
        } else {
            message = try await sendItself(id, database, modem, configuration)
        }
        try show(message)
        if !message.state.isTold { throw ExitCode(1) }
    }

    private func show(_ message: StoredMessage) throws {
        if json { return try Output.printJSON(Result(state: message.state.rawValue, reason: message.reason)) }
        let said =
            switch message.state {
            case .delivered: "Delivered: the number has it."
            case .sent: "Sent: the network has it. No report of delivery came yet; `checkpost sms log` shows it."
            case .ambiguous: "Unknown: it may have gone out."
            case .queued, .sending: "The appliance has not sent it; `checkpost sms status` says how the modem is."
            case .failed: "Not sent."
            }
        print(said + (message.reason.map { " Reason: \($0)." } ?? ""))
    }

    /// Waits for the appliance to send it.
    private func askAppliance(
        _ id: Int64, _ database: Store, _ configuration: Configuration
    ) async throws -> StoredMessage {
        let deadline = BoxClock.now + Self.patience
        var sentAt: Instant?
        while true {
            guard let message = try database.message(id: id) else {
                throw AdvisedError("The test is gone from the database.", hint: "Try again.")
            }
            let now = BoxClock.now
            if message.state == .sent, sentAt == nil { sentAt = now }
            let isDone = ![.queued, .sending, .sent].contains(message.state)
            // The report of delivery comes within seconds, if the number's phone is on.
            let isLongSent = sentAt.map { now - $0 > .seconds(30) } ?? false
            if isDone || isLongSent || now > deadline { return message }
            if message.state == .queued, let sms = StatusBoard.read(folder: configuration.dataFolder)?.sms,
                now - message.createdAt > .seconds(40), let modem = sms.modem, modem.stage != "ready"
            {
                throw AdvisedError(
                    "The modem is not ready: \(modem.waitingFor.withoutStop).", hint: "See `checkpost sms status`.")
            }
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    /// Sends it with the modem in hand.
    private func sendItself(
        _ id: Int64, _ database: Store, _ modem: Configuration.Modem, _ configuration: Configuration
    ) async throws -> StoredMessage {
        let session = try ModemSession(modem, dataFolder: configuration.dataFolder) { message in
            do {
                try database.noteInbound(from: message.sender?.description, text: message.text, at: BoxClock.now)
            } catch {
                Output.note("A message to the modem could not be kept: \(error)")
            }
        }
        defer { session.stop() }
        let health = await session.becomeReady()
        let shown = SMSReport.Modem(device: modem.device, health: health, trouble: session.trouble)
        guard health.stage == .ready else {
            try database.settle(
                message: id, MessageSettlement(state: .failed, lostAnswers: 0, reason: shown.waitingFor),
                at: BoxClock.now)
            throw AdvisedError(
                "The modem is not ready: \(shown.waitingFor.withoutStop).", hint: "See `checkpost sms status`.")
        }
        if !json {
            Output.note(
                "The modem is ready (\(shown.text)). Sending, then waiting up to 30 s for the report of delivery.")
        }
        let now = BoxClock.now
        guard let begun = try database.beginTest(id: id, at: now), let number = PhoneNumber(begun.number) else {
            throw AdvisedError("Somebody else has taken the test.", hint: "See `checkpost sms log`.")
        }
        let outcome = await session.send(to: number, text: begun.text)
        let settlement = MessageSettlement(outcome)
        try database.settle(message: id, settlement, at: BoxClock.now)
        if settlement.state == .sent, let report = await session.report(on: settlement.references) {
            try database.takeReport(
                reference: report.reference, status: report.status,
                event: report.verdict == .delivered ? .reportedDelivered : .reportedUndeliverable, at: BoxClock.now)
        }
        guard let message = try database.message(id: id) else { return begun }
        return message
    }
}
