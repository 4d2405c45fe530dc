import Foundation

/// Whether a camera still shows a road: pictures go on coming from one that is covered, blinded or hung.
///
/// Judged by the pictures' own times, since a folder may be read late.
package struct SceneWatch: Sendable {
    package enum Trouble: Sendable, Equatable {
        /// Nothing stands out in it: a covered lens, no light, or too much of it.
        case blank(Shade)
        /// A live camera gives the very same picture again and again. Of a sensor no two are alike.
        case frozen
    }

    package enum Shade: Sendable, Equatable { case dark, bright, plain }

    static let blankAfter = TimeSpan.minutes(10)
    static let frozenAfter = TimeSpan.minutes(5)

    /// A camera that sends one picture an hour has not been looked at for long enough.
    static let leastPictures = 10

    /// Levels of 255, as a standard deviation. An unlit road has noise of about two; one at dusk has more than ten.
    static let leastContrast = 3.0

    private struct Run {
        var began: Instant
        var pictures: Int
    }

    private var blank: Run?
    private var same: Run?
    private var last: Data?

    package init() {}

    /// - Parameters:
    ///   - picture: its bytes, of a live camera alone: a file that was copied twice is no news of the camera.
    ///   - now: when it was taken.
    /// - Returns: what is wrong with it and with those before it.
    package mutating func see(_ thumbnail: GrayThumbnail, picture: Data?, at now: Instant) -> Trouble? {
        let (mean, contrast) = Self.light(thumbnail)
        Self.count(&blank, contrast < Self.leastContrast, now)
        Self.count(&same, picture != nil && picture == last, now)
        last = picture
        if Self.lasts(same, Self.frozenAfter, now) { return .frozen }
        guard Self.lasts(blank, Self.blankAfter, now) else { return nil }
        return .blank(mean < 60 ? .dark : mean > 195 ? .bright : .plain)
    }

    /// A clock that goes back begins it anew.
    private static func count(_ run: inout Run?, _ goesOn: Bool, _ now: Instant) {
        guard goesOn else { return run = nil }
        if let begun = run, begun.began <= now {
            run = Run(began: begun.began, pictures: begun.pictures + 1)
        } else {
            run = Run(began: now, pictures: 1)
        }
    }

    private static func lasts(_ run: Run?, _ span: TimeSpan, _ now: Instant) -> Bool {
        run.map { now - $0.began >= span && $0.pictures >= leastPictures } ?? false
    }

    private static func light(_ thumbnail: GrayThumbnail) -> (mean: Double, contrast: Double) {
        var (sum, squares) = (0, 0)
        for pixel in thumbnail.pixels {
            sum += Int(pixel)
            squares += Int(pixel) * Int(pixel)
        }
        let count = Double(thumbnail.pixels.count)
        let mean = Double(sum) / count
        return (mean, max(0, Double(squares) / count - mean * mean).squareRoot())
    }
}
