import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Modem
import Storage

struct SMSCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sms", abstract: "Look at the modem, send a test, see what went by SMS.",
        discussion: """
            When the server has been out of reach for five minutes, each passage that waits goes to the gateway's number as \
            one SMS. It needs [modem] device and [sms] gateway_number in the configuration. Without a modem a paired box \
            keeps these texts for the server.
            """,
        subcommands: [
            SMSStatusCommand.self, SMSTestCommand.self, SMSLogCommand.self, SMSInboxCommand.self, SMSPDUCommand.self,
        ])
}

struct SMSStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say how modem, SIM and network are, and what was sent.",
        discussion: """
            While the appliance runs, the modem is its: then this shows what it reports. Otherwise the modem is asked, which \
            takes up to half a minute; no message on it is read or deleted. Exits with 1 when nothing could be sent now.
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        var configuration = try store.configuration()
        configuration.dataFolder = try store.dataFolder()
        let database = try store.openStore()
        let figures: SMSFigures
        var source = "The appliance is not running; the modem was asked."
        if RunLock.isHeld(folder: configuration.dataFolder) {
            let running = StatusBoard.read(folder: configuration.dataFolder)
            figures = try SMSFigures(configuration, running: running, store: database)
            source =
                "The appliance runs\(configuration.modem == nil ? "" : " and has the modem"); this is what it reports."
        } else if let off = SMSReport.off(configuration), configuration.modem == nil {
            figures = try SMSFigures(configuration, store: database, sms: off)
            source = "The appliance is not running."
        } else {
            figures = try SMSFigures(configuration, store: database, sms: try await SMSReport.asked(configuration))
        }
        if json { try Output.printJSON(figures) } else { print(Self.text(figures, source)) }
        if ![.ready, .active].contains(figures.sms.state) { throw ExitCode(1) }
    }

    private static func text(_ figures: SMSFigures, _ source: String) -> String {
        var lines = [source, figures.text]
        if let modem = figures.sms.modem {
            lines.append("modem: \(modem.device), \(modem.stage)\(modem.isTextMode ? ", text mode" : "")")
            lines.append("service centre: \(modem.serviceCentre ?? "unknown")")
            if let trouble = modem.trouble { lines.append("trouble: \(trouble)") }
            lines += modem.alarms.map { "alarm: \($0)" }
        }
        lines.append("gateway: \(figures.gatewayNumber ?? "none")")
        lines.append(
            "sent: \(figures.lastHour) of \(figures.hourlyLimit) in the last hour, \(figures.lastDay) of "
                + "\(figures.dailyLimit) in the last 24 hours, \(figures.today) today")
        let states = MessageState.allCases.map { "\(figures.messages[$0.rawValue] ?? 0) \($0.rawValue)" }
        lines.append("messages of passages: \(states.joined(separator: ", "))")
        if figures.heldBack > 0 {
            lines.append(
                "not by SMS: \(Output.count(figures.heldBack, "passage")) recorded on a clock that isn't trusted, which a text "
                    + "can't say; waiting for the data link")
        }
        lines.append(
            "messages of others: \(figures.inbound), today \(figures.inboundToday) (checkpost sms inbox shows the last ones)"
        )
        return lines.joined(separator: "\n")
    }
}

struct SMSLogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "List the messages that were sent, the newest first.",
        discussion: """
            States: queued (nothing went out yet), sending, sent (the network has it, or a paired box keeps it), delivered \
            (the gateway's number has it), failed (see the reason), ambiguous (the modem or the box had it and did not answer).
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: "At most this many.")
    var limit = 50

    @Flag(help: "Print one JSON object a message, each on one line.")
    var json = false

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit is 1 to 100000.") }
    }

    func run() throws {
        let database = try store.openStore()
        let messages = try database.messages.list(limit: limit)
        if json { return try messages.forEach { try Output.printJSON(ListedMessage($0)) } }
        print(messages.isEmpty ? "No message." : TextTable.messages(messages).text)
    }
}

extension TextTable {
    static func messages(_ messages: [StoredMessage]) -> TextTable {
        var table = TextTable([
            ("handed over (Nepal)", .left), ("state", .left), ("times", .right), ("to", .left), ("text", .left),
            ("reason", .left),
        ])
        for message in messages {
            table.add([
                message.handedOverAt?.nepalText ?? "-", message.state.rawValue, String(message.handOvers),
                message.number, message.said,
                message.reason ?? "",
            ])
        }
        return table
    }
}
