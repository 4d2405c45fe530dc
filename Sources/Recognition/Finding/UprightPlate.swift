import Enforcement
import Foundation

/// A plate that is turned in the picture, cut out and set upright.
struct UprightPlate {
    /// What stands on the plate, and a little around it.
    let image: GrayImage

    /// Where the image's left upper corner is in the picture, and what one pixel to the right and downwards is.
    let origin: Point
    let right: Point
    let down: Point

    /// How many pixels of the picture one of the image is.
    var pixel: Double { hypot(down.x, down.y) }

    /// A plate's box is known so roughly: this part of its sides more is cut out.
    private static let margin = 0.06

    /// What is left of the box's sides at least, as parts of it.
    private static let least = (width: 0.55, height: 0.35)

    /// How many times as wide as high plates of two and three rows are, and those of one row. A box that is this many times as wide as high
    /// has one row, however far it is turned.
    private static let aspects = (rows: 1.8, row: 4.4, between: 2.2)

    /// What the box around a turned plate is taken to tell.
    enum Shape {
        /// Its width and its height: a rectangle of w by h, turned, has a box of w cos + h sin by w sin + h cos, solved for w and h. A box that
        /// is a little too large says nothing of a plate that is turned far.
        case ofBox
        /// Its width alone: the plate has the usual shape.
        case usual
    }

    /// Images are this much higher at most than the plate is in the picture: more pixels show no more.
    private static let maximumHeight = 240.0

    /// - Parameters:
    ///   - region: the box around the turned plate, in pixels of `picture`.
    ///   - slope: of its rows: pixels downwards for every pixel to the right.
    init(_ region: Box, of picture: GrayImage, slope: Double, shape: Shape) {
        let turn = atan(slope)
        let (across, upward) = (cos(turn), abs(sin(turn)))
        let (wide, high) = (Double(region.width), Double(region.height))
        let aspect = wide > Self.aspects.between * high ? Self.aspects.row : Self.aspects.rows
        let usual = wide / (aspect * across + upward)
        var size = (width: usual * aspect, height: usual)
        let determinant = across * across - upward * upward
        if shape == .ofBox, determinant > 0 {
            size.width = min(wide / across, max(Self.least.width * wide, (wide * across - high * upward) / determinant))
            size.height = min(high, max(Self.least.height * high, (high * across - wide * upward) / determinant))
        }
        let width = size.width * (1 + 2 * Self.margin)
        let height = size.height * (1 + 2 * Self.margin)
        let step = max(1, height / Self.maximumHeight)
        right = Point(cos(turn), sin(turn)) * step
        down = Point(-sin(turn), cos(turn)) * step
        let middle = Point(region.centerX, region.centerY)
        origin = middle - right * (width / step / 2) - down * (height / step / 2)
        image = picture.sampled(
            width: max(8, Int(width / step)), height: max(8, Int(height / step)), origin: origin, right: right,
            down: down)
    }

    /// The surroundings of a turned plate, set upright: a square that holds the plate, however its box cut it.
    ///
    /// - Parameters:
    ///   - region: the box around the turned plate, in pixels of `picture`.
    ///   - slope: of its rows: pixels downwards for every pixel to the right.
    ///   - reach: how many times as wide as the longer side of the box it is.
    ///   - side: how many pixels a side it has at most.
    init(around region: Box, of picture: GrayImage, slope: Double, reach: Double, side: Double) {
        let turn = atan(slope)
        let whole = reach * Double(max(region.width, region.height))
        let step = max(1, whole / side)
        right = Point(cos(turn), sin(turn)) * step
        down = Point(-sin(turn), cos(turn)) * step
        let length = max(8, Int(whole / step))
        origin = Point(region.centerX, region.centerY) - (right + down) * (Double(length) / 2)
        image = picture.sampled(width: length, height: length, origin: origin, right: right, down: down)
    }

    /// The image's place in itself.
    var box: Box { Box(x: 0, y: 0, width: image.width, height: image.height) }

    /// Whether the image's middle lies in a box of it.
    func isMiddle(of box: Box) -> Bool {
        (box.x..<box.right).contains(image.width / 2) && (box.y..<box.bottom).contains(image.height / 2)
    }

    /// Where a point of the image is in the picture.
    func inPicture(_ x: Int, _ y: Int) -> Point { origin + right * Double(x) + down * Double(y) }
}
