import Enforcement
import Plates

/// The colours of a picture and of its plates, each made when it is asked for first; nil for pictures without colours.
final class Grounds {
    let levels: ColourLevels

    private(set) lazy var map = hasColours ? ColourMap(levels) : nil
    private(set) lazy var picture = hasColours ? ColourPicture(levels) : nil

    private var hasColours: Bool { levels.full.chroma != nil }

    init(_ decoded: ImageDecoder.Decoded) {
        levels = ColourLevels(decoded.colours, reduction: decoded.reduction)
    }

    /// The ground of the plate in a box of stored pixels; nil when it isn't clear.
    func ground(in box: Box) -> PlateColour? { map?.ground(in: box) }
}
