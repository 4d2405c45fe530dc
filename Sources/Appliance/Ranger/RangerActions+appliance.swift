import Enforcement
import Ranger
import Storage

extension RangerActions {
    /// What a ranger does, with the rules of this box: its post, its clock, its matching.
    package init(store: Store, configuration: Configuration) {
        let matching = MatchingService(store: store, configuration: configuration)
        let time = configuration.hostTime(store)
        self.init(
            store: store, checkpostCode: configuration.post.code, time: time,
            match: { try matching.match($0, at: BoxClock.now) }, clock: { BoxClock.now })
    }
}

extension Configuration {
    /// How far the box's clock can be believed, asked anew each time.
    package func hostTime(_ store: Store) -> @Sendable () -> StampedState {
        if isClockSimulated { return { StampedState(clockState: .simulated) } }
        let reader = HostClockReader(store: store)
        return { StampedState(reader.read().time) }
    }
}
