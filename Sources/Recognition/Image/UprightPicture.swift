import CLeptonica
import Foundation
import PictureHeader

/// Decodes pictures in all their colours, turned as their headers say.
enum UprightPicture {
    /// - Returns: the picture, which the caller destroys, and the error for whatever else can't be done with it.
    /// - Throws: `tooLarge` before anything is decoded, `damaged`, or what `ImageDecoder.size` throws.
    static func decode(
        _ picture: Data
    ) throws(ImageError) -> (pix: UnsafeMutablePointer<Pix>, damaged: ImageError) {
        let (width, height, format) = try ImageDecoder.size(of: picture)
        guard width <= ImageDecoder.maximumPixels / height else { throw .tooLarge(width: width, height: height) }
        let damaged = ImageError.damaged(format: ImageDecoder.name(ofFormat: format))
        let decoded = picture.withUnsafeBytes { pixReadMem($0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
        guard let decoded else { throw damaged }
        return (upright(decoded, orientation: JPEGHeader(picture).orientation), damaged)
    }

    /// Turns a picture as its header says, since the header is not written again. Mirrored ones stay as they are.
    private static func upright(_ pix: UnsafeMutablePointer<Pix>, orientation: Int) -> UnsafeMutablePointer<Pix> {
        let quarterTurns: [Int: Int32] = [3: 2, 6: 1, 8: 3]
        guard let turns = quarterTurns[orientation], let turned = pixRotateOrth(pix, turns) else {
            return pix
        }
        var old: UnsafeMutablePointer<Pix>? = pix
        pixDestroy(&old)
        return turned
    }
}
