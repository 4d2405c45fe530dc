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
                do { try await goOn(&round) } catch is CancellationError { return } catch {
                    gateway.log.error("retention", metadata: ["error": "\(LogText.of("\(error)", limit: 500))"])
                }
            }
        }
    }

    /// - Parameter round: what is left of a round that an error ended; nil where none is.
    private func goOn(_ round: inout RemovalRound?) async throws {
        let days = gateway.settings.keptDays
        // A photo that was deleted while the storage was out of reach waits as well.
        guard !days.keepsAll else { return try await removeFiles() }
        if round == nil { round = try await begun(days) }
        guard round != nil else { return try await removeFiles() }
        for _ in 0..<Self.mostSteps {
            guard let before = round else { break }
            let (next, isMore) = try await run { connection in
                var next = before
                let isMore = try next.step(connection)
                return (next, isMore)
            }
            round = next
            try await removeFiles()
            guard isMore else { break }
            try await Task.sleep(for: Self.pause)
        }
        round = nil
        gateway.log.info("retention: the round of today is done")
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

    private func removeFiles() async throws {
        let photos = gateway.photos
        while true {
            let hashes = try await run { try RemovalRound.loosePhotos($0) }
            guard !hashes.isEmpty else { return }
            for hash in hashes { try await run { try RemovalRound.settle(hash, photos, $0) } }
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
