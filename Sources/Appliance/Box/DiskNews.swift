import Enforcement
import Foundation
import Storage

/// What the disk of the data folder is to be told of, at the start and while the box records in the spare folder.
struct DiskNews {
    private let home: DataHome
    private let dataFolder: String

    private static let away = "disk.away"
    private static let replaced = "disk.replaced"

    init(_ configuration: Configuration) {
        (home, dataFolder) = (DataHome(configuration), configuration.dataFolder)
    }

    /// A database that was named on the command line is neither here nor there.
    private var isAway: Bool { dataFolder == home.standIn }

    /// - Parameter standIn: the database that was opened; numbers of one that stands in go on far above the other's.
    /// - Throws: `StoreError`.
    func tell(_ alarms: AlarmBoard, standIn: Store, at now: Instant) throws {
        if isAway { try standIn.beginStandingIn(at: now) }
        let place = home.remembered?.mountPoint ?? home.folder
        switch home.obstacle {
        case nil: alarms.clear(Self.away)
        case .away where isAway:
            alarms.raise(
                Self.away, .critical,
                "The disk of the records is not mounted at \(place). What was recorded until now is on it; the box records in "
                    + "\(dataFolder) meanwhile.",
                hint:
                    "Plug it in, and mount it: mount \(place). The box goes back to it by itself with what it has recorded "
                    + "meanwhile; at once with: systemctl restart checkpost. If it is lost for good, mount another one in its place."
            )
        case .away:
            alarms.raise(
                Self.away, .critical,
                "The disk of the records is not mounted at \(place). What was recorded until now is on it; the box records below its "
                    + "place, since its spare folder can't be written.",
                hint:
                    "Stop the box, mount the disk with mount \(place), make \(home.spare ?? "") writable for the user that runs "
                    + "checkpost, and start the box. What it records until then stays below the disk: keep it.")
        case .readOnly:
            alarms.raise(
                Self.away, .critical,
                "The disk of the records at \(place) can only be read; the box records in \(dataFolder) meanwhile.",
                hint:
                    "Look at: sudo dmesg. Check the disk (fsck), then: mount -o remount,rw \(place). The box goes back to it by itself "
                    + "with what it has recorded meanwhile.")
        }
        guard home.standing == .replaced, let spare = home.spare else { return alarms.clear(Self.replaced) }
        alarms.raise(
            Self.replaced, .critical,
            "\(home.folder) is not the folder that it was: another disk is mounted there, or it was emptied. Earlier records are not in it.",
            hint:
                "If that was not meant, mount the former disk and restart the box. If it was meant: remove \(spare)/disk.json, then: "
                + "systemctl restart checkpost.")
    }

    /// Before then the box is not started anew for a disk that it can't see: it may be another one.
    static let patience = TimeSpan.minutes(10)

    /// Whether the box should start anew, since the disk is there again.
    ///
    /// - Parameter running: for how long the box has run.
    func isBack(running: TimeSpan) -> Bool {
        guard isAway else { return false }
        return home.isBack || (running >= Self.patience && home.isBackUnseen)
    }
}
