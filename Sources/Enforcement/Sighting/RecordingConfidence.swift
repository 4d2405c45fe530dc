import Plates

/// From which confidence on a sighting is recorded by itself.
package struct RecordingConfidence: Sendable, Equatable {
    /// At or above this confidence a passage is recorded at once.
    package var any = 0.8

    /// Painted Devanagari plates are misread the same way from frame to frame and from post to post, so that voting and
    /// matching don't find it out: they are recorded at once only when they are at least this sure.
    package var devanagari = 0.97

    package init() {}

    func accepts(_ confidence: Double, _ script: PlateFormat.Script?) -> Bool {
        confidence >= any && (script != .devanagari || confidence >= devanagari)
    }
}

/// The part of each day in which a camera sees by its own lamp: from one time of day on until another, across midnight or not.
package struct NightHours: Sendable, Equatable {
    /// Minutes since midnight, as clocks at the post show them.
    package let from: Int
    package let until: Int

    /// - Parameter text: as in `18:30-05:30`; nil for anything else, and where the two are the same.
    package init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Self.minutes($0) }
        guard ends.count == 2, let from = ends[0], let until = ends[1], from != until else { return nil }
        (self.from, self.until) = (from, until)
    }

    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// - Parameter offset: of the post's clocks from UTC.
    package func contains(_ instant: Instant, offset: TimeSpan) -> Bool {
        let time = CivilTime(instant, offset: offset)
        let minute = time.hour * 60 + time.minute
        return from < until ? (from..<until).contains(minute) : minute >= from || minute < until
    }
}
