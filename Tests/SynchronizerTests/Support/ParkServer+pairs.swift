import Enforcement
import Foundation
import ParkAPI

/// Which passages the real server's walk pairs.
extension ParkServer {
    private static let codes = [postA: "BNP-A", postB: "BNP-B"]

    /// Nil where a row makes no sense.
    static func passage(_ row: Row) -> MatchablePassage? {
        guard let id = row.text(PassageColumn.clientID).flatMap(UUID.init(uuidString:)),
            let time = row.text(PassageColumn.recordedAt).flatMap(Instant.init(iso8601:)),
            let plate = row.text(PassageColumn.plate), let code = codes[row.text(PassageColumn.checkpost) ?? ""]
        else { return nil }
        return MatchablePassage(
            clientID: id, plate: Plate(canonical: plate), vehicleType: .car, checkpostCode: code, recordedAt: time,
            clockState: row.text(PassageColumn.clockState).flatMap(ClockState.init(rawValue:)) ?? .synchronised,
            isOfText: row.text(PassageColumn.source) == PassageSource.sms.rawValue,
            travel: row.text(PassageColumn.travel).flatMap(Travel.init(rawValue:)))
    }

    /// The passages of a plate. A pair whose violation has an outcome is kept.
    func steps(of plate: Plate) -> [PairWalk.Step] {
        let outcomes = Set(rows(.violationOutcomes).compactMap { $0.text(OutcomeColumn.violation) })
        let kept = rows(.violations).filter { outcomes.contains($0.text(ViolationColumn.id) ?? "") }
            .flatMap { [$0.text(ViolationColumn.entry), $0.text(ViolationColumn.exit)] }
        let rows = rows(.passages).filter { Self.passage($0)?.plate == plate }
        return rows.compactMap { row in
            guard let passage = Self.passage(row) else { return nil }
            let partner = row.text(PassageColumn.match).flatMap { id in rows.first { $0.text(PassageColumn.id) == id } }
            return PairWalk.Step(
                passage, partner: partner.flatMap(Self.passage)?.clientID,
                isKept: kept.contains(row.text(PassageColumn.id)))
        }
    }

    /// The row of a passage.
    func row(of clientID: UUID) -> String? {
        rows(.passages).first { $0.text(PassageColumn.clientID) == clientID.sent }?.text(PassageColumn.id)
    }

    /// Takes back the pair of a passage, with the violation that it was.
    func part(_ clientID: UUID) {
        guard let id = row(of: clientID) else { return }
        removeRows(.violations) { [$0.text(ViolationColumn.entry), $0.text(ViolationColumn.exit)].contains(id) }
        let pair = rows(.passages).filter { $0.text(PassageColumn.id) == id || $0.text(PassageColumn.match) == id }
        for row in pair { change(id: row.text(PassageColumn.id) ?? "", [PassageColumn.match: NSNull()]) }
    }

    /// Whether a passage of the plate lies between two that a device proposes, or belongs to one of them.
    func isContradicted(_ one: Row, _ other: Row) -> Bool {
        guard let one = Self.passage(one), let other = Self.passage(other) else { return true }
        return !PairWalk(window: PassageMatcher.defaultWindow).pairs(among: steps(of: one.plate)).contains {
            Set([$0.entry.clientID, $0.exit.clientID]) == [one.clientID, other.clientID]
        }
    }
}
