import Foundation

extension Process {
    /// Starts it with no signal blocked.
    ///
    /// The threads of a test run block signals, and a child inherits that: a script would never hear that it is to stop, and tmux
    /// not that a program in it has ended.
    func runWithSignals() throws {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
