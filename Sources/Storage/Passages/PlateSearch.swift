import Enforcement
import GRDB

/// Finds a part of a plate, also where characters that look alike were taken for each other.
enum PlateSearch {
    /// `plate_contains(compact, part)` in SQL.
    static var function: DatabaseFunction {
        DatabaseFunction("plate_contains", argumentCount: 2, pure: true) { values in
            guard let compact = String.fromDatabaseValue(values[0]), let part = String.fromDatabaseValue(values[1])
            else { return false }
            return contains(compact, part)
        }
    }

    static func contains(_ compact: String, _ part: String) -> Bool {
        let plate = Array(compact)
        let wanted = Array(part)
        guard plate.count >= wanted.count else { return false }
        return (0...(plate.count - wanted.count)).contains { start in
            wanted.indices.allSatisfy { LookAlike.areAlike(plate[start + $0], wanted[$0]) }
        }
    }
}
