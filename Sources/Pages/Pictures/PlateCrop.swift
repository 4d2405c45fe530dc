import Enforcement

/// A plate out of a picture, as the template `crop` takes it.
package struct PlateCrop: Encodable, Equatable, Sendable {
    package let path: String
    package let view: String
    package let width: Int
    package let height: Int

    /// - Parameter path: of the whole picture.
    package init(_ place: PlatePlace, path: String) {
        let view = place.view
        self.view = "\(view.x) \(view.y) \(view.width) \(view.height)"
        (self.path, width, height) = (path, place.width, place.height)
    }
}
