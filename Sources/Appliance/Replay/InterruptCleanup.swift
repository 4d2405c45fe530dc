import Dispatch
import Foundation

/// Removes a folder when the program is interrupted (Ctrl-C) or told to end, and lets it end as the signal says.
final class InterruptCleanup {
    private let sources: [any DispatchSourceSignal]

    init(_ folder: URL) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                try? FileManager.default.removeItem(at: folder)
                signal(number, SIG_DFL)
                kill(getpid(), number)
            }
            source.resume()
            return source
        }
    }

    deinit { sources.forEach { $0.cancel() } }
}
