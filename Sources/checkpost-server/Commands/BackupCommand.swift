import ArgumentParser
import Foundation

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Keeps the database and the photos in a second place, while the server serves.",
        discussion: """
            Each backup is a folder of its own with the database; the photos lie beside them, each once, so that a daily backup copies only \
            what is new. It counts when it is whole: what a power cut leaves is removed by the next one. Put the place on another disk.

            Examples:
              sudo checkpost-server backup make /mnt/backup
              sudo checkpost-server backup list /mnt/backup
              sudo checkpost-server backup verify /mnt/backup
            Every night: set backup.folder or backup_bucket, then systemctl enable --now checkpost-server-backup.timer
            """,
        subcommands: [Make.self, List.self, Verify.self])

    struct Place: ParsableArguments {
        @Argument(help: "The folder of the backups. Default: backup.folder or backup_bucket of the configuration.")
        var folder: String?

        func place(_ settings: Settings) throws -> BackupPlace {
            if let path = folder ?? settings.backupFolder { return .folder(URL(fileURLWithPath: path)) }
            guard let bucket = try BackupBucket(settings) else {
                throw Settings.Mistake(
                    description: "Where to? Name a folder, or set backup.folder or backup_bucket in the configuration.")
            }
            return .bucket(bucket)
        }
    }

    struct Make: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Makes a backup, and removes the oldest ones.")

        @OptionGroup var option: ConfigurationOption
        @OptionGroup var place: Place
        @Option(help: "How many backups stay. Default: backup.keep of the configuration, 14.")
        var keep: Int?

        func validate() throws {
            if let keep, !(1...1000).contains(keep) { throw ValidationError("--keep is a number from 1 to 1000.") }
        }

        func run() throws {
            let settings = try option.settings()
            let owner = try option.ownerConnection()
            let maker = BackupMaker(
                owner: owner, words: try ConnectionWords((settings.ownerURL ?? settings.databaseURL).revealed),
                photos: try PhotoStore(settings), say: { print($0) })
            let (name, manifest) = try place.place(settings).make(maker, keep: keep ?? settings.backupsKept)
            // For /metrics. A database that waits for its migration has no place for it, and is worth a backup all the same.
            _ = try? owner.run(
                """
                insert into checkpost.backups (made_at, passages, photos) values ($1, $2::bigint, $3::bigint)
                on conflict (made_at) do nothing
                """, [manifest.madeAt.formatted(.iso8601), "\(manifest.passages)", "\(manifest.photos)"])
            print(
                "\(name): \(manifest.passages) passages, \(manifest.violations) violations, "
                    + "\(manifest.photos) photos, \(manifest.dumpBytes) bytes.")
            if manifest.lostPhotos > 0 {
                print("\(manifest.lostPhotos) photos that records name are gone or damaged in \(settings.photoFolder).")
                throw ExitCode(1)
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the backups of a place, the newest last.")

        @OptionGroup var option: ConfigurationOption
        @OptionGroup var place: Place

        func run() throws {
            let place = try place.place(try option.settings())
            let all = try place.stamps()
            if all.isEmpty { print("There is none.") }
            for stamp in all {
                let manifest = try place.manifest(of: stamp)
                print(
                    "\(stamp)  \(manifest.passages) passages, \(manifest.photos) photos, "
                        + "\(manifest.dumpBytes) bytes, by \(manifest.program)")
            }
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads a backup and its photos once more, and says whether they are what was written.")

        @OptionGroup var option: ConfigurationOption
        @OptionGroup var place: Place
        @Option(help: "Which one, as `list` names it. Default: the newest.")
        var stamp: String?

        func run() throws {
            let place = try place.place(try option.settings())
            let (name, wrong) = try place.with(stamp) { backup, photos in
                (place.name(backup), try backup.complaints(of: photos) { print("\($0) photos looked at.") })
            }
            wrong.prefix(20).forEach { print($0) }
            if wrong.count > 20 { print("and \(wrong.count - 20) more") }
            guard wrong.isEmpty else { throw ExitCode(1) }
            print("\(name) is whole.")
        }
    }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Brings a backup back into an empty database.",
        discussion: """
            Stop the server first. The backup is read through before anything is changed; all of the database comes back, or nothing. \
            Photos that are there already stay. Afterwards `migrate`, and start the server. The posts notice at their next contact what is \
            missing since then, and send it again.

            Examples:
              sudo checkpost-server restore /mnt/backup/2026-11-26T221500Z
              sudo checkpost-server restore 2026-11-26T221500Z    from backup_bucket
            """)

    @OptionGroup var option: ConfigurationOption
    @Argument(help: "The folder of one backup, or its name where backup_bucket of the configuration has it.")
    var folder: String

    func run() throws {
        let settings = try option.settings()
        let maker = BackupMaker(
            owner: try option.ownerConnection(),
            words: try ConnectionWords((settings.ownerURL ?? settings.databaseURL).revealed),
            photos: try PhotoStore(settings), say: { print($0) })
        let manifest = try BackupPlace.of(folder, settings).with(URL(fileURLWithPath: folder).lastPathComponent) {
            try maker.bringBack($0, from: $1)
        }
        print(
            "It is back: \(manifest.passages) passages, \(manifest.violations) violations, \(manifest.photos) photos, as of "
                + "\(manifest.madeAt.formatted(.iso8601)).\nNow: checkpost-server migrate, then start the server.")
    }
}
