import NIOCore
import NIOHTTPTypes
import Synchronization

/// How many browsers hold a connection. The box has one number of open files for everything: recording must never wait for one
/// because somebody opens connections and says nothing.
final class ConnectionCount: Sendable {
    /// The most at a time. Browsers use six each.
    static let most = 200

    /// The most from other devices: the post's own screen always gets in.
    static let mostOfOthers = 150

    /// The most from one other device, four times what a browser uses: one that opens connections and says nothing shuts nobody else out.
    static let mostOfOne = 24

    private struct Held {
        var all = 0
        var others: [String: Int] = [:]
        var ofOthers: Int { others.values.reduce(0, +) }
    }

    private let held = Mutex(Held())

    var current: Int { held.withLock { $0.all } }

    /// - Returns: false when there are too many; it is not counted then.
    func enter(_ address: String) -> Bool {
        held.withLock { held in
            guard held.all < Self.most else { return false }
            if !ConsoleContext.isAtPost(address) {
                guard held.ofOthers < Self.mostOfOthers, held.others[address, default: 0] < Self.mostOfOne else {
                    return false
                }
                held.others[address, default: 0] += 1
            }
            held.all += 1
            return true
        }
    }

    func leave(_ address: String) {
        held.withLock { held in
            held.all -= 1
            guard let count = held.others[address] else { return }
            held.others[address] = count > 1 ? count - 1 : nil
        }
    }
}

/// Stands in each connection: closes it at once when there are too many, and when it has not asked for anything in ten
/// seconds. Later idleness is the server's own matter.
final class ConnectionGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    static let patience = TimeAmount.seconds(10)

    private let count: ConnectionCount
    /// Where it comes from, once it is counted.
    private var address: String?
    private var timer: Scheduled<Void>?

    init(_ count: ConnectionCount) {
        self.count = count
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { enter(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        enter(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) {
            timer?.cancel()
            timer = nil
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
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
