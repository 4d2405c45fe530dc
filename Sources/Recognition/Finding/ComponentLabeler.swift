import Enforcement

/// One connected region of a map.
package struct Component: Sendable, Equatable {
    package var box: Box

    /// How many pixels it has.
    package var area: Int

    /// Names its runs in the labeler that found it.
    package var label: Int32

    /// How many runs of pixels it is made of.
    package var runs = 1

    /// How wide its strokes are on average, in pixels along a row.
    var strokeWidth: Double { Double(area) / Double(max(1, runs)) }
}

/// Finds the 8-connected regions of one value in a map, by joining runs of pixels row by row.
///
/// Its buffers are reused from picture to picture.
struct ComponentLabeler {
    struct Run {
        var y: Int32
        var left: Int32
        /// One past the last pixel.
        var right: Int32
    }

    private(set) var runs: [Run] = []
    private var parents: [Int32] = []

    /// A picture that gives more runs than this is noise; the rest of it is not looked at.
    static let maximumRuns = 1_500_000

    /// So is one of whose pixels more than one in so many begins a run, over its first rows and from there on. Grass and leaves
    /// stay below half of that.
    private static let pixelsPerRun = 8
    private static let firstRows = 64

    /// - Returns: the regions whose boxes are within the given heights and at most `maximumWidth` wide, in no order.
    mutating func components(
        of map: [UInt8], width: Int, height: Int, value: UInt8, heights: ClosedRange<Int>, maximumWidth: Int
    ) -> [Component] {
        collectRuns(map, width: width, height: height, value: value)
        var found: [Component] = []
        var slots = [Int32](repeating: -1, count: runs.count)
        for index in runs.indices {
            let root = Int(find(Int32(index)))
            let run = runs[index]
            let box = Box(x: Int(run.left), y: Int(run.y), width: Int(run.right - run.left), height: 1)
            if slots[root] < 0 {
                slots[root] = Int32(found.count)
                found.append(Component(box: box, area: box.width, label: Int32(root)))
            } else {
                let slot = Int(slots[root])
                found[slot].box = found[slot].box.union(box)
                found[slot].area += box.width
                found[slot].runs += 1
            }
        }
        return found.filter { heights.contains($0.box.height) && $0.box.width <= maximumWidth }
    }

    /// Calls `paint` with every run of the region.
    mutating func forEachRun(of component: Component, _ paint: (Run) -> Void) {
        for index in runs.indices where find(Int32(index)) == component.label {
            paint(runs[index])
        }
    }

    private mutating func collectRuns(_ map: [UInt8], width: Int, height: Int, value: UInt8) {
        runs.removeAll(keepingCapacity: true)
        parents.removeAll(keepingCapacity: true)
        var previous = 0..<0
        for y in 0..<height {
            let first = runs.count
            map.withUnsafeBufferPointer { map in
                var x = y * width
                let end = x + width
                let start = x
                while x < end {
                    if map[x] != value {
                        x += 1
                        continue
                    }
                    let left = x
                    while x < end, map[x] == value { x += 1 }
                    runs.append(Run(y: Int32(y), left: Int32(left - start), right: Int32(x - start)))
                    parents.append(Int32(parents.count))
                }
            }
            join(previous, first..<runs.count)
            previous = first..<runs.count
            if runs.count > Self.maximumRuns { return }
            if y >= Self.firstRows, runs.count * Self.pixelsPerRun > y * width {
                runs.removeAll(keepingCapacity: true)
                parents.removeAll(keepingCapacity: true)
                return
            }
        }
    }

    /// Joins the runs of a row with those of the row above that touch them, corners counted.
    private mutating func join(_ above: Range<Int>, _ row: Range<Int>) {
        var upper = above.lowerBound
        for index in row {
            let run = runs[index]
            while upper < above.upperBound, runs[upper].right < run.left { upper += 1 }
            var touching = upper
            while touching < above.upperBound, runs[touching].left <= run.right {
                unite(Int32(index), Int32(touching))
                touching += 1
            }
        }
    }

    private mutating func unite(_ one: Int32, _ other: Int32) {
        let left = find(one)
        let right = find(other)
        if left < right { parents[Int(right)] = left } else { parents[Int(left)] = right }
    }

    private mutating func find(_ index: Int32) -> Int32 {
        var root = index
        while parents[Int(root)] != root {
            parents[Int(root)] = parents[Int(parents[Int(root)])]
            root = parents[Int(root)]
        }
        return root
    }
}
