/// Follows the vehicles in front of one camera, so that one vehicle is one sighting.
///
/// A reading belongs to the open sighting whose plate it resembles, or that stood in the same place a moment ago. A vehicle
/// that stands at the barrier for ten minutes stays one sighting; one that was hidden for some frames too. The same
/// plate after a longer absence is a new sighting.
///
/// A sighting is decided once: recorded as soon as the vote is sure, kept for review when it isn't. A doubtful one that a
/// later frame makes sure is recorded then.
package struct SightingTracker: Sendable, Equatable, Codable {
    package struct Settings: Sendable, Equatable, Codable {
        /// At or above this confidence a passage is recorded at once.
        package var recordingConfidence = 0.8

        /// So many readings make a vote, or so much time since the first one.
        package var readingsToDecide = 3
        package var timeToDecide = TimeSpan.seconds(1.5)

        /// A sighting that is still doubtful after this time is shown to the ranger.
        package var timeToReview = TimeSpan.seconds(5)

        /// A plate unseen for longer than this has left.
        package var absence = TimeSpan.seconds(20)

        /// A reading in the place of another vehicle's belongs to it when it follows within this time.
        package var samePlaceWithin = TimeSpan.seconds(2)

        package init() {}
    }

    package enum Event: Sendable, Equatable {
        /// A frame was read. Its time is the time of everything in it.
        case frame(FrameReference, readings: [PlateReading])

        /// A frame showed no change: what stood in front of the camera still does.
        case still

        /// Time has passed without a frame.
        case tick

        /// There will be no more frames: the end of a replay.
        case end
    }

    package enum Action: Sendable, Equatable {
        /// The frame shows a vehicle best so far: its picture must be kept before anything else happens.
        case keep(FrameReference)

        /// A better frame took its place.
        case release(FrameReference)

        /// The vote is sure: record a passage.
        case record(Sighting)

        /// The vote is doubtful: show it to a ranger. It may come again with more frames, or be recorded later.
        case review(Sighting)
    }

    package var settings: Settings
    private let camera: String
    private let country: String?
    private var nextNumber: Int
    private var open: [OpenSighting] = []

    /// So many vehicles fit in front of a camera; the one unseen for longest makes room.
    private static let maximumOpen = 24

    /// - Parameter firstNumber: above every number that this camera's sightings have had.
    package init(camera: String, country: String? = nil, settings: Settings = Settings(), firstNumber: Int = 1) {
        nextNumber = firstNumber
        self.camera = camera
        self.country = country
        self.settings = settings
    }

    /// The frames whose pictures are needed until their sightings end.
    package var keptFrames: [FrameReference] { open.map(\.bestFrame) }

    /// Whether a vehicle is in front of the camera.
    package var hasOpenSightings: Bool { !open.isEmpty }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch event {
        case .frame(let frame, let readings):
            var actions = closeAbsent(now)
            actions += see(readings, in: frame)
            actions += decide(now)
            return actions
        case .still:
            for index in open.indices where open[index].isVisible {
                open[index].lastSeenAt = max(open[index].lastSeenAt, now)
            }
            return closeAbsent(now) + decide(now)
        case .tick:
            return closeAbsent(now) + decide(now)
        case .end:
            return open.indices.flatMap { conclude($0) } + removeAll()
        }
    }

    // MARK: Seeing

    private mutating func see(_ readings: [PlateReading], in frame: FrameReference) -> [Action] {
        for index in open.indices { open[index].isVisible = false }
        var actions: [Action] = []
        // The surest first: a doubtful reading must not take its sighting.
        for reading in readings.sorted(by: { $0.confidence > $1.confidence }) {
            if let index = sighting(of: reading, at: frame.recordedAt) {
                actions += open[index].add(reading, frame)
            } else {
                if open.count >= Self.maximumOpen,
                    let oldest = open.indices.min(by: { open[$0].lastSeenAt < open[$1].lastSeenAt })
                {
                    actions += conclude(oldest)
                    open.remove(at: oldest)
                }
                open.append(OpenSighting(number: nextNumber, reading: reading, frame: frame))
                nextNumber += 1
                actions.append(.keep(frame))
            }
        }
        return actions
    }

    /// The open sighting that a reading belongs to: the one that resembles it most.
    private func sighting(of reading: PlateReading, at time: Instant) -> Int? {
        let text = LookAlike.folded(reading.plate.compact)
        var best: Int?
        var leastDifference = Double.infinity
        for (index, candidate) in open.enumerated() where !candidate.isVisible {
            let gap = (time - candidate.lastSeenAt).magnitude
            guard gap <= settings.absence else { continue }
            let known = candidate.vote.readings.map { LookAlike.folded($0.plate.compact) }
            let difference =
                known.map { Double(editDistance($0, text)) / Double(max($0.count, text.count, 1)) }.min() ?? 1
            let isInPlace = gap <= settings.samePlaceWithin && candidate.box.overlap(reading.box) >= 0.25
            guard difference <= (isInPlace ? 0.67 : 0.34) else { continue }
            if difference < leastDifference {
                best = index
                leastDifference = difference
            }
        }
        return best
    }

    // MARK: Deciding

    private mutating func decide(_ now: Instant) -> [Action] {
        open.indices.flatMap { decide($0, now) }
    }

    private mutating func decide(_ index: Int, _ now: Instant) -> [Action] {
        let sighting = open[index]
        let age = now - sighting.firstSeenAt
        guard sighting.decision != .recorded else { return [] }
        let isRipe = sighting.frameCount >= settings.readingsToDecide || age >= settings.timeToDecide
        guard isRipe, sighting.frameCount != sighting.decidedAtCount else { return [] }
        guard let voted = voted(sighting) else { return [] }
        if voted.reading.confidence >= settings.recordingConfidence {
            open[index].decision = .recorded
            return [.record(voted)]
        }
        guard age >= settings.timeToReview else { return [] }
        open[index].decision = .review
        open[index].decidedAtCount = sighting.frameCount
        return [.review(voted)]
    }

    /// The last word on a sighting that ends.
    private mutating func conclude(_ index: Int) -> [Action] {
        let sighting = open[index]
        guard sighting.decision != .recorded, sighting.frameCount != sighting.decidedAtCount,
            let voted = voted(sighting)
        else { return [] }
        let isSure = voted.reading.confidence >= settings.recordingConfidence
        open[index].decision = isSure ? .recorded : .review
        return [isSure ? .record(voted) : .review(voted)]
    }

    private mutating func closeAbsent(_ now: Instant) -> [Action] {
        var actions: [Action] = []
        for index in open.indices.reversed() where (now - open[index].lastSeenAt).magnitude > settings.absence {
            actions += conclude(index)
            open.remove(at: index)
        }
        return actions
    }

    private mutating func removeAll() -> [Action] {
        open.removeAll()
        return []
    }

    private func voted(_ sighting: OpenSighting) -> Sighting? {
        guard let reading = sighting.vote.result(formats: FormatMatcher(country: country)) else { return nil }
        return Sighting(
            number: sighting.number, camera: camera, firstSeenAt: sighting.firstSeenAt, lastSeenAt: sighting.lastSeenAt,
            frameCount: sighting.frameCount, bestFrame: sighting.bestFrame, reading: reading)
    }
}

