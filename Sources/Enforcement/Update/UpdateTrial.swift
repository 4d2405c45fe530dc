/// How a box did before its update: what was wrong then is not the update's fault.
package struct UpdateBaseline: Codable, Equatable, Sendable {
    /// Names of critical problems.
    package var criticals: Set<String> = []

    /// Cameras that gave pictures.
    package var cameras: Set<String> = []

    /// How many passages the hour before had.
    package var passagesAnHour = 0

    /// When the last passage was recorded; nil when there was none.
    package var lastPassageAt: Instant?

    package init() {}
}

/// How a box does at one moment of the trial of a new program.
package struct UpdateSample: Equatable, Sendable {
    /// How often the service was started since the trial began.
    package var starts = 0
    package var isActive = true

    /// Whether the new program says how the box is.
    package var isTold = true
    package var criticals: [String: String] = [:]

    /// Pictures since the program's start, by camera.
    package var pictures: [String: Int] = [:]
    package var lastPassageAt: Instant?

    package init() {}
}

/// Ten minutes of a new program: whether it does at least as well as the one before.
///
/// A start begins them anew: only one run of ten minutes counts.
package struct UpdateTrial: Sendable {
    package static let term = TimeSpan.minutes(10)

    /// Cameras and modem take their time to come up; what is wrong for longer than this part of the term stays wrong.
    private static let patience = 0.2

    /// With so many vehicles to be expected, none is no chance: once in 22,000 times (e^-10).
    private static let telling = 10.0

    package enum Verdict: Equatable, Sendable {
        case well
        case unwell(String)
    }

    private let baseline: UpdateBaseline
    private let term: TimeSpan
    private var beganAt: Instant
    private var starts: Int?

    /// Since when something is wrong.
    private var wrongSince: Instant?

    /// - Parameter now: on a clock that nobody sets.
    package init(_ baseline: UpdateBaseline, term: TimeSpan = term, at now: Instant) {
        (self.baseline, self.term, beganAt) = (baseline, term, now)
    }

    /// - Returns: nil while nothing can be said yet.
    package mutating func handle(_ sample: UpdateSample, at now: Instant) -> Verdict? {
        if starts != sample.starts {
            if starts != nil { beganAt = now }
            starts = sample.starts
        }
        let trouble = trouble(sample)
        wrongSince = trouble == nil ? nil : wrongSince ?? now
        let patience = TimeSpan.seconds(term.seconds * Self.patience)
        if let trouble, let wrongSince, now - wrongSince >= patience { return .unwell(trouble) }
        guard now - beganAt >= term else { return nil }
        if let trouble { return .unwell(trouble) }
        let expected = Double(baseline.passagesAnHour) * term.hours
        guard expected >= Self.telling, sample.lastPassageAt == baseline.lastPassageAt else { return .well }
        return .unwell("it recorded nothing, where about \(Int(expected)) vehicles pass in the time")
    }

    private func trouble(_ sample: UpdateSample) -> String? {
        guard sample.isActive else { return "it does not run" }
        guard sample.isTold else { return "it does not say how it is" }
        let new = sample.criticals.filter { !baseline.criticals.contains($0.key) }.min { $0.key < $1.key }
        if let new { return new.value }
        let blind = baseline.cameras.filter { sample.pictures[$0] ?? 0 == 0 }.min()
        return blind.map { "the camera \($0) gave pictures before and gives none" }
    }
}

/// What a self-test of the new program says that one of the installed program did not.
package enum UpdateSelfTest {
    /// - Returns: nil when nothing became worse.
    package static func worse(than before: [SelfTestFinding], _ after: [SelfTestFinding]) -> String? {
        guard !after.isEmpty else { return "its self-test says nothing" }
        let failedBefore = Set(before.filter { $0.outcome == .failed }.map(\.check))
        let failed = after.filter { $0.outcome == .failed && !failedBefore.contains($0.check) }
        return failed.isEmpty
            ? nil : "its self-test fails: " + failed.map { "\($0.check): \($0.detail)" }.joined(separator: " ")
    }
}
