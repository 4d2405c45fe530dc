import Foundation

/// A match outside the limits, with the limits and the distance that it was judged by.
package struct Violation: Sendable, Equatable, Identifiable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case speeding
        case overstay
    }

    package let id: UUID
    package var kind: Kind
    package var entryClientID: UUID
    package var exitClientID: UUID

    /// The entry's, as at the server.
    package var plate: Plate
    package var vehicleType: VehicleType
    package var entryTime: Instant
    package var exitTime: Instant
    package var distanceKm: Double

    /// The lawful limit that was broken, without the tolerance: the highest speed for speeding, the lowest for overstay.
    package var speedLimitKmh: Double

    /// The tolerance that it was judged with.
    package var toleranceKmh: Double
    package var tolerancePercent: Double

    /// Nil when no time passed between the two: infinitely fast.
    package var calculatedSpeedKmh: Double?

    /// The speed is beyond what vehicles do: a person should look before anybody is stopped.
    package var isImplausible: Bool

    package var state: FindingState

    package var travelTime: TimeSpan { exitTime - entryTime }

    package var tolerance: Tolerance { Tolerance(kmh: toleranceKmh, percent: tolerancePercent) }

    /// The speed that was compared with: the limit and the tolerance.
    package var thresholdSpeedKmh: Double {
        switch kind {
        case .speeding: tolerance.threshold(above: speedLimitKmh)
        case .overstay: tolerance.threshold(below: speedLimitKmh)
        }
    }

    /// The time that was compared with, in minutes: the shortest that is no speeding, the longest that is no overstay.
    package var thresholdMinutes: Double { distanceKm / thresholdSpeedKmh * 60 }

    package init(
        id: UUID, kind: Kind, entryClientID: UUID, exitClientID: UUID, plate: Plate, vehicleType: VehicleType,
        entryTime: Instant, exitTime: Instant, distanceKm: Double, speedLimitKmh: Double, toleranceKmh: Double = 0,
        tolerancePercent: Double = 0, calculatedSpeedKmh: Double?, isImplausible: Bool, state: FindingState
    ) {
        self.id = id
        self.kind = kind
        self.entryClientID = entryClientID
        self.exitClientID = exitClientID
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
        self.state = state
    }

    /// The violation that a match is, if it is one.
    ///
    /// - Returns: nil for a lawful travel time, for plates that only look alike, and when either clock is untrusted: none
    ///   of these makes a violation by itself.
    package init?(_ match: Match, on segment: Segment, id: UUID) {
        guard match.certainty == .exact, match.entry.clockState.isTrusted, match.exit.clockState.isTrusted else {
            return nil
        }
        let kind: Kind
        switch SpeedCalculator.check(match, on: segment) {
        case .lawful: return nil
        case .speeding: kind = .speeding
        case .overstay: kind = .overstay
        }
        self.init(
            id: id, kind: kind, entryClientID: match.entry.clientID, exitClientID: match.exit.clientID,
            plate: match.entry.plate, vehicleType: match.entry.vehicleType, entryTime: match.entry.recordedAt,
            exitTime: match.exit.recordedAt, distanceKm: segment.distanceKm,
            speedLimitKmh: kind == .speeding ? segment.highestSpeedKmh(of: match) : segment.minSpeedKmh,
            toleranceKmh: segment.toleranceKmh, tolerancePercent: segment.tolerancePercent,
            calculatedSpeedKmh: SpeedCalculator.speedKmh(travelTime: match.travelTime, on: segment),
            isImplausible: SpeedCalculator.isImplausible(travelTime: match.travelTime, on: segment),
            state: .provisional)
    }
}
