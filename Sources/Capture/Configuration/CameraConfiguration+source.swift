import Enforcement

extension CameraConfiguration {
    /// The camera's source, not supervised yet.
    ///
    /// - Parameters:
    ///   - passOver: told of files in a folder that aren't looked at.
    ///   - taken: which source keys of a folder were taken before (``FolderSource/TakenQuery``).
    ///   - isAwaited: whether a vehicle is said to be there now: a camera that is asked for single pictures is asked more often then.
    package func makeSource(
        clock: CaptureClock = .live, passOver: @escaping FolderSource.PassOverReport = { _ in },
        taken: @escaping FolderSource.TakenQuery = { _ in [] },
        isAwaited: @escaping @Sendable () -> Bool = { false }
    ) -> any FrameSource {
        switch kind {
        case .folder(let path):
            FolderSource(
                camera: name, path: path, mode: .watch, offset: offset, clock: clock, passOver: passOver, taken: taken)
        case .mjpeg(let url, let user, let password, let verifiesTLS):
            HTTPSource(
                camera: name, url: url, user: user, password: password, mode: .stream, verifiesTLS: verifiesTLS,
                framesPerSecond: framesPerSecond, offset: offset, clock: clock)
        case .snapshots(let url, let user, let password, let verifiesTLS, let interval):
            HTTPSource(
                camera: name, url: url, user: user, password: password, mode: .snapshots(every: interval),
                verifiesTLS: verifiesTLS, offset: offset, clock: clock, isAwaited: isAwaited)
        case .rtsp(let url, let user, let password):
            FFmpegSource(
                camera: name, input: .rtsp(url: url, user: user, password: password), framesPerSecond: framesPerSecond,
                offset: offset, clock: clock)
        case .v4l2(let device, let size):
            FFmpegSource(
                camera: name, input: .v4l2(device: device, size: size), framesPerSecond: framesPerSecond,
                offset: offset, clock: clock)
        }
    }

    /// The camera's source under supervision: what `checkpost run` runs, one for each camera.
    package func makeSupervisedSource(
        clock: CaptureClock = .live, passOver: @escaping FolderSource.PassOverReport = { _ in },
        taken: @escaping FolderSource.TakenQuery = { _ in [] },
        isAwaited: @escaping @Sendable () -> Bool = { false }
    ) -> SupervisedSource {
        // A folder that comes back is looked at soon: asking costs nothing there.
        return SupervisedSource(
            camera: name, source: makeSource(clock: clock, passOver: passOver, taken: taken, isAwaited: isAwaited),
            silentAfter: silentAfter,
            backoff: Backoff(longestDelay: isLive ? .seconds(30) : .seconds(5)), bufferCapacity: bufferCapacity)
    }
}
