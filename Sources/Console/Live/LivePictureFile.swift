import Enforcement
import Foundation

/// A live picture as bytes: the length of what is known of it, that as JSON, and the picture as the camera gave it.
enum LivePictureFile {
    private struct Header: Codable {
        let camera: String
        let recordedAt: Instant
        let clockState: ClockState
        let stampedBy: BootClock?
        let width: Int
        let height: Int
        let plates: [PlateReading]
        let arrivedAt: Instant
    }

    private static let lengthBytes = 4

    static func data(_ picture: LivePicture) throws -> Data {
        let header = try JSONEncoder().encode(
            Header(
                camera: picture.camera, recordedAt: picture.frame.recordedAt, clockState: picture.frame.clockState,
                stampedBy: picture.frame.stampedBy, width: picture.width, height: picture.height,
                plates: picture.plates, arrivedAt: picture.arrivedAt))
        var data = withUnsafeBytes(of: UInt32(header.count).bigEndian) { Data($0) }
        data.append(header)
        data.append(picture.frame.picture)
        return data
    }

    /// - Returns: nil when it is no such file.
    static func picture(_ data: Data) -> LivePicture? {
        guard data.count > lengthBytes else { return nil }
        let length = data.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
        let body = data.dropFirst(lengthBytes)
        guard length < body.count, let header = try? JSONDecoder().decode(Header.self, from: body.prefix(length)) else {
            return nil
        }
        let frame = Frame(
            picture: Data(body.dropFirst(length)), recordedAt: header.recordedAt, clockState: header.clockState,
            stampedBy: header.stampedBy, camera: header.camera)
        return LivePicture(
            camera: header.camera, frame: frame, width: header.width, height: header.height, plates: header.plates,
            arrivedAt: header.arrivedAt, number: Int(header.arrivedAt.milliseconds))
    }
}
