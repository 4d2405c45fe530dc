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
///
/// While the database can't be written, a frame of a folder waits, since its file does; what a live camera's frames give is
/// kept in memory, which is bounded, and written as soon as it can be: no frame of it waits for a
/// write longer than `patience`. No error of the store ends a pipeline: only the
/// cancellation of its task does.
actor FramePipeline {
    let camera: String
    let store: Store
    let photos: PhotoStore
    let log: Logger
    let alarms: LaterAlarms?
    let writer: FrameWriter
    private let recorder: PassageRecorder
    private let matching: MatchingService
    private let country: String?
    private let tracking: SightingTracker.Settings

    /// Where the console looks; nil when there is none.
    private let live: LivePictures?

    /// Told before each try to write what a frame gave.
    let atDisk: @Sendable () -> Void
    private let waitingVehicles: WaitingVehicles
    private var time = CameraTime(last: nil)
    private var reader: FrameReader

    /// Nil before the first frame: its state is read from the disk then.
    private(set) var tracker: SightingTracker?

    /// The tracker began without its state, which could not be read.
    private var isProvisional = false

    /// The tracker's state as it was last written, so that a frame that changes nothing costs no transaction.
    var writtenState: Data?

    private var isAtWork = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Frames whose pictures are on the disk for sightings that are still open.
    var keptPhotos = Set<String>()
    var trouble = RecordingTrouble()
    var photoTrouble = RecordingTrouble()
    var backlog = RecordingBacklog()
    var held = HeldPictures()

    private var pictures: PictureAlarms
    private var watch = WatchMark()

    /// Held pictures of what is on record without them.
    var late = Set<String>()

    init(
        camera: String, configuration: Configuration, store: Store, photos: PhotoStore,
        recognizer: sending PlateRecognizer,
        live: LivePictures? = nil, alarms: AlarmBoard? = nil, waitingVehicles: WaitingVehicles = .init(),
        atDisk: @escaping @Sendable () -> Void = {}, log: Logger
    ) {
        (self.live, self.atDisk, self.camera, self.waitingVehicles) = (live, atDisk, camera, waitingVehicles)
        self.store = store
        self.photos = photos
        let mask = MaskInUse(of: camera, configuration, store: store)
        reader = FrameReader(
            camera: camera, mask: mask, leastGlyphHeight: configuration.leastGlyphHeight(of: camera),
            recognizer: recognizer, isAwaited: TriggerWatch.look(of: camera, configuration))
        pictures = PictureAlarms(camera: camera)
        self.alarms = alarms.map(LaterAlarms.init)
        writer = FrameWriter(store)
        self.log = log
        country = configuration.reader.country
        tracking = configuration.tracking(of: camera)
        recorder = PassageRecorder(checkpostCode: configuration.post.code)
        matching = MatchingService(store: store, configuration: configuration)
    }

    /// Looks at a frame, or remembers that a picture can't be read.
    func process(_ item: CaptureItem) async throws -> FrameResult {
        try await alone { try await $0.look(at: item) }
    }

    private func look(at item: CaptureItem) async throws -> FrameResult {
        switch item {
        case .opened:
            return FrameResult()
        case .unreadable(let picture):
            return try await answer(unreadable: picture.name, reason: picture.reason, key: picture.sourceKey)
        case .frame(let frame):
            return try await process(frame)
        }
    }

    /// Closes the sightings of vehicles that have left when no frames come, and tries again what could not be written.
    ///
    /// - Parameter isCaughtUp: false while frames wait to be looked at. Then the time that passes is the box's own delay, and says
    ///   nothing of the vehicles.
    func tick(isCaughtUp: Bool = true) async throws -> FrameResult {
        try await alone { pipeline in
            guard pipeline.trouble.isDue || pipeline.tracker != nil else { return FrameResult() }
            do {
                try pipeline.loadState()
            } catch let error as StoreError {
                pipeline.tell(error)
                _ = pipeline.trouble.nextWaitSeconds()
                return FrameResult()
            }
            pipeline.keepLatePhotos()
            guard let now = pipeline.time.now else { return FrameResult() }
            let mayClose = isCaughtUp && pipeline.tracker?.hasOpenSightings == true
            guard mayClose || !pipeline.backlog.isEmpty || pipeline.writer.isBusy else { return FrameResult() }
            return try await pipeline.perform(.tick, at: now, frame: nil, times: .init())
        }
    }

    /// Closes all sightings and waits until everything is written: the end of a replay.
    func finish() async throws -> FrameResult {
        try await alone { pipeline in
            let now = pipeline.time.now ?? BoxClock.now
            return try await pipeline.perform(.end, at: now, frame: nil, times: .init(), waits: true)
        }
    }

    /// One frame or tick at a time: while one waits for the disk, another would write the tracker's state without what the first
    /// one gave.
    private func alone(_ work: (isolated FramePipeline) async throws -> FrameResult) async throws -> FrameResult {
        if isAtWork { await withCheckedContinuation { waiting.append($0) } }
        isAtWork = true
        defer {
            if waiting.isEmpty { isAtWork = false } else { waiting.removeFirst().resume() }
        }
        return try await work(self)
    }

    private func process(_ frame: Frame) async throws -> FrameResult {
        let now = time.come(frame)
        defer { time.answered() }
        switch reader.look(at: frame) {
        case .unreadable(let name, let reason):
            return try await answer(unreadable: name, reason: reason, key: frame.sourceKey)
        case .still:
            pictures.canBeRead(reader.trouble, alarms)
            live?.show(frame, arrivedAt: BoxClock.now)
            var result = try await perform(.still, at: now, frame: frame, times: .init())
            result.wasStill = true
            return result
        case .read(let reference, let result):
            pictures.canBeRead(reader.trouble, alarms)
            live?.show(
                frame, width: result.width, height: result.height, plates: result.readings, arrivedAt: BoxClock.now)
            return try await perform(
                .frame(reference, readings: result.readings + result.unread), at: now, frame: frame, times: result.times
            )
        }
    }

    /// Answers for a picture that can't be looked at.
    private func answer(unreadable name: String, reason: String, key: String?) async throws -> FrameResult {
        log.warning("unreadable picture", metadata: ["file": "\(name)", "reason": "\(reason)"])
        pictures.cannotBeRead(because: reason, alarms)
        let recorded = try await record(
            FrameCommit(
                camera: camera, takenKey: key, unreadable: .init(file: name, reason: reason), at: BoxClock.now),
            waits: key != nil)
        var result = FrameResult(unreadable: "\(name): \(reason)")
        result.recorded = recorded
        result.violations = match(recorded)
        return result
    }

    /// Hands an event to the tracker and records what comes of it.
    ///
    /// - Parameter waits: until it is written; nil for frames that can be taken again, and only for these.
    private func perform(
        _ event: SightingTracker.Event, at now: Instant, frame: Frame?, times: PlateRecognizer.StageTimes,
        waits: Bool? = nil
    ) async throws -> FrameResult {
        let waits = waits ?? (frame?.sourceKey != nil)
        try await loadTracker(waits: waits)
        guard var tracker else { return FrameResult(times: times) }
        let actions = tracker.handle(event, at: now)
        self.tracker = tracker
        var write = FrameCommit(camera: camera, takenKey: frame?.sourceKey, at: BoxClock.now)
        var result = FrameResult(times: times)
        for action in actions {
            switch action {
            case .keep(let reference):
                if let frame, let photo = keep(frame, reference) { write.photos.append(photo) }
            case .release(let reference):
                keptPhotos.remove(reference.sha256)
                if !late.contains(reference.sha256) { held.remove(reference.sha256) }
                write.released.append(reference.sha256)
            case .record(let sighting):
                write.recordings.append(recording(of: sighting))
            case .review(let sighting):
                write.reviews.append(sighting)
                result.reviewed.append(sighting)
            }
        }
        let state = try JSONEncoder.sorted.encode(tracker.state)
        if state != writtenState { write.trackerState = state }
        if let frame { watch.see(frame) }
        let hasNews =
            write.takenKey != nil || write.trackerState != nil || !actions.isEmpty || !backlog.isEmpty || writer.isBusy
        guard hasNews || watch.isDue else { return result }
        write.watch = watch.take()
        if isProvisional { concludeStoredState(into: &write) }
        result.recorded = try await record(write, waits: waits)
        waitingVehicles.count = backlog.count + writer.vehicles
        result.violations = match(result.recorded)
        return result
    }

    private func recording(of sighting: Sighting) -> FrameCommit.Recording {
        let hasPhoto = keptPhotos.contains(sighting.bestFrame.sha256)
        return .init(passage: recorder.passage(of: sighting, hasPhoto: hasPhoto), sighting: sighting)
    }

    // MARK: The tracker's state

    /// Reads what the tracker held before a restart, unless that is done.
    private func loadState() throws {
        guard tracker == nil else { return }
        let recalled = try TrackerMemory(store: store, camera: camera).recall()
        writtenState = recalled.written
        keptPhotos.formUnion(recalled.photos)
        begin(recalled.state)
        // What an earlier run raised and could not clear.
        for alarm in ["recording", "recording.lost", "recording.refused", "photos", "pictures"] {
            alarms?.clear("\(alarm).\(camera)")
        }
    }

    /// - Parameter waits: until the state can be read. A live camera doesn't wait: its tracker begins without it.
    private func loadTracker(waits: Bool) async throws {
        while tracker == nil {
            atDisk()
            do {
                try loadState()
            } catch let error as StoreError {
                tell(error)
                let pause = trouble.nextWaitSeconds()
                guard waits else {
                    isProvisional = true
                    // Seconds since 1970 are above any number that a camera's sightings can have had.
                    begin(SightingTracker.State(firstNumber: Int(BoxClock.now.milliseconds / 1000)))
                    return
                }
                try await Task.sleep(for: .seconds(pause))
            }
        }
    }

    private func begin(_ state: SightingTracker.State) {
        tracker = SightingTracker(camera: camera, country: country, settings: tracking, state: state)
        if time.now == nil { time = CameraTime(last: state.keptFrames.map(\.recordedAt).max()) }
    }

    /// What stood in front of the camera before the restart has left: it is recorded or shown as it was.
    private func concludeStoredState(into write: inout FrameCommit) {
        do {
            let recalled = try TrackerMemory(store: store, camera: camera).recallStored()
            isProvisional = false
            guard let recalled else { return }
            keptPhotos.formUnion(recalled.photos)
            let conclusion = recalled.concluded(
                of: camera, country: country, settings: tracking, by: recorder, at: write.at)
            write.recordings += conclusion.recordings
            write.reviews += conclusion.reviews
        } catch {
            // It can't be read yet: the next frame tries again.
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
