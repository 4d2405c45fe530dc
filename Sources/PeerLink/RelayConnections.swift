import Enforcement
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Connections to one place that other boxes ask for, piece by piece: bytes in, bytes out.
///
/// What goes through is not looked at. There are few at a time, and none stays that nobody asks about.
package final class RelayConnections: Sendable {
    /// Of one answer.
    package static let mostBytes = 24 << 10

    private static let lookInterval = Duration.milliseconds(20)

    private struct Held {
        let pipe: RelayPipe
        let owner: String
        var usedAt: Instant
    }

    private let host: String
    private let port: Int
    private let most: Int
    private let longestRest: TimeSpan
    private let now: @Sendable () -> Instant
    private let held = Mutex([String: Held]())

    /// - Parameters:
    ///   - most: at a time; of each owner four. The one that was used longest ago gives way, of whoever has the most.
    ///   - longestRest: without a question for so long a connection ends.
    ///   - now: the time since the machine started.
    package init(
        host: String, port: Int, most: Int = 4, longestRest: TimeSpan = .seconds(90),
        now: @escaping @Sendable () -> Instant
    ) {
        (self.host, self.port, self.most, self.longestRest, self.now) = (host, port, most, longestRest, now)
    }

    private static let mostOfOne = 4

    /// Opens a connection.
    ///
    /// - Throws: why there is no way there.
    package func open(_ name: String, of owner: String = "") async throws {
        let pipe = RelayPipe()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(10))
            .channelOption(.autoRead, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 << 10))
            .channelInitializer { $0.pipeline.addHandler(RelayHandler(pipe)) }
            .connect(host: host, port: port).get()
        pipe.begin(channel)
        let interval = TimeAmount.milliseconds(max(100, longestRest.milliseconds / 6))
        // Also one whose server takes nothing, so that what is written to it waits.
        let look = channel.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) {
            [weak self] _ in self?.endRested()
        }
        channel.closeFuture.whenComplete { _ in look.cancel() }
        let gone = held.withLock { held in
            var gone = [held.removeValue(forKey: name)?.pipe]
            let counts = Dictionary(held.values.map { ($0.owner, 1) }, uniquingKeysWith: +)
            let greedy =
                counts[owner] ?? 0 >= Self.mostOfOne
                ? owner : held.count >= most ? counts.max { $0.value < $1.value }?.key : nil
            let oldest = held.filter { $0.value.owner == greedy }.min { $0.value.usedAt < $1.value.usedAt }
            if let oldest { gone.append(held.removeValue(forKey: oldest.key)?.pipe) }
            held[name] = Held(pipe: pipe, owner: owner, usedAt: now())
            return gone
        }
        gone.forEach { $0?.close() }
    }

    private func endRested() {
        let now = now()
        let rested = held.withLock { held in
            let rested = held.filter { now - $0.value.usedAt > longestRest }
            for name in rested.keys { held[name] = nil }
            return rested.values.map(\.pipe)
        }
        rested.forEach { $0.close() }
    }

    /// Sends bytes and waits for some.
    ///
    /// - Parameter wait: the longest; it ends with the first bytes that come.
    /// - Returns: nil where there is no such connection.
    package func exchange(_ name: String, _ bytes: Data, wait: TimeSpan) async throws -> (bytes: Data, isOver: Bool)? {
        let pipe = held.withLock { held in
            held[name]?.usedAt = now()
            return held[name]?.pipe
        }
        guard let pipe else { return nil }
        try await pipe.send(bytes)
        let end = ContinuousClock.now + .seconds(wait.seconds)
        while pipe.isQuiet, ContinuousClock.now < end { try await Task.sleep(for: Self.lookInterval) }
        let taken = pipe.take(Self.mostBytes)
        if taken.isOver { close(name) }
        return taken
    }

    package func close(_ name: String) {
        held.withLock { $0.removeValue(forKey: name)?.pipe }?.close()
    }
}

/// What has come over one connection and was not taken yet. It is read on only when that was taken, so that it stays small.
final class RelayPipe: Sendable {
    private struct State {
        var channel: (any Channel)?
        var bytes = Data()
        var isOver = false
    }

    private let state = Mutex(State())

    func begin(_ channel: any Channel) {
        state.withLock { $0.channel = channel }
        channel.read()
    }

    func came(_ bytes: Data) { state.withLock { $0.bytes += bytes } }
    func ended() { state.withLock { $0.isOver = true } }

    var isQuiet: Bool { state.withLock { $0.bytes.isEmpty && !$0.isOver } }

    func send(_ bytes: Data) async throws {
        guard !bytes.isEmpty, let channel = state.withLock({ $0.isOver ? nil : $0.channel }) else { return }
        do { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) } catch { ended() }
    }

    func take(_ most: Int) -> (bytes: Data, isOver: Bool) {
        let (taken, channel) = state.withLock { state in
            let part = Data(state.bytes.prefix(most))
            state.bytes = Data(state.bytes.dropFirst(part.count))
            let taken = (bytes: part, isOver: state.isOver && state.bytes.isEmpty)
            return (taken, state.bytes.isEmpty ? state.channel : nil)
        }
        channel?.read()
        return taken
    }

    func close() {
        ended()
        state.withLock { $0.channel }?.close(promise: nil)
    }
}

private final class RelayHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let pipe: RelayPipe

    init(_ pipe: RelayPipe) { self.pipe = pipe }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        pipe.came(Data(unwrapInboundIn(data).readableBytesView))
    }

    func channelInactive(context: ChannelHandlerContext) { pipe.ended() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        pipe.ended()
        context.close(promise: nil)
    }
}
