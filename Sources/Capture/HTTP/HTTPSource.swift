import Enforcement
import Foundation
import HTTPClient
import MachineClock

/// A camera that gives JPEG pictures over HTTP: as an endless stream of parts (MJPEG), or one for each request.
///
/// libcurl blocks, so each run has a thread of its own, which ends with the run.
package struct HTTPSource: FrameSource {
    package enum Mode: Sendable, Equatable {
        case stream
        /// One request for each picture. A picture equal to the one before is not given again.
        case snapshots(every: TimeSpan)
    }

    package let pacing = Pacing.live

    private static let mostRedirects = 5

    private let camera: String
    private let address: CameraAddress
    private let request: HTTPRequest
    private let mode: Mode
    private let shortestInterval: TimeSpan
    private let offset: TimeSpan
    private let clock: CaptureClock
    private let isAwaited: @Sendable () -> Bool

    /// - Parameters:
    ///   - url: with http or https. A login in it counts where `user` is nil.
    ///   - framesPerSecond: further frames of a stream are passed over; nil for all.
    ///   - stallTimeout: when nothing came for this long, the connection has failed.
    ///   - isAwaited: whether a vehicle is said to be there now: then the next picture is asked for at once.
    package init(
        camera: String, url: Secret, user: String? = nil, password: Secret? = nil, mode: Mode, verifiesTLS: Bool = true,
        framesPerSecond: Double? = nil, offset: TimeSpan = CivilTime.nepalOffset,
        connectTimeout: TimeSpan = .seconds(5), stallTimeout: TimeSpan = .seconds(10), clock: CaptureClock = .live,
        isAwaited: @escaping @Sendable () -> Bool = { false }
    ) {
        self.isAwaited = isAwaited
        self.camera = camera
        self.mode = mode
        self.offset = offset
        self.clock = clock
        shortestInterval = FrameInterval.shortest(framesPerSecond: framesPerSecond)
        let address = CameraAddress(url, user: user, password: password)
        self.address = address
        var limits = HTTPLimits(connect: connectTimeout, total: nil, silence: stallTimeout, answerBytes: nil)
        if mode != .stream {
            limits.total = .seconds(stallTimeout.seconds + connectTimeout.seconds)
            limits.answerBytes = MultipartParser.largestPart
        }
        var request = HTTPRequest(.get, address.url, trust: verifiesTLS ? .system : .anyone, limits: limits)
        request.login = address.user.map { .init(user: $0, password: address.password ?? "") }
        request.mostRedirects = Self.mostRedirects
        self.request = request
    }

    package func run(_ deliver: @escaping @Sendable (CaptureItem) async throws -> Void) async throws {
        let cancellation = HTTPCancellation()
        let handover = Handover<CaptureItem>()
        let ending = Guarded<CameraFailure?>(nil)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let thread = Thread {
            let connection = CameraConnection(self.address, self.request, cancellation: cancellation)
            do throws(CameraFailure) {
                switch self.mode {
                case .stream: try self.stream(over: connection, to: handover)
                case .snapshots(let interval): try self.poll(every: interval, over: connection, to: handover)
                }
            } catch {
                ending.withLock { $0 = error }
            }
            handover.close()
            end.finish()
        }
        thread.name = "camera \(camera)"
        thread.start()
        @Sendable func stop() {
            cancellation.cancel()
            handover.close()
        }
        do {
            try await withTaskCancellationHandler {
                try await handover.forEach(deliver)
            } onCancel: {
                stop()
            }
        } catch {
            stop()
            await Self.wait(for: ended)
            throw error
        }
        await Self.wait(for: ended)
        try Task.checkCancellation()
        if let failure = ending.withLock({ $0 }) { throw failure }
    }

    /// Waits for the thread though the task is cancelled, so that nothing outlives the run.
    private static func wait(for ended: AsyncStream<Void>) async {
        await Task { for await _ in ended {} }.value
    }

    private func stream(over connection: CameraConnection, to handover: Handover<CaptureItem>) throws(CameraFailure) {
        var parser: MultipartParser?
        var failure: CameraFailure?
        var interval = FrameInterval(shortest: shortestInterval)
        var number = 0
        let name = address.description
        try connection.perform { head, bytes in
            if parser == nil {
                guard let boundary = head.boundary else {
                    failure = CameraFailure(
                        "The camera at \(name) sends “\(head.contentType)”, which is no stream of pictures",
                        hint: "Use the address of its MJPEG stream, or set the camera's kind to snapshots.")
                    return false
                }
                parser = MultipartParser(boundary: boundary)
                _ = handover.give(.opened)
            }
            let parts: [MultipartParser.Part]
            do {
                parts = try parser?.feed(bytes, at: clock.now()) ?? []
            } catch {
                failure = CameraFailure(
                    "The camera at \(name) sends a picture of more than \(MultipartParser.largestPart >> 20) MB, or no pictures",
                    hint: "Set a smaller picture size in the camera.")
                return false
            }
            for part in parts where interval.takes(MachineClock.uptime) {
                number += 1
                guard handover.give(item(part.body, part.head, part.arrival, name: "part \(number)")) else {
                    return false
                }
            }
            return true
        }
        if let failure { throw failure }
        throw CameraFailure(
            "The camera at \(name) ended its stream",
            hint: "It is asked again by itself; when it stays, restart the camera.")
    }

    private func poll(
        every interval: TimeSpan, over connection: CameraConnection, to handover: Handover<CaptureItem>
    ) throws(CameraFailure) {
        let name = address.description
        var last = Data()
        var isOpen = false
        repeat {
            let start = MachineClock.uptime
            var body = Data()
            var head = HTTPHead()
            var arrival: Instant?
            try connection.perform { answer, bytes in
                // When it begins to come is nearer to its capture than its end is.
                if arrival == nil { (head, arrival) = (answer, clock.now()) }
                body.append(contentsOf: bytes)
                return true
            }
            if case .notAPicture = PictureCheck.of(body), !head.contentType.lowercased().hasPrefix("image/") {
                throw CameraFailure(
                    "The camera at \(name) sends “\(head.contentType)”, which is no picture",
                    hint: "Use the address of its JPEG snapshot.")
            }
            if !isOpen {
                isOpen = true
                guard handover.give(.opened) else { return }
            }
            if body != last {
                guard handover.give(item(body, head, arrival ?? clock.now(), name: "snapshot")) else { return }
                last = body
            }
            let spent = MachineClock.uptime - start
            guard rest(max(0.01, interval.seconds - spent.seconds), handover) else { return }
        } while true
    }

    /// How often a camera is asked while a vehicle is awaited.
    private static let awaitedSeconds = 0.25

    /// Waits for the next picture's turn; false when nobody wants one any more.
    private func rest(_ seconds: Double, _ handover: Handover<CaptureItem>) -> Bool {
        var left = seconds
        repeat {
            let part = min(left, Self.awaitedSeconds)
            guard handover.wait(seconds: part) else { return false }
            left -= part
        } while left > 0 && !isAwaited()
        return true
    }

    private func item(_ body: Data, _ head: HTTPHead, _ arrival: Instant, name: String) -> CaptureItem {
        switch PictureCheck.of(body) {
        case .complete:
            var time = CaptureTime(picture: body, name: nil, offset: offset, arrival: arrival)
            if time.origin == .arrival, let stamp = head.timestamp { time = CaptureTime(stamp, .stream) }
            return .frame(Frame(picture: body, time: clock.judge(time, arrival), camera: camera))
        case .truncated(let reason), .notAPicture(let reason):
            return .unreadable(UnreadablePicture(camera: camera, name: name, reason: reason))
        }
    }
}
