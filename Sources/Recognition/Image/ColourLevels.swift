/// A picture and its smaller versions, each made when it is asked for first.
final class ColourLevels {
    private var levels: [ColourImage]

    init(_ image: ColourImage) { levels = [image] }

    var full: ColourImage { levels[0] }

    /// The picture at a fraction of its size: 1, 2, 4 or 8. One that is too small for that is given at the least fraction that it has.
    func reduced(by factor: Int) -> (image: ColourImage, reduction: Int) {
        var level = 0
        while 1 << level < factor {
            if level + 1 == levels.count {
                guard let half = levels[level].halved() else { break }
                levels.append(half)
            }
            level += 1
        }
        return (levels[level], 1 << level)
    }
}
