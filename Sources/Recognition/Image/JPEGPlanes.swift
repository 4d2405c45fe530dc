import CTurboJPEG
import Enforcement
import Foundation

/// Decodes JPEGs as they hold their colours, without making red, green and blue of them: one pass gives both what is read and
/// the colours.
enum JPEGPlanes {
    enum Answer {
        /// `complaint`: whether the decoder made up for something that it missed.
        case decoded(ColourImage, complaint: Bool)

        /// For printing, in red, green and blue, or stored unusually: another decoder converts it.
        case unusual

        case damaged
    }

    /// - Parameter reduction: 1, 2, 4 or 8: the picture is decoded at this fraction of its size.
    static func decode(_ data: Data, reduction: Int) -> Answer {
        guard let handle = tjInitDecompress() else { return .unusual }
        defer { tjDestroy(handle) }
        return data.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            let length = UInt(bytes.count)
            var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
            guard tjDecompressHeader3(handle, start, length, &width, &height, &sampling, &space) == 0,
                [TJCS_YCbCr, TJCS_GRAY].contains(where: { Int32($0.rawValue) == space }),
                let shifts = shifts(of: sampling)
            else { return .unusual }
            let scale = Int32(reduction)
            width = (width + scale - 1) / scale
            height = (height + scale - 1) / scale
            let isGray = sampling == Int32(TJSAMP_GRAY.rawValue)
            var luminance = Plane(0, width, height, sampling)
            var blue = isGray ? nil : Plane(1, width, height, sampling)
            var red = isGray ? nil : Plane(2, width, height, sampling)
            let failed = luminance.fill { light in
                Plane.fill(&blue) { bluer in
                    Plane.fill(&red) { redder in
                        var targets = [light, bluer, redder]
                        return tjDecompressToYUVPlanes(
                            handle, start, length, &targets, width, nil, height, TJFLAG_LIMITSCANS)
                    }
                }
            }
            if failed != 0, tjGetErrorCode(handle) != Int32(TJERR_WARNING.rawValue) { return .damaged }
            var chroma: ColourImage.Chroma?
            if let blue, let red {
                chroma = .init(blue: blue.image(), red: red.image(), shiftX: shifts.x, shiftY: shifts.y)
            }
            let image = ColourImage(luminance: luminance.image(Int(width), Int(height)), chroma: chroma)
            return .decoded(image, complaint: failed != 0)
        }
    }

    /// One value of a colour difference stands for 2 to the power of this many pixels, across and down.
    private static func shifts(of sampling: Int32) -> (x: Int, y: Int)? {
        switch TJSAMP(UInt32(sampling)) {
        case TJSAMP_444, TJSAMP_GRAY: (0, 0)
        case TJSAMP_422: (1, 0)
        case TJSAMP_420: (1, 1)
        case TJSAMP_440: (0, 1)
        case TJSAMP_411: (2, 0)
        default: nil
        }
    }

    /// One of the decoder's planes: its sides are multiples of the pixels that a value of a colour difference stands for.
    private struct Plane {
        private let width: Int
        private let height: Int
        private var values: [UInt8]

        init(_ index: Int32, _ width: Int32, _ height: Int32, _ sampling: Int32) {
            self.width = Int(tjPlaneWidth(index, width, sampling))
            self.height = Int(tjPlaneHeight(index, height, sampling))
            // What a damaged picture doesn't fill is gray.
            values = [UInt8](repeating: 128, count: self.width * self.height)
        }

        mutating func fill(_ body: (UnsafeMutablePointer<UInt8>?) -> Int32) -> Int32 {
            values.withUnsafeMutableBufferPointer { body($0.baseAddress) }
        }

        static func fill(_ plane: inout Plane?, _ body: (UnsafeMutablePointer<UInt8>?) -> Int32) -> Int32 {
            plane?.fill(body) ?? body(nil)
        }

        func image() -> GrayImage { GrayImage(width: width, height: height, pixels: values) }

        /// The plane without what its sides have too much.
        func image(_ usedWidth: Int, _ usedHeight: Int) -> GrayImage {
            let whole = image()
            guard usedWidth < width || usedHeight < height else { return whole }
            return whole.cropped(to: Box(x: 0, y: 0, width: usedWidth, height: usedHeight))
        }
    }
}
