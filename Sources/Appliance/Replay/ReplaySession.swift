import Capture
import Enforcement
import Foundation
import Logging
import Recognition
import Storage

/// Runs captured frames through the pipeline of one checkpost, or of the two at the ends of a road.
///
/// Each checkpost has a database of its own, as in the field. Afterwards each is told the other's passages, and matches.
package final class ReplaySession {
    private let inputs: [ReplayPath]
    private let configuration: Configuration
    private let start: Instant?
    private let tell: @Sendable (ReplayEvent) -> Void
    private let scratch: URL?
    private let cleanup: InterruptCleanup?
    private var posts: [Post] = []

    private struct Post {
        let configuration: Configuration
        let store: Store
        let photos: PhotoStore
    }

    package init(
        inputs: [ReplayPath], configuration: Configuration, database: String?, start: Instant?,
        intoAppliance: Bool = false, tell: @escaping @Sendable (ReplayEvent) -> Void
    ) throws {
        self.inputs = inputs
        self.tell = tell
        self.configuration = configuration
        self.start = start
        var codes: [String] = []
        for code in inputs.map({ $0.code ?? configuration.post.code }) where !codes.contains(code) {
            codes.append(code)
        }
        let scratchFolder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "checkpost-\(UUID().uuidString)")
        scratch = database == nil ? scratchFolder : nil
        cleanup = scratch.map(InterruptCleanup.init)
        for code in codes {
            let place = database.map(URL.init(fileURLWithPath:)) ?? scratchFolder
            let folder =
                database != nil && codes.count == 1
                ? place.deletingLastPathComponent() : place.appendingPathComponent(code)
            guard intoAppliance || !RunLock.isPresent(folder: folder.path) else {
                throw AdvisedError(
                    "\(folder.path) holds the records of an appliance; a replay would mix drawn passages into them.",
                    hint: "Name another file with --database, or say --into-appliance for a demonstration.")
            }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = database != nil && codes.count == 1 ? place : folder.appendingPathComponent("checkpost.sqlite")
            var own = configuration
            own.post = Checkpost(
                code: code, name: code, positionIndex: code == configuration.post.code ? 0 : 1)
            own.otherPostCode = codes.first { $0 != code } ?? configuration.otherPostCode
            posts.append(
                Post(configuration: own, store: try Store(path: file.path), photos: PhotoStore(folder: folder)))
        }
    }

    /// Removes the scratch databases, if they are scratch.
    package func removeScratch() {
        for post in posts { try? post.store.close() }
        if let scratch { try? FileManager.default.removeItem(at: scratch) }
    }

    package func run() async throws -> ReplaySummary {
        let began = ContinuousClock.now
        var frames = 0
        var unreadable = 0
        var still = 0
        for post in posts {
            for (index, input) in inputs.enumerated()
            where (input.code ?? configuration.post.code) == post.configuration.post.code {
                let counts = try await replay(
                    input, camera: inputs.count > posts.count ? "replay\(index + 1)" : "replay", post)
                frames += counts.frames
                unreadable += counts.unreadable
                still += counts.still
            }
        }
        try exchangePassages()
        return try summary(
            ReplaySummary.Frames(
                total: frames, unreadable: unreadable, still: still,
                seconds: (ContinuousClock.now - began).milliseconds / 1000))
    }

    /// The camera whose section of the configuration counts for a folder: the only one, or the one that is named like the folder.
    private func configured(for input: ReplayPath) -> CameraConfiguration? {
        let all = configuration.cameras
        return all.count == 1 ? all.first : all.first { $0.name == URL(fileURLWithPath: input.path).lastPathComponent }
    }

    private func replay(
        _ input: ReplayPath, camera: String, _ post: Post
    ) async throws -> (frames: Int, unreadable: Int, still: Int) {
        let recognizer = try PlateRecognizer(
            models: post.configuration.reader.models, country: post.configuration.reader.country)
        var configuration = post.configuration
        configuration.cameras = configured(for: input).map { [$0.called(camera)] } ?? []
        let pipeline = FramePipeline(
            camera: camera, configuration: configuration, store: post.store, photos: post.photos,
            recognizer: recognizer, log: Logger(label: "replay") { _ in SwiftLogNoOpLogHandler() })
        let store = post.store
        let source = ReplayInput.makeSource(path: input.path, camera: camera, start: start) { keys in
            try Set(keys.filter { try store.frames.isTaken(camera: camera, key: $0) })
        }
        let total = try (source as? FolderSource)?.count() ?? 0
        if source is FolderSource, total == 0 {
            throw AdvisedError(
                "There is no picture in \(input.path).", hint: "Give a folder with JPEG, PNG or PNM files.")
        }
        let counter = ReplayCounter(label: "replaying \(input.path)", total: total, tell: tell)
        try await source.run { item in
            await counter.count(item, try await pipeline.process(item))
        }
        _ = try await pipeline.finish()
        return await counter.finish()
    }

    /// Tells each checkpost what the other recorded, and matches.
    private func exchangePassages() throws {
        let now = BoxClock.now
        for post in posts {
            for other in posts where other.configuration.post.code != post.configuration.post.code {
                var passages: [MatchablePassage] = []
                try other.store.passages.forEach(PassageFilter(includesWithdrawn: false)) {
                    passages.append(MatchablePassage($0.passage))
                }
                try post.store.otherPost.upsert(passages, at: now)
                if let last = passages.map(\.recordedAt).max() {
                    // The replay's own end is how far the other post is known.
                    try post.store.cursors.set(
                        SyncCursor(name: SyncCursor.otherPostKnownUpTo, value: last.milliseconds), at: now)
                    // In the frames' time: a day that is replayed is judged as it was lived.
                    try post.store.otherPost.learn(
                        reviews: try other.store.sightings.reviewsToTell(asOf: last, by: .file), at: now)
                }
            }
            let matching = MatchingService(store: post.store, configuration: post.configuration)
            try matching.catchUp(at: now)
            try matching.overstayRound(at: now)
        }
    }

    private func summary(_ frames: ReplaySummary.Frames) throws -> ReplaySummary {
        var passages: [StoredPassage] = []
        var violations: [UUID: StoredViolation] = [:]
        var reviews: [StoredSighting] = []
        var alerts: [StoredOverstayAlert] = []
        var seen: [SeenVehicle] = []
        for post in posts {
            let code = post.configuration.post.code
            try post.store.passages.forEach(PassageFilter()) {
                passages.append($0)
                seen.append(
                    SeenVehicle(post: code, plate: $0.passage.plate, at: $0.passage.recordedAt, isRecorded: true))
            }
            for violation in try post.store.violations.list(limit: 10_000) {
                // Both ends find the same violation; it is shown once.
                violations[violation.violation.exitClientID] = violation
            }
            let waiting = try post.store.sightings.list(in: .review, limit: 10_000)
            reviews += waiting
            seen += waiting.map(\.sighting).map {
                SeenVehicle(
                    post: code, plate: $0.reading.isUnread ? nil : $0.reading.plate, at: $0.bestFrame.recordedAt,
                    isRecorded: false)
            }
            alerts += try post.store.alerts.list(limit: 10_000)
        }
        return ReplaySummary(
            frames: frames, passages: passages.sorted { $0.passage.recordedAt < $1.passage.recordedAt },
            violations: violations.values.sorted { $0.violation.exitTime < $1.violation.exitTime }, reviews: reviews,
            alerts: alerts, seen: seen)
    }
}

/// Counts a replay's frames and tells how far it is.
private actor ReplayCounter {
    private let tell: @Sendable (ReplayEvent) -> Void
    private var frames = 0
    private var unreadable = 0
    private var still = 0

    init(label: String, total: Int, tell: @escaping @Sendable (ReplayEvent) -> Void) {
        self.tell = tell
        tell(.begun(label, total: total))
    }

    func count(_ item: CaptureItem, _ result: FrameResult) {
        switch item {
        case .opened: return
        case .frame where result.unreadable == nil: frames += 1
        case .frame, .unreadable: unreadable += 1
        }
        if let reason = result.unreadable { tell(.unreadable(reason)) }
        if result.wasStill { still += 1 }
        tell(.advanced(result.recorded.last.map { "recorded \($0.plate)" } ?? ""))
    }

    func finish() -> (frames: Int, unreadable: Int, still: Int) {
        tell(.finished)
        return (frames, unreadable, still)
    }
}
