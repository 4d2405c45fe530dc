/// How a plate stands in a picture, as far as the camera's place, lens, exposure and shutter decide it.
package struct PlateSight: Sendable, Equatable {
    /// In pixels of the picture.
    package var box: Box

    /// How high its glyphs are, in pixels of the picture.
    package var glyphHeight: Double

    /// Over how many pixels an edge between ink and ground is spread; about 2 where the lens and the vehicle's speed leave it sharp.
    package var edgeWidth: Double

    /// Between what is dark and what is bright on it, 0…255.
    package var contrast: Double

    /// What is bright on it, 0…255.
    package var brightness: Double

    /// The part of it that has no shades any more, 0…1.
    package var burntShare: Double

    /// Whether it reaches out of the picture.
    package var isCut: Bool

    /// What was read; nothing in it where nothing was.
    package var reading: PlateReading

    package init(
        box: Box, glyphHeight: Double, edgeWidth: Double, contrast: Double, brightness: Double, burntShare: Double,
        isCut: Bool, reading: PlateReading
    ) {
        self.box = box
        self.glyphHeight = glyphHeight
        self.edgeWidth = edgeWidth
        self.contrast = contrast
        self.brightness = brightness
        self.burntShare = burntShare
        self.isCut = isCut
        self.reading = reading
    }
}

/// What a technician can change so that plates are read.
package enum AimProblem: String, Sendable, CaseIterable, Codable {
    /// The plate reaches out of the picture.
    case cut
    /// Its glyphs are too small to be read but by luck.
    case tooSmall = "too_small"
    /// Its glyphs are read in good light only.
    case small
    /// Strokes run into one another: the shutter is too slow, or the lens not in focus.
    case blurred
    /// There are no shades left on it.
    case burnt
    /// Nothing on it is bright.
    case dark
    /// Ink and ground are nearly alike.
    case flat
    /// It stands well in the picture, and nothing was read.
    case unread
}

extension PlateSight {
    /// Glyphs of this height are read in all weathers: of a plate 0.4 m wide in 150 px.
    package static let goodHeight = 20.0

    /// Below it reading is luck.
    package static let leastHeight = 12.0

    /// A stroke is about a seventh of its glyph's height wide. An edge that is spread over more reaches its other side.
    private static let blurredPart = 0.15

    /// What a sharp lens gives, however small the glyphs are.
    package static let sharpEdge = 3.5

    private static let leastContrast = 40.0
    private static let leastBrightness = 60.0
    private static let mostBurnt = 0.4

    /// From this on a passage may be recorded by itself.
    private static let sure = 0.8

    /// The largest edge that its glyphs bear, in pixels.
    package var mostEdge: Double { max(Self.sharpEdge, glyphHeight * Self.blurredPart) }

    /// What stands against its being read, what matters most first.
    package var problems: [AimProblem] {
        var found: [AimProblem] = []
        if isCut { found.append(.cut) }
        if glyphHeight < Self.leastHeight {
            found.append(.tooSmall)
        } else if glyphHeight < Self.goodHeight {
            found.append(.small)
        }
        if burntShare > Self.mostBurnt {
            found.append(.burnt)
        } else if brightness < Self.leastBrightness {
            found.append(.dark)
        } else if contrast < Self.leastContrast {
            found.append(.flat)
        } else if edgeWidth > mostEdge {
            // Without contrast an edge has no width.
            found.append(.blurred)
        }
        if found.isEmpty, reading.isUnread { found.append(.unread) }
        return found
    }

    /// Whether the camera may stay as it is.
    package var isGood: Bool { problems.isEmpty && reading.confidence >= Self.sure }
}
