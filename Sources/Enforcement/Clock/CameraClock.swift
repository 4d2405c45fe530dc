/// What is known of the clock of one camera that stamps its own pictures.
///
/// A camera whose clock is wrong by the same amount all the time is as good as one that is right, once the amount is known: it is
/// learned from when its pictures come, and taken off. Until it is known, and again after it jumped, its times can't be believed.
/// A camera that is behind may as well be one whose pictures always come late: that is why its amount takes longer to be learned.
package struct CameraClock: Sendable, Equatable {
    /// How far its stamps are ahead of the box's clock, as learned; zero where they agree.
    package private(set) var ahead: TimeSpan

    private var candidates: [Sample] = []
    private var isTold = false

    private struct Sample: Sendable, Equatable {
        var stamp: Instant
        var arrival: Instant
        var ahead: TimeSpan { stamp - arrival }
    }

    /// A frame's stamp by the box's clock.
    package struct Judgement: Sendable, Equatable {
        package var time: Instant

        /// Whether the stamp agrees with what is known of the camera.
        package var isBelieved: Bool

        package var news: News?
    }

    package enum News: Sendable, Equatable {
        /// Its stamps are suddenly elsewhere.
        case jumped(by: TimeSpan)
        /// From now on this is taken off; zero where it agrees with the box again.
        case learned(ahead: TimeSpan)
    }

    /// - Parameter ahead: what was learned before a restart.
    package init(ahead: TimeSpan = .milliseconds(0)) {
        self.ahead = ahead
    }

    private static let mostSamples = 30
    private static let leastNews = 3

    /// Stamps of whole seconds, and pictures that take a moment longer than others.
    private static let spread = TimeSpan.seconds(4)

    /// - Parameters:
    ///   - stamp: the capture time that the camera gave.
    ///   - arrival: the box's clock when the picture came.
    package mutating func judge(stamp: Instant, arrival: Instant) -> Judgement {
        let found = stamp - arrival
        let step = found - ahead
        guard step.magnitude > ClockState.liveTolerance else {
            candidates = []
            // An odd picture was all.
            let news = isTold ? News.learned(ahead: ahead) : nil
            isTold = false
            return Judgement(time: stamp - ahead, isBelieved: true, news: news)
        }
        take(Sample(stamp: stamp, arrival: arrival))
        if let learned = steady {
            ahead = learned.magnitude > ClockState.liveTolerance ? learned : .milliseconds(0)
            candidates = []
            isTold = false
            return Judgement(time: stamp - ahead, isBelieved: true, news: .learned(ahead: ahead))
        }
        // One picture that came late is no news.
        let isNews = !isTold && candidates.count >= Self.leastNews
        isTold = isTold || isNews
        return Judgement(time: stamp, isBelieved: false, news: isNews ? .jumped(by: step) : nil)
    }

    /// The box's clock was set: the camera's was not.
    package mutating func hostMoved(by step: TimeSpan) {
        let expected = (candidates.last?.ahead ?? ahead) - step
        let isRight = expected.magnitude <= ClockState.liveTolerance
        // One that disagreed with the clock before the step may agree with what was known, or with nothing yet.
        if candidates.isEmpty || isRight { ahead = isRight ? .milliseconds(0) : expected }
        candidates = []
    }

    private mutating func take(_ sample: Sample) {
        let isFar = candidates.contains { ($0.ahead - sample.ahead).magnitude > Self.spread }
        if isFar { candidates = [] }
        candidates.append(sample)
        if candidates.count > Self.mostSamples { candidates.remove(at: 1) }
    }

    /// The amount that the candidates agree on, once there are enough of them over a long enough time; the smallest delay counts.
    private var steady: TimeSpan? {
        guard let first = candidates.first, let last = candidates.last, let ahead = candidates.map(\.ahead).max() else {
            return nil
        }
        let isBehind = ahead < .milliseconds(0)
        let span = isBehind ? TimeSpan.minutes(5) : .minutes(1)
        let isLong = last.arrival - first.arrival >= span && last.stamp - first.stamp >= span - Self.spread
        return candidates.count >= (isBehind ? 20 : 10) && isLong ? ahead : nil
    }
}
