import Enforcement
import Foundation
import MachineClock

/// A folder that a camera or a person fills with pictures.
///
/// Frames come in the order of their capture time, then name, as far as they are there together. A frame's source key is remembered by the
/// consumer, in the transaction that records what the frame gave; this source only asks which keys were taken. So a restart
/// neither loses a frame nor repeats one. Files are never changed, moved or deleted. Folders in it are looked into
/// as well, a few deep: cameras that send by FTP make them by date.
package struct FolderSource: FrameSource {
    package enum Mode: Sendable {
        /// Goes on for ever, with new files as they come.
        case watch
        /// Gives what is there now, without waiting for files to settle, and returns. The path may name a single picture.
        case drain
    }

    /// Which of these source keys were taken before. Asked with up to 500 keys at once.
    package typealias TakenQuery = @Sendable ([String]) async throws -> Set<String>

    /// Told what is passed over when the folder is watched: at first, and when its kinds change.
    package typealias PassOverReport = @Sendable (PassedOverFiles) -> Void

    package let pacing = Pacing.consumer

    private let camera: String
    private let directory: FolderDirectory
    private let onlyName: String?
    private let mode: Mode
    private let offset: TimeSpan
    private let clock: CaptureClock
    private let taken: TakenQuery
    private let passOver: PassOverReport
    private let truncatedAfter: TimeSpan
    private let caughtUp: Guarded<Bool>
    private let looked: Guarded<Instant>

    /// With the kernel's news, listing is only the safety net.
    private static let rescanInterval = TimeSpan.seconds(10)
    private static let rescanIntervalWithoutNews = TimeSpan.seconds(1)
    private static let queryLength = 500

    /// - Parameter truncatedAfter: how long a picture that breaks off may still grow before it is given up.
    package init(
        camera: String, path: String, mode: Mode, offset: TimeSpan = CivilTime.nepalOffset, clock: CaptureClock = .live,
        truncatedAfter: TimeSpan = .seconds(10), passOver: @escaping PassOverReport = { _ in },
        taken: @escaping TakenQuery = { _ in [] }
    ) {
        self.passOver = passOver
        self.truncatedAfter = truncatedAfter
        self.camera = camera
        self.mode = mode
        caughtUp = Guarded(mode == .drain)
        looked = Guarded(MachineClock.uptime)
        self.offset = offset
        self.clock = clock
        self.taken = taken
        var status = stat()
        if mode == .drain, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
            let url = URL(fileURLWithPath: path)
            directory = FolderDirectory(path: url.deletingLastPathComponent().path)
            onlyName = url.lastPathComponent
        } else {
            directory = FolderDirectory(path: path)
            onlyName = nil
        }
    }

    /// How many pictures are there now, taken ones among them: for showing progress.
    package func count() throws(CameraFailure) -> Int {
        try listed().count
    }

    /// The source keys of all pictures that are there now: what a consumer must not forget.
    package func sourceKeys() throws(CameraFailure) -> Set<String> {
        Set(try listed().map(\.sourceKey))
    }

    package func run(_ deliver: @escaping @Sendable (CaptureItem) async throws -> Void) async throws {
        switch mode {
        case .drain:
            let files = try listed()
            try await deliver(.opened)
            var ledger = FolderLedger()
            try await give(files, &ledger, deliver)
        case .watch:
            try await watch(deliver)
        }
    }

    private func listed() throws(CameraFailure) -> [FolderFile] {
        guard let onlyName else { return try directory.list() }
        guard let file = directory.file(onlyName) else { throw directory.failure(ENOENT) }
        return [file]
    }

    private func watch(_ deliver: @escaping @Sendable (CaptureItem) async throws -> Void) async throws {
        // What a restart finds is read before anything is concluded from the time. A folder that is gone keeps nobody waiting.
        caughtUp.withLock { $0 = false }
        defer { caughtUp.withLock { $0 = true } }
        var gaveAt = MachineClock.uptime
        looked.withLock { $0 = gaveAt }
        // Watching begins before the first listing: a file that comes between the two is seen twice, not missed.
        let watch = FolderWatch(path: directory.path)
        let identity = directory.identity()
        // Looked into before it counts as open: a camera whose folder can't be read is not back for a moment at each try.
        let folders = try directory.listing().folders
        watch?.cover(folders)
        guard let claim = FolderClaim(path: directory.path) else {
            throw CameraFailure(
                "The folder \(directory.path) is watched already",
                hint: "Give each camera, and each box, a folder of its own: a vehicle would be recorded twice.")
        }
        defer { withExtendedLifetime(claim) {} }
        try await deliver(.opened)
        var ledger = FolderLedger(truncatedAfter: truncatedAfter)
        var nextScan = MachineClock.uptime
        var held: [String: Held] = [:]
        var passedOver: Set<String>?
        while true {
            try Task.checkCancellation()
            let now = MachineClock.uptime
            looked.withLock { $0 = now }
            var ready: [String: FolderFile] = [:]
            switch watch?.news() {
            case .closed(let names, let hasNewFolder):
                // What is in it already is found by listing.
                if hasNewFolder { nextScan = now }
                for name in names where FolderFile.isCandidate(name) {
                    guard let file = directory.file(name), !ledger.isGiven(file) else { continue }
                    ready[name] = file
                }
            case .overflow: nextScan = now
            case .gone: throw directory.failure(ENOENT)
            case nil: break
            }
            var files = ledger.waitingNames.compactMap { directory.file($0) }
            if now >= nextScan {
                // The same path may hold another folder by now, of which this watch knows nothing.
                guard directory.identity() == identity else { throw directory.failure(ENOENT) }
                let listing = try directory.listing()
                files = listing.files
                watch?.cover(listing.folders)
                if passedOver != listing.passedOver.kinds {
                    passedOver = listing.passedOver.kinds
                    passOver(listing.passedOver)
                }
                ledger.keepOnly(Set(files.map(\.name)))
                nextScan = now + (watch == nil ? Self.rescanIntervalWithoutNews : Self.rescanInterval)
            }
            for file in files where ledger.look(file, at: now, age: clock.now() - file.modifiedAt) {
                ready[file.name] = file
            }
            for file in ready.values {
                held[file.name] = Held(file: file, time: orderTime(of: file), since: held[file.name]?.since ?? now)
            }
            let settling = held.isEmpty ? [] : ledger.waitingNames.filter { held[$0] == nil }.compactMap(directory.file)
            let free = Self.release(&held, behind: settling.map(orderTime).min(), at: now)
            if free.isEmpty {
                // A file that can't be read is looked at again and again; the vehicles don't wait for it.
                let isStuck = now > gaveAt + truncatedAfter + Self.longestHold
                caughtUp.withLock { $0 = isStuck || (held.isEmpty && ledger.waitingNames.isEmpty) }
                try await Task.sleep(for: .milliseconds(100))
            } else {
                caughtUp.withLock { $0 = false }
                try await give(free, &ledger, deliver)
                gaveAt = MachineClock.uptime
            }
        }
    }

    package var isCaughtUp: Bool { caughtUp.withLock { $0 } }

    package var lookedAt: Instant? { mode == .watch ? looked.withLock { $0 } : nil }

    /// A file that may be read, and waits for one that was captured before it and still settles.
    private struct Held {
        var file: FolderFile
        var time: Instant
        var since: Instant
    }

    /// Somewhat longer than a file settles. A picture that never becomes whole must not hold up the others.
    private static let longestHold = TimeSpan.seconds(3)

    /// Takes out what may be given now: what a restart finds half a second old must not be passed by what comes next, or the vehicle's
    /// frames are out of order.
    private static func release(_ held: inout [String: Held], behind earliest: Instant?, at now: Instant)
        -> [FolderFile]
    {
        let free = held.values.filter { one in
            earliest.map { one.time <= $0 } ?? true || now - one.since >= longestHold
        }
        return free.compactMap { held.removeValue(forKey: $0.file.name)?.file }
    }

    /// Gives those of the files that were not taken before, in order.
    private func give(
        _ files: [FolderFile], _ ledger: inout FolderLedger,
        _ deliver: @escaping @Sendable (CaptureItem) async throws -> Void
    ) async throws {
        var known = Set<String>()
        for start in stride(from: 0, to: files.count, by: Self.queryLength) {
            let keys = files[start..<min(start + Self.queryLength, files.count)].map(\.sourceKey)
            known.formUnion(try await taken(keys))
        }
        var fresh: [(file: FolderFile, time: Instant)] = []
        for file in files {
            if known.contains(file.sourceKey) { ledger.give(file) } else { fresh.append((file, orderTime(of: file))) }
        }
        fresh.sort { ($0.time, $0.file.name) < ($1.time, $1.file.name) }
        for (file, _) in fresh {
            try Task.checkCancellation()
            looked.withLock { $0 = MachineClock.uptime }
            guard let item = item(for: file, &ledger) else { continue }
            try await deliver(item)
            if case .unreadable(let picture) = item, picture.sourceKey == nil { continue }
            ledger.give(file)
        }
    }

    private func orderTime(of file: FolderFile) -> Instant {
        CaptureTime(
            picture: directory.head(of: file), name: file.baseName, offset: offset, arrival: file.modifiedAt
        ).instant
    }

    /// What a file gives; nil when it has to be looked at again later.
    private func item(for file: FolderFile, _ ledger: inout FolderLedger) -> CaptureItem? {
        let data: Data
        do {
            data = try directory.contents(of: file)
        } catch {
            return unread(file, because: error, &ledger)
        }
        switch PictureCheck.of(data) {
        case .complete:
            let time = CaptureTime(picture: data, name: file.baseName, offset: offset, arrival: file.modifiedAt)
            return .frame(
                Frame(
                    picture: data, time: clock.judge(time, file.modifiedAt), camera: camera,
                    sourceKey: file.sourceKey))
        case .truncated(let reason):
            let isOver =
                mode == .drain
                || ledger.givesUpTruncated(
                    file, at: MachineClock.uptime, age: clock.now() - file.modifiedAt)
            return isOver ? unreadable(file, reason) : nil
        case .notAPicture(let reason):
            return unreadable(file, reason)
        }
    }

    /// A file whose contents could not be had.
    private func unread(
        _ file: FolderFile, because failure: FolderDirectory.ReadFailure, _ ledger: inout FolderLedger
    ) -> CaptureItem? {
        switch failure {
        case .tooLarge:
            return unreadable(
                file, "it has \(file.size >> 20) MB; a picture has at most \(FolderDirectory.largestFile >> 20) MB")
        case .changed where mode == .watch:
            // A file that grew is waited for; one that is gone is forgotten by the next listing.
            ledger.forget(file.name)
            if let current = directory.file(file.name) {
                _ = ledger.look(current, at: MachineClock.uptime, age: .milliseconds(0))
            }
            return nil
        case .changed:
            return .unreadable(
                UnreadablePicture(camera: camera, name: file.name, reason: "it changed while it was being read"))
        case .system(let text):
            guard mode == .drain || ledger.putsOff(file, at: MachineClock.uptime) else { return nil }
            return .unreadable(UnreadablePicture(camera: camera, name: file.name, reason: "it can't be read: \(text)"))
        }
    }

    private func unreadable(_ file: FolderFile, _ reason: String) -> CaptureItem {
        .unreadable(UnreadablePicture(camera: camera, name: file.name, sourceKey: file.sourceKey, reason: reason))
    }
}
