import Enforcement

/// The small plates that a camera's last frames showed: several looks at each, for one picture that shows more.
///
/// It holds a few crops, and none of them longer than a moment after its vehicle.
struct SmallPlates {
    /// One plate over the last frames.
    private struct Track {
        var looks: [PlateLook]

        /// Where it was seen last, in decoded pixels, and when.
        var place: Box
        var at: Instant

        /// Looks since they were put together.
        var fresh: Int
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

    /// So many are put together in one frame: a bound on the time. The others' turn comes with the next one.
    private static let mostRipe = 2

    /// A plate unseen for so long has gone.
    private static let absence = TimeSpan.milliseconds(1500)

    /// Of one frame to the next: so many of its widths it goes, and so many times as wide it becomes.
    private static let step = (widths: 3.0, growth: 1.4)

    private var tracks: [Track] = []

    /// A plate whose looks are worth putting together, at a place of the newest frame.
    struct Ripe {
        var place: Box
        var looks: [PlateLook]
    }

    /// Takes a frame's small plates in.
    ///
    /// - Parameter places: of its plates, in decoded pixels, the likeliest first.
    /// - Returns: those that were seen often enough, and not put together a moment ago.
    mutating func see(_ places: [Box], in frame: ColourImage, at time: Instant) -> [Ripe] {
        tracks.removeAll { (time - $0.at).magnitude > Self.absence }
        var taken = Set<Int>()
        var ripe: [Ripe] = []
        for place in places.prefix(Self.mostTracks) {
            let near = tracks.indices.filter { !taken.contains($0) && isNext(place, after: tracks[$0].place) }
            let index = near.min { distance(place, tracks[$0].place) < distance(place, tracks[$1].place) }
            guard place.width < Self.enough, place.width >= Self.least, let look = PlateLook(of: frame, at: place)
            else {
                continue
            }
            guard let index else {
                guard tracks.count < Self.mostTracks else { continue }
                taken.insert(tracks.count)
                tracks.append(Track(looks: [look], place: place, at: time, fresh: 1))
                continue
            }
            taken.insert(index)
            tracks[index].looks = tracks[index].looks.suffix(Self.mostLooks - 1) + [look]
            tracks[index].place = place
            tracks[index].at = time
            tracks[index].fresh += 1
            let isRipe = tracks[index].looks.count >= Self.leastLooks && tracks[index].fresh >= Self.leastFresh
            guard isRipe, ripe.count < Self.mostRipe else { continue }
            tracks[index].fresh = 0
            ripe.append(Ripe(place: place, looks: tracks[index].looks))
        }
        return ripe
    }

    private func isNext(_ place: Box, after former: Box) -> Bool {
        let growth = Double(place.width) / Double(max(1, former.width))
        return distance(place, former) <= Self.step.widths * Double(former.width)
            && (1 / Self.step.growth...Self.step.growth).contains(growth)
    }

    private func distance(_ one: Box, _ other: Box) -> Double {
        Point(one.centerX - other.centerX, one.centerY - other.centerY).length
    }
}
