/// Where in a picture a plate stands.
package struct PlatePlace: Hashable, Sendable {
    /// In pixels of the picture.
    package let plate: Box

    /// The picture's size in pixels.
    package let width: Int
    package let height: Int

    /// No picture that a camera takes is wider or higher.
    private static let largest = 100_000

    /// - Returns: nil where there is no plate, or none within the picture.
    package init?(_ plate: Box, width: Int, height: Int) {
        let (sizes, places) = (1...Self.largest, -Self.largest...Self.largest)
        guard [width, height, plate.width, plate.height].allSatisfy(sizes.contains),
            [plate.x, plate.y].allSatisfy(places.contains)
        else { return nil }
        (self.plate, self.width, self.height) = (plate, width, height)
        guard view.area > 0 else { return nil }
    }

    /// The plate with a little of what is around it, within the picture.
    package var view: Box {
        plate.grown(byX: plate.width / 6 + 4, byY: plate.height / 4 + 4, within: width, height)
    }
}
