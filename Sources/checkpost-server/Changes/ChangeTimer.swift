import Foundation
import Hummingbird
import ParkAPI
import ServiceLifecycle

/// Tells boxes that something was written in their segment, within a second, and that the server is there.
///
/// It asks for one number twice a second while a box listens, and for nothing while none does. Decision note 0328 says more.
struct ChangeTimer: Service {
    let gateway: Gateway

    private static let interval = Duration.milliseconds(500)

    func run() async throws {
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown {
                var told: Int64?
                var spokenAt = ContinuousClock.now
                while (try? await Task.sleep(for: Self.interval)) != nil {
                    guard gateway.changes.readerCount > 0 else {
                        told = nil
                        continue
                    }
                    // The boxes take silence for what it is. What could not be asked may be too much to ask: the next time all are told.
                    guard let news = try? await news(after: told) else {
                        told = nil
                        continue
                    }
                    told = news.number
                    if news.isAnywhere {
                        gateway.changes.tellAll(.change)
                    } else if !news.segments.isEmpty {
                        gateway.changes.tell(news.segments)
                    }
                    if ContinuousClock.now - spokenAt >= .seconds(ChangeEvent.interval) {
                        spokenAt = .now
                        gateway.changes.tellAll(.alive)
                    }
                }
            }
        } onGracefulShutdown: {
            gateway.changes.finish()
        }
    }

    struct News {
        /// Up to which everything that was written has been told.
        var number: Int64
        var segments: [UUID] = []
        /// It may have been in any: nobody looked while the first began to listen, or the numbers went back with a database that was restored.
        var isAnywhere = false
    }

    private func news(after told: Int64?) async throws -> News? {
        try await gateway.readPool.run { connection in
            func number(_ function: String) throws -> Int64? {
                try connection.run("select checkpost.\(function)()").scalar.flatMap { Int64($0) }
            }
            // On a quiet road nothing else is asked.
            guard let last = try number("last_number") else { return nil }
            if last == told { return News(number: last) }
            guard let settled = try number("settled_number") else { return nil }
            guard let told, settled >= told else { return News(number: settled, isAnywhere: true) }
            let rows = try connection.run(
                "select checkpost.changed_segments($1::bigint, $2::bigint)", ["\(told)", "\(settled)"]
            ).rows
            return News(number: settled, segments: rows.compactMap { $0.first?.flatMap(UUID.init(uuidString:)) })
        }
    }
}

extension ChangeTimer: CustomStringConvertible, CustomReflectable {
    var description: String { "ChangeTimer" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
