import Enforcement

/// Something that gives frames: a folder, a camera on the network, a video file.
///
/// A source calls `deliver` and waits for it. That one rule gives what each kind needs: a folder is paced by its consumer and drops
/// nothing; a live source is given a `deliver` that puts the frame into a bounded buffer and returns at once (``SupervisedSource``).
///
/// `run` returns when the source has given everything (a video file, a folder that is drained), throws ``CameraFailure`` when it
/// can't go on, and ends within a second when its task is cancelled, leaving no thread, descriptor or child process behind. It can
/// be run again after it ended. An error thrown by `deliver` ends the run and is thrown on.
package protocol FrameSource: Sendable {
    var pacing: Pacing { get }

    /// Whether no frame is known to wait in it. While some do, the time that passes says nothing of the vehicles before the camera.
    var isCaughtUp: Bool { get }

    /// When it last looked for frames, by the clock that only runs forward; nil for a source whose frames tell.
    var lookedAt: Instant? { get }

    func run(_ deliver: @escaping @Sendable (CaptureItem) async throws -> Void) async throws
}

extension FrameSource {
    /// A live source keeps nothing back.
    package var isCaughtUp: Bool { true }

    package var lookedAt: Instant? { nil }
}

/// Who sets the pace between a source and its consumer.
package enum Pacing: Sendable {
    /// The world does: when the consumer is slow, the oldest frames are dropped and counted.
    case live
    /// The consumer does: the source waits for it, and nothing is dropped.
    case consumer
}

/// What a source gives.
package enum CaptureItem: Sendable, Equatable {
    /// The source is open; frames may come.
    case opened
    case frame(Frame)
    case unreadable(UnreadablePicture)
}

/// A file or a part of a stream that holds no picture that could be read.
package struct UnreadablePicture: Sendable, Equatable {
    package var camera: String

    /// The file's name, or what the stream called it.
    package var name: String

    /// As of ``Frame/sourceKey``: remembering it keeps the file from being reported again after a restart. Nil when the cause may
    /// pass by itself (no permission, a failing disk), so that the file is tried again.
    package var sourceKey: String?

    /// What is wrong with it, for the operator.
    package var reason: String

    package init(camera: String, name: String, sourceKey: String? = nil, reason: String) {
        self.camera = camera
        self.name = name
        self.sourceKey = sourceKey
        self.reason = reason
    }
}
