import Enforcement
import Foundation

/// A path that `replay` is given, as a source with an end.
package enum ReplayInput {
    /// The extensions of video files, in lower case.
    package static let videoExtensions: Set<String> = [
        "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ts", "mjpeg", "mjpg", "h264", "3gp",
    ]

    package static func isVideo(_ path: String) -> Bool {
        videoExtensions.contains(URL(fileURLWithPath: path).pathExtension.lowercased())
    }

    /// A folder, a single picture or a video file; its frames carry a simulated clock.
    ///
    /// - Parameter start: when a video's first frame was taken; nil to take it from the file's name or modification time.
    package static func makeSource(
        path: String, camera: String, framesPerSecond: Double? = nil, start: Instant? = nil,
        offset: TimeSpan = CivilTime.nepalOffset, taken: @escaping FolderSource.TakenQuery = { _ in [] }
    ) -> any FrameSource {
        if isVideo(path) {
            return FFmpegSource(
                camera: camera, input: .file(path: path, start: start), framesPerSecond: framesPerSecond,
                offset: offset,
                clock: .simulated)
        }
        return FolderSource(
            camera: camera, path: path, mode: .drain, offset: offset, clock: .simulated, taken: taken)
    }
}
