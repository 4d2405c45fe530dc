import Foundation

/// What the server says on the stream to which a box listens. It says that something changed and never what: the box asks, with its own
/// rights.
package enum ChangeEvent: String, Sendable, CaseIterable {
    /// The stream has begun: what changed before was not told.
    case hello
    /// Something was written in the box's segment.
    case change
    /// Nothing was, and the server is there.
    case alive

    /// So often the server says something at least.
    package static let interval = 20

    /// As it is sent: one line that names it, in the form of server-sent events.
    package var line: String { "event: \(rawValue)" }
}

/// Reads a stream of events as it comes, in pieces of any size.
package struct ChangeStream: Sendable {
    /// A longer line is cut off: no name of an event is so long.
    private static let mostLineBytes = 200

    private var line: [UInt8] = []

    package init() {}

    /// - Returns: the events whose names have come whole. Others than ours are passed over.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> [ChangeEvent] {
        var events: [ChangeEvent] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if line.count < Self.mostLineBytes { line.append(byte) }
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            let text = String(decoding: line, as: UTF8.self)
            if let event = ChangeEvent.allCases.first(where: { $0.line == text }) { events.append(event) }
            line.removeAll(keepingCapacity: true)
        }
        return events
    }
}
