import Appliance
import ArgumentParser
import Enforcement

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Be the appliance: cameras in, passages out, until SIGTERM.",
        discussion: """
            Reads the configuration, watches its cameras, records passages in the data folder, and matches them. With [server] \
            in the configuration it sends them to the park's server and fetches what the other post recorded. Each camera, the \
            synchronization, the SMS and the console are processes of their own: one that fails is started again alone. On \
            SIGTERM or SIGINT it finishes the frame in hand and stops within 5 seconds; on SIGHUP it reads [sync] again. \
            `checkpost status` says how it is.
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Take the times of pictures as right, as replay does: for a demonstration, never at a road.")
    var simulatedClock = false

    // How the supervisor starts a part: this program once more.
    @Option(help: .hidden) var part: String?
    @Option(help: .hidden) var supervisor: Int32?
    @Option(help: .hidden) var data: String?
    @Option(help: .hidden) var ends = 0
    @Option(help: .hidden) var after: String?

    /// Runs on the program's first thread, which lives as long as the process: what ties it to its supervisor belongs to a thread.
    func validate() throws {
        guard let part else { return }
        guard let part = Part(name: part), let supervisor, PartRun.begin(part, supervisor: supervisor) else {
            throw ValidationError("--part is for the appliance's own use: start `checkpost run` without it.")
        }
    }

    func run() async throws {
        let appliance = ApplianceRun(place: store.place, isClockSimulated: simulatedClock)
        if let part = part.flatMap(Part.init) {
            try await appliance.run(part, data: data, ends: ends, after: after)
        } else {
            try await appliance.supervise()
        }
    }
}
