import Appliance
import ArgumentParser

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Put what support needs to know of this box into one archive.",
        discussion: """
            Status, self-test, settings, figures of the database, machine and log. No plate, picture or secret is in it; look into it \
            before you send it: tar -xzf FILE.

            Example: sudo checkpost doctor --to /media/stick/box.tar.gz
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: ArgumentHelp("The archive to write. Without it, one in this folder.", valueName: "file"))
    var to: String?

    func run() async throws {
        let doctor = Doctor(store.place) { try StoreOptions.openStore(at: $0) }
        print("Written to \(try await doctor.make(at: to, now: BoxClock.now)). Read it before you send it.")
    }
}
