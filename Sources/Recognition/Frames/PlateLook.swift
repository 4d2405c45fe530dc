import Enforcement

/// A small plate as a camera showed it in one frame, with what is around it.
struct PlateLook: Sendable {
    /// Around the plate, in decoded pixels.
    let colours: ColourImage

    /// The same in gray, to calculate with.
    let image: FloatImage

    /// The same as it is compared with others.
    let levels: [FloatImage]

    /// The plate in it.
    let plate: Box

    /// The plate in the frame, in decoded pixels.
    let place: Box

    /// So much is taken around a plate, in parts of its width.
    private static let margin = 0.9

    /// - Parameter place: the plate, in decoded pixels. Nil where it doesn't lie in the frame.
    init?(of frame: ColourImage, at place: Box) {
        let margin = Int(Self.margin * Double(place.width))
        // Whole squares of what one colour stands for.
        var part = place.grown(byX: margin, byY: margin, within: frame.width, frame.height)
        let shiftX = frame.chroma?.shiftX ?? 0
        let shiftY = frame.chroma?.shiftY ?? 0
        let left = (part.x >> shiftX) << shiftX
        let top = (part.y >> shiftY) << shiftY
        part = Box(x: left, y: top, width: part.right - left, height: part.bottom - top)
        guard part.width > 1, part.height > 1 else { return nil }
        let small = Box(
            x: left >> shiftX, y: top >> shiftY, width: (part.width + (1 << shiftX) - 1) >> shiftX,
            height: (part.height + (1 << shiftY) - 1) >> shiftY)
        colours = ColourImage(
            luminance: frame.luminance.cropped(to: part),
            chroma: frame.chroma.map {
                .init(
                    blue: $0.blue.cropped(to: small), red: $0.red.cropped(to: small), shiftX: shiftX, shiftY: shiftY)
            })
        image = FloatImage(colours.luminance)
        levels = Registration.levels(of: image)
        plate = Box(x: place.x - left, y: place.y - top, width: place.width, height: place.height)
            .intersection(Box(x: 0, y: 0, width: part.width, height: part.height))
        self.place = place
        guard plate.width > 1, plate.height > 1 else { return nil }
    }
}
