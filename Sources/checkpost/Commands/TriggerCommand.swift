import Appliance
import ArgumentParser
import Enforcement
import Foundation

struct TriggerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger", abstract: "Try a loop detector or a radar on a serial line, or simulate one.",
        discussion: """
            It tells of each vehicle: its camera looks then, vehicles without a plate are counted, and its speed is shown at the \
            passage. It needs [trigger] device in the configuration. `checkpost status` shows what came of it.
            """,
        subcommands: [TriggerTestCommand.self, TriggerSimulateCommand.self])
}

struct TriggerTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Say whether frames of the loop or radar arrive.",
        discussion: """
            While the appliance runs, it has the port: then this shows what it reports. Otherwise this listens, and acknowledges \
            nothing: the device keeps its events for the appliance. Exits with 1 when nothing arrives.
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: ArgumentHelp("How long to listen.", valueName: "seconds"))
    var seconds = 15.0

    func validate() throws {
        guard (1...3600).contains(seconds) else { throw ValidationError("--seconds is 1 to 3600.") }
    }

    func run() throws {
        var configuration = try store.configuration()
        configuration.dataFolder = try store.dataFolder()
        let arrives = try TriggerTest(configuration).run(for: .seconds(seconds)) { line in
            print(line)
            fflush(nil)
        }
        if !arrives { throw ExitCode(1) }
    }
}

struct TriggerSimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Be a loop detector on a pseudo-terminal.",
        discussion: """
            Makes a link to the terminal; set it as [trigger] device. Example: \
            checkpost trigger simulate /tmp/loop --every 20 --speed 43
            """)

    @Argument(help: "Where the link to the terminal is made.") var link: String
    @Option(help: ArgumentHelp("A vehicle each so often.", valueName: "seconds")) var every = 10.0
    @Option(help: "So many vehicles, then it ends; without it, it goes on.") var vehicles: Int?
    @Option(help: ArgumentHelp("Their speed; without it the device measures none.", valueName: "km/h"))
    var speed: Double?
    @Flag(help: "Noise on the line, and frames that are damaged.") var noise = false

    func validate() throws {
        guard (0.01...86400).contains(every) else { throw ValidationError("--every is 0.01 to 86400.") }
        guard (0...6000).contains(speed ?? 0) else { throw ValidationError("--speed is 0 to 6000.") }
    }

    func run() throws {
        var simulator = try TriggerSimulator(
            .init(interval: .seconds(every), vehicles: vehicles, speedKmh: speed, isNoisy: noise), link: link)
        Output.note("A loop detector is at \(link). Ctrl-C ends it.")
        simulator.run { line in
            print(line)
            fflush(nil)
        }
    }
}
