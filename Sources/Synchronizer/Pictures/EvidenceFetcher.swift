import Enforcement
import Foundation
import ParkAPI
import Storage

/// Asks the server for the other post's evidence of a passage, when somebody exports a violation. It uses the token that the
/// synchronization keeps, and blocks.
package struct EvidenceFetcher: Sendable {
    private let server: PictureFetcher.Server
    private let tokens: TokenStore

    package init(server: PictureFetcher.Server, tokens: TokenStore) {
        self.server = server
        self.tokens = tokens
    }

    /// - Returns: nil when the server doesn't answer, or has no evidence at all.
    package func entries(ofPassage passage: UUID) -> [StoredEvidence]? {
        guard let token = tokens.load(owner: server.owner),
            let body = try? ParkJSON.data(EvidenceQuestion(passage: passage))
        else { return nil }
        let request = SyncRequest(.post, ParkFunction.evidenceOf.databasePath, body: body, timeout: .seconds(30))
        let transport = ServerTransport(url: server.url, certificateFile: server.certificateFile)
        let reply = transport.perform(request.authorised(apiKey: server.apiKey, token: token.accessToken))
        guard case .answered(let answer) = reply, answer.status == 200, let rows = try? answer.rows(EvidenceRow.self)
        else { return nil }
        return rows.map {
            StoredEvidence(
                chain: $0.chain, number: $0.number, text: $0.text, key: $0.key, signature: $0.signature,
                anchoredAt: $0.anchoredAt)
        }
    }
}
