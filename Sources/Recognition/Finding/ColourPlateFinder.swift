import Enforcement
import Foundation

/// Finds filled plates by their colour: upright patches of red, yellow, green, blue, white or black that hold writing.
///
/// It looks where glyphs are too few or too small to make a row. What it finds is a place, not a reading: a ranger sees it,
/// and a technician sees what the camera misses.
struct ColourPlateFinder {
    /// Lower and narrower patches, in values of the map, hold no writing; one as wide as the picture is a wall, one higher than half of it a
    /// vehicle.
    private static let leastHeight = 6
    private static let leastWidth = 14

    /// Of two patches that share more than this of their area together the better one is given.
    private static let samePlace = 0.2

    /// White and black stand everywhere; colours are rarer: their score is so much of what it would be.
    private static let rarityOfGray = 0.5

    // Outlines, how much of the box is coloured, and how much of its rim: good between the inner bounds, hopeless at the outer ones. A plate
    // is square to five times as wide as high; writing takes a part of it; a tilted plate leaves its corners empty.
    private static let aspects = (0.9, 1.2, 4.8, 7.0)
    private static let fills = (0.3, 0.45, 0.85, 0.97)
    private static let edges = (none: 0.1, whole: 0.6)

    /// The width in values of the map from which on a patch counts fully: its writing could be read.
    private static let widths = (none: 6.0, enough: 60.0)

    /// At most this many places are given: a bound on the time.
    static let maximumPlaces = 6

    /// Where a plate may be.
    struct Place: Equatable {
        var box: Box
        var colour: ColourMap.Colour
        var score: Double

        /// For every row of the box from its top the part that lies between pixels of the colour, in pixels of the stored
        /// picture; each stands for `step` of its rows.
        var spans: [Range<Int>] = []
        var step = 1
    }

    private var labeler = ComponentLabeler()

    init() {}

    /// - Returns: places in pixels of the stored picture, the likeliest first.
    mutating func find(in map: ColourMap) -> [Place] {
        var found: [Place] = []
        for colour in ColourMap.Colour.allCases {
            let patches = labeler.components(
                of: map.values, width: map.width, height: map.height, value: colour.rawValue,
                heights: Self.leastHeight...max(Self.leastHeight, map.height / 2), maximumWidth: map.width * 9 / 10)
            for patch in patches {
                let score = score(patch, colour, map)
                if score > 0 { found.append(Place(box: patch.box, colour: colour, score: score)) }
            }
        }
        var kept: [Place] = []
        for patch in found.sorted(by: { $0.score > $1.score }) where kept.count < Self.maximumPlaces {
            var place = patch
            place.box = patch.box.scaled(by: map.reduction)
            if !kept.contains(where: { $0.box.overlap(place.box) > Self.samePlace }) { kept.append(place) }
        }
        return kept.map { place in
            var place = place
            place.step = map.reduction
            place.spans = spans(of: place, map)
            return place
        }
    }

    private func spans(of place: Place, _ map: ColourMap) -> [Range<Int>] {
        let box = place.box
        let columns = box.x / map.reduction..<box.right / map.reduction
        return (box.y / map.reduction..<box.bottom / map.reduction).map { y in
            let hits = columns.filter { map.values[y * map.width + $0] == place.colour.rawValue }
            guard let first = hits.first, let last = hits.last else { return 0..<0 }
            return first * map.reduction..<(last + 1) * map.reduction
        }
    }

    /// How much a patch looks like a plate, from its shape and from what stands in it; 0 for none.
    private func score(_ patch: Component, _ colour: ColourMap.Colour, _ map: ColourMap) -> Double {
        let box = patch.box
        let aspect = Double(box.width) / Double(box.height)
        guard box.width >= Self.leastWidth, box.x > 0, box.y > 0, box.right < map.width, box.bottom < map.height else {
            return 0
        }
        let fill = Double(patch.area) / Double(box.area)
        let (shapes, fills) = (Self.aspects, Self.fills)
        let shape =
            band(aspect, shapes.0, shapes.1, shapes.2, shapes.3) * band(fill, fills.0, fills.1, fills.2, fills.3)
        guard shape > 0 else { return 0 }
        let edges = edgeFill(box, colour, map)
        let rarity = colour == .white || colour == .black ? Self.rarityOfGray : 1
        return shape * rising(edges, from: Self.edges.none, to: Self.edges.whole) * rarity
            * rising(Double(box.width), from: Self.widths.none, to: Self.widths.enough)
    }

    /// The part of the box's rim, a tenth of its height wide, that has the colour.
    private func edgeFill(_ box: Box, _ colour: ColourMap.Colour, _ map: ColourMap) -> Double {
        let rim = max(1, box.height / 10)
        var filled = 0
        var count = 0
        for y in box.y..<box.bottom {
            for x in box.x..<box.right {
                let isInside = x >= box.x + rim && x < box.right - rim && y >= box.y + rim && y < box.bottom - rim
                if isInside { continue }
                count += 1
                if map.values[y * map.width + x] == colour.rawValue { filled += 1 }
            }
        }
        return count > 0 ? Double(filled) / Double(count) : 0
    }
}
