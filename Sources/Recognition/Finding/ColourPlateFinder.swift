import Enforcement
import Foundation

/// Finds filled plates by their colour: upright patches of red, yellow, green, blue, white or black that hold writing.
///
/// It looks where glyphs are too few or too small to make a row. What it finds is a place, not a reading: a ranger sees it,
/// and a technician sees what the camera misses.
struct ColourPlateFinder {
    /// At most this many places are given.
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
                heights: 6...max(6, map.height / 2), maximumWidth: map.width * 9 / 10)
            for patch in patches {
                let score = score(patch, colour, map)
                if score > 0 { found.append(Place(box: patch.box, colour: colour, score: score)) }
            }
        }
        var kept: [Place] = []
        for patch in found.sorted(by: { $0.score > $1.score }) where kept.count < Self.maximumPlaces {
            var place = patch
            place.box = patch.box.scaled(by: map.reduction)
            if !kept.contains(where: { $0.box.overlap(place.box) > 0.2 }) { kept.append(place) }
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
        guard box.width >= 14, box.x > 0, box.y > 0, box.right < map.width, box.bottom < map.height else { return 0 }
        let fill = Double(patch.area) / Double(box.area)
        // The writing takes a part of a plate, and leaves its edges filled; a tilted plate leaves its corners empty.
        let shape = band(aspect, 0.9, 1.2, 4.8, 7) * band(fill, 0.3, 0.45, 0.85, 0.97)
        guard shape > 0 else { return 0 }
        let edges = edgeFill(box, colour, map)
        // White and black stand everywhere; colours are rarer.
        let rarity = colour == .white || colour == .black ? 0.5 : 1
        return shape * rising(edges, from: 0.1, to: 0.6) * rarity * rising(Double(box.width), from: 6, to: 60)
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
