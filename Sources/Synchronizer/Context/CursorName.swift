import Storage

/// What the synchronization remembers in the table of cursors.
enum CursorName {
    static let lastSuccess = SyncCursor.linkLastSuccess
    static let skew = SyncCursor.clockSkew
    static let reportedRuns = "sync_runs_reported_up_to"
    /// When box and server were last compared.
    static let comparedAt = "compared_at"
    /// The server's numbers went back, and not everything was compared since.
    static let serverWentBack = SyncCursor.serverWentBack
    /// Outcomes and dismissals are to be told again once the server has been read.
    static let findingsWait = "findings_to_send_again"
}
