import Appliance
import ArgumentParser
import Enforcement

struct UpdateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract:
            "Take a signed package of a newer version, try it for ten minutes, and go back by itself when it isn't well.",
        discussion: """
            The version that runs goes on recording until the new one, unpacked beside it, has passed its self-test on a copy of the \
            database. Without FILE the newest package on the stick for backups ([backup] of the configuration) is taken. FILE.sig has \
            to lie beside it, signed with the key of [update]. Once it is on trial this terminal may be closed.

            Examples: sudo checkpost update
                      sudo checkpost update /media/stick/checkpost_1.2.0+debian12_amd64.deb
            """)

    @OptionGroup var store: StoreOptions
    @Argument(help: ArgumentHelp("The package, or a folder with packages.", valueName: "file")) var file: String?
    @Flag(
        help:
            "Fetch the package that the park's server offers to this post; after a broken link it goes on where it was."
    )
    var offered = false
    @Flag(help: "Say how far an update is, or how the last one ended.") var status = false
    @Flag(help: "End a trial: go back to the version before.") var back = false

    // For systemd: before each start of the service, and to watch a trial.
    @Flag(help: .hidden) var starting = false
    @Flag(help: .hidden) var watch = false
    @Option(help: .hidden) var trialSeconds = UpdateTrial.term.seconds

    func run() throws {
        if offered, file != nil { throw ValidationError("With --offered no FILE is named: the server says which.") }
        let places = try UpdatePlaces.ofThisProgram()
        let work = UpdateWork(places, place: store.place) { Output.note($0) }
        if status { return print(work.status) }
        if starting { return try work.starting() }
        if watch { return try work.watch() }
        let source: UpdateWork.Source = offered ? .server : .place(file)
        if back { try work.back() } else { try work.update(from: source, term: .seconds(trialSeconds)) }
        guard let ending = work.ending() else { return }
        print(ending.text)
        if !(back ? [.wentBack] : [.updated]).contains(ending.kind) { throw ExitCode(1) }
    }
}