/// A vehicle that is, or was a moment ago, in front of the camera.
private struct OpenSighting: Sendable, Equatable, Codable {
    enum Decision: String, Sendable, Codable {
        case none
        case review
        case recorded
    }

    let number: Int
    var firstSeenAt: Instant
    var lastSeenAt: Instant
    var frameCount = 1
    var bestFrame: FrameReference
    var bestConfidence: Double
    var box: Box
    var vote = PlateVote()
    var decision = Decision.none

    /// The number of frames at the last review: nothing new is said before there are more.
    var decidedAtCount = 0

    /// Whether the last frame showed it.
    var isVisible = true

    init(number: Int, reading: PlateReading, frame: FrameReference) {
        self.number = number
        firstSeenAt = frame.recordedAt
        lastSeenAt = frame.recordedAt
        bestFrame = frame
        bestConfidence = reading.confidence
        box = reading.box
        vote.add(reading)
    }

    mutating func add(_ reading: PlateReading, _ frame: FrameReference) -> [SightingTracker.Action] {
        firstSeenAt = min(firstSeenAt, frame.recordedAt)
        lastSeenAt = max(lastSeenAt, frame.recordedAt)
        frameCount += 1
        isVisible = true
        box = reading.box
        // What is recorded is recorded: its evidence stays the frame that it was recorded with.
        guard decision != .recorded else { return [] }
        vote.add(reading)
        guard reading.confidence > bestConfidence else { return [] }
        let former = bestFrame
        bestFrame = frame
        bestConfidence = reading.confidence
        return [.keep(frame)] + (decision == .none ? [.release(former)] : [])
    }
}
