import Enforcement
import Foundation

/// What a part has of the supervisor: its place in the folder `run`, its pulse, and why it was started.
struct PartDesk: Sendable {
    let part: Part
    let folder: RunFolder

    /// Why the run before this one ended without being asked; nil when it didn't.
    let after: String?
    let pulse: PartPulse
    let fault: PartFault
    let waiting = WaitingVehicles()

    /// Shows that a piece of work is done.
    func beat() { pulse.beat() }

    /// Shows that a piece of work is done, and how the part is.
    ///
    /// - Parameter isAble: whether a passage could be recorded now.
    func beat(_ news: PartNews, isAble: Bool = false) {
        news.write(of: part, to: folder)
        pulse.beat(isAble ? .able : .plain)
    }
}
