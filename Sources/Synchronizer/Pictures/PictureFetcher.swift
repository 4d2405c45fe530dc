import Enforcement
import Foundation
import HTTPClient
import ParkAPI
import Storage
import Synchronization

/// Fetches pictures of the other post's passages from the server when somebody wants to see them, beside the synchronization
/// and never in its way.
///
/// It uses the token that the synchronization keeps. When that is too old it waits: the next cycle renews it.
package final class PictureFetcher: Sendable {
    package struct Server: Sendable {
        package var url: String
        package var certificateFile: String?
        package var apiKey: String?

        /// Whose tokens are used: the account and the server, as `SyncTokens.owner` has it.
        package var owner: String

        package init(url: String, certificateFile: String? = nil, apiKey: String? = nil, email: String) {
            self.url = url
            self.certificateFile = certificateFile
            self.apiKey = apiKey
            owner = "\(email) \(url)"
        }
    }

    private struct State {
        var wishes = PictureWishes()
        var underWay: HTTPCancellation?
        var isStopping = false
    }

    private let server: Server
    private let tokens: TokenStore
    private let pictures: OtherPostPictures
    private let clock: any SyncClock
    private let state = Mutex(State())
    private let wakes: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
    private let arrivals: (stream: AsyncStream<UUID>, continuation: AsyncStream<UUID>.Continuation)

    package init(
        server: Server, tokens: TokenStore, pictures: OtherPostPictures, clock: any SyncClock = SystemSyncClock()
    ) {
        self.server = server
        self.tokens = tokens
        self.pictures = pictures
        self.clock = clock
        wakes = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        arrivals = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(PictureWishes.most))
    }

    /// The passages whose pictures have come, one reader at most.
    package var arrived: AsyncStream<UUID> { arrivals.stream }

    /// Somebody looks at a violation. It returns at once.
    ///
    /// - Returns: what came of asking last; nil when it was not asked for yet.
    @discardableResult
    package func want(_ passage: UUID) -> PictureWishes.Answer? {
        let now = clock.now
        let answer = state.withLock { $0.wishes.want(passage, at: now) }
        if answer == nil { wakes.continuation.yield() }
        return answer
    }

    /// Fetches what is wanted, one at a time, until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // Looked at now and then as well: a wish that failed is due again later.
                while (try? await Task.sleep(for: .seconds(2))) != nil { self.wakes.continuation.yield() }
            }
            for await _ in wakes.stream {
                while !Task.isCancelled, let passage = state.withLock({ $0.wishes.next(at: clock.now) }) {
                    await fetchAndNote(passage)
                }
                if Task.isCancelled { break }
            }
            group.cancelAll()
        }
        arrivals.continuation.finish()
    }

    private func fetchAndNote(_ passage: UUID) async {
        let answer: PictureWishes.Answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: self.fetch(passage)) }
            }
        } onCancel: {
            state.withLock {
                $0.isStopping = true
                $0.underWay?.cancel()
            }
        }
        state.withLock { $0.wishes.answered(passage, answer, at: clock.now) }
        if answer == .here { arrivals.continuation.yield(passage) }
    }

    /// Asks for the passage's row, which says whether there is a picture, then for the picture. It blocks.
    package func fetch(_ passage: UUID) -> PictureWishes.Answer {
        guard let token = tokens.load(owner: server.owner) else { return .silent }
        let transport = ServerTransport(url: server.url, certificateFile: server.certificateFile)
        let isStopping = state.withLock { state in
            state.underWay = transport.cancellation
            return state.isStopping
        }
        guard !isStopping else { return .silent }
        defer { state.withLock { $0.underWay = nil } }
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
        case 200: return (try? pictures.keep(picture.body, of: passage)) == nil ? .notYet : .here
        case 400, 404: return .notYet
        default: return .silent
        }
    }
}
