import Foundation
import ServiceLifecycle
import Synchronization

/// Work that blocks, on a thread of its own beside the services: nothing else waits for it.
enum OwnThread {
    private final class Stop: Sendable {
        private let isWanted = Atomic(false)
        func want() { isWanted.store(true, ordering: .relaxed) }
        var goesOn: Bool { !isWanted.load(ordering: .relaxed) }
    }

    /// Returns when the work does. It is to return soon after a graceful shutdown has begun: `goesOn` is false then.
    static func run(
        _ name: String, onStop: @escaping @Sendable () -> Void = {}, _ work: @escaping @Sendable (() -> Bool) -> Void
    ) async {
        let stop = Stop()
        await cancelWhenGracefulShutdown {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let thread = Thread {
                        work { stop.goesOn }
                        continuation.resume()
                    }
                    thread.name = name
                    thread.start()
                }
            } onCancel: {
                stop.want()
                onStop()
            }
        }
    }
}
