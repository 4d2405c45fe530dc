import Capture
import Enforcement
import Foundation
import Recognition
import Storage

/// Looks at the frames of one camera: whether anything changed since the last one, and which plates are in it.
struct FrameReader {
    enum Finding {
        /// It shows no change and wasn't read.
        case still
        case read(FrameReference, PlateRecognizer.Result)
        case unreadable(name: String, reason: String)
    }

    private static let thumbnailWidth = 160

    private let camera: String
    private let plates: FrameSequenceReader
    private let leastGlyphHeight: Double
    private var maskInUse: MaskInUse
    private var gate = StillnessGate()
    private var scene = SceneWatch()

    /// Whether a trigger has told of a vehicle around a moment.
    private let isAwaited: @Sendable (Instant) -> Bool

    /// What is wrong with what the camera shows, up to the last picture.
    private(set) var trouble: SceneWatch.Trouble?

    /// - Parameters:
    ///   - leastGlyphHeight: in pixels; plates with lower characters are passed over.
    ///   - isAwaited: whether a frame of that moment is to be read though nothing seems to have changed.
    init(
        camera: String, mask: MaskInUse, leastGlyphHeight: Double, recognizer: sending PlateRecognizer,
        isAwaited: @escaping @Sendable (Instant) -> Bool = { _ in false }
    ) {
        self.isAwaited = isAwaited
        self.leastGlyphHeight = leastGlyphHeight
        self.camera = camera
        maskInUse = mask
        plates = FrameSequenceReader(recognizer)
    }

    mutating func look(at frame: Frame) -> Finding {
        do {
            if try showsNoChange(frame) { return .still }
            let mask = maskInUse.current()
            var result = try plates.recognize(frame.picture, at: frame.recordedAt) {
                mask.hides($0, width: $1, height: $2)
            }
            let (width, height) = (result.width, result.height)
            func isPassedOver(_ reading: PlateReading) -> Bool {
                reading.isLower(than: leastGlyphHeight) || mask.hides(reading.box, width: width, height: height)
            }
            result.readings.removeAll(where: isPassedOver)
            result.unread.removeAll(where: isPassedOver)
            result.regions.removeAll { mask.hides($0, width: width, height: height) }
            if !(result.readings + result.unread).isEmpty { gate.found(at: frame.recordedAt) }
            let reference = FrameReference(
                sha256: PhotoStore.sha256(of: frame.picture), camera: camera, recordedAt: frame.recordedAt,
                clockState: frame.clockState, stampedBy: frame.stampedBy)
            return .read(reference, result)
        } catch {
            return .unreadable(name: frame.fileName ?? "a picture of \(camera)", reason: error.description)
        }
    }

    /// Whether the frame is worth no look: judged on a thumbnail, which costs a fraction of reading it.
    private mutating func showsNoChange(_ frame: Frame) throws(ImageError) -> Bool {
        let small = try ImageDecoder.thumbnail(of: frame.picture)
        guard let thumbnail = GrayThumbnail(width: small.width, height: small.height, pixels: small.pixels) else {
            return false
        }
        let reduced = thumbnail.reduced(toWidth: Self.thumbnailWidth)
        trouble = scene.see(reduced, picture: frame.sourceKey == nil ? frame.picture : nil, at: frame.recordedAt)
        let isAwaited = isAwaited
        return gate.verdict(reduced, at: frame.recordedAt, isAwaited: isAwaited(frame.recordedAt)) == .skip
    }
}

extension Frame {
    /// The name of the file that it came from; nil for a live camera.
    fileprivate var fileName: String? { sourceKey?.split(separator: "|").first.map(String.init) }
}
