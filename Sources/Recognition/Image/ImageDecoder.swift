import CLeptonica
import Foundation
import PictureHeader

/// Why a picture can't be looked at.
package enum ImageError: Error, Equatable, CustomStringConvertible {
    case empty
    case notAPicture
    case truncated
    case tooLarge(width: Int, height: Int)

    /// A JPEG that is stored in a way that no camera uses.
    case exotic

    /// A JPEG whose decoder would go through the picture this often.
    case tooManyScans(Int)
    case damaged(format: String)

    package var description: String {
        switch self {
        case .empty: "the file is empty"
        case .notAPicture: "this is no JPEG, PNG, WebP, BMP or PNM picture that can be read"
        case .truncated: "the picture is truncated: its end is missing. It was cut off while it was written or sent"
        case .tooLarge(let width, let height):
            "the picture is too large: \(width) x \(height) pixels. At most \(ImageDecoder.maximumPixels / 1_000_000) "
                + "million are read; a JPEG that isn't progressive is read at a reduced size up to four times that. "
                + "Set the camera to a smaller picture"
        case .exotic:
            "the JPEG is of a kind that no camera writes (arithmetic coding, lossless, 12 bits). Save it as an ordinary one"
        case .tooManyScans(let count):
            "the JPEG stores its pixels in \(count) layers, which would take too long. Save it as an ordinary one"
        case .damaged(let format): "the \(format) data is damaged"
        }
    }
}

