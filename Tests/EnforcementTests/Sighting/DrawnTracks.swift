@testable import Enforcement

/// What the reader found of the vehicles of the sample roads (`deploy/samples/drive` and `mixed`) that it read in three frames and more: the
/// plate's width and height and how many characters were read, frame by frame; `-` is a frame in which it was not read.
///
/// Each vehicle moves for four frames and then stands: a car comes up to the barrier and grows from 0.8 to 1, a motorcycle rides away and
/// shrinks from 1 to 0.8. One frame of each visit is spoilt.
struct DrawnTrack {
    let course: Course
    let frames: [PlateReading?]

    /// How large the vehicle was drawn in a frame: 1 where it is largest.
    func scale(_ index: Int) -> Double {
        let way = Double(min(index, 3)) / 3
        return course == .approaching ? 0.8 + 0.2 * way : 1 - 0.2 * way
    }

    init(_ course: String, _ text: String) {
        self.course = course == "towards" ? .approaching : .receding
        frames = text.split(separator: " ").map { cell in
            let numbers = cell.split { $0 == "x" || $0 == "/" }.compactMap { Int($0) }
            guard numbers.count == 3 else { return nil }
            return reading(
                String("BA1PA1234567890".prefix(numbers[2])),
                box: Box(x: 400, y: 300, width: numbers[0], height: numbers[1]))
        }
    }

    static let all = [
        ("towards", "123x32/7 132x32/7 - 155x40/7 154x40/7 152x38/7"),
        ("towards", "110x32/10 121x35/10 128x36/10 140x42/10 86x40/6 139x41/10"),
        ("away", "219x159/11 201x157/11 - 179x135/11 176x133/11"),
        ("towards", "134x70/14 148x78/14 - 172x90/14 172x88/14 172x88/14"),
        ("towards", "114x30/7 122x32/7 - 141x36/7 141x36/7 141x36/7"),
        ("towards", "152x96/10 182x112/10 185x112/8 203x132/10 205x132/10"),
        ("away", "197x147/13 189x132/13 179x114/13 - 158x106/13"),
        ("towards", "123x34/7 68x35/4 143x36/7 152x38/7 152x38/7"),
        ("towards", "123x33/7 - 143x37/7 153x38/7 152x38/7"),
        ("towards", "110x32/10 121x35/10 129x37/10 140x42/10 84x40/6 138x40/10"),
        ("away", "222x161/11 158x104/11 - 136x87/11 148x81/11 153x87/11"),
        ("towards", "138x36/7 131x33/7 143x37/7 - 153x38/7 152x39/7"),
        ("towards", "132x70/14 148x76/14 160x82/14 - 172x90/14"),
        ("away", "200x159/13 187x132/13 - 168x103/13 164x101/13"),
        ("towards", "114x31/7 122x32/7 130x33/7 72x35/4 141x36/7"),
        ("away", "233x201/10 223x174/10 210x161/10 198x143/10 204x147/10 207x151/10"),
        ("towards", "150x72/9 162x78/9 174x84/9 188x92/9 188x92/9 188x90/9"),
        ("towards", "152x74/14 166x80/14 178x88/14 202x104/14 192x94/14"),
        ("away", "124x90/7 115x83/7 109x78/7 100x72/7 99x72/7"),
        ("towards", "122x32/7 134x35/7 143x37/7 153x38/7 153x38/7"),
        ("towards", "110x32/10 122x36/10 128x37/10 138x42/10 138x40/10 140x42/10"),
    ].map { DrawnTrack($0.0, $0.1) }
}
