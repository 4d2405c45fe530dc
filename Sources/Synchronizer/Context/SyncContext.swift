import Enforcement
import Foundation
import ParkAPI
import Storage

/// What every part of the synchronization works with: the database, the clock, how one asks the server, and what is known of it.
///
/// A part keeps what only it needs; here is what several need. Only the reference data set the place and choose the dialect.
final class SyncContext {
    let store: Store
    let server: SyncServer
    let clock: any SyncClock
    let random: () -> Double
    let line: ServerLine
    let session: SyncSession
    var settings: SyncSettings

    var place: Place?
    /// Where else this post stands; see ``FurtherRoads``.
    var furtherRoads: [FurtherRoad] = []
    /// How the server speaks; nil until it was asked. What it can do is learned into it, once a run.
    var dialect: ServerDialect?
    var counts = CycleCounts()
    /// Whether a cycle is due at once: there is more to do than one cycle takes.
    private(set) var isCycleRequested = false

    /// So many rows are asked for at once: over a radio to the other post fewer, since a page that ends before its last byte was for nothing.
    var pageSize: Int {
        min(max(settings.pageSize, 1), line.isThroughPeer ? Self.rowsThroughPeer : ContractLimits.rowsAPage)
    }

    private static let rowsThroughPeer = 50

    /// Called after each exchange with the server, on the engine's thread.
    var onExchange: () -> Void = {}
    /// What the queue has to know of an exchange, and what follows from it. The one who owns the queue sets it.
    var tellQueue: (SyncQueue.Event) throws -> Void = { _ in }

    init(
        store: Store, transport: any SyncTransport, server: SyncServer, settings: SyncSettings, tokens: TokenStore,
        clock: any SyncClock, random: @escaping () -> Double
    ) {
        self.store = store
        self.server = server
        self.clock = clock
        self.random = random
        self.settings = settings
        line = ServerLine(transport: transport, store: store, clock: clock, random: random, settings: settings)
        session = SyncSession(server, tokens: tokens)
    }

    func apply(_ settings: SyncSettings) {
        self.settings = settings
        line.apply(settings)
    }

    func requestCycle() { isCycleRequested = true }

    /// - Returns: whether a cycle was due at once.
    func takeCycleRequest() -> Bool {
        defer { isCycleRequested = false }
        return isCycleRequested
    }

    /// The server's id of this post.
    var ownCheckpost: UUID? { place?.id(of: server.checkpostCode) }

    /// How this server speaks; chosen before anything else is asked or sent.
    var chosenDialect: ServerDialect {
        get throws {
            guard let dialect else { throw CycleEnd("The server was not asked yet which columns it has.") }
            return dialect
        }
    }
}