/// Decodes pictures, with a bound on memory and time.
package enum ImageDecoder {
    /// The most pixels that are ever decoded.
    package static let maximumPixels = 25_000_000

    /// A picture with more is looked at, a JPEG decoded, at a fraction of its size.
    private static let wholePixels = 16_000_000

    /// A JPEG's decoder goes through this many pixels at most, each layer counted. An ordinary picture has one, a progressive one ten.
    private static let maximumScannedPixels = 1_000_000_000

    /// A decoded picture. What was decoded at a reduced size says so.
    package struct Decoded: Sendable {
        /// Upright, as are the sizes and all that is found in it.
        package var colours: ColourImage

        /// The size of the picture as it is stored.
        package var width: Int
        package var height: Int

        /// How many stored pixels one decoded pixel stands for, along one side: 1, 2, 4 or 8.
        package var reduction: Int

        package var image: GrayImage { colours.luminance }
    }

    /// Leptonica writes its complaints to the standard error; ours are thrown.
    private static let quiet: Void = { _ = setMsgSeverity(Int32(L_SEVERITY_NONE)) }()

    /// The size that the picture's header states.
    ///
    /// - Throws: what says that the picture can't be decoded at all, or not in a bounded time.
    package static func size(of data: Data) throws(ImageError) -> (width: Int, height: Int, format: Int) {
        let header = try header(of: data)
        return (header.width, header.height, header.format)
    }

    private static func header(
        of data: Data
    ) throws(ImageError) -> (width: Int, height: Int, format: Int, jpeg: JPEGHeader?) {
        _ = quiet
        guard !data.isEmpty else { throw .empty }
        // Asked for first: libjpeg says on the standard error what it can't read.
        let jpeg = data.starts(with: startOfJPEG) ? JPEGHeader(data) : nil
        if jpeg?.isExotic == true { throw .exotic }
        var format: Int32 = 0
        var width: Int32 = 0
        var height: Int32 = 0
        let failed = data.withUnsafeBytes { bytes in
            pixReadHeaderMem(
                bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, &format, &width, &height, nil, nil, nil)
        }
        let known = [IFF_JFIF_JPEG, IFF_PNG, IFF_PNM, IFF_BMP, IFF_WEBP]
        guard failed == 0, width > 0, height > 0, known.contains(Int(format)) else { throw .notAPicture }
        // One layer of a picture that is too large is said to be too large.
        if let jpeg, jpeg.scans > max(1, maximumScannedPixels / (Int(width) * Int(height))) {
            throw .tooManyScans(jpeg.scans)
        }
        return (Int(width), Int(height), Int(format), jpeg)
    }

    /// Decodes a JPEG, PNG, PNM, BMP or WebP picture.
    ///
    /// - Parameter minimumReduction: decode a JPEG at this fraction of its size at most: 1, 2, 4 or 8. It is cheap where
    ///   a thumbnail will do.
    package static func decode(_ data: Data, minimumReduction: Int = 1) throws(ImageError) -> Decoded {
        let (width, height, format, header) = try header(of: data)
        let isJPEG = format == IFF_JFIF_JPEG
        var reduction = isJPEG ? minimumReduction : 1
        // A JPEG that is decoded at a fraction of its size may have four times as many pixels.
        // Divided before they are multiplied: a header can state sides of 2^31.
        let factor = header?.needsCoefficients == false ? 4 : 1
        guard width <= maximumPixels * factor / height else { throw .tooLarge(width: width, height: height) }
        if isJPEG { while width / reduction * (height / reduction) > wholePixels { reduction *= 2 } }
        // Looked for before libjpeg and libpng find it missing and say so on the standard error.
        if isJPEG, data.range(of: endOfImage, options: .backwards) == nil { throw .truncated }
        if format == IFF_PNG, data.range(of: endOfPNG, options: .backwards) == nil { throw .truncated }
        let pixels = format == IFF_PNG ? PNGChunks.essential(data) : data
        var colours = try read(pixels, format: format, reduction: reduction)
        while colours.width * colours.height > wholePixels, let half = colours.halved() {
            colours = half
            reduction *= 2
        }
        guard let orientation = header?.orientation, orientation > 1 else {
            return Decoded(colours: colours, width: width, height: height, reduction: reduction)
        }
        let isTurned = orientation >= 5
        return Decoded(
            colours: colours.upright(from: orientation), width: isTurned ? height : width,
            height: isTurned ? width : height, reduction: reduction)
    }

    /// A small version of the picture, about 160 pixels wide: what changed from one frame to the next shows in it as well.
    ///
    /// A JPEG is decoded at an eighth of its size, which takes a small part of the whole time.
    package static func thumbnail(of data: Data) throws(ImageError) -> GrayImage {
        let width = try size(of: data).width
        let reduction = [8, 4, 2].first { width / $0 >= thumbnailWidth } ?? 1
        var image = try decode(data, minimumReduction: reduction).image
        while image.width > 3 * thumbnailWidth / 2, let half = image.halved() { image = half }
        return image
    }

    /// In pixels: a motorcycle in the distance is still some of them wide.
    private static let thumbnailWidth = 160

    private static func read(_ data: Data, format: Int, reduction: Int) throws(ImageError) -> ColourImage {
        let isJPEG = format == IFF_JFIF_JPEG
        let damaged = ImageError.damaged(format: name(ofFormat: format))
        // Cameras write up to some kilobytes of their own behind the picture.
        let hasEnd = !isJPEG || data.suffix(4096).range(of: endOfImage) != nil
        let decoded: (image: ColourImage, hasComplaint: Bool)
        switch isJPEG ? JPEGPlanes.decode(data, reduction: reduction) : .unusual {
        case .decoded(let image, let complaint): decoded = (image, complaint)
        case .damaged: throw hasEnd ? damaged : .truncated
        case .unusual:
            guard let pix = PixPicture(data, isJPEG: isJPEG, reduction: reduction) else {
                throw hasEnd ? damaged : .truncated
            }
            decoded = (pix.image(), pix.hasComplaint)
        }
        // A camera that was cut off leaves a JPEG without its end marker: the lower part would be invented.
        guard hasEnd || !decoded.hasComplaint else { throw .truncated }
        return decoded.image
    }

    private static let startOfJPEG = Data([0xFF, 0xD8])
    private static let endOfImage = Data([0xFF, 0xD9])
    private static let endOfPNG = Data("IEND".utf8)

    static func name(ofFormat format: Int) -> String {
        switch format {
        case IFF_JFIF_JPEG: "JPEG"
        case IFF_PNG: "PNG"
        case IFF_BMP: "BMP"
        case IFF_WEBP: "WebP"
        default: "PNM"
        }
    }
}
