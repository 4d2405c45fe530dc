import Foundation

@testable import Enforcement

/// The pilot's road: 45 km, 40 km/h at most, 10 km/h at least.
let banke = Segment(name: "Banke", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10)

/// A passage at post A or B, `ms` after the moment that the tests call zero.
func passage(
    _ plate: String, at post: String = "A", ms: Int64, id: Int = 0, clock: ClockState = .synchronised,
    type: VehicleType = .car
) -> MatchablePassage {
    let digits = String(id)
    let tail = String(repeating: "0", count: 12 - digits.count) + digits
    return MatchablePassage(
        clientID: UUID(uuidString: "00000000-0000-4000-8000-\(tail)") ?? UUID(),
        plate: PlateNormalizer.normalize(plate) ?? Plate(canonical: plate), vehicleType: type, checkpostCode: post,
        recordedAt: Instant(milliseconds: 1_795_255_530_000 + ms), clockState: clock)
}

/// A plate of which the first character could not be read.
func partial(_ passage: MatchablePassage, _ text: String) -> MatchablePassage {
    var copy = passage
    copy.plate = Plate(canonical: text)
    return copy
}
