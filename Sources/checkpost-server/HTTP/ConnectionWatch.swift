import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// The body came too slowly to be waited for.
package struct BodyTooSlow: Error {}

/// Watches one connection: that there are not too many, that head, body and answer keep moving, and that a client which was answered
/// before it had sent everything doesn't go on sending for ever.
///
/// It stands behind the parser of HTTP, on the event loop of its connection; the loop guards its state.
final class ConnectionWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private let connections: Allowance
    private let proxies: TrustedProxies
    private let journal: Journal

    /// Whether it holds a place among the connections, and under which address.
    private var isCounted = false
    private var key: String?

    private var requestsBegun = 0
    private var requestsEnded = 0
    private var answersEnded = 0

    /// When what is waited for began: a head, or the newest body.
    private var since = NIODeadline.now()
    private var bodyBytes = 0
    private var saidTooSlow = false

    /// Set when the connection is to end: what still comes in is dropped.
    private var drainingSince: NIODeadline?
    private var drainedBytes = 0
    private var endsAfterAnswer = false

    /// Set when the last answer was written, and the client has to close its end.
    private var finishedSince: NIODeadline?

    /// Set while the client doesn't read, with what it had to read then and what was written since. What it has read before
    /// earns it no patience.
    private var unreadSince: NIODeadline?
    private var unreadBytes = 0
    private var look: RepeatedTask?

    init(limits: ConnectionLimits, connections: Allowance, proxies: TrustedProxies, journal: Journal) {
        self.journal = journal
        self.limits = limits
        self.connections = connections
        self.proxies = proxies
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard look == nil else { return }
        // Small pieces: what waits between the socket and the request is bounded by their number.
        context.channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16_384))
            .whenComplete { _ in }
        since = .now()
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let pause = TimeAmount.nanoseconds(Int64(limits.lookSeconds * 1e9))
        look = context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
            let (watch, context) = loopBound.value
            watch.lookAt(context)
        }
        let address = context.channel.remoteAddress?.ipAddress ?? ""
        // Everybody behind a proxy comes from its address; their requests are counted one by one instead.
        key = proxies.isTrusted(address) ? nil : address
        isCounted = connections.take(for: key)
        guard isCounted else {
            say(.serviceUnavailable, "Too many connections", to: context)
            context.close(promise: nil)
            return
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    private func end() {
        look?.cancel()
        if isCounted { connections.give(for: key) }
        isCounted = false
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard drainingSince == nil else {
            if case .body(let buffer) = part { drainedBytes += buffer.readableBytes }
            if case .end = part { context.close(promise: nil) }
            if drainedBytes > limits.drainBytes { context.close(promise: nil) }
            return
        }
        switch part {
        case .head:
            requestsBegun += 1
            since = .now()
            bodyBytes = 0
        case .body(let buffer):
            bodyBytes += buffer.readableBytes
        case .end:
            requestsEnded += 1
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            // Answered before all of the request was here: nobody will read the rest of it.
            if requestsEnded <= answersEnded {
                head.headerFields[.connection] = "close"
                endsAfterAnswer = true
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body(let buffer):
            if unreadSince != nil { unreadBytes += buffer.readableBytes }
            context.write(data, promise: promise)
        case .end:
            answersEnded += 1
            since = .now()
            guard endsAfterAnswer else {
                context.write(data, promise: promise)
                return
            }
            drainingSince = .now()
            context.writeAndFlush(data, promise: promise)
            // It may have ended meanwhile, and then nothing comes any more to end it.
            if requestsEnded >= answersEnded { context.close(promise: nil) }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            unreadSince = nil
        } else if unreadSince == nil {
            unreadSince = .now()
            unreadBytes = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        }
        context.fireChannelWritabilityChanged()
    }

    /// A client that is told that nothing more comes has to close its end, or it is closed for it.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output { finishedSince = finishedSince ?? .now() }
        context.close(mode: mode, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // In the middle of a request whoever reads its body answers.
        guard let parserError = error as? HTTPParserError, requestsBegun == answersEnded, drainingSince == nil else {
            context.fireErrorCaught(error)
            return
        }
        let isTooLarge = parserError == .headerOverflow
        say(
            isTooLarge ? .requestHeaderFieldsTooLarge : .badRequest,
            isTooLarge ? "The head of the request is too large" : "This is no well-formed HTTP", to: context)
    }

    private func lookAt(_ context: ChannelHandlerContext) {
        let now = NIODeadline.now()
        func seconds(since start: NIODeadline) -> Double { Double((now - start).nanoseconds) / 1e9 }
        if let drainingSince, seconds(since: drainingSince) > limits.drainSeconds, unreadSince == nil {
            context.close(promise: nil)
        } else if let unreadSince, limits.isTooSlow(bytes: unreadBytes, seconds: seconds(since: unreadSince)) {
            context.close(promise: nil)
        } else if let finishedSince, seconds(since: finishedSince) > limits.graceSeconds, unreadSince == nil {
            context.close(promise: nil)
        } else if drainingSince != nil || finishedSince != nil {
            return
        } else if requestsBegun > requestsEnded {
            guard limits.isTooSlow(bytes: bodyBytes, seconds: seconds(since: since)) else { return }
            if saidTooSlow {
                // Nobody was reading the body, so nobody answered.
                context.close(promise: nil)
            } else {
                saidTooSlow = true
                context.fireErrorCaught(BodyTooSlow())
            }
        } else if requestsBegun == answersEnded {
            let limit = requestsBegun == 0 ? limits.headSeconds : limits.idleSeconds
            if seconds(since: since) > limit { context.close(promise: nil) }
        }
    }

    /// Answers in the name of the server, and ends the connection.
    private func say(_ status: HTTPResponse.Status, _ words: String, to context: ChannelHandlerContext) {
        journal.refusedConnection(
            status.code, because: words, address: context.channel.remoteAddress?.ipAddress ?? "unknown")
        drainingSince = .now()
        let text = "{\"code\":\"\(status.code)\",\"details\":null,\"hint\":null,\"message\":\"\(words)\"}"
        let head = HTTPResponse(
            status: status,
            headerFields: [
                .contentType: "application/json; charset=utf-8", .contentLength: String(text.utf8.count),
                .connection: "close",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(string: text))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
