import Capture
import Console
import Enforcement
import Foundation
import Logging
import Recognition
import ServiceLifecycle
import Storage

/// Runs one camera: its frames through the pipeline, its troubles to the alarms.
///
/// Returns after a graceful shutdown, when the frame in hand is recorded. Whatever else ends its work is an error: the supervisor starts
/// the camera's part again.
struct CameraService: Service {
    let camera: CameraConfiguration
    let configuration: Configuration
    let store: Store
    let photos: PhotoStore
    let alarms: AlarmBoard
    let desk: PartDesk
    let log: Logger

    /// How often a missing model is looked for again.
    private static let modelRetry = Duration.seconds(10)

    /// How often sightings of vehicles that have left are closed while no frame comes.
    private static let tickInterval = Duration.seconds(2)

    /// A folder that takes longer to be listed lies on a disk or a network that is dead.
    private static let longestLook = TimeSpan.minutes(5)

    func run() async throws {
        let hand = HandFile(path: desk.folder.hand(of: camera.name), after: desk.after)
        let live = LivePictures()
        // What the run before said was its own: what still is so is said again.
        for key in AlarmScope.begun(camera: camera.name) { alarms.clear(key) }
        do {
            try await cancelWhenGracefulShutdown {
                guard let pipeline = try await makePipeline(live, hand) else { return }
                do { try await work(pipeline, live, hand) } catch {
                    await pipeline.giveUp()
                    throw error
                }
                await pipeline.giveUp()
            }
        } catch is CancellationError where Task.isShuttingDownGracefully {
            // It waited for the disk: the frame in hand is not answered for, and is taken again after the next start.
        }
        guard Task.isShuttingDownGracefully else {
            throw AdvisedError("The work of the camera \(camera.name) ended.", hint: "It is started again.")
        }
    }

