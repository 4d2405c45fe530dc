import ArgumentParser
import Foundation

struct PhotosCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos", abstract: "Moves the photos between the folder and the bucket of the configuration.",
        subcommands: [Move.self])

    struct Move: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Moves the photos, each after it was read back and compared with its hash.",
            discussion: """
                Name the bucket under [photo_bucket] of the configuration and restart the server: new photos go there, and those in the \
                folder are found where they are. Then move them, while the server serves. A run that was stopped is gone on with by \
                another one.

                Examples:
                  sudo checkpost-server photos move --to bucket
                  sudo checkpost-server photos move --to folder    then take the bucket out of the configuration, and restart
                Before the way back ends, stop the server and run it once more, for what came meanwhile.
                """)

        @OptionGroup var option: ConfigurationOption
        @Option(help: "bucket or folder.")
        var to: PhotoMover.Target

        func run() throws {
            let settings = try option.settings()
            let photos = try PhotoStore(settings)
            guard let bucket = photos.storage as? PhotoBucket else {
                throw Settings.Mistake(
                    description: "There is no bucket: name it under [photo_bucket] of the configuration first.")
            }
            let whose = FolderOwner(settings.photoFolder)
            defer { whose?.give() }
            let mover = PhotoMover(photos: bucket, owner: try option.ownerConnection(), say: { print($0) })
            let result = try mover.move(to: to)
            print("\(result.moved) photos were moved.")
            guard result.damaged.isEmpty else {
                for hash in result.damaged.prefix(20) { print("\(hash) is damaged, and stays where it is.") }
                print("\(result.damaged.count) are damaged: bring them back from a backup, and run this once more.")
                throw ExitCode(1)
            }
        }
    }
}

extension PhotoMover.Target: ExpressibleByArgument {}
