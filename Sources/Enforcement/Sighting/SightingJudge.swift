/// Judges what was read of a vehicle: whether its plate is one of the country, and whether the vote is sure enough to be recorded by itself.
struct SightingJudge: Sendable, Equatable {
    /// Nil where plates of every country are as likely.
    let country: String?

    /// A plate of the country this sure makes decoration of what else is read, …
    private static let plateBeside = 0.5

    /// … unless that is at least this sure: then it may be a vehicle from far away.
    private static let foreignBeside = 0.6

    func isUsual(_ reading: PlateReading) -> Bool {
        PlateFormat.named(reading.format)?.isUsual(in: country) ?? (country == nil)
    }

    /// Whether a vote is sure enough to be recorded by itself.
    ///
    /// Where the country's plates are all known, what fits none of them is more often a sticker or a slogan than a vehicle
    /// from far away: a ranger looks first. A clock, a date or a slogan may fit any format: what doesn't stand on a plate isn't recorded.
    func isSure(_ reading: PlateReading, _ settings: SightingTracker.Settings) -> Bool {
        guard reading.confidence >= settings.recordingConfidence, !reading.plate.isPartial, reading.looksLikePlate
        else { return false }
        guard let format = PlateFormat.named(reading.format) else { return country == nil }
        if format.script == .devanagari, reading.confidence < settings.devanagariConfidence { return false }
        return format.isUsual(in: country)
    }

    /// Whether it is surely a plate of the country, so that what else is read at the same time may be decoration.
    func isPlate(_ sighting: OpenSighting) -> Bool {
        sighting.bestConfidence >= Self.plateBeside && sighting.vote.best.map { isUsual($0) } == true
    }

    /// Whether it is decoration: it fits no format of the country, and stood beside a plate that does.
    func isDecoration(_ reading: PlateReading, of sighting: OpenSighting) -> Bool {
        sighting.isBesidePlate == true && !isUsual(reading) && sighting.bestConfidence < Self.foreignBeside
    }

    /// What the readings of a vehicle come to; nil when they come to nothing.
    func voted(_ sighting: OpenSighting, camera: String) -> Sighting? {
        guard let reading = sighting.vote.result(formats: FormatMatcher(country: country)) else { return nil }
        return Sighting(
            number: sighting.number, camera: camera, firstSeenAt: sighting.firstSeenAt, lastSeenAt: sighting.lastSeenAt,
            frameCount: sighting.frameCount, bestFrame: sighting.bestFrame, reading: reading)
    }
}
