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
        case .closed, .locked: alarms.clear(Self.away)
        }
        tellOfFolder(alarms)
        tellWhatLiesBelow(alarms)
        // What can't be written may never have got its mark.
        guard home.standing == .replaced, home.obstacle == nil, let spare = home.spare else {
            return alarms.clear(Self.replaced)
        }
        alarms.raise(
            Self.replaced, .critical,
            "\(home.folder) is not the folder that it was: another disk is mounted there, or it was emptied. Earlier records are not in it; "
                + "what was recorded while the disk was away waits in \(spare).",
            hint:
                "If that was not meant, mount the former disk and restart the box, and keep this one: it has what was recorded since. If it "
                + "was meant: remove \(spare)/disk.json, then: systemctl restart checkpost.")
    }

    /// Why the folder itself takes nothing, on a disk that is there.
    private func tellOfFolder(_ alarms: AlarmBoard) {
        tell(
            .closed, "disk.closed", alarms,
            "The box may not write its data folder \(home.folder), or a database in it.",
            hint:
                "Make the folder if it is not there, and give all of it to the user of the box: sudo chown -R \(ServiceUser.current): "
                + "\(home.folder) && sudo chmod -R u+rwX \(home.folder).")
        tell(
            .locked, "disk.locked", alarms,
            "The data folder \(home.folder) is encrypted, and this machine did not open it.",
            hint:
                "sudo checkpost-encrypt unlock says why. Where the board was replaced, or the card came from another box: "
                + "sudo checkpost-encrypt rebind, with the recovery key from the office.")
    }

    private func tell(
        _ obstacle: DataHome.Obstacle, _ key: String, _ alarms: AlarmBoard, _ what: String, hint: String
    ) {
        guard home.obstacle == obstacle else { return alarms.clear(key) }
        alarms.raise(
            key, .critical,
            "\(what) What was recorded until now is there; the box records in \(dataFolder) meanwhile.",
            hint: "\(hint) The box goes back to it by itself with what it has recorded meanwhile.")
    }

    /// The place below which this box, or the one that it was before it started anew, has recorded: its spare folder took nothing.
    private static let belowVariable = "CHECKPOST_RECORDED_BELOW"
    private static let below = "disk.below"

    /// Tells whoever this process becomes that it has recorded below the place of the disk.
    func keepInMindWhatLiesBelow() {
        guard home.obstacle == .away, dataFolder == home.folder else { return }
        setenv(Self.belowVariable, home.remembered?.mountPoint ?? home.folder, 1)
    }

    /// Once the disk is mounted again nobody sees what lies below it.
    private func tellWhatLiesBelow(_ alarms: AlarmBoard) {
        keepInMindWhatLiesBelow()
        guard home.obstacle == nil, let place = ProcessInfo.processInfo.environment[Self.belowVariable] else {
            return alarms.clear(Self.below)
        }
        alarms.raise(
            Self.below, .critical,
            "What was recorded while the disk was away and the spare folder took nothing, or as the disk went, lies below the disk at "
                + "\(place), where nobody sees it.",
            hint:
                "Stop the box, unmount the disk, export what is there with checkpost export passages --database "
                + "\(home.folder)/checkpost.sqlite, keep its photos, mount the disk and start the box.")
    }

    /// Before then the box is not started anew for a disk that it can't see: it may be another one.
    static let patience = TimeSpan.minutes(10)

    /// Whether the box should start anew, since the disk is there again, or since it went in the moment in which the box began on it: what is
    /// recorded then lies below its place. Also since parts that end can't open the records any more.
    ///
    /// - Parameter running: for how long the box has run.
    func hasMoved(running: TimeSpan) -> Bool {
        guard isAway else {
            let obstacle = dataFolder == home.folder ? home.obstacle : nil
            return [.away, .closed, .locked].contains(obstacle) && home.wantsStandIn
        }
        return home.isBack || (running >= Self.patience && home.isBackUnseen)
    }
}
