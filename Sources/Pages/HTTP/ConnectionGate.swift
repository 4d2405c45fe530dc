import NIOCore
import NIOHTTPTypes
import Synchronization

/// How many connections are held. The box has one number of open files for everything: recording must never wait for one because somebody
/// opens connections and says nothing.
package final class ConnectionCount: Sendable {
    package struct Bounds: Sendable {
        /// The most at a time.
        package var most: Int

        /// The most from other devices.
        package var mostOfOthers: Int

        /// The most from one other device: one that opens connections and says nothing shuts nobody else out.
        package var mostOfOne: Int

        package init(most: Int, mostOfOthers: Int, mostOfOne: Int) {
            (self.most, self.mostOfOthers, self.mostOfOne) = (most, mostOfOthers, mostOfOne)
        }
    }

    private let bounds: Bounds

    /// Whether an address is of this device itself, which always gets in.
    private let isOwn: @Sendable (String) -> Bool

    package init(_ bounds: Bounds, isOwn: @escaping @Sendable (String) -> Bool = { _ in false }) {
        (self.bounds, self.isOwn) = (bounds, isOwn)
    }

    private struct Held {
        var all = 0
        var others: [String: Int] = [:]
        var ofOthers: Int { others.values.reduce(0, +) }
    }

    private let held = Mutex(Held())

    package var current: Int { held.withLock { $0.all } }

    /// - Returns: false when there are too many; it is not counted then.
    package func enter(_ address: String) -> Bool {
        held.withLock { held in
            guard held.all < bounds.most else { return false }
            if !isOwn(address) {
                guard held.ofOthers < bounds.mostOfOthers, held.others[address, default: 0] < bounds.mostOfOne
                else {
                    return false
                }
                held.others[address, default: 0] += 1
            }
            held.all += 1
            return true
        }
    }

    package func leave(_ address: String) {
        held.withLock { held in
            held.all -= 1
            guard let count = held.others[address] else { return }
            held.others[address] = count > 1 ? count - 1 : nil
        }
    }
}

/// Stands in each connection: closes it at once when there are too many, and when it has not asked for anything in ten
/// seconds. Later idleness is the server's own matter.
package final class ConnectionGate: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart

    private static let patience = TimeAmount.seconds(10)

    private let count: ConnectionCount
    /// Where it comes from, once it is counted.
    private var address: String?
    private var timer: Scheduled<Void>?

    package init(_ count: ConnectionCount) {
        self.count = count
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { enter(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        enter(context)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) {
            timer?.cancel()
            timer = nil
        }
        context.fireChannelRead(data)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        leave()
    }

    private func enter(_ context: ChannelHandlerContext) {
        guard address == nil else { return }
        let address = context.channel.remoteAddress?.ipAddress ?? ""
        guard count.enter(address) else {
            context.close(promise: nil)
            return
        }
        self.address = address
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }

    private func leave() {
        timer?.cancel()
        timer = nil
        guard let address else { return }
        count.leave(address)
        self.address = nil
    }
}

@available(*, unavailable)
extension ConnectionGate: Sendable {}
