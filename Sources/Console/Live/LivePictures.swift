import Enforcement
import Foundation
import Synchronization

/// The newest picture of a camera with the plates that were found in it.
package struct LivePicture: Sendable {
    package var camera: String
    package var frame: Frame

    /// Zero before the first picture was looked at.
    package var width: Int
    package var height: Int

    /// In pixels of the picture.
    package var plates: [PlateReading]

    /// The box's clock when it came.
    package var arrivedAt: Instant

    /// Tells the pictures of a camera apart, so that a browser fetches each one once.
    package internal(set) var number = 0
}

/// The newest picture of each camera: kept in memory by the pipeline, or read from where the cameras' processes put them.
/// Writing never waits.
package final class LivePictures: Sendable {
    private struct State {
        var pictures: [String: LivePicture] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private let folder: LivePictureFolder?

    package init() {
        folder = nil
    }

    /// The pictures that other processes publish there.
    package init(reading folder: URL) {
        self.folder = LivePictureFolder(folder)
    }

    /// Shows a frame. Without a reading (nothing had changed in it) the plates of the frame before it stand.
    package func show(
        _ frame: Frame, width: Int? = nil, height: Int? = nil, plates: [PlateReading]? = nil, arrivedAt: Instant
    ) {
        state.withLock { state in
            let before = state.pictures[frame.camera]
            state.count += 1
            state.pictures[frame.camera] = LivePicture(
                camera: frame.camera, frame: frame, width: width ?? before?.width ?? 0,
                height: height ?? before?.height ?? 0, plates: plates ?? before?.plates ?? [], arrivedAt: arrivedAt,
                number: state.count)
        }
    }

    package subscript(camera: String) -> LivePicture? {
        if let folder { return folder.pictures()[camera] }
        return state.withLock { $0.pictures[camera] }
    }

    /// The one that came last.
    package var newest: LivePicture? {
        if let folder { return folder.pictures().values.max { $0.arrivedAt < $1.arrivedAt } }
        return state.withLock { $0.pictures.values.max { $0.number < $1.number } }
    }
}
