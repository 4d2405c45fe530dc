import Enforcement
import Storage

/// Keeps every ten minutes how the box is, for the plots.
struct SampleKeeper: Sendable {
    let console: Console

    /// More often than a sample's ten minutes, so that none is left out.
    private static let interval = Duration.seconds(300)

    func run() async {
        repeat {
            do {
                try await keep()
            } catch {
                // A disk that takes nothing has its own alarm; the plot has a gap.
                console.log.warning("how the box is can't be kept", metadata: ["error": "\(error)"])
            }
        } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    /// A clock that nobody has set gives no time to keep it under.
    func keep() async throws {
        let status = await console.host.status()
        guard status.clockState != .untrusted else { return }
        let (now, figures) = (console.now, try console.store.figures.now())
        let waiting = figures.queue.filter { $0.key != .synced }.values.reduce(0, +) - figures.refused
        try console.store.samples.keep(
            BoxSample(
                at: now, signal: status.modemSignal, freeBytes: status.freeBytes, waiting: max(0, waiting),
                queueAge: waiting > 0 ? figures.oldestWaiting.map { now - $0 } ?? .milliseconds(0) : .milliseconds(0)))
    }
}
