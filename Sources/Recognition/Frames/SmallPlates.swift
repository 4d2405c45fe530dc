import Enforcement

/// The small plates that a camera's last frames showed: several looks at each, for one picture that shows more.
///
/// It holds a few crops, and none of them longer than a moment after its vehicle. What stands still is not put together: its looks lie on
/// the same pixels, and a sign would be read all day.
struct SmallPlates {
    /// One plate over the last frames.
    private struct Track {
        var looks: [PlateLook] = []

        /// Where it was seen last, in decoded pixels, and when.
        var place: Box
        var at: Instant

        /// Frames since then.
        var unseen = 0

        /// Looks since they were put together.
        var fresh = 0

        /// Whether it went over its looks.
        var hasMoved: Bool {
            guard let first = looks.first?.place, let last = looks.last?.place else { return false }
            return SmallPlates.distance(first, last) > SmallPlates.leastWay * Double(last.width)
        }
    }

    /// What is at least so wide, in decoded pixels, is read as well from one frame.
    static let enough = 100

    /// What is narrower shows no glyphs.
    static let least = 24

    /// The newest looks count: more of them show nothing new, and the oldest are the smallest.
    private static let mostLooks = 7

    /// As many are put together at least, and so many new ones before it is tried again.
    static let leastLooks = 4
    private static let leastFresh = 3

    private static let mostTracks = 4

    /// A plate unseen for so long, or in so many frames, has gone.
    private static let absence = TimeSpan.milliseconds(1500)
    private static let mostUnseen = 8

    /// Of one frame to the next: so many of its widths it goes, and so many times as wide it becomes.
    private static let step = (widths: 3.0, growth: 1.4)

    /// In parts of its width: what goes less far stands.
    private static let leastWay = 0.2

    private var tracks: [Track] = []

    /// Takes a frame's plates in.
    ///
    /// - Parameter places: of its plates, in decoded pixels, the likeliest first.
    /// - Returns: which of them was seen often enough, moving, and not put together a moment ago, with its looks. One a frame: a bound on the
    ///   time.
    mutating func see(_ places: [Box], in frame: ColourImage, at time: Instant) -> (index: Int, looks: [PlateLook])? {
        for index in tracks.indices { tracks[index].unseen += 1 }
        tracks.removeAll { (time - $0.at).magnitude > Self.absence || $0.unseen > Self.mostUnseen }
        let owners = owners(of: places)
        var ripe: (index: Int, looks: [PlateLook])?
        for (index, place) in places.enumerated() {
            let isSmall = (Self.least..<Self.enough).contains(place.width) && place.height < Self.enough
            guard let owner = owners[index] ?? (isSmall ? beginTrack(at: place, time) : nil) else { continue }
            (tracks[owner].place, tracks[owner].at, tracks[owner].unseen) = (place, time, 0)
            guard isSmall, let look = PlateLook(of: frame, at: place) else {
                // It is large by now: what it was is no one's look any more.
                tracks[owner].looks = []
                continue
            }
            tracks[owner].looks = tracks[owner].looks.suffix(Self.mostLooks - 1) + [look]
            tracks[owner].fresh += 1
            let isRipe = tracks[owner].looks.count >= Self.leastLooks && tracks[owner].fresh >= Self.leastFresh
            guard ripe == nil, isRipe, tracks[owner].hasMoved else { continue }
            tracks[owner].fresh = 0
            ripe = (index, tracks[owner].looks)
        }
        return ripe
    }

    /// The track of each place: the nearest pairs first. Nil where it is a new one.
    private func owners(of places: [Box]) -> [Int?] {
        var owners = [Int?](repeating: nil, count: places.count)
        let pairs = places.indices.flatMap { place in
            tracks.indices.filter { isNext(places[place], after: tracks[$0].place) }
                .map { (place: place, track: $0, way: Self.distance(places[place], tracks[$0].place)) }
        }
        for pair in pairs.sorted(by: { $0.way < $1.way })
        where owners[pair.place] == nil && !owners.contains(pair.track) {
            owners[pair.place] = pair.track
        }
        return owners
    }

    /// Nil where too many are followed.
    private mutating func beginTrack(at place: Box, _ time: Instant) -> Int? {
        if tracks.count >= Self.mostTracks {
            // Who hasn't been seen in this frame makes room.
            guard
                let gone = tracks.indices.filter({ tracks[$0].unseen > 0 }).max(by: {
                    tracks[$0].unseen < tracks[$1].unseen
                })
            else { return nil }
            tracks[gone] = Track(place: place, at: time)
            return gone
        }
        tracks.append(Track(place: place, at: time))
        return tracks.count - 1
    }

    private func isNext(_ place: Box, after former: Box) -> Bool {
        let growth = Double(place.width) / Double(max(1, former.width))
        return Self.distance(place, former) <= Self.step.widths * Double(former.width)
            && (1 / Self.step.growth...Self.step.growth).contains(growth)
    }

    private static func distance(_ one: Box, _ other: Box) -> Double {
        Point(one.centerX - other.centerX, one.centerY - other.centerY).length
    }
}
