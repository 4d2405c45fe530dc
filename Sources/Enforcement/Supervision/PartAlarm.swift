/// What is told of a part that ended without being asked.
package struct PartAlarm: Equatable, Sendable {
    package var part: Part

    /// `it hung: no work done for 31 s`.
    package var reason: String

    /// How many times in a row it has ended.
    package var count: Int
    package var pause: TimeSpan

    /// It ended twice within a minute, and has not run well since.
    package var isRepeated: Bool

    package init(part: Part, reason: String, count: Int, pause: TimeSpan, isRepeated: Bool) {
        self.part = part
        self.reason = reason
        self.count = count
        self.pause = pause
        self.isRepeated = isRepeated
    }

    /// Recording that doesn't stay up needs a person at once; the rest can wait for the morning.
    package var isCritical: Bool { isRepeated && part.isEssential }

    package var message: String {
        let what = "The part \(part.name), \(part.title), stopped working: \(reason)."
        guard count > 1 else { return what + " It was started again." }
        return what + " It has stopped \(count) times in a row, and is started again after \(pauseText)."
    }

    private var pauseText: String {
        pause < .seconds(1) ? "\(pause.milliseconds) ms" : "\(pause.wholeSeconds) s"
    }
}
