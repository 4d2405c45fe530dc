/// A picture and its smaller versions, each made when it is asked for first.
final class ColourLevels {
    private var levels: [ColourImage]

    /// How many stored pixels one pixel of the whole picture stands for, along one side: it may have been decoded at a fraction.
    private let decodedReduction: Int

    init(_ image: ColourImage, reduction: Int = 1) {
        levels = [image]
        decodedReduction = reduction
    }

    var full: ColourImage { levels[0] }

    /// The picture at a fraction of its size: 1, 2, 4 or 8. One that is too small for that is given at the least fraction that it has.
    ///
    /// - Returns: the picture, and how many stored pixels one of its pixels stands for, along one side.
    func reduced(by factor: Int) -> (image: ColourImage, reduction: Int) {
        var level = 0
        while 1 << level < factor {
            if level + 1 == levels.count {
                guard let half = levels[level].halved() else { break }
                levels.append(half)
            }
            level += 1
        }
        return (levels[level], decodedReduction << level)
    }

    /// The smallest version, down to an eighth of the stored picture, that is at least so many pixels wide.
    func smallest(atLeast width: Int) -> (image: ColourImage, reduction: Int) {
        let wanted = [8, 4, 2].first { full.width * decodedReduction / $0 >= width } ?? 1
        return reduced(by: max(1, wanted / decodedReduction))
    }
}
