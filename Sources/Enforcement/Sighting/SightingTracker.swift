/// Follows the vehicles in front of one camera, so that one vehicle is one sighting.
///
/// A reading belongs to the open sighting whose plate it resembles, or that stood in the same place a moment ago. A vehicle
/// that stands at the barrier for ten minutes stays one sighting; one that was hidden for some frames too. The same
/// plate after a longer absence is a new sighting.
///
/// A sighting is decided once: recorded as soon as the vote is sure, kept for review when it isn't. A doubtful one that a
/// later frame makes sure is recorded then.
package struct SightingTracker: Sendable, Equatable {
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

    /// What it holds between two frames, and nothing of how it is set: that is given to it anew at every start, so that a changed
    /// setting counts.
    package struct State: Sendable, Equatable, Codable {
        var nextNumber: Int
        var open: [OpenSighting] = []
        var fixtures = FixtureMemory()

        /// Nil in a state that an older version wrote.
        var standing: StandingText?

        /// The frames whose pictures are needed until their sightings end.
        package var keptFrames: [FrameReference] { open.map(\.bestFrame) }

        /// - Parameter firstNumber: above every number that this camera's sightings have had.
        package init(firstNumber: Int) {
            nextNumber = firstNumber
        }
    }

    package var settings: Settings
    private let camera: String
    private let judge: SightingJudge
    package private(set) var state: State

    private var nextNumber: Int {
        get { state.nextNumber }
        set { state.nextNumber = newValue }
    }
    private var open: [OpenSighting] {
        get { state.open }
        _modify { yield &state.open }
    }
    private var fixtures: FixtureMemory {
        get { state.fixtures }
        _modify { yield &state.fixtures }
    }

    private var standing: StandingText {
        get { state.standing ?? StandingText() }
        set { state.standing = newValue }
    }

    /// So many vehicles fit in front of a camera; the one unseen for longest makes room.
    private static let maximumOpen = 24

    /// More readings in one frame are no vehicles; the surest count.
    private static let maximumReadingsPerFrame = 16

    /// - Parameter state: what it held before a restart; without one its sightings are counted from 1.
    package init(
        camera: String, country: String? = nil, settings: Settings = Settings(), state: State = State(firstNumber: 1)
    ) {
        self.state = state
        self.camera = camera
        judge = SightingJudge(country: country)
        self.settings = settings
    }

    /// The frames whose pictures are needed until their sightings end.
    package var keptFrames: [FrameReference] { state.keptFrames }

    /// Whether a vehicle is in front of the camera.
    package var hasOpenSightings: Bool { !open.isEmpty }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        let absence = settings.absence
        switch event {
        case .frame(let frame, let readings):
            let moving = withoutStanding(readings, at: now)
            // A frame's readings are as old as the frame; how long the box has waited counts too, for cameras whose
            // clock stands still.
            var actions = close(now) { $0.isAbsent(in: frame, at: now, absence) }
            actions += see(moving, in: frame, at: now)
            actions += decide(now)
            return actions
        case .still:
            for index in open.indices where open[index].isVisible { open[index].standStill(at: now) }
            return close(now) { $0.isAbsent(at: now, absence) } + decide(now)
        case .tick:
            return close(now) { $0.isAbsent(at: now, absence) } + decide(now)
        case .end:
            return close(now) { _ in true }
        }
    }

    // MARK: Seeing

    /// The readings that count, without those of writing that stands in the picture.
    private mutating func withoutStanding(_ readings: [PlateReading], at now: Instant) -> [PlateReading] {
        let seen = readings.map { $0.bounded() }.sorted { $0.confidence > $1.confidence }
            .prefix(Self.maximumReadingsPerFrame)
        standing.see(seen.filter { !$0.isUnread }, at: now)
        return seen.filter { $0.isUnread || !standing.isStanding($0) }
    }

    private mutating func see(_ readings: [PlateReading], in frame: FrameReference, at now: Instant) -> [Action] {
        for index in open.indices {
            open[index].isVisible = false
            open[index].unseenFrames += 1
        }
        var actions: [Action] = []
        var unassigned: [PlateReading] = []
        let owners = ReadingAssignment(of: readings, to: open, at: frame.recordedAt, settings).owners
        for (reading, owner) in zip(readings, owners) {
            guard let owner else {
                unassigned.append(reading)
                continue
            }
            let former = open[owner].bestFrame
            guard open[owner].add(reading, frame, now) else { continue }
            if !actions.contains(.keep(frame)) { actions.append(.keep(frame)) }
            open[owner].isBestFrameClaimed = false
            actions += release(former, unless: open[owner].formerIsClaimed)
        }
        for reading in unassigned {
            // Trucks carry their number on the sides too: the same plate twice in a frame is one vehicle.
            if !reading.isUnread, open.contains(where: { $0.isVisible && $0.isSamePlate(reading) }) { continue }
            let fixture = fixtures.fixture(of: reading, at: now)
            if fixture?.isCertain == true {
                fixtures.refresh(reading, at: now)
                continue
            }
            actions += makeRoom(now)
            var sighting = OpenSighting(number: nextNumber, reading: reading, frame: frame, now: now)
            sighting.isRepeat = fixture != nil
            open.append(sighting)
            nextNumber += 1
            if !actions.contains(.keep(frame)) { actions.append(.keep(frame)) }
        }
        noteCompany()
        return actions
    }

    /// Remembers of what fits no format of the country whether it was seen on the vehicle of a plate that does, or apart from all of them.
    private mutating func noteCompany() {
        let plates = open.filter { $0.isVisible && judge.isPlate($0) }.map(\.box)
        guard !plates.isEmpty else { return }
        for index in open.indices where open[index].isVisible {
            guard plates.contains(where: open[index].isBeside) else {
                open[index].isApart = true
                continue
            }
            open[index].unread?.framesBesidePlate += 1
            if open[index].vote.best.map({ !judge.isUsual($0) }) == true { open[index].isBesidePlate = true }
        }
    }

    private mutating func makeRoom(_ now: Instant) -> [Action] {
        guard open.count >= Self.maximumOpen,
            let number = open.min(by: { $0.seenAt < $1.seenAt })?.number
        else { return [] }
        return close(now) { $0.number == number }
    }

    /// Lets a frame go, unless it is somebody's evidence or another vehicle's best.
    private func release(_ frame: FrameReference, unless isClaimed: Bool) -> [Action] {
        isClaimed || open.contains { $0.bestFrame == frame } ? [] : [.release(frame)]
    }

    // MARK: Deciding

    private mutating func decide(_ now: Instant) -> [Action] {
        open.indices.flatMap { decide($0, now) }
    }

    private mutating func decide(_ index: Int, _ now: Instant) -> [Action] {
        let sighting = open[index]
        let age = sighting.age(at: now)
        guard sighting.decision != .recorded else { return [] }
        let isRipe = sighting.frameCount >= settings.readingsToDecide || age >= settings.timeToDecide
        guard isRipe, sighting.frameCount != sighting.decidedAtCount, let voted = judge.voted(sighting, camera: camera)
        else { return [] }
        open[index].decidedAtCount = sighting.frameCount
        if judge.isSure(voted.reading, settings.recording(at: voted.firstSeenAt)) {
            guard voted.course == nil, settings.approaching != nil, age < settings.timeToTellCourse else {
                return [record(index, voted)]
            }
            // It may yet be recorded without another frame.
            open[index].decidedAtCount = 0
            return []
        }
        guard sighting.decision == .none else { return [] }
        let isPlate = voted.reading.looksLikePlate
        guard age >= (isPlate ? settings.timeToReview : settings.timeToReviewWriting) else {
            // It may yet be reviewed without another frame.
            open[index].decidedAtCount = 0
            return []
        }
        return review(index, voted, now)
    }

    /// The last word on a sighting that ends. A review comes again only when it says something new.
    private mutating func conclude(_ index: Int, _ now: Instant) -> [Action] {
        let sighting = open[index]
        guard sighting.decision != .recorded else { return [] }
        if let unread = judge.unread(sighting, camera: camera) { return review(index, unread, now) }
        guard let voted = judge.voted(sighting, camera: camera) else { return [] }
        if judge.isSure(voted.reading, settings.recording(at: voted.firstSeenAt)) { return [record(index, voted)] }
        if sighting.decision == .review, voted.reading.plate == sighting.reviewedPlate { return [] }
        return review(index, voted, now)
    }

    private mutating func record(_ index: Int, _ voted: Sighting) -> Action {
        open[index].decision = .recorded
        claim(voted.bestFrame)
        return .record(told(voted))
    }

    private mutating func review(_ index: Int, _ voted: Sighting, _ now: Instant) -> [Action] {
        open[index].decision = .review
        // The same text was reviewed in the same place a while ago, or what is written there stands there still.
        if open[index].isRepeat || standing.shows(voted.reading, at: now, within: settings.absence) { return [] }
        if judge.isDecoration(voted.reading, of: open[index]) || judge.isWriting(voted.reading) { return [] }
        open[index].reviewedPlate = voted.reading.plate
        claim(voted.bestFrame)
        var shown = told(voted)
        shown.reading = voted.reading.withGaps()
        return [.review(shown)]
    }

    private func told(_ voted: Sighting) -> Sighting {
        var sighting = voted
        sighting.travel = settings.approaching.flatMap { voted.course?.travel(approaching: $0) }
        return sighting
    }

    /// A frame that a passage or a review shows is never released, whoever else it showed.
    private mutating func claim(_ frame: FrameReference) {
        for index in open.indices where open[index].bestFrame == frame { open[index].isBestFrameClaimed = true }
    }

    private mutating func close(_ now: Instant, where hasEnded: (OpenSighting) -> Bool) -> [Action] {
        var actions: [Action] = []
        // By number: concluding one must not move the others.
        for number in open.filter(hasEnded).map(\.number) {
            guard let index = open.firstIndex(where: { $0.number == number }) else { continue }
            actions += conclude(index, now)
            let ended = open.remove(at: index)
            actions += release(ended.bestFrame, unless: ended.isBestFrameClaimed)
            if !ended.hasMoved, ended.hasGone(at: now, settings.absence), let plate = ended.vote.best?.plate {
                fixtures.remember(
                    text: plate.compact, confidence: ended.bestConfidence, box: ended.box, stood: ended.stood,
                    at: ended.seenAt)
            }
        }
        return actions
    }
}
