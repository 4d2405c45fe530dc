import Enforcement

/// A plate as the database has it, as people write it: one spelling on every page and in the report, that of the boxes.
enum StoredPlate {
    static func plate(_ stored: String) -> Plate {
        let compact = stored.filter { !$0.isWhitespace }
        return Plate(told: compact) ?? Plate(canonical: compact)
    }

    static func text(_ stored: String) -> String { plate(stored).canonical }
}
