/// What went over the link to the server, in bytes, without what TLS and TCP add to it.
package struct DataUse: Sendable, Equatable {
    package var sent: Int64
    package var received: Int64

    package init(sent: Int64 = 0, received: Int64 = 0) {
        (self.sent, self.received) = (sent, received)
    }

    package var total: Int64 { sent + received }

    /// The month that data of a moment is counted in, by Nepal's clock and the calendar of telephone companies: `2026-11`.
    package static func month(of instant: Instant) -> String {
        String(CivilTime(instant, offset: CivilTime.nepalOffset).dateText.prefix(7))
    }
}
