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

    private let held = Mutex((all: 0, others: 0))

    var current: Int { held.withLock { $0.all } }

    /// - Returns: false when there are too many; it is not counted then.
    func enter(isAtPost: Bool) -> Bool {
        held.withLock { held in
            guard held.all < Self.most, isAtPost || held.others < Self.mostOfOthers else { return false }
            held.all += 1
            if !isAtPost { held.others += 1 }
            return true
        }
    }

    func leave(isAtPost: Bool) {
        held.withLock { held in
            held.all -= 1
            if !isAtPost { held.others -= 1 }
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
    private var isAtPost: Bool?
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
        guard isAtPost == nil else { return }
        let isAtPost = ConsoleContext.isAtPost(context.channel.remoteAddress?.ipAddress ?? "")
        guard count.enter(isAtPost: isAtPost) else {
            context.close(promise: nil)
            return
        }
        self.isAtPost = isAtPost
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }

    private func leave() {
        timer?.cancel()
        timer = nil
        guard let isAtPost else { return }
        count.leave(isAtPost: isAtPost)
        self.isAtPost = nil
    }
}

@available(*, unavailable)
extension ConnectionGate: Sendable {}
