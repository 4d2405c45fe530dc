import Enforcement

/// A photo says where its passage's plate stands in it. A smaller copy of the photo has the same place: it is in parts of the size that is
/// sent along.
extension PlatePlace {
    /// The header field of a photo's upload.
    package static let field = "x-photo-plate"

    /// As it is sent: `x y width height`, then the picture's width and height, in pixels.
    package var sent: String {
        [plate.x, plate.y, plate.width, plate.height, width, height].map(String.init).joined(separator: " ")
    }

    /// - Returns: nil for what says no place.
    package init?(sent: some StringProtocol) {
        guard sent.utf8.count <= 60 else { return nil }
        let numbers = sent.split(separator: " ", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 6 else { return nil }
        let found = numbers.compactMap(\.self)
        guard found.count == 6 else { return nil }
        self.init(
            Box(x: found[0], y: found[1], width: found[2], height: found[3]), width: found[4], height: found[5])
    }
}
