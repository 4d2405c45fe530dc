import Enforcement
import Foundation
import MachineClock
import Storage

/// Why a part can't use the database, in `run/<part>.database.json` for as long as it can't.
///
/// The part's own news can't say it: it waits for the database itself, and is silent meanwhile.
struct DatabaseTrouble: Codable, Equatable {
    enum Fault: String, Codable, CaseIterable {
        case locked
        case diskError = "disk-error"
        case readOnly = "read-only"
        case full
        case unopened
        case failing
    }

    let fault: Fault

    /// What SQLite said, and of what.
    let said: String

    /// Vehicles that the part holds in memory meanwhile.
    private(set) var waiting: Int
    let since: Instant

    /// When it was written last, on the clock that every process of this machine shares.
    let uptime: Instant

    init(_ error: StoreError, waiting: Int = 0, since: Instant, uptime: Instant = MachineClock.uptime) {
        fault =
            switch error.kind {
            case .busy: .locked
            case .diskError: .diskError
            case .readOnly: .readOnly
            case .diskFull: .full
            case .cannotOpen: .unopened
            default: .failing
            }
        said = error.message
        self.waiting = waiting
        (self.since, self.uptime) = (since, uptime)
    }

    /// What a part tells now.
    static func read(of part: Part, in folder: RunFolder, at now: Instant = MachineClock.uptime) -> DatabaseTrouble? {
        guard let told = RunFolder.read(DatabaseTrouble.self, from: folder.trouble(of: part)),
            now - told.uptime <= PartNews.oldAfter
        else { return nil }
        return told
    }

    /// What is told by all parts, as one thing each: the part that has met it first says since when.
    static func all(of parts: [Part], in folder: RunFolder, at now: Instant = MachineClock.uptime) -> [DatabaseTrouble]
    {
        let told = parts.compactMap { read(of: $0, in: folder, at: now) }
        return Fault.allCases.compactMap { fault in
            let same = told.filter { $0.fault == fault }
            guard var first = same.min(by: { $0.since < $1.since }) else { return nil }
            first.waiting = same.map(\.waiting).reduce(0, +)
            return first
        }
    }

    var name: String { "database.\(fault.rawValue)" }

    /// - Parameter holders: programs that hold the database, as far as they can be seen.
    func message(database: String, holders: [String] = []) -> String {
        let what =
            switch fault {
            case .locked:
                "Another program holds the database \(database)"
                    + (holders.isEmpty ? "" : " (\(holders.joined(separator: ", ")))")
                    + ", and nothing can be recorded until it lets go."
            case .diskError:
                "The disk gives errors: the database \(database) can't be read or written."
            case .readOnly: "The database \(database) can only be read, and nothing can be recorded."
            case .full: "The disk is full: nothing can be written into the database \(database)."
            case .unopened: "The database \(database) can't be opened."
            case .failing: "The database \(database) can't be used."
            }
        let now =
            switch waiting {
            case 0: "What live cameras show waits in memory"
            case 1: "One vehicle of live cameras waits in memory, where a restart would lose it"
            default: "\(waiting) vehicles of live cameras wait in memory, where a restart would lose them"
            }
        return "\(what) \(now), and pictures in folders wait there. (\(said))"
    }

    func hint(database: String) -> String {
        switch fault {
        case .locked: "See who it is with: sudo fuser -v \(database)*, and end it. The box goes on by itself."
        case .diskError:
            "Look at the last lines of: sudo dmesg. Check cable and power of the disk. If it goes on, take a backup while it can be "
                + "read (checkpost backup) and change the disk. The box goes on by itself once it works."
        case .readOnly:
            "Look at: sudo dmesg. A disk that had errors is mounted read-only: check it (fsck), then mount -o remount,rw. Otherwise give "
                + "the file and its folder to the user that runs checkpost."
        case .full: "Free space on it: the box goes on by itself."
        case .unopened:
            "The folder has to be there, and the user that runs checkpost has to be allowed to write into it."
        case .failing: "It is tried again by itself. When it stays, look at the disk: df, sudo dmesg."
        }
    }
}
