/// Whether the box's own clock can be believed, and when this run of the machine truly began, as far as anybody knows.
///
/// | kernel | server, in this run | the box's clock | the run truly began |
/// | --- | --- | --- | --- |
/// | synchronised | unknown, or within 5 minutes | believed | as the box's clock has it |
/// | synchronised | more than 5 minutes apart | not believed: one of the two is wrong | unknown |
/// | not synchronised | within 2 s, asked in the last 6 h | believed | as the box's clock has it |
/// | not synchronised | further apart, asked in the last 6 h | not believed | as the server has it |
/// | not synchronised | unknown or too long ago | not believed | unknown |
///
/// A receiver of satellites feeds the time service (chrony or ntpd through gpsd), and so the kernel: the box needs no door of its own for it.
package struct HostClock: Sendable, Equatable {
    /// What the server's answers said of the time.
    package struct ServerTime: Sendable, Equatable {
        /// The run of the machine in which the server was asked, and when it began by the server's clock.
        package var start: BootClock

        /// When it was asked, since the machine started.
        package var askedAt: Instant

        package init(start: BootClock, askedAt: Instant) {
            self.start = start
            self.askedAt = askedAt
        }
    }

    package enum Verdict: Sendable, Equatable {
        case believed
        /// The kernel's time service says one thing and the server another.
        case contradicted(ahead: TimeSpan)
        case unknown
    }

    package var verdict: Verdict

    /// When this run of the machine began by the true time; nil while nobody knows.
    package var trueStart: Instant?

    package var isBelieved: Bool { verdict == .believed }

    /// A time service that works is never as far as this from a server that is kept right.
    package static let contradiction = TimeSpan.minutes(5)

    /// A date in an answer is cut to seconds, and was written somewhere between question and answer.
    package static let agreement = TimeSpan.seconds(2)

    /// A quartz loses less than half a second in this time.
    package static let memory = TimeSpan.hours(6)

    /// - Parameters:
    ///   - own: this run of the machine by its own clock.
    ///   - uptime: the time since the machine started.
    ///   - isSynchronised: whether the kernel says that a time service keeps the clock right.
    package init(own: BootClock, uptime: Instant, isSynchronised: Bool, server: ServerTime?) {
        let told = server.flatMap { $0.start.boot == own.boot ? $0 : nil }
        let ahead = told.map { own.startedAt - $0.start.startedAt }
        if isSynchronised {
            if let ahead, ahead.magnitude > Self.contradiction {
                verdict = .contradicted(ahead: ahead)
            } else {
                verdict = .believed
                trueStart = own.startedAt
            }
            return
        }
        verdict = .unknown
        guard let told, let ahead, uptime - told.askedAt <= Self.memory else { return }
        if ahead.magnitude <= Self.agreement {
            verdict = .believed
            trueStart = own.startedAt
        } else {
            trueStart = told.start.startedAt
        }
    }
}
