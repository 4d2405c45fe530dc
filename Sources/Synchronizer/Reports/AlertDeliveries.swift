import Enforcement
import Foundation
import ParkAPI
import Storage

/// Telling the server when a ranger's screen showed the alert of a violation.
struct AlertDeliveries {
    /// Alerts are few; after an outage the rest follows with the next cycles.
    private static let mostACycle = 20

    let context: SyncContext

    func tell() throws {
        for delivery in try context.store.deliveries.toTell(limit: Self.mostACycle) {
            let (verdict, _) = try context.askForVerdict(
                .update(
                    RowQuery<ViolationColumn>().whose(.id, .equals(delivery.violationServerID)).telling([.id]),
                    ViolationPatch(alertDeliveredAt: delivery.shownAt)))
            switch verdict {
            // A server that refuses it, or that quietly passes it over, will not take it later either.
            case .accepted, .duplicate, .refused, .forbidden, .unsendable, .tooLong:
                try context.store.deliveries.told(delivery)
            case .unauthorised, .unwell, .silent: return
            }
        }
    }
}
