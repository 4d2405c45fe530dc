/// A moment on a clock that only runs forward, in milliseconds from an arbitrary start. Deadlines must not move when the box's
/// clock is set.
package struct Uptime: Hashable, Comparable, Sendable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: Uptime, right: Uptime) -> Bool { left.milliseconds < right.milliseconds }

    package static func + (moment: Uptime, span: Duration) -> Uptime {
        Uptime(milliseconds: moment.milliseconds &+ span.wholeMilliseconds)
    }

    package static func - (left: Uptime, right: Uptime) -> Duration {
        .milliseconds(left.milliseconds &- right.milliseconds)
    }
}

extension Duration {
    var wholeMilliseconds: Int64 {
        components.seconds &* 1000 &+ components.attoseconds / 1_000_000_000_000_000
    }
}
