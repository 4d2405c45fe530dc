import Capture
import Console
import Enforcement
import Logging
import Recognition
import ServiceLifecycle
import Storage

/// Runs one camera: its frames through the pipeline, its troubles to the alarms.
///
/// Returns after a graceful shutdown, when the frame in hand is recorded.
struct CameraService: Service {
    let camera: CameraConfiguration
    let configuration: Configuration
    let store: Store
    let photos: PhotoStore
    let board: StatusBoard
    let alarms: AlarmBoard
    var live: LivePictures?
    let log: Logger

    /// How often a missing model is looked for again.
    private static let modelRetry = Duration.seconds(10)

    /// How often sightings of vehicles that have left are closed while no frame comes.
    private static let tickInterval = Duration.seconds(2)

    func run() async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            do {
                try await watchUntilShutdown()
                break
            } catch {
                // A real shutdown ends it: the frame in hand is not answered for, and is taken again after the next start.
                if Task.isCancelled || Task.isShuttingDownGracefully { break }
                alarms.raise(
                    "camera.\(camera.name)", .critical, "The camera \(camera.name) stopped: \(error).",
                    hint: "It is started again by itself.")
                try? await Task.sleep(for: Self.modelRetry)
            }
        }
        // A source with an end is done before the appliance is.
        try await gracefulShutdown()
    }

    private func watchUntilShutdown() async throws {
        try await cancelWhenGracefulShutdown {
            guard let pipeline = try await makePipeline() else { return }
            let source = camera.makeSupervisedSource(
                clock: configuration.isClockSimulated ? .simulated : .live,
                taken: { keys in try Set(keys.filter { try store.isTaken(camera: camera.name, key: $0) }) })
            await board.add(source)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await watch(source, pipeline) }
                group.addTask {
                    while !Task.isCancelled {
                        try? await Task.sleep(for: Self.tickInterval)
                        report(try await pipeline.tick())
                    }
                }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    private func watch(_ source: SupervisedSource, _ pipeline: FramePipeline) async throws {
        try await source.run(
            consume: { item in report(try await pipeline.process(item)) },
            report: { event in report(event, of: source) })
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    }

    /// Waits for the models: without them frames stay in their folder, and nothing is lost.
    private func makePipeline() async throws -> FramePipeline? {
        while !Task.isCancelled {
            do {
                let recognizer = try PlateRecognizer(
                    models: configuration.reader.models, country: configuration.reader.country)
                let problems = recognizer.problems
                let pipeline = FramePipeline(
                    camera: camera.name, configuration: configuration, store: store, photos: photos,
                    recognizer: recognizer, live: live, alarms: alarms, log: log)
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
                    "reader.model", .critical, "Plates can't be read: \(error).",
                    hint: "Frames in folders wait; those of live cameras are lost until it is mended.")
                try? await Task.sleep(for: Self.modelRetry)
            }
        }
        return nil
    }

    private func report(_ outcome: FramePipeline.Outcome) {
        for passage in outcome.recorded {
            log.info(
                "passage",
                metadata: [
                    "plate": "\(passage.plate)", "type": "\(passage.vehicleType.rawValue)",
                    "recorded_at": "\(passage.recordedAt.iso8601)", "camera": "\(camera.name)",
                ])
        }
        for violation in outcome.violations {
            log.notice(
                "violation", metadata: ["plate": "\(violation.plate)", "kind": "\(violation.kind.rawValue)"])
        }
    }

    private func report(_ event: CameraEvent, of source: SupervisedSource) {
        let key = "camera.\(camera.name)"
        switch event {
        case .connected:
            log.info("camera connected", metadata: ["camera": "\(camera.name)"])
            alarms.clear(key)
        case .recovered(let span):
            log.notice("camera is back", metadata: ["camera": "\(camera.name)", "after": "\(Output.span(span))"])
            alarms.clear(key)
        case .silent(let span):
            // A refused login stays the cause, however long there is no picture.
            let failure = source.status.failure
            alarms.raise(
                key, .critical,
                "The camera \(camera.name) has given no picture for \(Output.span(span))"
                    + (failure.map { ": \($0.reason)." } ?? "."),
                hint: failure?.hint ?? "Check its power, its cable and its address.")
        case .failed(let failure, _):
            alarms.raise(key, .critical, "The camera \(camera.name): \(failure.reason).", hint: failure.hint)
        case .finished:
            log.info("camera has given all its frames", metadata: ["camera": "\(camera.name)"])
        }
    }
}
