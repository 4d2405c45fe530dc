/// How far a replay is, for whoever shows it.
package enum ReplayEvent: Sendable {
    /// A folder or a video begins.
    ///
    /// - Parameter total: its frames; 0 when nobody can know.
    case begun(_ label: String, total: Int)

    /// A frame could not be looked at.
    case unreadable(_ reason: String)

    /// A frame more is done, and what it gave.
    case advanced(_ detail: String)
    case finished
}
