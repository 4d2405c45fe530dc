/// Decides which frames are worth reading: those in which something changed since the last one that was read.
///
/// The picture is laid out in 16 by 12 cells. A cell has changed when its pixels differ from those of the last frame read by more than the
/// noise of the camera, after a common change of the light is taken out; two changed cells are a change. A motorcycle in a fortieth of
/// the picture covers nearly five. The noise is what half of the cells stay under, and is bounded, so a truck that fills
/// the picture is not taken for noise.
///
/// Where nothing changes, a frame is still read every two seconds for a while after something was there (a vehicle that stopped at the
/// barrier), and every half minute at the least (a change too slow or too faint to be seen).
package struct StillnessGate: Sendable {
    package struct Settings: Sendable, Equatable {
        /// A cell whose pixels differ by this many levels of 255 on average has changed, however little noise there is.
        package var leastDifference = 6.0
        /// Never asks for a greater difference than this, however much noise there seems to be.
        package var greatestDifference = 14.0
        package var changedCells = 2
        /// How long something counts as there lately.
        package var watchFor = TimeSpan.seconds(10)
        /// Time between looks while something was there lately.
        package var lookEvery = TimeSpan.seconds(2)
        /// The longest time without a look.
        package var restAtMost = TimeSpan.seconds(30)

        package init() {}
    }

    package enum Verdict: Sendable, Equatable {
        case look(Reason)
        case skip
    }

    package enum Reason: String, Sendable {
        /// There is nothing to compare with: the first frame, another picture size, a clock that went back.
        case unknown
        case changed
        /// Something was there lately.
        case watching
        /// Nothing was looked at for a long time.
        case rested
        /// Something else has seen a vehicle: a trigger.
        case awaited
    }

    private static let columns = 16
    private static let rows = 12

    private let settings: Settings
    private var reference: GrayThumbnail?
    private var lookedAt: Instant?
    private var activeAt: Instant?

    package init(settings: Settings = Settings()) {
        self.settings = settings
    }

    /// Whether to read this frame. Frames are given in their order; a frame that is looked at is the one that later ones are compared with.
    ///
    /// - Parameters:
    ///   - now: the frame's capture time.
    ///   - isAwaited: whether a vehicle is said to be there: then the frame is read though nothing seems to have changed.
    package mutating func verdict(
        _ thumbnail: GrayThumbnail, at now: Instant, isAwaited: @autoclosure () -> Bool = false
    ) -> Verdict {
        var verdict = judged(thumbnail, at: now)
        if verdict == .skip, isAwaited() { verdict = .look(.awaited) }
        if case .look(let reason) = verdict {
            reference = thumbnail
            lookedAt = now
            if reason == .changed { activeAt = now }
        }
        return verdict
    }

    /// Tells that a plate or a vehicle was found in the frame of that time, so that the scene is watched though it stands still.
    package mutating func found(at now: Instant) {
        activeAt = max(activeAt ?? now, now)
    }

    private func judged(_ thumbnail: GrayThumbnail, at now: Instant) -> Verdict {
        guard let reference, let lookedAt, now >= lookedAt, reference.width == thumbnail.width,
            reference.height == thumbnail.height
        else { return .look(.unknown) }
        if hasChanged(from: reference, to: thumbnail) { return .look(.changed) }
        let rest = now - lookedAt
        if let activeAt, now - activeAt <= settings.watchFor, rest >= settings.lookEvery { return .look(.watching) }
        return rest >= settings.restAtMost ? .look(.rested) : .skip
    }

    private func hasChanged(from old: GrayThumbnail, to new: GrayThumbnail) -> Bool {
        let gain = Self.gain(from: old, to: new)
        // What each level of the old picture is in the light of the new one: a table saves a product for each pixel.
        let lit = (0...255).map { min(255, Int((Double($0) * gain).rounded())) }
        let differences = Self.cells(new.width, new.height).map { cell in
            var sum = 0
            for y in cell.y {
                let row = y * new.width
                for x in cell.x { sum += abs(Int(new.pixels[row + x]) - lit[Int(old.pixels[row + x])]) }
            }
            return Double(sum) / Double(cell.x.count * cell.y.count)
        }
        let noise = Self.median(differences)
        let limit = min(max(settings.leastDifference, 2.5 * noise + 2), settings.greatestDifference)
        return differences.count { $0 > limit } >= min(settings.changedCells, differences.count)
    }

    /// The factor by which the light of the whole picture changed: the median of the cells', so that a vehicle does not count.
    /// Example: cells of 100 that are now 90 give 0.9. Bounded, since a greater change is worth a look.
    private static func gain(from old: GrayThumbnail, to new: GrayThumbnail) -> Double {
        let ratios = cells(new.width, new.height).map { cell in
            var (before, after) = (0, 0)
            for y in cell.y {
                for x in cell.x {
                    before += Int(old.pixels[y * old.width + x])
                    after += Int(new.pixels[y * new.width + x])
                }
            }
            // Eight levels more on both sides keep a black cell from giving any ratio at all.
            let floor = 8 * cell.x.count * cell.y.count
            return Double(after + floor) / Double(before + floor)
        }
        return min(max(median(ratios), 0.75), 1.35)
    }

    private static func cells(_ width: Int, _ height: Int) -> [(x: Range<Int>, y: Range<Int>)] {
        let (columns, rows) = (min(columns, width), min(rows, height))
        return (0..<columns * rows).map { index in
            let (column, row) = (index % columns, index / columns)
            return (
                column * width / columns..<(column + 1) * width / columns,
                row * height / rows..<(row + 1) * height / rows
            )
        }
    }

    private static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }
}
