import Appliance
import ArgumentParser
import Enforcement
import Foundation
import Storage

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database to a second place, whole and checked, while the box records.",
        discussion: """
            The appliance does it once a day where [backup] of the configuration names a folder or the label of a medium, and keeps \
            the last of seven days and of four weeks. Pictures are not in it: the server has them.

            Example: checkpost backup --to /media/stick
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: ArgumentHelp("Into this folder instead of the configured place.", valueName: "folder"))
    var to: String?

    func validate() throws { if to == "" { throw ValidationError("--to names no folder.") } }

    func run() throws {
        let database = try store.openStore()
        let backups = Backups(try store.configuration(orPilotFor: database), store: database)
        let made = try backups.make(into: to, at: BoxClock.now)
        print("\(made.path): \(made.contents.passages) passages, \(Wording.bytes(made.contents.bytes)), checked")
    }
}

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in place of the database, or take only accounts and settings of it.",
        discussion: """
            For the whole, stop the appliance first. The database that is there is kept beside it. What was recorded since the backup \
            comes back from the server with the next connection; nothing is sent twice.

            Examples: checkpost restore /media/stick/BNP-A-20261123T030000Z.sqlite
                      checkpost restore --accounts /media/stick/BNP-A-20261123T030000Z.sqlite
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: ArgumentHelp("The backup.", valueName: "file"))
    var backup: String

    @Flag(help: "Only accounts, exempt vehicles and settings; the appliance may run meanwhile.")
    var accounts = false

    func run() throws {
        if accounts {
            let count = try Restoration.accounts(of: backup, into: try store.openStore(making: true))
            return print("Accounts taken over: \(count), with exempt vehicles and settings.")
        }
        let post = try? store.place.configuration().post.code
        let report = try Restoration.whole(backup, into: try store.databasePath(), of: post, at: BoxClock.now)
        let last = report.contents.lastPassageAt.map { ", the last of \($0.nepalText)" } ?? ""
        print("Restored: passages \(report.contents.passages)\(last), accounts \(report.contents.accounts).")
        if report.missingPhotos > 0 { print("Photos that are no longer on this disk: \(report.missingPhotos).") }
        if let former = report.former { print("The database that was there is kept as \(former).") }
        print("Start the appliance: systemctl start checkpost. What was recorded since comes from the server.")
    }
}
