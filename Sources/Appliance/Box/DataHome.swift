import Enforcement
import Foundation
import Storage

/// Where a box records: in its data folder, or in the spare folder while the disk of the data folder is not mounted.
///
/// What it remembers of that disk lies in the spare folder, on another disk: `disk.json`. Records that are made meanwhile lie in `data` below
/// it, and never in the folder under a mount point, where nobody would find them once the disk is back.
package struct DataHome {
    /// Where an installed box has its spare folder. The installation makes it; where it is not there is none.
    package static let usualSpare = "/var/lib/checkpost-spare"

    /// The data folder, as it is configured.
    let folder: String

    /// Nil when there is none: nothing can be remembered then.
    let spare: String?

    package init(_ configuration: Configuration) {
        let usual = Presence.of(Self.usualSpare) == .there ? Self.usualSpare : nil
        self.init(folder: configuration.homeFolder, spare: configuration.spareFolder ?? usual)
    }

    init(folder: String, spare: String?) {
        self.folder = folder
        // Whoever lost a disk for good may make the spare folder the data folder.
        self.spare = spare.flatMap { BackupPlace.lies(folder, in: $0) ? nil : $0 }
    }

    /// Where records are made while the disk is away.
    var standIn: String? { spare.map { $0 + "/data" } }

    var remembered: RecordsDisk? {
        spare.flatMap { RunFolder.read(RecordsDisk.self, from: $0 + "/disk.json") }
    }

    var standing: RecordsDisk.Standing {
        RecordsDisk.standing(
            of: .init(folder: folder, mark: mark, hasOwnDisk: hasOwnDisk), remembered: remembered)
    }

    /// Why nothing can be recorded in the data folder; nil when something can, as far as its disk goes.
    var obstacle: Obstacle? {
        if standing == .away { return .away }
        let refusal = DiskSpace.refusal(at: folder)
        if refusal == ENOKEY { return .locked }
        if DiskSpace.isReadOnly(at: folder) || refusal == EROFS || refusal == EIO { return .readOnly }
        return isClosed ? .closed : nil
    }

    enum Obstacle: Sendable {
        case away
        /// A file system that met errors is made so.
        case readOnly
        /// Folder or database is another user's, or the folder can't be made.
        case closed
        /// It is encrypted, and the kernel has no key for it.
        case locked
    }

    private var isClosed: Bool {
        switch Presence.of(folder) {
        case .hidden: return true
        case .absent:
            var place = URL(fileURLWithPath: folder).standardizedFileURL
            while Presence.of(place.path) == .absent { place = place.deletingLastPathComponent() }
            return !ServiceUser.mayWrite(folder: place.path)
        case .there:
            let database = folder + "/checkpost.sqlite"
            return !ServiceUser.mayWrite(folder: folder)
                || ["", "-wal", "-shm"].contains {
                    Presence.of(database + $0) == .there && access(database + $0, R_OK | W_OK) != 0
                }
        }
    }

    /// The folder to look into: where a box runs now, and where one would if none does.
    var current: String {
        guard let standIn, Presence.of(standIn) == .there else { return folder }
        if RunLock.isHeld(folder: standIn) { return standIn }
        return standing == .away && !RunLock.isHeld(folder: folder) ? standIn : folder
    }

    /// The folder for a run that begins, made when it isn't there. What is to be known of its disk is remembered.
    ///
    /// - Throws: `AdvisedError` when the data folder can't be made.
    func settle() throws -> String {
        // Where no room is for it either, what lies below has to do: recording goes on.
        if wantsStandIn, let standIn { return standIn }
        do { try Self.make(folder) } catch {
            throw AdvisedError(
                "The data folder \(folder) can't be made: \(error.localizedDescription)",
                hint: "Make it and give it to the user that runs checkpost, or set data.folder.")
        }
        if [.unknown, .home].contains(standing) { remember() }
        return folder
    }

    /// A folder that was moved away took with it what its start has to know: it is made once more, with the mark of a loss.
    func markIfGone() {
        guard standing != .away, Presence.of(folder) == .absent, (try? Self.make(folder)) != nil else { return }
        DamageMark(path: folder + "/checkpost.sqlite").add(
            "The data folder was moved away or removed while the box ran. What lies in a camera's folder is read once more."
        )
    }

    /// Whether records are to be made in the spare folder: the data folder takes none, and the spare folder does.
    var wantsStandIn: Bool {
        guard let obstacle, let standIn, (try? Self.make(standIn)) != nil, access(standIn, W_OK) == 0 else {
            return false
        }
        return obstacle != .away || hasRoom(standIn)
    }

    /// Whether an open database is the one that lies in the data folder on its own disk. A path alone doesn't tell: the disk may have gone, or
    /// come, since it was opened.
    func isHome(_ store: Store) -> Bool { [.home, .unknown].contains(standing) && store.isInPlace }

    /// A database that is written needs some, and its log.
    private static let leastBytes = 2 << 20

    /// Whether a folder takes records, or the data folder takes no more than it.
    private func hasRoom(_ standIn: String) -> Bool {
        guard let free = DiskSpace.freeBytes(at: standIn), free < Self.leastBytes else { return true }
        return (try? Self.make(folder)) == nil || DiskSpace.freeBytes(at: folder).map { $0 <= free } ?? true
    }

    private static func make(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Whether the disk is back, for a box that records in the spare folder.
    var isBack: Bool { obstacle == nil }

    /// Whether something is mounted at the disk's place, and this process doesn't see it there: a service that may write below that place
    /// has a view of its own of it, made at its start.
    var isBackUnseen: Bool {
        guard standing == .away, let remembered, let spare else { return false }
        let list = MountList()
        let other = list.mount(holding: spare)?.device
        return list.mounts.contains { $0.place == remembered.mountPoint && $0.device != other }
    }

    // MARK: The mark

    private var markPath: String { folder + "/disk.mark" }

    private var mark: RecordsDisk.Found.Mark {
        guard let data = FileManager.default.contents(atPath: markPath) else {
            return Presence.of(markPath) == .absent ? .none : .unreadable
        }
        let text = String(decoding: data.prefix(100), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if !text.isEmpty { return .text(text) }
        // The power went, or the disk, before it was on it. Only this box makes one; what it said is remembered.
        return remembered.flatMap { $0.folder == folder ? .text($0.mark) : nil } ?? .none
    }

    /// Only a folder on a disk of its own is remembered: no other can be mistaken for the one below it. A full disk takes no mark, and
    /// the next start tries again.
    private func remember() {
        guard let spare, hasOwnDisk, DiskIdentity.device(ofNearest: folder) != DiskIdentity.device(ofNearest: spare)
        else { return }
        var text = UUID().uuidString.lowercased()
        switch mark {
        case .text(let known): text = known
        case .unreadable: return
        case .none:
            // On the disk before it is remembered: one that is lost would make this disk another one.
            guard (try? ServiceUser.write(Data((text + "\n").utf8), to: markPath, for: nil, isSecret: false)) != nil
            else { return }
        }
        let disk = RecordsDisk(folder: folder, mark: text, mountPoint: mountPoint)
        guard disk != remembered, (try? Self.make(spare)) != nil else { return }
        RunFolder.write(disk, to: spare + "/disk.json")
    }

    // MARK: The disk

    /// Whether a disk is mounted where the remembered one was, or where the folder lies.
    private var hasOwnDisk: Bool {
        let known = remembered.flatMap { $0.folder == folder ? $0.mountPoint : nil }
        let place = URL(fileURLWithPath: known ?? mountPoint)
        guard place.path != "/" else { return false }
        return DiskIdentity.device(ofNearest: place.path)
            != DiskIdentity.device(ofNearest: place.deletingLastPathComponent().path)
    }

    /// The uppermost folder on the data folder's disk.
    package var mountPoint: String {
        var place = URL(fileURLWithPath: folder).standardizedFileURL.resolvingSymlinksInPath()
        let device = DiskIdentity.device(ofNearest: place.path)
        while place.path != "/", DiskIdentity.device(ofNearest: place.deletingLastPathComponent().path) == device {
            place = place.deletingLastPathComponent()
        }
        return place.path
    }
}
