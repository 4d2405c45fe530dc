import Capture
import Console
import Enforcement
import Foundation
import Logging
import Recognition
import Storage

/// Takes the frames of one camera to recorded passages.
///
/// What a frame gave is one transaction: the mark that it was taken, the tracker's state, the passages with their queue
/// entries, the sightings for review. When `process` returns, the frame is answered for: a power cut neither loses nor
/// repeats it.
actor FramePipeline {
    /// What a frame came to, for those who show it.
    struct Outcome: Sendable {
        var recorded: [Passage] = []
        var reviewed: [Sighting] = []
        var violations: [Violation] = []
        var times = PlateRecognizer.StageTimes()

        /// The frame showed no change and wasn't read.
        var wasStill = false

        /// Why the picture could not be looked at; nil when it could.
        var unreadable: String?
    }

    private let camera: String
    private let store: Store
    private let photos: PhotoStore
    private let recorder: PassageRecorder
    private let matching: MatchingService
    private let recognizer: PlateRecognizer
    private let log: Logger

    /// Where the console looks; nil when there is none.
    private let live: LivePictures?

    /// Told before each try to write what a frame gave.
    private let atDisk: @Sendable () -> Void
    private var time: CameraTime
    private var tracker: SightingTracker
    private var gate = StillnessGate()

    /// The tracker's state as it was last written, so that a frame that changes nothing costs no transaction.
    private var writtenState: Data?

    private var isAtWork = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isOver = false

    /// Frames whose pictures are on the disk for sightings that are still open.
    private var keptPhotos = Set<String>()

    init(
        camera: String, configuration: Configuration, store: Store, photos: PhotoStore,
        recognizer: sending PlateRecognizer,
        live: LivePictures? = nil, atDisk: @escaping @Sendable () -> Void = {}, log: Logger
    ) throws {
        self.live = live
        self.atDisk = atDisk
        self.camera = camera
        self.store = store
        self.photos = photos
        self.recognizer = recognizer
        self.log = log
        recorder = PassageRecorder(checkpostCode: configuration.post.code)
        matching = MatchingService(store: store, configuration: configuration)
        writtenState = try store.trackerState(camera: camera)
        if let writtenState, var saved = try? JSONDecoder().decode(SightingTracker.self, from: writtenState) {
            saved.settings = configuration.reader.tracking
            tracker = saved
            for frame in saved.keptFrames where try store.photo(sha256: frame.sha256) != nil {
                keptPhotos.insert(frame.sha256)
            }
        } else {
            // A state that an older version wrote: its open sightings are given up, their numbers aren't used again.
            tracker = SightingTracker(
                camera: camera, country: configuration.reader.country, settings: configuration.reader.tracking,
                firstNumber: try store.lastSightingNumber(camera: camera) + 1)
        }
        time = CameraTime(last: tracker.keptFrames.map(\.recordedAt).max())
    }

    /// Looks at a frame, or remembers that a picture can't be read.
    func process(_ item: CaptureItem) async throws -> Outcome {
        try await alone { try await $0.look(at: item) }
    }

    private func look(at item: CaptureItem) async throws -> Outcome {
        switch item {
        case .opened:
            return Outcome()
        case .unreadable(let picture):
            log.warning("unreadable picture", metadata: ["file": "\(picture.name)", "reason": "\(picture.reason)"])
            try await commit(
                FrameCommit(
                    camera: camera, takenKey: picture.sourceKey,
                    unreadable: .init(file: picture.name, reason: picture.reason),
                    at: BoxClock.now))
            return Outcome(unreadable: "\(picture.name): \(picture.reason)")
        case .frame(let frame):
            return try await process(frame)
        }
    }

    /// Closes the sightings of vehicles that have left when no frames come.
    func tick() async throws -> Outcome {
        try await alone {
            guard $0.tracker.hasOpenSightings, let now = $0.time.now else { return Outcome() }
            return try await $0.perform($0.tracker.handle(.tick, at: now), frame: nil, times: .init())
        }
    }

    /// Closes all sightings: the end of a replay.
    func finish() async throws -> Outcome {
        try await alone {
            let now = $0.time.now ?? BoxClock.now
            return try await $0.perform($0.tracker.handle(.end, at: now), frame: nil, times: .init())
        }
    }

    /// One frame or tick at a time: while one waits for the disk, another would write the tracker's state without what the first
    /// one gave. After an error nothing is written any more, for the same reason: the next start goes on from the disk.
    private func alone(_ work: (isolated FramePipeline) async throws -> Outcome) async throws -> Outcome {
        if isAtWork { await withCheckedContinuation { waiting.append($0) } }
        isAtWork = true
        defer {
            if waiting.isEmpty { isAtWork = false } else { waiting.removeFirst().resume() }
        }
        guard !isOver else { throw CancellationError() }
        do {
            return try await work(self)
        } catch {
            isOver = true
            throw error
        }
    }

    private func process(_ frame: Frame) async throws -> Outcome {
        do {
            let now = time.come(frame)
            if try showsNoChange(frame) {
                live?.show(frame, arrivedAt: BoxClock.now)
                var outcome = try await perform(
                    tracker.handle(.still, at: now), frame: frame, times: .init())
                outcome.wasStill = true
                return outcome
            }
            let result = try recognizer.recognize(frame.picture)
            live?.show(
                frame, width: result.width, height: result.height, plates: result.readings, arrivedAt: BoxClock.now)
            if !result.readings.isEmpty { gate.found(at: frame.recordedAt) }
            let reference = FrameReference(
                sha256: PhotoStore.sha256(of: frame.picture), camera: camera, recordedAt: frame.recordedAt,
                clockState: frame.clockState)
            let actions = tracker.handle(.frame(reference, readings: result.readings), at: now)
            return try await perform(actions, frame: frame, times: result.times)
        } catch let error as ImageError {
            let name = frame.fileName ?? "a picture of \(camera)"
            log.warning("unreadable picture", metadata: ["file": "\(name)", "reason": "\(error)"])
            try await commit(
                FrameCommit(
                    camera: camera, takenKey: frame.sourceKey,
                    unreadable: .init(file: frame.fileName, reason: error.description), at: BoxClock.now))
            return Outcome(unreadable: "\(name): \(error)")
        }
    }

    /// Whether the frame is worth no look: judged on a thumbnail, which costs a fraction of reading it.
    private func showsNoChange(_ frame: Frame) throws(ImageError) -> Bool {
        let small = try ImageDecoder.thumbnail(of: frame.picture)
        guard let thumbnail = GrayThumbnail(width: small.width, height: small.height, pixels: small.pixels) else {
            return false
        }
        return gate.verdict(thumbnail.reduced(toWidth: Self.thumbnailWidth), at: frame.recordedAt) == .skip
    }

    private static let thumbnailWidth = 160

    private func perform(
        _ actions: [SightingTracker.Action], frame: Frame?, times: PlateRecognizer.StageTimes
    ) async throws -> Outcome {
        var write = FrameCommit(camera: camera, takenKey: frame?.sourceKey, at: BoxClock.now)
        var outcome = Outcome(times: times)
        for action in actions {
            switch action {
            case .keep(let reference):
                if let frame, let photo = keep(frame, reference) { write.photos.append(photo) }
            case .release(let reference):
                keptPhotos.remove(reference.sha256)
            case .record(let sighting):
                let hasPhoto = keptPhotos.contains(sighting.bestFrame.sha256)
                write.recordings.append(
                    .init(passage: recorder.passage(of: sighting, hasPhoto: hasPhoto), sighting: sighting))
            case .review(let sighting):
                write.reviews.append(sighting)
                outcome.reviewed.append(sighting)
            }
        }
        let state = try JSONEncoder.sorted.encode(tracker)
        if state != writtenState { write.trackerState = state }
        guard write.takenKey != nil || write.trackerState != nil || !actions.isEmpty else { return outcome }
        outcome.recorded = try await commit(write)
        writtenState = state
        outcome.violations = match(outcome.recorded)
        return outcome
    }

    /// Writes a picture; nil when it can't be written: the passage matters more than its photo.
    private func keep(_ frame: Frame, _ reference: FrameReference) -> PhotoRecord? {
        do {
            let photo = try photos.keep(frame.picture, recordedAt: frame.recordedAt, at: BoxClock.now)
            keptPhotos.insert(reference.sha256)
            return photo
        } catch {
            log.error("a photo could not be kept", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Writes what a frame gave. While the disk is full or the database is held by another, it waits and tries again: the
    /// frame isn't answered for before it is written.
    @discardableResult
    private func commit(_ commit: FrameCommit) async throws -> [Passage] {
        var waitSeconds = 1
        while true {
            atDisk()
            do {
                return try store.commit(commit)
            } catch let error as StoreError where [.diskFull, .busy, .readOnly].contains(error.kind) {
                log.critical(
                    "a frame can't be recorded; it is tried again",
                    metadata: ["error": "\(error)", "in": "\(waitSeconds) s"])
                try await Task.sleep(for: .seconds(waitSeconds))
                waitSeconds = min(10, waitSeconds * 2)
            }
        }
    }

    /// Matching is tried again later when it fails: the passages are recorded already.
    private func match(_ passages: [Passage]) -> [Violation] {
        do {
            return try matching.match(passages, at: BoxClock.now)
        } catch {
            log.error("matching failed; it is tried again", metadata: ["error": "\(error)"])
            return []
        }
    }
}

extension Frame {
    /// The name of the file that it came from; nil for a live camera.
    fileprivate var fileName: String? { sourceKey?.split(separator: "|").first.map(String.init) }
}

extension JSONEncoder {
    /// Keys in a fixed order: equal values are equal bytes.
    static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
