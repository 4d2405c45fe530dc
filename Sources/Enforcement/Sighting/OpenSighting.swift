/// A vehicle that is, or was a moment ago, in front of the camera.
///
/// Two clocks are kept apart: the frames' own, which says how far apart two pictures were taken, and the box's, which goes on
/// without frames. Either may be wrong or step; a step ends a sighting at worst, it never keeps one for good.
struct OpenSighting: Sendable, Equatable, Codable {
    enum Decision: String, Sendable, Codable {
        case none
        case review
        case recorded
    }

    /// A sighting unseen in so many frames has ended, though their times stand still.
    static let maximumUnseenFrames = 600

    /// Of a place without a reading to what it is near: more than of a reading that fits well, and the less the shorter ago that was seen,
    /// in seconds.
    private static let costUnread = (least: 0.2, perSecond: 0.05)

    /// Of two places this much is common that show a plate which stands.
    private static let standingOverlap = 0.25

    /// So many times as large a plate may be as a moment before.
    private static let mostGrowth = 1.8

    /// A place at a moment of the frames' clock.
    struct Mark: Sendable, Equatable, Codable {
        var box: Box
        var at: Instant
    }

    let number: Int

    /// By the frames' clock.
    var firstSeenAt: Instant
    var lastSeenAt: Instant

    /// By the box's clock.
    var openedAt: Instant
    var seenAt: Instant

    var frameCount = 1
    var unseenFrames = 0
    var bestFrame: FrameReference
    var bestConfidence: Double

    /// Whether a passage or a review shows the best frame.
    var isBestFrameClaimed = false

    /// Whether one shows the frame that was the best before.
    var formerIsClaimed = false

    var box: Box
    let firstBox: Box
    var hasMoved = false
    var vote = PlateVote()
    var decision = Decision.none
    var reviewedPlate: Plate?

    /// The same text ended in the same place a while ago: a sign, most likely.
    var isRepeat = false

    /// The plate that was seen and not read; nil once something was read.
    var unread: UnreadPlate?

    /// Where and when it was read last. Nil before that, and in a state that an older version wrote.
    var lastRead: Mark?

    /// Whether a plate of the country stood in the same frame, read better: what fits no format beside it is a model's name or a
    /// slogan, most likely. Nil in a state that an older version wrote.
    var isBesidePlate: Bool?

    /// Whether it was once seen farther aside from every plate of the country than a vehicle is wide: two vehicles that come nearer side by
    /// side seem to come nearer to each other, too. Nil in a state that an older version wrote.
    var isApart: Bool?

    /// The number of frames at the last decision: nothing new is said before a further one changes the vote.
    var decidedAtCount = 0

    /// How large its plate was. Nil in a state that an older version wrote: of such a vehicle nobody knows where it goes.
    var track: PlateTrack?

    /// Whether the last frame showed it.
    var isVisible = true

    init(number: Int, reading: PlateReading, frame: FrameReference, now: Instant) {
        self.number = number
        firstSeenAt = frame.recordedAt
        lastSeenAt = frame.recordedAt
        openedAt = now
        seenAt = now
        bestFrame = frame
        bestConfidence = reading.confidence
        box = reading.box
        firstBox = reading.box
        track = PlateTrack(reading, at: frame.recordedAt)
        if reading.isUnread {
            unread = UnreadPlate(reading)
            frameCount = 0
        } else {
            vote.add(reading)
            lastRead = Mark(box: reading.box, at: frame.recordedAt)
        }
    }

    /// How long it has been there, by whichever clock says more.
    func age(at now: Instant) -> TimeSpan { max(now - openedAt, lastSeenAt - firstSeenAt) }

    var stood: TimeSpan { max(seenAt - openedAt, lastSeenAt - firstSeenAt) }

    func isAbsent(at now: Instant, _ absence: TimeSpan) -> Bool { (now - seenAt).magnitude > absence }

    func isAbsent(in frame: FrameReference, at now: Instant, _ absence: TimeSpan) -> Bool {
        (frame.recordedAt - lastSeenAt).magnitude > absence || isAbsent(at: now, absence)
            || unseenFrames > Self.maximumUnseenFrames
    }

    /// Whether it was watched until it went. One that a step of the frames' clock cut in two, or the end of the tracker, may have been
    /// about to move.
    func hasGone(at now: Instant, _ absence: TimeSpan) -> Bool {
        isAbsent(at: now, absence) || unseenFrames > Self.maximumUnseenFrames
    }

    /// The picture hasn't changed: it is still there.
    mutating func standStill(at now: Instant) {
        guard now > seenAt else { return }
        lastSeenAt = lastSeenAt + (now - seenAt)
        if let lastRead { self.lastRead = Mark(box: lastRead.box, at: lastRead.at + (now - seenAt)) }
        seenAt = now
    }

    /// A lorry is as wide as five of its plates, a motorcycle too: what is farther aside belongs to another vehicle.
    private static let widestVehicle = 5

