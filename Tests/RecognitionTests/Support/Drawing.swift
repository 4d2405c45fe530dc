import CLeptonica
import Foundation
import Recognition

/// Pictures that tests draw.
struct Drawing {
    private(set) var image: GrayImage

    init(width: Int, height: Int, ground: UInt8 = 200) {
        image = GrayImage(width: width, height: height, filledWith: ground)
    }

    mutating func fill(x: Int, y: Int, width: Int, height: Int, _ value: UInt8) {
        for row in max(0, y)..<min(image.height, y + height) {
            for column in max(0, x)..<min(image.width, x + width) { image.pixels[row * image.width + column] = value }
        }
    }

    /// A row of H-like glyphs, whose middles rise by `slope` for every pixel to the right.
    mutating func glyphs(_ count: Int, x: Int, y: Int, height: Int, slope: Double = 0, ink: UInt8 = 30) {
        let width = height / 2
        for index in 0..<count {
            let left = x + index * (width + height / 4)
            let top = y + Int((Double(left - x) * slope).rounded())
            let stroke = max(2, height / 7)
            fill(x: left, y: top, width: stroke, height: height, ink)
            fill(x: left + width - stroke, y: top, width: stroke, height: height, ink)
            fill(x: left, y: top + height / 2, width: width, height: stroke, ink)
        }
    }

    /// The picture as a PGM file.
    var pgm: Data {
        Data("P5 \(image.width) \(image.height) 255\n".utf8) + Data(image.pixels)
    }

    enum Encoding {
        case jpeg
        case progressiveJPEG
        case png
    }

    /// The picture as Leptonica writes it.
    func encoded(_ encoding: Encoding) -> Data {
        let picture = pgm
        let decoded = picture.withUnsafeBytes { pixReadMem($0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
        var pix = decoded
        defer { pixDestroy(&pix) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        switch encoding {
        case .jpeg: _ = pixWriteMemJpeg(&bytes, &count, pix, 90, 0)
        case .progressiveJPEG: _ = pixWriteMemJpeg(&bytes, &count, pix, 90, 1)
        case .png: _ = pixWriteMemPng(&bytes, &count, pix, 0)
        }
        defer { free(bytes) }
        return bytes.map { Data(bytes: $0, count: count) } ?? Data()
    }
}

/// Places that the tests read from.
enum Places {
    static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let stills = checkout.appendingPathComponent("deploy/samples/stills")
    static let models = checkout.appendingPathComponent("models").path

    /// Those that are shipped. Without them no test reads as it should, and the reader's own tests say why.
    static let parameters: ReaderParameters = {
        guard let parameters = try? ModelFolder.parameters(given: models) else {
            preconditionFailure("models/reader.json can't be read")
        }
        return parameters
    }()

    /// Real photos with their true plates; they are no part of the project and may be missing.
    static let photos = checkout.deletingLastPathComponent().appendingPathComponent("shared/plates/dev")
}
