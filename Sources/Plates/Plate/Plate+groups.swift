/// Where a plate's spaces stand. They tell formats apart: `G AD 2957` is embossed, `GAD 2957` is from abroad. A compact text has
/// lost them, so nobody guesses them who can ask somebody that saw the plate.
extension Plate {
    /// A compact text with the spaces of a plate that somebody read: the same vehicle's, or one that looks alike.
    ///
    /// Example: `GAD2957` like C AD 2957 is G AD 2957.
    ///
    /// - Returns: the plate unchanged when the two are not built alike.
    package func spelled(like read: Plate) -> Plate {
        let isBuiltAlike =
            LookAlike.areOneApart(compact, read.compact)
            || (compact.count == read.compact.count
                && zip(compact, read.compact).allSatisfy { $0.isNumber == $1.isNumber })
        guard isBuiltAlike else { return self }
        var rest = Substring(compact)
        let groups = read.canonical.split(separator: " ").map { group -> Substring in
            defer { rest = rest.dropFirst(group.count) }
            return rest.prefix(group.count)
        }
        return Plate(canonical: groups.joined(separator: " "))
    }

    /// A plate of a post of this park, from another system that may keep no spaces. Those that are there are kept; else the formats
    /// of the park's roads say where they go, the embossed one among them.
    ///
    /// - Returns: nil for a text without letters and digits, and for a long one.
    package init?(told text: String) {
        let groups = text.uppercased().split(whereSeparator: \.isWhitespace)
        let compact = groups.joined()
        guard !compact.isEmpty, compact.count <= 32 else { return nil }
        if groups.count > 1 {
            self.init(canonical: groups.joined(separator: " "))
            return
        }
        let canonical =
            PlateFormat.covered.lazy.compactMap { $0.canonical(compactLatin: compact) }.first
            ?? PlateNormalizer.canonical(compact: compact)
        let plate = Plate(canonical: canonical)
        self = plate.compact == compact ? plate : Plate(canonical: compact)
    }
}
