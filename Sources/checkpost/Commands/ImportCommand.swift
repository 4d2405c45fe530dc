import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Storage

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Bring in what another system knows.",
        subcommands: [ImportPassagesCommand.self])
}

struct ImportPassagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passages", abstract: "Put passages of the other checkpost into the cache, and match.",
        discussion: """
            The file holds one JSON object a line, as `checkpost export --format json` writes at the other post, or one array \
            of them. Needed of each: client_id, plate, checkpost, recorded_at; read if there: vehicle_type, clock_state (without it the \
            time counts as untrusted and makes no violation). What waits for review at the other post stands in the last row. \
            Importing a file twice changes nothing. A passage that the other post withdrew is withdrawn here too. A row that \
            can't be used is named with its number; the others are imported, and the exit code is 1.
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "The file with the passages.", completion: .file())
    var file: String

    @Flag(help: "The file has all passages of the other post up to its newest: overstays can be judged up to then.")
    var complete = false

    @Option(
        help:
            "A copy of the other post's folder of photos: the pictures of vehicles that broke a limit are taken over.",
        completion: .directory)
    var photos: String?

    func run() throws {
        let database = try store.openStore(making: true)
        let configuration = try store.configuration(orPilotFor: database)
        let rows = try PassageFile.read(file)
        let taken = try PassageImport(store: database, configuration: configuration)
            .take(rows, isComplete: complete, at: BoxClock.now)
        let problems = taken.problems
        if complete, !problems.isEmpty {
            Output.note("Rows are missing, so the file is not taken as complete: no overstay is judged by it.")
        }
        print(
            "New passages: \(taken.added), known already: \(taken.known), withdrawn: \(taken.takenBack), violations: "
                + "\(taken.violations.count), overstay alerts: \(taken.alerts.count).")
        for violation in taken.violations { print("\(violation.plate.canonical): \(violation.kind.rawValue)") }
        if let photos { try takePictures(PhotoFolder(path: photos), taken.photos, for: database) }
        problems.prefix(20).forEach(Output.note)
        if problems.count > 20 { Output.note("… and \(problems.count - 20) more rows") }
        if !problems.isEmpty { throw ExitCode(1) }
    }
}

extension ImportPassagesCommand {
    private func takePictures(_ photos: PhotoFolder, _ hashes: [UUID: String], for database: Store) throws {
        let folder = try store.dataFolder()
        let pictures = OtherPostPictures(folder: URL(fileURLWithPath: folder))
        let (taken, missing) = try photos.takePictures(hashes, for: database, into: pictures)
        FolderOwner.give(everythingIn: pictures.root.path, of: folder)
        print("Pictures taken over: \(taken), not found there: \(missing).")
    }
}
