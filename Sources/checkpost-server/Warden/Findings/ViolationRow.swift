import Enforcement
import Foundation
import Pages

/// A violation as the server judged it, with its outcome.
struct ViolationRow: Decodable, Sendable {
    var id: String
    var kind: String
    var plate: String
    var type: String
    var entryPassage: String
    var exitPassage: String
    /// What their posts call the two passages by.
    var entryClient: String
    var exitClient: String
    var entry: Micros
    var exit: Micros
    var entryPost: String
    var exitPost: String
    var distance: Double
    var limit: Double
    var toleranceKmh: Double
    var tolerancePercent: Double
    /// Nil when no time passed.
    var speed: Double?
    var outcome: Outcome?

    struct Outcome: Decodable, Sendable {
        var kind: String
        var fine: Double?
        var notes: String?
        var by: String?
        var at: Micros

        /// Nil for one of a kind that nobody knows.
        var outcome: Enforcement.Outcome? {
            Enforcement.Outcome.Kind(rawValue: kind).map {
                Enforcement.Outcome(
                    kind: $0, fineAmount: fine, notes: notes, recordedBy: by ?? "?", recordedAt: at.instant)
            }
        }
    }

    /// As the rules see it; nil for a row that is none.
    var violation: Violation? {
        guard let id = UUID(uuidString: id), let entry = UUID(uuidString: entryClient),
            let exit = UUID(uuidString: exitClient), let kind = Violation.Kind(rawValue: kind)
        else { return nil }
        return Violation(
            id: id, kind: kind, entryClientID: entry, exitClientID: exit, plate: StoredPlate.plate(plate),
            vehicleType: VehicleType(rawValue: type) ?? .other, entryTime: self.entry.instant,
            exitTime: self.exit.instant, distanceKm: distance, speedLimitKmh: limit, toleranceKmh: toleranceKmh,
            tolerancePercent: tolerancePercent, calculatedSpeedKmh: speed, isImplausible: false, state: .confirmed)
    }

    static let columns = """
        v.id, v.violation_type as kind, v.plate_number as plate, v.vehicle_type as type, v.entry_passage_id as entry_passage,
        v.exit_passage_id as exit_passage, e.client_id as entry_client, x.client_id as exit_client,
        \(Micros.of("v.entry_time")) as entry, \(Micros.of("v.exit_time")) as exit,
        a.code as entry_post, b.code as exit_post, v.distance_km as distance, v.speed_limit_kmh as limit, v.tolerance_kmh,
        v.tolerance_percent, v.calculated_speed_kmh as speed,
        (select json_build_object('kind', o.outcome_type, 'fine', o.fine_amount, 'notes', o.notes, 'by', o.acted_by,
            'at', \(Micros.of("o.recorded_at"))) from violation_outcomes o where o.violation_id = v.id) as outcome
        """

    static let joins = """
        join vehicle_passages e on e.id = v.entry_passage_id join checkposts a on a.id = e.checkpost_id
        join vehicle_passages x on x.id = v.exit_passage_id join checkposts b on b.id = x.checkpost_id
        """
}

/// A violation as a page shows it. The figures are those of every other page: what was measured is never said to be what the limit is.
struct ViolationView: Sendable {
    let id: String
    let kind: String
    let kindText: String
    let plate: String
    let script: String?
    let typeText: String
    let path: String
    let entryText: String
    let exitText: String
    let speed: String
    let limit: String
    let took: String
    let lawful: String
    let outcome: String

    init?(_ row: ViolationRow, _ texts: Texts, now: Instant) {
        guard let violation = row.violation else { return nil }
        let (plate, kind) = (violation.plate, violation.kind)
        let figures = FindingFigures(violation, units: texts.units)
        self.id = row.id
        self.kind = row.kind
        kindText = texts["kind_" + row.kind]
        self.plate = plate.canonical
        script = PlateSpelling.shown(plate)
        typeText = texts["type_" + row.type]
        path = "/warden/passage?id=" + row.exitPassage
        entryText = texts["entry"] + " " + row.entryPost + " " + texts.short(row.entry.instant, now: now)
        exitText = texts["exit"] + " " + row.exitPost + " " + texts.short(row.exit.instant, now: now)
        speed = figures.speed.map { texts.digits($0) + " " + texts["kmh"] } ?? texts["infinite"]
        limit = [
            texts[kind == .speeding ? "limit" : "lawful_min"] + " " + texts.digits(figures.limit) + " " + texts["kmh"],
            figures.tolerance.map { texts("tolerance", ["kmh": "\($0) \(texts["kmh"])"]) },
        ].compactMap(\.self).joined(separator: ", ")
        took = texts.digits(figures.took)
        lawful = texts[kind == .speeding ? "lawful_min" : "lawful_max"] + " " + texts.digits(figures.lawful)
        outcome = row.outcome.map { Self.said($0, texts, now: now) } ?? texts["outcome_open"]
    }

    private static func said(_ outcome: ViolationRow.Outcome, _ texts: Texts, now: Instant) -> String {
        [
            texts["outcome_" + outcome.kind],
            outcome.fine.map { texts("rupees", ["count": Enforcement.Outcome.sum($0)]) },
            outcome.by.map { texts("recorded_by", ["name": $0, "time": texts.short(outcome.at.instant, now: now)]) },
            outcome.notes,
        ].compactMap(\.self).joined(separator: " · ")
    }
}
