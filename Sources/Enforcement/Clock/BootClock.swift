/// One run of the machine as its own clock has it: which run, and when it began by that clock.
///
/// The wall clock may be wrong and may be set; the time since the machine started runs on regardless. While nobody sets the clock, the
/// moment of the start stays the same. Once the true moment is known, the difference says by how much everything that was stamped in
/// this run has to be moved.
package struct BootClock: Sendable, Hashable, Codable {
    /// The kernel's name of this run.
    package var boot: String

    /// The wall clock less the time since the machine started.
    package var startedAt: Instant

    package init(boot: String, startedAt: Instant) {
        self.boot = boot
        self.startedAt = startedAt
    }

    /// A moment of this run, stamped by this clock, by a clock on which the run began at another moment.
    package func moved(_ moment: Instant, toStart trueStart: Instant) -> Instant { moment + (trueStart - startedAt) }
}
