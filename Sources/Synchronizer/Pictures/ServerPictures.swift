import Enforcement
import Foundation
import HTTPClient
import ParkAPI

/// The pictures that the park's server has of the other post.
///
/// It uses the token that the synchronization keeps. When that is too old there is no answer: the next cycle renews it.
package struct ServerPictures: PictureSource {
    private let server: PictureFetcher.Server
    private let tokens: TokenStore

    package init(server: PictureFetcher.Server, tokens: TokenStore) {
        (self.server, self.tokens) = (server, tokens)
    }

    /// Asks for the passage's row, which says whether there is a picture, then for the picture.
    package func picture(of passage: UUID, cancellation: HTTPCancellation) -> FetchedPicture {
        guard let token = tokens.load(owner: server.owner) else { return .silent }
        let transport = ServerTransport(
            url: server.url, certificateFile: server.certificateFile, cancellation: cancellation)
        func ask(_ request: SyncRequest) -> ServerExchange {
            transport.perform(request.authorised(apiKey: server.apiKey, token: token.accessToken))
        }
        let row = SyncRequest.read(
            RowQuery<PassageColumn>().whose(.clientID, .equals(passage)).telling([.id, .clientID, .photoPath])
                .limited(to: 1), timeout: .seconds(20))
        guard case .answered(let answer) = ask(row), answer.status == 200,
            let rows = try? answer.rows(KnownPassageRow.self)
        else { return .silent }
        guard let found = rows.first, let name = found.photoPath,
            let path = PhotoPlace(of: found.id).downloadPath(named: name)
        else { return .notYet }
        let photo = SyncRequest(.get, path, headers: ["Accept": "*/*"], timeout: .minutes(2))
        guard case .answered(let picture) = ask(photo) else { return .silent }
        switch picture.status {
        case 200: return .picture(picture.body)
        case 400, 404: return .notYet
        default: return .silent
        }
    }
}
