import Capture
import Enforcement
import Ranger
import Storage

extension RangerActions {
    /// What a ranger does, with the rules of this box: its post, its clock, its matching.
    package init(store: Store, configuration: Configuration) {
        let matching = MatchingService(store: store, configuration: configuration)
        self.init(
            store: store, checkpostCode: configuration.post.code, clockState: { configuration.clockState },
            match: { try matching.match($0, at: BoxClock.now) }, clock: { BoxClock.now })
    }
}

extension Configuration {
    /// Whether the box's clock can be believed now.
    package var clockState: ClockState {
        if isClockSimulated { return .simulated }
        return CaptureClock.kernelClockIsSynchronised() ? .synchronised : .untrusted
    }
}
