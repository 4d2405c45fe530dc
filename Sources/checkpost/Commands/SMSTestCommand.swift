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
        let isQuiet = json
        let test = SMSTest(configuration, modem: modem, store: database) { progress in
            switch progress {
            case .messageLost(let error): Output.note("A message to the modem could not be kept: \(error)")
            case _ where isQuiet: break
            case .handedToAppliance:
                Output.note("The appliance runs and has the modem: it sends the test. This takes up to a minute.")
            case .modemReady(let modem):
                Output.note(
                    "The modem is ready (\(modem.text)). Sending, then waiting up to 30 s for the report of delivery.")
            }
        }
        let message = try await test.send(to: number, text: text)
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
}
