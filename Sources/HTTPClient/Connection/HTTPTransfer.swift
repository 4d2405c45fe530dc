import Foundation

/// What comes in during one exchange. libcurl's callbacks feed it, on the thread that asked.
final class HTTPTransfer {
    /// Gives a piece of the body to whoever asked; false ends the exchange.
    typealias Taker = (HTTPHead, UnsafeRawBufferPointer) -> Bool

    private(set) var head = HTTPHead()

    /// Whether whoever asked has had enough.
    private(set) var isEnough = false
    private(set) var isTooLong = false

    private let mostBytes: Int?
    private var bytesTaken = 0
    private let cancellation: HTTPCancellation
    private let meter: DataMeter?
    private let taker: Taker

    init(mostBytes: Int?, _ cancellation: HTTPCancellation, meter: DataMeter?, _ taker: @escaping Taker) {
        self.mostBytes = mostBytes
        self.meter = meter
        self.cancellation = cancellation
        self.taker = taker
    }

    var isCancelled: Bool { cancellation.isCancelled }

    func take(headerLine bytes: UnsafeRawBufferPointer) {
        meter?.add(received: Int64(bytes.count))
        head.take(line: String(decoding: bytes.prefix(HTTPHead.mostLineBytes), as: UTF8.self))
    }

    /// - Returns: whether the exchange goes on.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        meter?.add(received: Int64(bytes.count))
        guard !isCancelled else { return false }
        bytesTaken += bytes.count
        isTooLong = mostBytes.map { bytesTaken > $0 } ?? false
        guard !isTooLong else { return false }
        isEnough = !taker(head, bytes)
        return !isEnough
    }
}
