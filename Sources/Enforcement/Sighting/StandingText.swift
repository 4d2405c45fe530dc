/// Learns where a camera's picture shows writing that stands in its place to the pixel while the scene moves: the clock and the name that
/// nearly every camera burns in, a poster, a sign.
///
/// A vehicle is told from it by time and by place. One that stands at the barrier has been recorded or shown to a ranger long before its
/// place is learned; the next one doesn't stop at the same pixels. Where the network sees no plate, less is enough: such a reading is never
/// recorded by itself. ``FixtureMemory`` knows a text again; this knows a place, whatever it says.
struct StandingText: Sendable, Equatable, Codable {
    struct Place: Sendable, Equatable, Codable {
        var box: Box
        var text: String
        var firstSeenAt: Instant
        var lastSeenAt: Instant

        /// Frames that showed it, and that didn't.
        var frames = 1
        var missed = 0

        /// How often the text was another one than in the frame before.
        var changes = 0

        /// In how many of the frames the network took it for a plate.
        var plateFrames: Int
        var isCertain = false

        /// In most of them.
        var looksLikePlate: Bool { 2 * plateFrames > frames }
    }

    /// What has to be seen before a place is taken for standing writing.
    private struct Proof {
        var frames: Int
        var changes: Int
        var time: TimeSpan

        func isGiven(by place: Place) -> Bool {
            place.frames >= frames && place.changes >= changes && place.lastSeenAt - place.firstSeenAt >= time
        }
    }

    /// A clock that doesn't look like a plate; a sign that doesn't; a clock that does, which changes nearly always. A sign that looks
    /// like a plate is a parked vehicle: its text is remembered elsewhere.
    private static let proofs = (
        clock: Proof(frames: 4, changes: 3, time: .seconds(10)),
        sign: Proof(frames: 4, changes: 0, time: .minutes(1)),
        plateLike: Proof(frames: 30, changes: 10, time: .minutes(3))
    )

    /// Of the frames with a clock so many show another text than the one before. A parked plate that is read poorly changes less often.
    private static let leastChanging = 0.6

    /// A place that fewer than so many of its frames have shown is a vehicle's.
    private static let leastShare = 0.75

    private static let seldom = 0.05

    /// How far a text's top and bottom may move from frame to frame, as a part of its height, and at least in pixels.
    private static let drift = (share: 0.08, pixels: 2)

    /// The part of the narrower one that two texts in one place share from left to right: another time is as wide as the one before,
    /// and some of its characters may not have been read.
    private static let leastCommonWidth = 0.6

    /// Certain places are known so long after they were last read: through a night in which the clock couldn't be read, unless a plate may
    /// stand there.
    private static let memory = TimeSpan.hours(36)
    private static let plateLikeMemory = TimeSpan.minutes(1)
    private static let maximumPlaces = 32
    private static let maximumCount = 10_000

    private(set) var places: [Place] = []

    /// Takes in what one frame shows.
    ///
    /// - Parameter now: by the box's clock.
    mutating func see(_ readings: [PlateReading], at now: Instant) {
        var wasSeen = [Bool](repeating: false, count: places.count)
        for reading in readings {
            if let index = index(of: reading) {
                note(reading, at: index, now)
                if index < wasSeen.count { wasSeen[index] = true }
            } else {
                places.append(
                    Place(
                        box: reading.box, text: LookAlike.folded(reading.plate.compact), firstSeenAt: now,
                        lastSeenAt: now,
                        plateFrames: reading.looksLikePlate ? 1 : 0))
            }
        }
        for index in wasSeen.indices where !wasSeen[index] {
            places[index].missed = min(places[index].missed + 1, Self.maximumCount)
        }
        places.removeAll { Self.isForgotten($0, at: now) }
        while places.count > Self.maximumPlaces, let weakest = places.indices.min(by: { rank($0) < rank($1) }) {
            places.remove(at: weakest)
        }
    }

    /// Whether a reading is of standing writing. Where hardly ever a plate was seen, what stands on one is a vehicle.
    func isStanding(_ reading: PlateReading) -> Bool {
        guard let place = index(of: reading).map({ places[$0] }), place.isCertain else { return false }
        return !reading.looksLikePlate || Double(place.plateFrames) >= Self.seldom * Double(place.frames)
    }

    /// Whether its place still shows writing. What left was a vehicle, however still it stood.
    func shows(_ reading: PlateReading, at now: Instant, within time: TimeSpan) -> Bool {
        guard isStanding(reading), let place = index(of: reading).map({ places[$0] }) else { return false }
        return (now - place.lastSeenAt).magnitude <= time
    }

    private mutating func note(_ reading: PlateReading, at index: Int, _ now: Instant) {
        let text = LookAlike.folded(reading.plate.compact)
        places[index].frames = min(places[index].frames + 1, Self.maximumCount)
        if text != places[index].text { places[index].changes = min(places[index].changes + 1, Self.maximumCount) }
        places[index].text = text
        places[index].lastSeenAt = max(places[index].lastSeenAt, now)
        if reading.looksLikePlate { places[index].plateFrames = min(places[index].plateFrames + 1, Self.maximumCount) }
        let place = places[index]
        guard Double(place.frames) >= Self.leastShare * Double(place.frames + place.missed) else { return }
        let (clock, sign, plateLike) = Self.proofs
        let ticks = Double(place.changes) >= Self.leastChanging * Double(place.frames)
        if place.looksLikePlate
            ? ticks && plateLike.isGiven(by: place) : clock.isGiven(by: place) || sign.isGiven(by: place)
        {
            places[index].isCertain = true
        }
    }

    private func index(of reading: PlateReading) -> Int? {
        places.firstIndex { Self.isSamePlace($0.box, reading.box) }
    }

    private static func isSamePlace(_ one: Box, _ other: Box) -> Bool {
        let reach = max(drift.pixels, Int(drift.share * Double(min(one.height, other.height))))
        guard abs(one.y - other.y) <= reach, abs(one.bottom - other.bottom) <= reach else { return false }
        let common = min(one.right, other.right) - max(one.x, other.x)
        return Double(common) >= leastCommonWidth * Double(min(one.width, other.width))
    }

    /// A place that isn't certain is forgotten when most frames don't show it: it was a vehicle's.
    private static func isForgotten(_ place: Place, at now: Instant) -> Bool {
        guard place.isCertain else { return place.missed > place.frames + 3 }
        return (now - place.lastSeenAt).magnitude > (place.looksLikePlate ? plateLikeMemory : memory)
    }

    private func rank(_ index: Int) -> (Int, Int, Int64) {
        (
            places[index].isCertain ? 1 : 0, places[index].frames - places[index].missed,
            places[index].lastSeenAt.milliseconds
        )
    }
}
