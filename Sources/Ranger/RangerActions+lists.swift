import Enforcement
import Storage

extension RangerActions {
    /// A reason to watch for a plate stands on the alert, to be read from afar.
    package static let longestWantedReason = 60

    /// Puts a plate on the list of those to watch for, or gives it another reason.
    ///
    /// - Throws: `RangerRefusal`, or `StoreError`.
    package func watch(forTyped typed: String, reason: String, by ranger: String) throws {
        let plate = try Self.listed(typed, isWhole: true)
        let reason = try Self.reason(reason)
        guard reason.count <= Self.longestWantedReason else { throw RangerRefusal.reason }
        do {
            try store.wantedPlates.add(plate, reason: reason, by: ranger, at: now)
        } catch let error as StoreError where error.kind == .refused {
            throw RangerRefusal.listFull(WantedPlateTable.most)
        }
    }

    /// - Throws: `RangerRefusal.gone` when it isn't on the list, `listedByPark` when only the park's office lists it.
    package func stopWatching(forTyped typed: String) throws {
        let plate = try Self.listed(typed)
        guard try store.wantedPlates.remove(plate) else { throw try unlisted(plate, .wanted) }
    }

    /// Puts a plate on the list of those that raise no alarm, or gives it another reason.
    package func exempt(typed: String, reason: String) throws {
        try store.exemptPlates.add(try Self.listed(typed, isWhole: true), reason: try Self.reason(reason), at: now)
    }

    /// - Throws: `RangerRefusal.gone` when it isn't on the list, `listedByPark` when only the park's office lists it.
    package func endExemption(typed: String) throws {
        let plate = try Self.listed(typed)
        guard try store.exemptPlates.remove(plate) else { throw try unlisted(plate, .exempt) }
    }

    /// Why a plate that is not on the post's own list can't be taken off.
    private func unlisted(_ plate: Plate, _ kind: ListedPlate.Kind) throws -> RangerRefusal {
        let isOfPark = try store.listedPlates.list().contains { $0.kind == kind && $0.plate.compact == plate.compact }
        return isOfPark ? .listedByPark(plate) : .gone(.listed(plate))
    }

    /// - Parameter isWhole: for one that is put on a list; whatever stands on one is taken off.
    private static func listed(_ typed: String, isWhole: Bool = false) throws(RangerRefusal) -> Plate {
        do throws(TypedPlateError) {
            return try isWhole ? PlateNormalizer.wholePlate(typed: typed) : PlateNormalizer.plate(typed: typed)
        } catch {
            throw .plate(error)
        }
    }
}
