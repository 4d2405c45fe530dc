import Enforcement
import Synchronization

/// Counts what each address does in the running minute, and says when it is too much.
///
/// Addresses are forgotten when the minute is over, and no more than `maximumAddresses` are known: the rest share one count.
final class Throttle: Sendable {
    private struct State {
        var minute: Int64 = 0
        var counts: [String: Int] = [:]
    }

    private let perMinute: Int
    private let state = Mutex(State())
    static let maximumAddresses = 1000

    init(perMinute: Int) {
        self.perMinute = perMinute
    }

    func allows(_ address: String, at now: Instant) -> Bool {
        state.withLock { state in
            let minute = now.epochSeconds / 60
            if minute != state.minute { state = State(minute: minute) }
            let key = state.counts[address] != nil || state.counts.count < Self.maximumAddresses ? address : ""
            state.counts[key, default: 0] += 1
            return state.counts[key, default: 0] <= perMinute
        }
    }
}
