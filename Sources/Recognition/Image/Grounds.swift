import Enforcement
import Foundation

/// The colours of a picture's plates, decoded when the first is asked for.
final class Grounds {
    private let picture: Data?

    /// Nil for pictures whose colours can't be had.
    private(set) lazy var map: ColourMap? = picture.flatMap { ColourMap($0) }

    /// - Parameter picture: a JPEG's bytes; nil when its colours don't lie as the decoded picture does.
    init(_ picture: Data?) { self.picture = picture }

    /// The ground of the plate in a box of stored pixels; nil when it isn't clear.
    func ground(in box: Box) -> PlateColour? { map?.ground(in: box) }
}
