import Enforcement

/// Finds a part of a plate, also where characters that look alike were taken for each other.
enum PlateSearch {
    /// A pattern for SQLite's GLOB, which walks through a year of passages in a fraction of a second: a set of characters for
    /// each one wanted. `1A` becomes `*[1I…][A4]*`.
    ///
    /// - Parameter part: upper-case, without spaces.
    /// - Returns: nil when it has characters that no plate has.
    static func pattern(lookingLike part: String) -> String? {
        guard part.allSatisfy(alphabet.contains) else { return nil }
        let sets = part.map { wanted in "[" + alphabet.filter { LookAlike.areAlike($0, wanted) } + "]" }
        return "*" + sets.joined() + "*"
    }

    private static let alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
}
