import Enforcement

/// Remembers which files of a watched folder were given and which are still being written.
///
/// A file that the kernel reports as closed is ready. A file that was only found by listing is ready when it has not changed for
/// `settleAfter`, by its modification time or, where the writer's clock is off, by our own looking.
struct FolderLedger: Sendable {
    private struct Waiting: Sendable {
        var file: FolderFile
        var since: Instant
        var isTruncated = false
        /// Set when the file could not be opened: the next try.
        var retryAt: Instant?
    }

    /// When a file that could not be opened (its rights, the disk) is tried again.
    static let retryAfter = TimeSpan.seconds(10)

    /// How long a file must rest before it is read.
    static let settleAfter = TimeSpan.seconds(2)

    /// How long a picture that breaks off may still grow before it is given up: a slow upload pauses.
    let truncatedAfter: TimeSpan

    init(truncatedAfter: TimeSpan = .seconds(10)) {
        self.truncatedAfter = truncatedAfter
    }

    private var given: [String: FolderFile] = [:]
    private var waiting: [String: Waiting] = [:]

    var waitingNames: [String] { Array(waiting.keys) }

    func isGiven(_ file: FolderFile) -> Bool { given[file.name] == file }

    /// A look at a file; true when it is ready to be read.
    ///
    /// - Parameters:
    ///   - now: a clock that only runs forward.
    ///   - age: the time since its modification, by the box's clock; negative when the writer's clock is ahead.
    mutating func look(_ file: FolderFile, at now: Instant, age: TimeSpan) -> Bool {
        guard !isGiven(file) else {
            waiting[file.name] = nil
            return false
        }
        if waiting[file.name]?.file != file {
            waiting[file.name] = Waiting(file: file, since: now)
        }
        guard let entry = waiting[file.name] else { return false }
        if let retryAt = entry.retryAt { return now >= retryAt }
        let restedFor = max(now - entry.since, age)
        return restedFor >= (entry.isTruncated ? truncatedAfter : Self.settleAfter)
    }

    /// Whether a picture that breaks off is given up now. When not, it is looked at again later.
    mutating func givesUpTruncated(_ file: FolderFile, at now: Instant, age: TimeSpan) -> Bool {
        let since = waiting[file.name].flatMap { $0.file == file ? $0.since : nil } ?? now
        if max(now - since, age) >= truncatedAfter { return true }
        waiting[file.name] = Waiting(file: file, since: since, isTruncated: true)
        return false
    }

    /// Puts off a file that could not be opened. True the first time, when it is worth a report.
    mutating func putsOff(_ file: FolderFile, at now: Instant) -> Bool {
        let isFirst = waiting[file.name]?.file != file || waiting[file.name]?.retryAt == nil
        waiting[file.name] = Waiting(file: file, since: now, retryAt: now + Self.retryAfter)
        return isFirst
    }

    mutating func give(_ file: FolderFile) {
        given[file.name] = file
        waiting[file.name] = nil
    }

    mutating func forget(_ name: String) {
        waiting[name] = nil
    }

    /// Forgets the files that left the folder, so that the memory is bounded by what is in it.
    mutating func keepOnly(_ names: Set<String>) {
        given = given.filter { names.contains($0.key) }
        waiting = waiting.filter { names.contains($0.key) }
    }
}
