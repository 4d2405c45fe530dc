import Enforcement
import Foundation

/// When a picture was taken, and who said so: the camera inside the picture, else the camera in the file's name, else the moment it
/// arrived.
package struct CaptureTime: Equatable, Sendable {
    package enum Origin: String, Sendable {
        case exif, name, stream, arrival
    }

    package var instant: Instant
    package var origin: Origin

    package init(_ instant: Instant, _ origin: Origin) {
        self.instant = instant
        self.origin = origin
    }

    /// - Parameters:
    ///   - picture: the picture's bytes, or as many of them as hold its EXIF block (68 KB always do).
    ///   - name: the file's name; nil when there is none.
    ///   - offset: the offset from UTC of a camera that doesn't tell its own.
    ///   - arrival: when the picture came: for a folder the file's modification time.
    package init(picture: Data, name: String?, offset: TimeSpan, arrival: Instant) {
        if let instant = ExifTime.original(inJPEG: picture)?.instant(offset: offset) {
            self.init(instant, .exif)
        } else if let instant = name.flatMap({ NameTime.find(in: $0, offset: offset) }) {
            self.init(instant, .name)
        } else {
            self.init(arrival, .arrival)
        }
    }

    /// A time as it is written, or that of a frame by its name; one without an offset is Nepal's, as in a replay.
    package static func written(_ text: String) -> Instant? {
        Instant(iso8601: text) ?? NameTime.find(in: text, offset: CivilTime.nepalOffset)
    }
}
