import Foundation
import Synchronization

/// Tells browsers what has changed. The newest events are kept, so that one that lost its connection is told what it missed.
///
/// A browser that reads too slowly is cut off and counted; it comes back and catches up. Nothing that records waits for one.
package final class EventHub: Sendable {
    package struct Event: Sendable, Equatable {
        /// `<run>-<number>`: a restart begins a new run.
        package var id: String
        package var name: String

        /// One line of JSON.
        package var data: String
    }

    private struct Reader {
        var person: String
        var stream: AsyncStream<Event>.Continuation
    }

    private struct State {
        var number = 0
        var kept: [Event] = []
        var readers: [Int: Reader] = [:]
        var nextReader = 0
        var overflowCount = 0
    }

    package static let keptEvents = 256
    package static let readerBuffer = 64
    package static let maximumReaders = 64

    /// The most pages that one person has open, on all devices: one with a page that opens itself again and again shuts nobody else out.
    package static let maximumOfOne = 16

    private let run: String
    private let keepsNewest: Bool
    private let state = Mutex(State())

    /// - Parameter keepsNewest: who has as many streams as one may gets another one all the same, and the oldest ends: for programs, whose
    ///   lost connections are missed late. A page whose stream ended would come back for it.
    package init(run: String = String(UInt32.random(in: .min ... .max), radix: 36), keepsNewest: Bool = false) {
        self.run = run
        self.keepsNewest = keepsNewest
    }

    /// How many browsers were cut off because they read too slowly.
    package var overflowCount: Int { state.withLock { $0.overflowCount } }
    package var readerCount: Int { state.withLock { $0.readers.count } }

    package func send(_ name: String, _ data: String = "{}") {
        let slow: [AsyncStream<Event>.Continuation] = state.withLock { state in
            var slow: [AsyncStream<Event>.Continuation] = []
            state.number += 1
            let event = Event(id: "\(run)-\(state.number)", name: name, data: data)
            state.kept.append(event)
            if state.kept.count > Self.keptEvents { state.kept.removeFirst() }
            for (key, reader) in state.readers {
                if case .dropped = reader.stream.yield(event) {
                    state.overflowCount += 1
                    state.readers[key] = nil
                    slow.append(reader.stream)
                }
            }
            return slow
        }
        // Outside the lock: ending a stream comes back here.
        for reader in slow { reader.finish() }
    }

    /// Events from now on, after those that were missed since `lastID`.
    ///
    /// A `lastID` of another run, or one too long ago, gets the event `reset`: the page is to be loaded anew. Nil when there
    /// are too many readers.
    ///
    /// - Parameter person: who reads.
    package func subscribe(after lastID: String?, for person: String) -> AsyncStream<Event>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingOldest(Self.keptEvents + Self.readerBuffer))
        var oldest: AsyncStream<Event>.Continuation?
        let key: Int? = state.withLock { state in
            oldest = makeRoom(for: person, in: &state)
            guard state.readers.count < Self.maximumReaders,
                state.readers.values.count(where: { $0.person == person }) < Self.maximumOfOne
            else { return nil }
            for event in missed(after: lastID, state) { continuation.yield(event) }
            state.nextReader += 1
            state.readers[state.nextReader] = Reader(person: person, stream: continuation)
            return state.nextReader
        }
        oldest?.finish()
        guard let key else { return nil }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: key) }
        }
        return stream
    }

    /// - Returns: the stream that has to end for another one of the same person.
    private func makeRoom(for person: String, in state: inout State) -> AsyncStream<Event>.Continuation? {
        let own = state.readers.filter { $0.value.person == person }.keys
        guard keepsNewest, own.count >= Self.maximumOfOne, let oldest = own.min() else { return nil }
        return state.readers.removeValue(forKey: oldest)?.stream
    }

    /// Ends all streams: the console stops.
    package func finish() {
        let readers = state.withLock { state in
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.stream.finish() }
    }

    private func missed(after lastID: String?, _ state: State) -> [Event] {
        guard let lastID else { return [] }
        let reset = Event(id: "\(run)-\(state.number)", name: "reset", data: "{}")
        guard lastID.hasPrefix(run + "-"), let number = Int(lastID.dropFirst(run.count + 1)), number <= state.number
        else { return [reset] }
        let missing = state.number - number
        return missing > state.kept.count ? [reset] : Array(state.kept.suffix(missing))
    }
}
