import Enforcement

/// Times as a clock in Nepal shows them.
package enum NepalTime {
    /// `2026-11-21`
    package static func day(_ instant: Instant) -> String { CivilTime(instant, offset: CivilTime.nepalOffset).dateText }

    /// `16:00:30`
    package static func clock(_ instant: Instant) -> String {
        CivilTime(instant, offset: CivilTime.nepalOffset).clockText
    }

    /// When a day begins; nil for what is no day.
    package static func start(ofDay text: String) -> Instant? {
        CivilTime(day: text)?.instant(offset: CivilTime.nepalOffset)
    }
}
