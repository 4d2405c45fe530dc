import Enforcement
import Foundation
import Testing

@testable import Capture

/// Gathers what a source gives and what a supervisor reports.
final class Collector: Sendable {
    private struct Gathered: Sendable {
        var items: [CaptureItem] = []
        var events: [CameraEvent] = []
    }

    private let gathered = Guarded(Gathered())

    var items: [CaptureItem] { gathered.withLock { $0.items } }
    var events: [CameraEvent] { gathered.withLock { $0.events } }

    var frames: [Frame] {
        items.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }

    var unreadable: [UnreadablePicture] {
        items.compactMap { if case .unreadable(let picture) = $0 { picture } else { nil } }
    }

    /// Names of the files that frames came from, in order.
    var names: [String] { frames.map { String($0.sourceKey?.split(separator: "|").first ?? "?") } }

    var isOpen: Bool { items.contains(.opened) }

    func take(_ item: CaptureItem) { gathered.withLock { $0.items.append(item) } }
    func report(_ event: CameraEvent) { gathered.withLock { $0.events.append(event) } }
}

/// Waits until something is so. The bound is far longer than it ever takes; it only keeps a broken test from hanging.
func eventually(
    _ what: Comment, within seconds: Double = 300, location: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("never so: \(what)", sourceLocation: location)
    throw CancellationError()
}

/// Runs a source while `body` runs, then cancels it and waits until it ended.
func running(
    _ source: any FrameSource, _ collector: Collector = Collector(), _ body: (Collector) async throws -> Void
) async throws {
    let task = Task { try await source.run { collector.take($0) } }
    do { try await body(collector) } catch {
        task.cancel()
        _ = await task.result
        throw error
    }
    task.cancel()
    _ = await task.result
}
