import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Pages
import ParkAPI

/// What every part of the API shares, and what stands between a request and the database: who calls, how often, and in which role its
/// statements run.
package struct Gateway: Sendable {
    package let settings: Settings
    /// For everything that may write.
    package let pool: PostgresPool
    /// For reading: no insert waits for it.
    package let readPool: PostgresPool
    /// A copy of the database, for pages that read much; nil where there is none.
    package let replica: ReplicaPool?
    /// For signing in. A password takes a tenth of a second of a connection, so many that are tried keep each other waiting alone.
    package let signInPool: PostgresPool
    package let catalog: Catalog
    package let signer: TokenSigner
    package let photos: PhotoStore
    package let signInLimiter: RateLimiter
    package let addressLimiter: RateLimiter
    package let requestLimiter: RateLimiter
    package let proxies: TrustedProxies
    package let connections: Allowance
    package let requestsUnderWay: Allowance
    package let bodyMemory: Allowance
    package let journal: Journal
    /// How the server's own modem is; nil where it has none.
    package let modemHealth = SharedHealth()
    package let figures = RequestFigures()
    /// Who may read the figures.
    package let figureReaders: AddressList
    /// What tells open pages of changes.
    package let hub = EventHub()
    /// What tells listening boxes of changes.
    package let changes = ChangeHubs()
    package let log: Logger

    private static let signInConnections = 2

    /// Connects, and reads the catalog once. A migration is followed by a restart.
    package init(_ settings: Settings, log: Logger) async throws {
        self.settings = settings
        self.log = log
        photos = try PhotoStore(settings, log: log)
        journal = Journal(log)
        connections = Allowance(total: settings.connections, each: settings.connectionsPerAddress)
        requestsUnderWay = Allowance(total: settings.connections, each: settings.connectionsPerAddress)
        // Half of it for one: whoever sends much doesn't keep the other out.
        bodyMemory = Allowance(total: settings.bodyMemoryBytes, each: settings.bodyMemoryBytes / 2)
        var configuration = PostgresPool.Configuration(url: settings.databaseURL)
        configuration.size = settings.poolSize
        configuration.statementTimeoutSeconds = settings.statementTimeoutSeconds
        pool = PostgresPool(configuration)
        do {
            catalog = try await pool.run { connection in
                try Migrator().check(connection)
                return try Catalog(connection)
            }
        } catch {
            pool.close()
            throw error
        }
        configuration.size = settings.readPoolSize
        // One question must not take every processor.
        configuration.sessionSQL = "set max_parallel_workers_per_gather = 0;"
        readPool = PostgresPool(configuration)
        var copy = configuration
        replica = settings.replicaURL.map { url in
            copy.url = url
            return ReplicaPool(copy, waitSeconds: settings.replicaWaitSeconds, log: log)
        }
        configuration.size = Self.signInConnections
        configuration.sessionSQL = ""
        signInPool = PostgresPool(configuration)
        signer = TokenSigner(secret: settings.jwtSecret, former: settings.formerSecrets)
        proxies = try TrustedProxies(settings.trustedProxies)
        figureReaders = try AddressList(settings.metricsFrom, key: "metrics.from")
        let perMinute = Double(settings.signInPerMinute)
        signInLimiter = RateLimiter(capacity: perMinute, perSecond: perMinute / 60)
        // One address may serve several accounts, but not try many.
        addressLimiter = RateLimiter(capacity: perMinute * 5, perSecond: perMinute / 12)
        let perSecond = Double(settings.requestsPerSecond)
        requestLimiter = RateLimiter(capacity: perSecond * 2, perSecond: perSecond)
    }

    /// Who calls. No token at all is the anonymous caller; a token that is not good is refused.
    package func caller(_ request: Request) throws(APIError) -> Caller {
        let token: String
        if let value = request.headers[.authorization] {
            let words = value.split(separator: " ")
            guard words.count == 2, words[0].lowercased() == "bearer" else {
                throw APIError(.unauthorized, "PGRST301", "Authorization is not a Bearer token")
            }
            token = String(words[1])
        } else if let key = request.headers[.apiKey] {
            token = key
        } else {
            return .anonymous
        }
        do {
            let caller = try signer.caller(token, atEpochSeconds: Date().timeIntervalSince1970)
            RequestShare.current?.caller = caller
            return caller
        } catch .expired {
            throw APIError(.unauthorized, "PGRST303", "JWT expired")
        } catch {
            throw APIError(.unauthorized, "PGRST301", "JWT is not valid")
        }
    }

    /// The signed-in caller or the service; an anonymous one gets 401.
    package func knownCaller(_ request: Request) throws(APIError) -> Caller {
        let caller = try caller(request)
        guard caller.role != .anon else {
            throw APIError(.unauthorized, "no_authorization", "This needs a signed-in user")
        }
        return caller
    }

    /// Runs `body` in one transaction in the caller's role and with its claims, and only if the account may still do anything.
    ///
    /// - Parameters:
    ///   - readsOnly: the transaction can't write, and waits only with others like it.
    ///   - readsReplica: a copy of the database may answer, if there is one: not to whoever follows numbers, which are shown in order by the
    ///     primary alone (decision note 0334).
    ///   - isOwnAccount: `body` calls a function about the caller's own account and nothing else: an auditor, who changes no record, may sign
    ///     out and give itself another password.
    package func transaction<Value: Sendable>(
        as caller: Caller, readsOnly: Bool = false, readsReplica: Bool = false, isOwnAccount: Bool = false,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let work = Self.work(as: caller, isOwnAccount: isOwnAccount, body)
        do {
            let key = key(of: caller)
            if readsReplica, let replica, let value = try await replica.read(for: key, primary: readPool, work) {
                return value
            }
            return try await (readsOnly ? readPool : pool).transaction(
                for: key, readsOnly: readsOnly, work)
        } catch let error as PostgresError {
            throw report(error, isAnonymous: caller.role == .anon)
        }
    }

    /// What is run in a transaction of the caller's: its role and claims, whether its account may do anything, and `body`.
    private static func work<Value: Sendable>(
        as caller: Caller, isOwnAccount: Bool, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) -> @Sendable (PostgresConnection) throws -> Value {
        {
            // A token outlives the account's rights. They are looked at in the round trip that sets the role.
            let state = try $0.run(
                """
                select case when $3::uuid is null then 'active' else checkpost.caller_state($3::uuid, $4) end,
                    set_config('role', $1, true), set_config('request.jwt.claims', $2, true)
                """, [caller.role.rawValue, caller.claims, caller.user?.uuidString, caller.session]
            ).scalar
            switch state {
            case "active": return try body($0)
            case "reading":
                // Whatever the rules in the database forget to refuse to it.
                if !isOwnAccount { _ = try $0.run("set transaction read only") }
                return try body($0)
            case "signed_out": throw APIError(.unauthorized, "session_not_found", "The session has ended")
            case "gone": throw APIError(.unauthorized, "PGRST301", "JWT is of an account that is gone")
            // What a client does about 401 is right here: it signs in again, and hears why it may not.
            default: throw APIError(.unauthorized, "user_banned", "The account is not active")
            }
        }
    }

    /// Runs `body` in one transaction as the gateway itself.
    ///
    /// - Parameter isSignIn: it runs on connections of its own, so that nobody who tries passwords holds up an insert or a reader.
    package func ownTransaction<Value: Sendable>(
        isSignIn: Bool = false, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        do {
            return try await (isSignIn ? signInPool : pool).transaction(
                for: RequestShare.current?.address ?? "", readsOnly: false, body)
        } catch let error as PostgresError {
            throw report(error, isAnonymous: false)
        }
    }

    /// Who waits in a queue, and who takes up memory: an account, or the address of somebody without one.
    private func key(of caller: Caller) -> String {
        caller.user?.uuidString ?? (caller.role == .service ? "service" : RequestShare.current?.address ?? "")
    }

    /// Turns a database error into an answer; what no client can have caused is logged.
    private func report(_ error: PostgresError, isAnonymous: Bool) -> APIError {
        let answer = APIError(error, isAnonymous: isAnonymous)
        if answer.status.code >= 500 {
            log.error(
                "database",
                metadata: ["error": "\(LogText.of(error.message, limit: 500))", "state": "\(error.sqlState ?? "none")"])
        }
        return answer
    }

    /// The body, if it is not too long and there is memory for it. What it takes is given back when the request is answered.
    ///
    /// - Parameter weight: how many times its bytes the body takes up once it has been read as what it is.
    package func body(_ request: Request, limit: Int, weight: Int = 1) async throws -> Data {
        let length = request.headers[.contentLength].flatMap(Int.init)
        if let length, length > limit {
            throw APIError(.contentTooLarge, "413", "The body has more than \(limit) bytes")
        }
        let share = RequestShare.current
        let owner = share?.caller.map(key) ?? share?.address ?? ""
        var data = Data()
        do {
            for try await piece in request.body {
                guard data.count + piece.readableBytes <= limit else {
                    throw APIError(.contentTooLarge, "413", "The body has more than \(limit) bytes")
                }
                guard share?.take(piece.readableBytes * weight, for: owner) != false else {
                    throw APIError(
                        .serviceUnavailable, "PGRST003", "The server has no memory left for this body",
                        retryAfterSeconds: 2)
                }
                data.append(contentsOf: piece.readableBytesView)
            }
        } catch is BodyTooSlow {
            throw APIError(.requestTimeout, "408", "The body came too slowly")
        } catch is HTTPParserError {
            // A chunk's length is no number, the connection ended in the middle, or the like.
            throw APIError(.badRequest, "400", "The body is not well-formed HTTP")
        }
        guard length == nil || length == data.count else {
            throw APIError(.badRequest, "400", "The body ended before its time")
        }
        return data
    }

    /// Most objects are small. What they become in memory is many times their text.
    package static let objectBytes = 131_072
    package static let jsonWeight = 8

    /// The body as a JSON object.
    package func jsonObject(_ request: Request, limit: Int = objectBytes) async throws -> [String: JSONValue] {
        try Self.object(in: try await json(request, limit: limit))
    }

    /// The body as a JSON object of a shape of the contract; nil for one of another shape.
    package func jsonObject<Shape: Decodable>(
        _ request: Request, limit: Int = objectBytes, as shape: Shape.Type
    ) async throws -> Shape? {
        let data = try await json(request, limit: limit)
        _ = try Self.object(in: data)
        return try? JSONDecoder().decode(shape, from: data)
    }

    private func json(_ request: Request, limit: Int) async throws -> Data {
        let data = try await body(request, limit: min(limit, settings.bodyBytes), weight: Self.jsonWeight)
        try JSONBounds.check(data)
        return data
    }

    private static func object(in data: Data) throws -> [String: JSONValue] {
        guard let object = try? JSONValue(data).fields else {
            throw APIError(.badRequest, "bad_json", "The body is not a JSON object")
        }
        return object
    }
}

/// Adds the client's address to what Hummingbird knows of a request: limits count by it. At first it is the neighbour's, which may
/// be a proxy.
package struct GatewayContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    package var address: String

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? ""
    }
}
