import Enforcement

/// A camera as the configuration has it.
package struct CameraConfiguration: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case folder(path: String)
        case mjpeg(url: Secret, user: String?, password: Secret?, verifiesTLS: Bool)
        case snapshots(url: Secret, user: String?, password: Secret?, verifiesTLS: Bool, interval: TimeSpan)
        case rtsp(url: Secret, user: String?, password: Secret?)
        case v4l2(device: String, size: String?)
    }

    package var name: String
    package var kind: Kind

    /// The offset from UTC of the camera's own clock, where it doesn't tell.
    package var offset: TimeSpan

    /// The time without a frame that is an alarm; nil for never, as for a folder that a person fills.
    package var silentAfter: TimeSpan?

    /// More frames are passed over; nil for all. No use for folders, whose frames are all taken.
    package var framesPerSecond: Double?

    /// Where nothing is read.
    package var mask: PictureMask

    /// What a vehicle that comes towards it does; nil where nobody has said, or vehicles pass it some other way.
    package var approaching: Travel?

    /// How sure a plate has to be to be recorded by itself; nil as for all cameras.
    package var recording: RecordingConfidence?

    /// What holds by night in its place.
    package var night: SightingTracker.Settings.Night?

    /// Plates whose characters are lower than so many pixels are passed over.
    package var leastGlyphHeight: Double

    /// What becomes of the pictures in its folder once they are answered for.
    package var answered: FolderPictures

    /// Frames held for a consumer that is slower than a live camera.
    package var bufferCapacity: Int

    package init(
        name: String, kind: Kind, offset: TimeSpan = CivilTime.nepalOffset, silentAfter: TimeSpan? = .seconds(60),
        framesPerSecond: Double? = 5, mask: PictureMask = PictureMask(), approaching: Travel? = nil,
        recording: RecordingConfidence? = nil, night: SightingTracker.Settings.Night? = nil,
        leastGlyphHeight: Double = 0, answered: FolderPictures = .remove,
        bufferCapacity: Int = 8
    ) {
        self.name = name
        self.kind = kind
        self.offset = offset
        self.silentAfter = silentAfter
        self.framesPerSecond = framesPerSecond
        self.mask = mask
        self.approaching = approaching
        self.recording = recording
        self.night = night
        self.leastGlyphHeight = leastGlyphHeight
        self.answered = answered
        self.bufferCapacity = bufferCapacity
    }

    /// Whether it is silent only when it is dead: a folder may be quiet.
    package var isLive: Bool { if case .folder = kind { false } else { true } }

    /// The same camera under another name.
    package func called(_ name: String) -> CameraConfiguration {
        var camera = self
        camera.name = name
        return camera
    }

    /// The camera's address for people, without login and query.
    package var displayAddress: String {
        switch kind {
        case .folder(let path): path
        case .mjpeg(let url, _, _, _), .snapshots(let url, _, _, _, _), .rtsp(let url, _, _):
            CameraAddress(url).description
        case .v4l2(let device, _): device
        }
    }
}

// A printed configuration must not show a password.
extension CameraConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "camera \(name) at \(displayAddress)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["name": name, "address": displayAddress]) }
}

extension CameraConfiguration.Kind: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        switch self {
        case .folder: "folder"
        case .mjpeg: "mjpeg"
        case .snapshots: "snapshots"
        case .rtsp: "rtsp"
        case .v4l2: "v4l2"
        }
    }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
