/// Several looks at one small plate as one picture that shows more than any of them: each lies on another grid of pixels, with other noise.
struct FusedPlate: Sendable {
    let colours: ColourImage

    /// How many looks it was made of.
    let count: Int

    /// So many times larger than the looks it is.
    static let enlargement = 3

    /// Looks that are less alike than this show another plate, or too little of it.
    static let leastLikeness = 0.85
    static let leastLikenessOfPart = 0.7

    /// What a camera blurs by, in parts of its pixel: as much is sharpened.
    private static let blur = 0.6

    /// - Parameter looks: the last one is what the others are laid on.
    /// - Returns: nil where fewer than `least` of them show the same.
    init?(_ looks: [PlateLook], least: Int) {
        guard let last = looks.last else { return nil }
        let maps = looks.dropLast().compactMap { look -> (FloatImage, Registration)? in
            guard let map = Registration(of: (last.levels, last.plate), in: (look.levels, look.plate)),
                map.likeness >= Self.leastLikeness, map.leastLikeness >= Self.leastLikenessOfPart
            else { return nil }
            return (look.image, map)
        }
        count = maps.count + 1
        guard count >= least else { return nil }
        let factor = Double(Self.enlargement)
        let width = last.image.width * Self.enlargement
        let height = last.image.height * Self.enlargement
        var middle = FloatImage(width: width, height: height, values: [Float](repeating: 0, count: width * height))
        var seen = [Float](repeating: 0, count: maps.count + 1)
        for y in 0..<height {
            for x in 0..<width {
                let at = Point((Double(x) + 0.5) / factor - 0.5, (Double(y) + 0.5) / factor - 0.5)
                seen[0] = last.image.sharpValue(at)
                for (index, (image, map)) in maps.enumerated() { seen[index + 1] = image.sharpValue(map(at)) }
                seen.sort()
                middle.values[y * width + x] = (seen[seen.count / 2] + seen[(seen.count - 1) / 2]) / 2
            }
        }
        let soft = middle.blurred(Self.blur * factor)
        for index in middle.values.indices { middle.values[index] += middle.values[index] - soft.values[index] }
        colours = ColourImage(
            luminance: middle.gray, chroma: last.colours.chroma.map { Self.enlarged($0, width, height) })
    }

    /// The colours of the last look: they tell the ground alone.
    private static func enlarged(_ chroma: ColourImage.Chroma, _ width: Int, _ height: Int) -> ColourImage.Chroma {
        let step = (
            x: 1 / Double(enlargement << chroma.shiftX), y: 1 / Double(enlargement << chroma.shiftY)
        )
        func enlarged(_ plane: GrayImage) -> GrayImage {
            plane.sampled(
                width: width, height: height, origin: Point(0.5 * step.x - 0.5, 0.5 * step.y - 0.5),
                right: Point(step.x, 0), down: Point(0, step.y))
        }
        return .init(blue: enlarged(chroma.blue), red: enlarged(chroma.red), shiftX: 0, shiftY: 0)
    }
}
