import Foundation

/// A violation as the server judged it. Its passages are named by the server's row ids.
package struct ServerViolation: Sendable, Equatable {
    package var serverID: UUID
    package var kind: Violation.Kind
    package var entryServerID: UUID
    package var exitServerID: UUID
    package var plate: Plate
    package var vehicleType: VehicleType
    package var entryTime: Instant
    package var exitTime: Instant
    package var distanceKm: Double
    package var speedLimitKmh: Double
    package var toleranceKmh: Double
    package var tolerancePercent: Double
    package var calculatedSpeedKmh: Double?
    package var isImplausible: Bool

    package init(
        serverID: UUID, kind: Violation.Kind, entryServerID: UUID, exitServerID: UUID, plate: Plate,
        vehicleType: VehicleType, entryTime: Instant, exitTime: Instant, distanceKm: Double, speedLimitKmh: Double,
        toleranceKmh: Double = 0, tolerancePercent: Double = 0, calculatedSpeedKmh: Double?, isImplausible: Bool
    ) {
        self.serverID = serverID
        self.kind = kind
        self.entryServerID = entryServerID
        self.exitServerID = exitServerID
        self.plate = plate
        self.vehicleType = vehicleType
        self.entryTime = entryTime
        self.exitTime = exitTime
        self.distanceKm = distanceKm
        self.speedLimitKmh = speedLimitKmh
        self.toleranceKmh = toleranceKmh
        self.tolerancePercent = tolerancePercent
        self.calculatedSpeedKmh = calculatedSpeedKmh
        self.isImplausible = isImplausible
    }
}

/// An overstay alert as the server raised it.
package struct ServerAlert: Sendable, Equatable {
    package var entryServerID: UUID
    package var plate: Plate
    package var vehicleType: VehicleType
    package var entryTime: Instant
    package var expectedExitBy: Instant
    package var resolvedAt: Instant?

    /// Who answered for the vehicle, and how; nil when it came out, or when nobody did.
    package var resolvedBy: String?
    package var resolvedReason: String?

    package init(
        entryServerID: UUID, plate: Plate, vehicleType: VehicleType, entryTime: Instant, expectedExitBy: Instant,
        resolvedAt: Instant?, resolvedBy: String? = nil, resolvedReason: String? = nil
    ) {
        self.entryServerID = entryServerID
        self.plate = plate
        self.vehicleType = vehicleType
        self.entryTime = entryTime
        self.expectedExitBy = expectedExitBy
        self.resolvedAt = resolvedAt
        self.resolvedBy = resolvedBy
        self.resolvedReason = resolvedReason
    }
}

/// What was done about a violation, as the server has it: by this post, the other one or the warden.
package struct ServerOutcome: Sendable, Equatable {
    package var violationServerID: UUID
    package var outcome: Outcome

    /// Whether the server says who acted. One with the published columns alone doesn't: then a name that is known here stays.
    package var isNamed: Bool

    /// Whether this post's account recorded it: then it is one that was sent, whichever disk it was sent from.
    package var isOwn: Bool

    package init(violationServerID: UUID, outcome: Outcome, isNamed: Bool = true, isOwn: Bool = false) {
        self.violationServerID = violationServerID
        self.outcome = outcome
        self.isNamed = isNamed
        self.isOwn = isOwn
    }
}
