import Enforcement
import Foundation
import HTTPClient
import ParkAPI
import Storage
import Synchronization

/// Where a picture of a passage of the other post can be had.
package protocol PictureSource: Sendable {
    /// Asks for it. It blocks; `cancellation` ends it from any thread.
    func picture(of passage: UUID, cancellation: HTTPCancellation) -> FetchedPicture
}

package enum FetchedPicture: Sendable, Equatable {
    case picture(Data)
    /// There is none yet.
    case notYet
    /// There was no answer, or none that makes sense.
    case silent
}

/// Fetches pictures of the other post's passages when somebody wants to see them, beside the synchronization and never in its way.
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

    private let sources: [any PictureSource]
    private let pictures: OtherPostPictures
    private let clock: any SyncClock
    private let state = Mutex(State())
    private let wakes: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
    private let arrivals: (stream: AsyncStream<UUID>, continuation: AsyncStream<UUID>.Continuation)

    /// From the park's server alone.
    package convenience init(
        server: Server, tokens: TokenStore, pictures: OtherPostPictures, clock: any SyncClock = SystemSyncClock()
    ) {
        self.init(sources: [ServerPictures(server: server, tokens: tokens)], pictures: pictures, clock: clock)
    }

    /// - Parameter sources: asked one after the other, until one has it.
    package init(
        sources: [any PictureSource], pictures: OtherPostPictures, clock: any SyncClock = SystemSyncClock()
    ) {
        self.sources = sources
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

    /// Asks each source, until one has it. It blocks.
    package func fetch(_ passage: UUID) -> PictureWishes.Answer {
        var answer = PictureWishes.Answer.silent
        for source in sources {
            let cancellation = HTTPCancellation()
            let isStopping = state.withLock { state in
                state.underWay = cancellation
                return state.isStopping
            }
            guard !isStopping else { return .silent }
            defer { state.withLock { $0.underWay = nil } }
            switch source.picture(of: passage, cancellation: cancellation) {
            case .picture(let bytes):
                if (try? pictures.keep(bytes, of: passage)) != nil { return .here }
                answer = .notYet
            case .notYet: answer = .notYet
            case .silent: break
            }
        }
        return answer
    }
}