    /// Whether it may stand on the vehicle of that plate.
    func isBeside(_ plate: Box) -> Bool {
        max(plate.x - box.right, box.x - plate.right) <= Self.widestVehicle * plate.width
    }

    /// Takes a reading in; true when its frame is the best so far.
    mutating func add(_ reading: PlateReading, _ frame: FrameReference, _ now: Instant) -> Bool {
        firstSeenAt = min(firstSeenAt, frame.recordedAt)
        lastSeenAt = max(lastSeenAt, frame.recordedAt)
        seenAt = now
        unseenFrames = 0
        isVisible = true
        box = reading.box
        track?.add(reading, at: frame.recordedAt)
        if firstBox.overlap(reading.box) < 0.5 { hasMoved = true }
        if reading.isUnread {
            guard unread?.add(reading) == true else { return false }
            formerIsClaimed = isBestFrameClaimed
            bestFrame = frame
            return true
        }
        unread = nil
        lastRead = Mark(box: reading.box, at: frame.recordedAt)
        let isDecided = decidedAtCount == frameCount
        frameCount += 1
        // What is recorded is recorded: its evidence stays the frame that it was recorded with.
        guard decision != .recorded else { return false }
        // A vote that stays as it was needs no second decision: a sign is read all day.
        if !vote.add(reading), isDecided { decidedAtCount = frameCount }
        guard reading.confidence > bestConfidence else { return false }
        formerIsClaimed = isBestFrameClaimed
        bestFrame = frame
        bestConfidence = reading.confidence
        return true
    }

    func isSamePlate(_ reading: PlateReading) -> Bool {
        let text = LookAlike.folded(reading.plate.compact)
        return vote.readings.contains { LookAlike.folded($0.plate.compact) == text }
    }

    /// How badly a reading fits, or nil when it is of another vehicle.
    ///
    /// Near where the vehicle just was, a reading belongs to it unless the two contradict each other: two vehicles
    /// in sequence have plates that are both read surely and differ. Elsewhere the plates must resemble each other.
    func cost(of reading: PlateReading, at time: Instant, _ settings: SightingTracker.Settings) -> Double? {
        let gap = (time - lastSeenAt).magnitude
        guard gap <= settings.absence else { return nil }
        guard let best = vote.best, !reading.isUnread else {
            guard gap <= settings.samePlaceWithin, isNear(reading.box), mayBeUnread(reading, at: time, settings)
            else { return nil }
            return Self.costUnread.least + Self.costUnread.perSecond * gap.seconds
        }
        let length = Double(max(best.plate.compact.count, reading.plate.compact.count))
        var contradictions = Resemblance.contradictions(best, reading)
        let haveOtherColours = Resemblance.haveOtherColours(best, reading)
        var difference = Resemblance.difference(best.plate, reading.plate)
        // A reading that a sure one contradicts is not brought in by a poor one that it happens to equal.
        for known in vote.readings where known.confidence >= 0.75 * best.confidence {
            if contradictions == 0, difference == 0 { break }
            contradictions = min(contradictions, Resemblance.contradictions(known, reading))
            difference = min(difference, Resemblance.difference(known.plate, reading.plate))
        }
        if haveOtherColours { contradictions += 0.5 }
        if gap <= settings.samePlaceWithin, isNear(reading.box) {
            guard contradictions <= max(1.2, 0.22 * length) else { return nil }
            return contradictions / max(length, 1)
        }
        // What couldn't be read says where it may be now, not that it was there all the time.
        guard (time - (lastRead?.at ?? lastSeenAt)).magnitude <= settings.absence, difference <= 0.34,
            contradictions <= max(1, 0.12 * length)
        else { return nil }
        return contradictions / max(length, 1) + 0.1
    }

    /// Whether a place without a reading may be that of this plate: it is about as wide, and not for longer than a vehicle may be out of sight
    /// elsewhere than where it was read. Else a board nearby would keep a vehicle that has left, and its next passage would be taken for this
    /// one.
    private func mayBeUnread(_ reading: PlateReading, at time: Instant, _ settings: SightingTracker.Settings) -> Bool {
        guard reading.isUnread else { return true }
        let widths = Double(max(box.width, reading.box.width)) / Double(max(1, min(box.width, reading.box.width)))
        guard widths <= Self.mostGrowth else { return false }
        guard let lastRead else { return true }
        return (time - lastRead.at).magnitude <= settings.absence
            || lastRead.box.overlap(reading.box) >= Self.standingOverlap
    }

    /// Whether a plate could have come here from its last place between two frames.
    private func isNear(_ other: Box) -> Bool {
        if box.overlap(other) >= Self.standingOverlap { return true }
        let reach = 1.5 * Double(max(box.width, other.width))
        let sizes = Double(max(box.height, other.height)) / Double(max(1, min(box.height, other.height)))
        return abs(box.centerX - other.centerX) <= reach && abs(box.centerY - other.centerY) <= reach
            && sizes <= Self.mostGrowth
    }
}
