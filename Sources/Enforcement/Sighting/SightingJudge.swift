/// Judges what was read of a vehicle: whether its plate is one of the country, and whether the vote is sure enough to be recorded by itself.
struct SightingJudge: Sendable, Equatable {
    /// Nil where plates of every country are as likely.
    let country: String?

    /// A plate of the country this sure makes decoration of what else is read, …
    private static let plateBeside = 0.5

    /// … unless that is at least this sure: then it may be a vehicle from far away.
    private static let foreignBeside = 0.6

    /// Where no plate is seen, what is read less surely than this is nothing to look at.
    private static let leastElsewhere = 0.1

    /// The same where the network sees hardly anything, by how surely it takes the place for a plate's. Of 255 readings on photos of
    /// labelled plates three lay on such a place, all of them surer; a burnt-in clock is less sure.
    private static let nowhere = (place: 0.3, least: 0.4)

    func isUsual(_ reading: PlateReading) -> Bool {
        PlateFormat.named(reading.format)?.isUsual(in: country) ?? (country == nil)
    }

    /// Whether a vote is sure enough to be recorded by itself.
    ///
    /// Where the country's plates are all known, what fits none of them is more often a sticker or a slogan than a vehicle
    /// from far away: a ranger looks first. A clock, a date or a slogan may fit any format: what doesn't stand on a plate isn't recorded.
    func isSure(_ reading: PlateReading, _ least: RecordingConfidence) -> Bool {
        let format = PlateFormat.named(reading.format)
        guard least.accepts(reading.confidence, format?.script), !reading.plate.isPartial, reading.looksLikePlate
        else { return false }
        return format?.isUsual(in: country) ?? (country == nil)
    }

    /// Whether it is surely a plate of the country, so that what else is read at the same time may be decoration.
    func isPlate(_ sighting: OpenSighting) -> Bool {
        sighting.bestConfidence >= Self.plateBeside && sighting.vote.best.map { isUsual($0) } == true
    }

    /// Whether it is so unlikely a plate, by its place and by what was read, that a ranger isn't asked.
    func isWriting(_ reading: PlateReading) -> Bool {
        guard !reading.looksLikePlate else { return false }
        let isNowhere = (reading.look?.score ?? 1) < Self.nowhere.place
        return reading.confidence < (isNowhere ? Self.nowhere.least : Self.leastElsewhere)
    }

    /// Whether it is decoration: it fits no format of the country, and stood beside a plate that does.
    func isDecoration(_ reading: PlateReading, of sighting: OpenSighting) -> Bool {
        sighting.isBesidePlate == true && sighting.isApart != true && !isUsual(reading)
            && sighting.bestConfidence < Self.foreignBeside
    }

    /// A vehicle whose plate was seen and never read, for a ranger; nil when that is too little to ask.
    func unread(_ sighting: OpenSighting, camera: String) -> Sighting? {
        guard let unread = sighting.unread,
            unread.isWorthReview(hasMoved: sighting.hasMoved, isApart: sighting.isApart == true)
        else { return nil }
        return Sighting(
            number: sighting.number, camera: camera, firstSeenAt: sighting.firstSeenAt, lastSeenAt: sighting.lastSeenAt,
            frameCount: unread.frames, bestFrame: sighting.bestFrame, reading: unread.largest,
            course: sighting.track?.course)
    }

    /// What the readings of a vehicle come to; nil when they come to nothing.
    func voted(_ sighting: OpenSighting, camera: String) -> Sighting? {
        guard let reading = sighting.vote.result(formats: FormatMatcher(country: country)) else { return nil }
        return Sighting(
            number: sighting.number, camera: camera, firstSeenAt: sighting.firstSeenAt, lastSeenAt: sighting.lastSeenAt,
            frameCount: sighting.frameCount, bestFrame: sighting.bestFrame, reading: reading,
            course: sighting.track?.course)
    }
}
