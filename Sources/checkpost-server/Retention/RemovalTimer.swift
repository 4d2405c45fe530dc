import Enforcement
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// A round of removing a day, where the configuration names a term.
package struct RemovalTimer: Service {
    package let gateway: Gateway
    var interval = Duration.seconds(3600)

    /// Between two steps, so that a first round over years takes its time and nobody waits for it.
    private static let pause = Duration.milliseconds(50)

    /// The bound ends a round that never would; the next day goes on.
    private static let mostSteps = 100_000

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var round: RemovalRound?
            while (try? await Task.sleep(for: interval)) != nil {
                do { try tell(await goOn(&round)) } catch is CancellationError { return } catch {
                    gateway.log.error("retention", metadata: ["error": "\(LogText.of("\(error)", limit: 500))"])
                }
            }
        }
    }

    private func tell(_ stuck: [RemovalRound.Stuck]) {
        guard let first = stuck.first else { return }
        gateway.log.error(
            "photos can't be removed, and are tried again",
            metadata: ["count": "\(stuck.count)", "first": "\(LogText.of(first.description, limit: 500))"])
    }

    /// - Parameter round: what is left of a round that an error ended; nil where none is.
    /// - Returns: what can't be removed now.
    private func goOn(_ round: inout RemovalRound?) async throws -> [RemovalRound.Stuck] {
        let days = gateway.settings.keptDays
        // A photo that was deleted while the storage was out of reach waits as well.
        guard !days.keepsAll else { return try await removeFiles() }
        if round == nil { round = try await begun(days) }
        guard round != nil else { return try await removeFiles() }
        var stuck: [RemovalRound.Stuck] = []
        for _ in 0..<Self.mostSteps {
            guard let before = round else { break }
            let (next, isMore) = try await run { connection in
                var next = before
                let isMore = try next.step(connection)
                return (next, isMore)
            }
            round = next
            // What can't be removed is tried once more at the end, and not after each step.
            if stuck.isEmpty { stuck = try await removeFiles() }
            guard isMore else { break }
            try await Task.sleep(for: Self.pause)
        }
        round = nil
        gateway.log.info("retention: the round of today is done")
        guard !stuck.isEmpty else { return [] }
        return try await removeFiles()
    }

    /// - Returns: nil where the round of today was made, or none may be.
    private func begun(_ days: KeptDays) async throws -> RemovalRound? {
        switch try await run({ try $0.run("select checkpost.begin_removals()").scalar }) {
        case "begun": return try RemovalRound(days)
        case "clock":
            gateway.log.warning(
                "nothing is removed: no passage of the last month is here; is the clock of this machine right?")
            return nil
        default: return nil
        }
    }

    /// One that can't be removed keeps none behind it. Where none of a page can be it is at its end.
    private func removeFiles() async throws -> [RemovalRound.Stuck] {
        let photos = gateway.photos
        while true {
            let hashes = try await run { try RemovalRound.loosePhotos($0) }
            var stuck: [RemovalRound.Stuck] = []
            for hash in hashes {
                do { try await run { try RemovalRound.settle(hash, photos, $0) } } catch let one as RemovalRound.Stuck {
                    stuck.append(one)
                }
            }
            guard stuck.count < hashes.count else { return stuck }
        }
    }

    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await gateway.transaction(as: .service, body)
    }
}

// Whoever runs services logs them; all that is known of this one is its name.
extension RemovalTimer: CustomStringConvertible, CustomReflectable {
    package var description: String { "RemovalTimer" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
