import Enforcement
import Foundation
import Subprocess

/// RTSP cameras, V4L2 devices and video files, through an `ffmpeg` child process.
///
/// The child is ended with the run: by a termination signal, then by force after half a second. Should checkpost itself be killed, the
/// child dies of its broken output as soon as it writes the next frame, and of its own time-out when the camera sends none.
package struct FFmpegSource: FrameSource {
    package let pacing: Pacing

    private let camera: String
    private let arguments: FFmpegArguments
    private let program: String
    private let offset: TimeSpan
    private let clock: CaptureClock
    private let name: String
    private let secrets: Secrets

    /// - Parameters:
    ///   - framesPerSecond: further frames are passed over; nil for all.
    ///   - stallTimeout: when an RTSP camera sent nothing for this long, ffmpeg gives up.
    ///   - program: the program's name or path.
    package init(
        camera: String, input: FFmpegInput, framesPerSecond: Double? = nil, offset: TimeSpan = CivilTime.nepalOffset,
        stallTimeout: TimeSpan = .seconds(10), clock: CaptureClock = .live, program: String = "ffmpeg"
    ) {
        self.camera = camera
        self.program = program
        self.offset = offset
        self.clock = clock
        arguments = FFmpegArguments(input: input, framesPerSecond: framesPerSecond, stallTimeout: stallTimeout)
        switch input {
        case .rtsp(let url, let user, let password):
            let address = CameraAddress(url, user: user, password: password)
            name = address.description
            secrets = address.secrets
            pacing = .live
        case .v4l2(let device, _):
            name = device
            secrets = Secrets([])
            pacing = .live
        case .file(let path, _):
            name = path
            secrets = Secrets([])
            pacing = .consumer
        }
    }

    package func run(_ deliver: @escaping @Sendable (CaptureItem) async throws -> Void) async throws {
        let start = try fileStart()
        let log = Guarded(FFmpegLog())
        var options = PlatformOptions()
        options.teardownSequence = [.send(signal: .terminate, allowedDurationToNextStep: .milliseconds(500))]
        let executable: Executable = program.contains("/") ? .path(.init(program)) : .name(program)
        let result: ExecutionResult<Int, SequenceOutput, SequenceOutput>
        do {
            result = try await Subprocess.run(
                executable, arguments: Arguments(arguments.list), environment: .inherit, platformOptions: options,
                input: .none, output: .sequence, error: .sequence
            ) { execution in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    group.addTask {
                        for try await chunk in execution.standardError {
                            chunk.withUnsafeBytes { bytes in log.withLock { $0.feed(bytes) } }
                        }
                        log.withLock { $0.finish() }
                        return 0
                    }
                    group.addTask {
                        try await self.frames(of: execution.standardOutput, start: start, log: log, deliver)
                    }
                    return try await group.reduce(0, +)
                }
            }
        } catch let error as SubprocessError where error.code == .spawnFailed || error.code == .executableNotFound {
            throw CameraFailure(
                "\(program) could not be started",
                hint: "Install the package ffmpeg (deploy/up does), or correct its path.")
        }
        try Task.checkCancellation()
        try end(result.terminationStatus, frameCount: result.closureResult, log: log.withLock { $0 })
    }

    /// When the first frame of a video file was taken; nil for a live camera.
    private func fileStart() throws(CameraFailure) -> Instant? {
        guard case .file(let path, let start) = arguments.input else { return nil }
        let url = URL(fileURLWithPath: path)
        let directory = FolderDirectory(path: url.deletingLastPathComponent().path)
        guard let file = directory.file(url.lastPathComponent) else {
            throw CameraFailure("There is no video file \(path)", hint: "Correct the path.")
        }
        return start ?? NameTime.find(in: file.name, offset: offset) ?? file.modifiedAt
    }

    /// Delivers the pictures that ffmpeg writes; returns their number.
    private func frames(
        of output: SubprocessOutputSequence, start: Instant?, log: Guarded<FFmpegLog>,
        _ deliver: @escaping @Sendable (CaptureItem) async throws -> Void
    ) async throws -> Int {
        var splitter = JPEGSplitter()
        var count = 0
        for try await chunk in output {
            let pictures: [Data]
            do {
                pictures = try chunk.withUnsafeBytes { bytes throws(JPEGSplitter.TooLarge) in try splitter.feed(bytes) }
            } catch {
                throw CameraFailure(
                    "\(name) gives a picture of more than \(JPEGSplitter.largestPicture >> 20) MB",
                    hint: "Set a smaller picture size in the camera.")
            }
            for picture in pictures {
                if count == 0 { try await deliver(.opened) }
                count += 1
                try await deliver(.frame(try await frame(picture, start: start, log: log)))
            }
        }
        return count
    }

    private func frame(_ picture: Data, start: Instant?, log: Guarded<FFmpegLog>) async throws -> Frame {
        guard let start else {
            let now = clock.now()
            return Frame(picture: picture, time: clock.judge(CaptureTime(now, .arrival), now), camera: camera)
        }
        let instant = start + .milliseconds(try await time(of: log))
        return Frame(
            picture: picture, time: clock.judge(CaptureTime(instant, .stream), clock.now()), camera: camera)
    }

    /// ffmpeg tells a frame's time before it writes the picture, but the two come through pipes of their own.
    private func time(of log: Guarded<FFmpegLog>) async throws -> Int64 {
        while true {
            let (time, isOver) = log.withLock { ($0.takeTime(), $0.isOver) }
            if let time { return time }
            guard !isOver else {
                throw CameraFailure(
                    "ffmpeg told no time for a frame of \(name)", hint: "Convert the video to MP4 and try again.")
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    private func end(_ status: TerminationStatus, frameCount: Int, log: FFmpegLog) throws(CameraFailure) {
        let said = secrets.redact(log.complaint)
        guard arguments.tellsTimes else {
            throw CameraFailure(
                "No more pictures from \(name): \(said.isEmpty ? "ffmpeg ended (\(status))" : said)", hint: hint(said),
                retriesLate: said.contains("401"))
        }
        guard status.isSuccess, frameCount > 0 else {
            throw CameraFailure(
                "\(name) can't be played: \(said.isEmpty ? "ffmpeg ended (\(status))" : said)",
                hint: "Check that it is a whole video file that ffmpeg can play.")
        }
    }

    private func hint(_ said: String) -> String {
        if said.contains("401") { return "Correct user and password of the camera in the configuration." }
        if said.contains("404") { return "Look up the stream's path in the camera's manual and correct `url`." }
        if said.contains("Permission denied") {
            return "Let the user that runs checkpost read the device (group video)."
        }
        if said.contains("No such file") { return "Check that the camera is plugged in, and the device's path." }
        return "Check that the camera has power and its cable, and that the address is right."
    }
}
