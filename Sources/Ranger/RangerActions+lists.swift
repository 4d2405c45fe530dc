import Enforcement
import Storage

extension RangerActions {
    /// A reason to watch for a plate stands on the alert, to be read from afar.
    package static let longestWantedReason = 60

    /// Puts a plate on the list of those to watch for, or gives it another reason.
    ///
    /// - Throws: `RangerRefusal`, or `StoreError`.
    package func watch(forTyped typed: String, reason: String, by ranger: String) throws {
        let plate = try Self.listed(typed)
        let reason = try Self.reason(reason)
        guard reason.count <= Self.longestWantedReason else { throw RangerRefusal.reason }
        do {
            try store.wantedPlates.add(plate, reason: reason, by: ranger, at: now)
        } catch let error as StoreError where error.kind == .refused {
            throw RangerRefusal.listFull(WantedPlateTable.most)
        }
    }

    /// - Throws: `RangerRefusal.gone` when it isn't on the list.
    package func stopWatching(forTyped typed: String) throws {
        let plate = try Self.listed(typed)
        guard try store.wantedPlates.remove(plate) else { throw RangerRefusal.gone(.listed(plate)) }
    }

    /// Puts a plate on the list of those that raise no alarm, or gives it another reason.
    package func exempt(typed: String, reason: String) throws {
        try store.exemptPlates.add(try Self.listed(typed), reason: try Self.reason(reason), at: now)
    }

    /// - Throws: `RangerRefusal.gone` when it isn't on the list.
    package func endExemption(typed: String) throws {
        let plate = try Self.listed(typed)
        guard try store.exemptPlates.remove(plate) else { throw RangerRefusal.gone(.listed(plate)) }
    }

    private static func listed(_ typed: String) throws(RangerRefusal) -> Plate {
        do throws(TypedPlateError) {
            return try PlateNormalizer.plate(typed: typed)
        } catch {
            throw .plate(error)
        }
    }
}
