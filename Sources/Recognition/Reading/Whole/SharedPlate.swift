import Enforcement
import Foundation
import Plates

/// A plate that rows and the whole, both unsure, take for possible, and neither, or one alone, for the likeliest (decision 0343).
struct SharedPlate {
    let plate: Plate
    let format: String

    /// How likely it is right by itself, 0…1: as likely as the one that takes it for likelier says.
    let confidence: Double

    /// What one doesn't name is no likelier than this beside its best.
    private static let unnamed = 0.01

    /// It is so many times as likely as what either takes for the likeliest, with both heard.
    private static let lead = 3.0

    /// - Parameter sure: one that is surer than that stands, whatever the other takes for possible.
    /// - Returns: nil where what one of both takes for the likeliest stands.
    init?(_ one: PlateReading, _ other: PlateReading, sure: Double) {
        guard max(one.confidence, other.confidence) < sure else { return nil }
        let (first, second) = (Self.shares(one), Self.shares(other))
        let tops = [one, other].map { LookAlike.folded($0.plate.compact) }
        func together(_ key: String) -> Double {
            (first[key]?.share ?? Self.unnamed) * (second[key]?.share ?? Self.unnamed)
        }
        guard let best = Set(first.keys).intersection(second.keys).max(by: { (together($0), $1) < (together($1), $0) }),
            tops.allSatisfy({ $0 == best || together(best) >= Self.lead * together($0) }),
            let a = first[best], let b = second[best]
        else { return nil }
        plate = a.plate
        let (here, there) = (one.confidence * a.share, other.confidence * b.share)
        confidence = max(here, there)
        format = a.share >= b.share ? one.format : other.format
    }

    /// How likely each of the plates that are named is beside the likeliest one, by what it is folded to: the candidates' own share is that
    /// of a character in the mean. Whoever is sure of the best has little left for others.
    private static func shares(_ reading: PlateReading) -> [String: (plate: Plate, share: Double)] {
        let rest = min(1, (1 - reading.confidence) / max(reading.confidence, unnamed))
        return Dictionary(
            reading.candidates.enumerated().map { place, candidate in
                let share = reading.confidence > 0 ? min(1, candidate.confidence / reading.confidence) : 0
                let whole = pow(share, Double(candidate.plate.compact.count))
                return (LookAlike.folded(candidate.plate.compact), (candidate.plate, place == 0 ? 1 : whole * rest))
            }, uniquingKeysWith: { $0.share >= $1.share ? $0 : $1 })
    }
}
