import Foundation
import PictureHeader

/// A picture on paper.
package struct PaperPicture: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        /// A JPEG or PNG file. A JPEG goes into a PDF byte for byte; a printer can't be given one.
        case file(Data)

        /// One byte a pixel, 0 is black, row after row without gaps.
        case gray([UInt8])
    }

    /// A part of a picture, in its pixels.
    package struct Part: Sendable, Equatable {
        package var x: Int
        package var y: Int
        package var width: Int
        package var height: Int

        package init(x: Int, y: Int, width: Int, height: Int) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    package var content: Content

    /// In pixels, as the file's header says.
    package let width: Int
    package let height: Int

    /// What is shown of it; nil for the whole picture. A file stands in the PDF whole all the same, once however often it is shown.
    package var part: Part?
    package var caption: PaperText?

    /// - Throws: `PaperError.badPicture` when sizes and pixels don't fit each other.
    package init(
        _ content: Content, width: Int, height: Int, part: Part? = nil, caption: PaperText? = nil
    ) throws(PaperError) {
        guard (1...Self.mostPixels).contains(width), (1...Self.mostPixels).contains(height) else { throw .badPicture }
        if case .gray(let pixels) = content, pixels.count != width * height { throw .badPicture }
        self.content = content
        self.width = width
        self.height = height
        self.part = part.flatMap { $0.cut(width: width, height: height) }
        self.caption = caption
    }

    /// A file as it is: a JPEG that stands upright, or a PNG. Nil for any other: paper doesn't know that a picture lies on its side.
    package init?(file: Data) {
        let size: (width: Int, height: Int)
        if Self.isJPEG(file) {
            let header = JPEGHeader(file)
            guard header.orientation == 1, !header.isExotic else { return nil }
            size = (header.width, header.height)
        } else if Self.isPNG(file), file.count >= 24 {
            // Behind the signature and the head of the first chunk.
            func number(at place: Int) -> Int { file.dropFirst(place).prefix(4).reduce(0) { $0 << 8 | Int($1) } }
            size = (number(at: 16), number(at: 20))
        } else {
            return nil
        }
        try? self.init(.file(file), width: size.width, height: size.height)
    }

    static func isJPEG(_ file: Data) -> Bool { file.starts(with: [0xFF, 0xD8]) }
    static func isPNG(_ file: Data) -> Bool { file.starts(with: [0x89, 0x50, 0x4E, 0x47]) }

    /// Along one side; the drawing library takes no more.
    private static let mostPixels = 32_767

    /// What is shown.
    var shown: Part { part ?? Part(x: 0, y: 0, width: width, height: height) }
}

extension PaperPicture.Part {
    /// What of it lies in a picture of this size; nil when nothing does.
    fileprivate func cut(width: Int, height: Int) -> PaperPicture.Part? {
        let left = max(0, x)
        let top = max(0, y)
        let right = min(width, x.addingReportingOverflow(self.width).partialValue)
        let bottom = min(height, y.addingReportingOverflow(self.height).partialValue)
        guard right > left, bottom > top else { return nil }
        return PaperPicture.Part(x: left, y: top, width: right - left, height: bottom - top)
    }
}
