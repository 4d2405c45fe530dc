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
