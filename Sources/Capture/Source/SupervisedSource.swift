import Enforcement
import MachineClock

/// Runs a source for as long as its task lives: connects again with backoff and jitter, raises the alarm when it is silent, counts, and
/// puts a bounded buffer between a live source and its consumer.
package final class SupervisedSource: Sendable {
    package typealias Consumer = @Sendable (CaptureItem) async throws -> Void
    package typealias Reporter = @Sendable (CameraEvent) async -> Void

    private struct State: Sendable {
        var supervision: CameraSupervision
        var status: CameraStatus
    }

    package let camera: String
    private let source: any FrameSource
    private let bufferCapacity: Int
    private let state: Guarded<State>

    /// - Parameter bufferCapacity: frames held for a slow consumer of a live source.
    package init(
        camera: String, source: any FrameSource, silentAfter: TimeSpan?, backoff: Backoff = Backoff(),
        bufferCapacity: Int = 8
    ) {
        self.camera = camera
        self.source = source
        self.bufferCapacity = bufferCapacity
        state = Guarded(
            State(
                supervision: CameraSupervision(backoff: backoff, silentAfter: silentAfter),
                status: CameraStatus(camera: camera)))
    }

    package var isCaughtUp: Bool { source.isCaughtUp }

    /// For how long it has not looked for frames; nil for a source whose frames tell.
    package var unlooked: TimeSpan? { source.lookedAt.map { MachineClock.uptime - $0 } }

    package var status: CameraStatus {
        state.withLock { state in
            var status = state.status
            status.phase = state.supervision.phase
            status.failure = state.supervision.lastFailure
            status.attempts = state.supervision.attempts
            return status
        }
    }

    /// Tells what the consumer found when it looked at an item: a camera whose pictures can't be read doesn't count as connected.
    package func judge(_ item: CaptureItem, isReadable: Bool) {
        state.withLock { state in
            // A picture that was broken at sight is counted already.
            if case .frame = item, !isReadable { state.status.unreadableCount += 1 }
            _ = state.supervision.handle(.judged(isReadable: isReadable), at: MachineClock.uptime, random: 0)
        }
    }

    /// Gives frames and unreadable pictures to `consume`, one at a time, and changes of state to `report`, in their order.
    ///
    /// Returns when a source with an end has given everything and it is consumed, or when the task is cancelled. Throws only what
    /// `consume` threw: the camera's own errors are reported and tried again. Call it once.
    package func run(consume: @escaping Consumer, report: @escaping Reporter) async throws {
        let (reports, reporting) = AsyncStream.makeStream(
            of: CameraEvent.self, bufferingPolicy: .bufferingNewest(64))
        let buffer = source.pacing == .live ? FrameBuffer(capacity: bufferCapacity) : nil
        // The reports have a task of their own, outside the group: the last ones are told even while the group is cancelled.
        let reporter = Task { for await event in reports { await report(event) } }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.keepRunning(consume: consume, buffer: buffer, reporting: reporting) }
                if let buffer {
                    group.addTask { for await item in buffer.items { try await consume(item) } }
                }
                let ticker = Task { await self.tick(reporting: reporting) }
                defer { ticker.cancel() }
                // Not waitForAll: it would wait for the source, too, after the consumer has failed.
                while try await group.next() != nil {}
            }
        } catch let failure as ConsumerFailure {
            reporting.finish()
            await reporter.value
            throw failure.error
        } catch {
            reporting.finish()
            await reporter.value
            if error is CancellationError && Task.isCancelled { return }
            throw error
        }
        reporting.finish()
        await reporter.value
    }

    /// Attempt after attempt until the source ends by itself, the consumer fails, or the task is cancelled.
    private func keepRunning(
        consume: @escaping Consumer, buffer: FrameBuffer?, reporting: AsyncStream<CameraEvent>.Continuation
    ) async throws {
        defer { buffer?.finish() }
        while !Task.isCancelled {
            _ = handle(.started, reporting)
            do {
                try await source.run { item in
                    self.count(item, reporting)
                    if item == .opened { return }
                    if let buffer {
                        buffer.push(item)
                        self.state.withLock { $0.status.droppedCount = buffer.droppedCount }
                        return
                    }
                    do { try await consume(item) } catch { throw ConsumerFailure(error: error) }
                }
                if Task.isCancelled { return }
                _ = handle(.finished, reporting)
                return
            } catch let failure as ConsumerFailure {
                throw failure
            } catch {
                if Task.isCancelled { return }
                let failure =
                    error as? CameraFailure
                    ?? CameraFailure("\(error)", hint: "See the log; it is tried again by itself.")
                guard let delay = handle(.failed(failure), reporting) else { return }
                try? await Task.sleep(for: .milliseconds(delay.milliseconds))
            }
        }
    }

    private func tick(reporting: AsyncStream<CameraEvent>.Continuation) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(250))
            _ = handle(.tick, reporting)
        }
    }

    private func count(_ item: CaptureItem, _ reporting: AsyncStream<CameraEvent>.Continuation) {
        state.withLock { state in
            switch item {
            case .opened: break
            case .frame(let frame):
                state.status.frameCount += 1
                state.status.lastFrameAt = frame.recordedAt
            case .unreadable: state.status.unreadableCount += 1
            }
        }
        _ = handle(item == .opened ? .opened : .delivered, reporting)
    }

    /// Reports inside the lock, so that reports keep the order of the decisions. Returns the wait before the next attempt.
    private func handle(
        _ event: CameraSupervision.Event, _ reporting: AsyncStream<CameraEvent>.Continuation
    ) -> TimeSpan? {
        state.withLock { state in
            var delay: TimeSpan?
            let actions = state.supervision.handle(
                event, at: MachineClock.uptime, random: Double.random(in: 0...1))
            for action in actions {
                switch action {
                case .report(let event): reporting.yield(event)
                case .restart(let after): delay = after
                case .stop: break
                }
            }
            return delay
        }
    }
}

/// Tells an error of the consumer from one of the camera.
private struct ConsumerFailure: Error {
    let error: any Error
}
