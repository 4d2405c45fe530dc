import Enforcement
import Foundation

/// Where texts arrive, whichever way they come: each is kept with what became of it.
struct TextInbox: Sendable {
    let gateway: Gateway

    /// - Parameter id: by which one that is delivered again is known; nil where nobody gives one.
    /// - Returns: `inserted`, `repeated` or `refused`.
    func receive(_ message: String, from sender: String?, id: String?, by way: String) async throws -> String {
        let result = try await gateway.ownTransaction { connection in
            // PostgreSQL has no zero in a text; a message that has one is wrong in any case.
            try connection.run(
                "select checkpost.receive_sms($1, $2, $3) ->> 'result'",
                [message, sender, id].map { $0?.replacing("\0", with: "\u{fffd}") }
            ).scalar ?? ""
        }
        gateway.log.info(
            "sms", metadata: ["result": "\(result)", "sid": "\(LogText.of(id ?? "", limit: 60))", "way": "\(way)"])
        return result
    }
}
