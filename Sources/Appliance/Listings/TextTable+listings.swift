import Enforcement
import Foundation
import Storage

extension StoredPassage {
    /// Matched, and never a violation by itself: one of the two clocks may be wrong.
    package var isUnjudged: Bool {
        counterpart.map { !$0.clockState.isTrusted || !passage.clockState.isTrusted } ?? false
    }
}

extension TextTable {
    /// Passages for people, times as a clock in Nepal shows them.
    package static func passages(_ passages: [StoredPassage]) -> TextTable {
        // Most posts' cameras don't tell.
        let tellsTravel = passages.contains { $0.passage.travel != nil }
        var table = TextTable(
            [
                ("recorded (Nepal)", .left), ("post", .left), ("plate", .left), ("type", .left), ("sure", .right),
                ("matched", .left), ("violation", .left), ("sync", .left),
            ] + (tellsTravel ? [("travel", .left)] : []) + [("id", .left)],
            optional: ["sync", "type", "matched", "travel", "post", "sure"])
        for stored in passages {
            let passage = stored.passage
            let plate =
                passage.plate.canonical
                + (stored.withdrawnAt != nil ? " (withdrawn)" : stored.isCorrected ? " (corrected)" : "")
            table.add(
                [
                    passage.recordedAt.nepalText, passage.checkpostCode, plate, passage.vehicleType.rawValue,
                    passage.confidence.map { Wording.decimal($0, 2) } ?? "typed", stored.isMatched ? "yes" : "-",
                    stored.violation?.kind.rawValue ?? (stored.isUnjudged ? "clock untrusted" : "-"),
                    stored.queueStatus?.rawValue ?? "-",
                ] + (tellsTravel ? [passage.travel?.rawValue ?? "-"] : []) + [
                    String(passage.clientID.uuidString.lowercased().prefix(8))
                ])
        }
        return table
    }

    package static func violations(_ violations: [StoredViolation]) -> TextTable {
        var table = TextTable(
            [
                ("exit (Nepal)", .left), ("plate", .left), ("type", .left), ("violation", .left), ("km/h", .right),
                ("limit", .right), ("tolerance", .right), ("took", .right), ("lawful", .right), ("state", .left),
                ("outcome", .left), ("id", .left),
            ], optional: ["state", "type", "lawful", "took", "tolerance", "limit"])
        for stored in violations {
            let violation = stored.violation
            let figures = FindingFigures(violation)
            let note =
                stored.exemptReason.map { " (exempt: \($0))" } ?? (violation.isImplausible ? " (implausible)" : "")
            table.add([
                violation.exitTime.nepalText, violation.plate.canonical, violation.vehicleType.rawValue,
                violation.kind.rawValue + note, figures.speed ?? "infinite", figures.limit,
                figures.tolerance ?? "-", figures.took, figures.lawful, violation.state.rawValue,
                stored.outcome?.kind.rawValue ?? "-", String(violation.id.uuidString.lowercased().prefix(8)),
            ])
        }
        return table
    }

    /// Pairs of plates that look alike, for somebody to judge.
    package static func lookAlikes(_ pairs: [StoredMatch]) -> TextTable {
        var table = TextTable([
            ("id", .right), ("entry", .left), ("post", .left), ("entered (Nepal)", .left), ("exit", .left),
            ("post", .left), ("left (Nepal)", .left),
        ])
        for pair in pairs {
            let (entry, exit) = (pair.match.entry, pair.match.exit)
            table.add([
                "\(pair.id)", entry.plate.canonical, entry.checkpostCode, entry.recordedAt.nepalText,
                exit.plate.canonical, exit.checkpostCode, exit.recordedAt.nepalText,
            ])
        }
        return table
    }

    package static func outcomes(_ found: [(outcome: Outcome, violation: Violation)]) -> TextTable {
        var table = TextTable(
            [
                ("violation", .left), ("plate", .left), ("kind", .left), ("outcome", .left), ("Rs", .right),
                ("by", .left), ("recorded (Nepal)", .left), ("notes", .left),
            ], optional: ["notes", "kind"])
        for (outcome, violation) in found {
            table.add([
                String(violation.id.uuidString.lowercased().prefix(8)), violation.plate.canonical,
                violation.kind.rawValue, outcome.kind.rawValue,
                outcome.fineAmount.map(Outcome.sum) ?? "-", outcome.recordedBy,
                outcome.recordedAt.nepalText, (outcome.notes ?? "-").replacing("\n", with: " "),
            ])
        }
        return table
    }

    package static func exemptPlates(_ plates: [ExemptPlate]) -> TextTable {
        var table = TextTable([("plate", .left), ("reason", .left), ("since (Nepal)", .left), ("listed by", .left)])
        for plate in plates {
            table.add([
                plate.plate.canonical, plate.reason, plate.addedAt.nepalText,
                plate.isOfPark ? "the park's office" : "this post",
            ])
        }
        return table
    }

    package static func users(_ users: [User]) -> TextTable {
        var table = TextTable([
            ("name", .left), ("full name", .left), ("role", .left), ("PIN", .left), ("last sign-in (Nepal)", .left),
        ])
        for user in users {
            table.add([
                user.name, user.fullName, user.role.rawValue, user.pinHash == nil ? "-" : "yes",
                user.lastSignInAt?.nepalText ?? "-",
            ])
        }
        return table
    }
}