    private func work(_ pipeline: FramePipeline, _ live: LivePictures, _ hand: HandFile) async throws {
        let clock = CameraClockKeeper(
            camera: camera.name, store: store, alarms: alarms, reader: HostClockReader(store: store), log: log)
        let source = camera.makeSupervisedSource(
            clock: configuration.isClockSimulated ? .simulated : clock.makeClock(), passOver: { report($0) },
            taken: { try await taken($0) },
            isAwaited: { [look = TriggerWatch.look(of: camera.name, configuration)] in look(BoxClock.now) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await watch(source, pipeline, hand) }
            group.addTask {
                var turns = hand.turns
                var canWrite = false
                while !Task.isCancelled {
                    report(try await pipeline.tick(isCaughtUp: source.isCaughtUp))
                    // While a frame is in hand, only frames that are answered for are a sign of life; else that frames are looked for.
                    let isLooking = (source.unlooked ?? .milliseconds(0)) <= desk.fault.shortened(Self.longestLook)
                    if hand.isBusy ? hand.turns != turns : isLooking {
                        // Once a start is enough: later troubles of the disk are alarms of the pipeline.
                        if !canWrite { canWrite = (try? store.tryWriting()) != nil }
                        let status = source.status
                        desk.beat(
                            PartNews(camera: PartNews.Camera(status)), isAble: canWrite && status.phase.givesPictures)
                    }
                    turns = hand.turns
                    try? await Task.sleep(for: Self.tickInterval)
                }
            }
            if configuration.console != nil {
                let folder = URL(fileURLWithPath: desk.folder.path)
                group.addTask { await LivePublisher(camera: camera.name, pictures: live, folder: folder).run() }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// While the database can't be read the files wait, which is no failure of the camera: the pipeline raises the alarm.
    private func taken(_ keys: [String]) async throws -> Set<String> {
        desk.fault.strike(.look)
        while true {
            do {
                return try Set(keys.filter { try store.frames.isTaken(camera: camera.name, key: $0) })
            } catch let error as StoreError where error.mayPass {
                desk.beat()
                try await Task.sleep(for: Self.storeRetry)
            }
        }
    }

    private static let storeRetry = Duration.seconds(1)

    private func watch(_ source: SupervisedSource, _ pipeline: FramePipeline, _ hand: HandFile) async throws {
        try await source.run(
            consume: { item in
                hand.begin()
                defer { hand.end() }
                let result = try await process(item, pipeline, hand)
                source.judge(item, isReadable: result.unreadable == nil)
                report(result)
                desk.beat()
            },
            report: { event in report(event, of: source) })
        // A source with an end is done before the appliance is.
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    }

    /// A picture over which this part has ended again and again is set aside, and the others come to their turn.
    private func process(
        _ item: CaptureItem, _ pipeline: FramePipeline, _ hand: HandFile
    ) async throws -> FrameResult {
        guard case .frame(let frame) = item, let key = frame.sourceKey else {
            if case .frame = item { desk.fault.strike(.work) }
            return try await pipeline.process(item)
        }
        let result: FrameResult
        if let reason = hand.take(key) {
            log.error("a picture is set aside", metadata: ["picture": "\(key)", "reason": "\(reason)"])
            let name = key.split(separator: "|").first.map(String.init) ?? key
            result = try await pipeline.process(
                .unreadable(UnreadablePicture(camera: camera.name, name: name, sourceKey: key, reason: reason)))
        } else {
            desk.fault.strike(.work)
            result = try await pipeline.process(item)
        }
        hand.answered(key)
        return result
    }

    /// Waits for the models: without them frames stay in their folder, and nothing is lost.
    private func makePipeline(_ live: LivePictures, _ hand: HandFile) async throws -> FramePipeline? {
        while !Task.isCancelled {
            do {
                let recognizer = try PlateRecognizer(
                    models: configuration.reader.models, country: configuration.reader.country)
                let problems = recognizer.problems
                let pipeline = FramePipeline(
                    camera: camera.name, configuration: configuration, store: store, photos: photos,
                    recognizer: recognizer, live: configuration.console == nil ? nil : live, alarms: alarms,
                    waitingVehicles: desk.waiting,
                    atDisk: {
                        // What happens from here on isn't the picture's doing, and waiting for a full disk is no hang.
                        hand.putDown()
                        desk.beat()
                    }, log: log)
                alarms.clear("reader.model")
                if problems.isEmpty {
                    alarms.clear("reader.limited")
                } else {
                    alarms.raise(
                        "reader.limited", .warning, problems.joined(separator: " "),
                        hint: "`checkpost model verify` names what is missing; restart the service when it is there.")
                }
                return pipeline
            } catch {
                alarms.raise(
                    "reader.model", .critical, "Plates can't be read: \(String(sentence: error))",
                    hint: "Frames in folders wait; those of live cameras are lost until it is mended.")
                // It can't record, and says so; starting it again would not help.
                desk.beat(PartNews(camera: .waiting(camera.name, because: "\(error)")))
                try? await Task.sleep(for: Self.modelRetry)
            }
        }
        return nil
    }

    private func report(_ result: FrameResult) {
        for passage in result.recorded {
            log.info(
                "passage",
                metadata: [
                    "plate": "\(passage.plate)", "type": "\(passage.vehicleType.rawValue)",
                    "recorded_at": "\(passage.recordedAt.iso8601)", "camera": "\(camera.name)",
                ])
        }
        for violation in result.violations {
            log.notice(
                "violation", metadata: ["plate": "\(violation.plate)", "kind": "\(violation.kind.rawValue)"])
        }
    }

    private func report(_ files: PassedOverFiles) {
        let key = "folder.\(camera.name)"
        guard !files.isEmpty else { return alarms.clear(key) }
        alarms.raise(
            key, .warning, "Files in the folder of the camera \(camera.name) are not looked at: \(files.description).",
            hint: "Set what fills it to JPEG or PNG pictures and plain names, and take these files out of it.")
    }

    private func report(_ event: CameraEvent, of source: SupervisedSource) {
        let key = "camera.\(camera.name)"
        switch event {
        case .connected:
            log.info("camera connected", metadata: ["camera": "\(camera.name)"])
            alarms.clear(key)
        case .recovered(let span):
            log.notice("camera is back", metadata: ["camera": "\(camera.name)", "after": "\(Wording.span(span))"])
            alarms.clear(key)
        case .silent(let span):
            // A refused login stays the cause, however long there is no picture.
            let failure = source.status.failure
            alarms.raise(
                key, .critical,
                "The camera \(camera.name) has given no picture for \(Wording.span(span))"
                    + (failure.map { ": \($0.reason)." } ?? "."),
                hint: failure?.hint ?? "Check its power, its cable and its address.")
        case .failed(let failure, _):
            alarms.raise(key, .critical, "The camera \(camera.name): \(failure.reason).", hint: failure.hint)
        case .finished:
            log.info("camera has given all its frames", metadata: ["camera": "\(camera.name)"])
        }
    }
}

extension PartNews.Camera {
    package init(_ status: CameraStatus) {
        self.init(
            name: status.camera, phase: status.phase.rawValue, failure: status.failure?.description,
            frameCount: status.frameCount, droppedCount: status.droppedCount,
            unreadableCount: status.unreadableCount, lastFrameAt: status.lastFrameAt)
    }

    /// A camera whose pictures can't be read yet.
    fileprivate static func waiting(_ name: String, because reason: String) -> Self {
        Self(
            name: name, phase: CameraSupervision.Phase.connecting.rawValue, failure: reason, frameCount: 0,
            droppedCount: 0, unreadableCount: 0, lastFrameAt: nil)
    }
}
