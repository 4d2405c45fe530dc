import Enforcement
import Recognition

/// What a frame came to, for those who show it.
struct FrameResult: Sendable {
    var recorded: [Passage] = []
    var reviewed: [Sighting] = []
    var violations: [Violation] = []
    var times = PlateRecognizer.StageTimes()

    /// The frame showed no change and wasn't read.
    var wasStill = false

    /// Why the picture could not be looked at; nil when it could.
    var unreadable: String?
}
