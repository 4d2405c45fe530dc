import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// What every part of the API shares, and what stands between a request and the database: who calls, how often, and in which role its
/// statements run.
package struct Gateway: Sendable {
    package let settings: Settings
    package let pool: PostgresPool
    package let catalog: Catalog
    package let signer: TokenSigner
    package let photos: PhotoStore
    package let signInLimiter: RateLimiter
    package let addressLimiter: RateLimiter
    package let requestLimiter: RateLimiter
    package let proxies: TrustedProxies
    package let log: Logger

    /// Connects, and reads the catalog once. A migration is followed by a restart.
    package init(_ settings: Settings, log: Logger) async throws {
        self.settings = settings
        self.log = log
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
        signer = TokenSigner(secret: settings.jwtSecret)
        proxies = try TrustedProxies(settings.trustedProxies)
        photos = PhotoStore(folder: settings.photoFolder)
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
            return try signer.caller(token, atEpochSeconds: Date().timeIntervalSince1970)
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

    /// Runs `body` in one transaction in the caller's role and with its claims.
    package func transaction<Value: Sendable>(
        as caller: Caller, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.transaction { connection in
                // A token outlives its account.
                let isKnown = try connection.run(
                    """
                    select $3::uuid is null or checkpost.has_account($3::uuid), set_config('role', $1, true),
                        set_config('request.jwt.claims', $2, true)
                    """, [caller.role.rawValue, caller.claims, caller.user?.uuidString]
                ).scalar
                guard isKnown == "t" else {
                    throw APIError(.unauthorized, "PGRST301", "JWT is of an account that is gone")
                }
                return try body(connection)
            }
        } catch let error as PostgresError {
            throw report(error, isAnonymous: caller.role == .anon)
        }
    }

    /// Runs `body` in one transaction as the gateway itself.
    package func ownTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.transaction(body)
        } catch let error as PostgresError {
            throw report(error, isAnonymous: false)
        }
    }

    /// Turns a database error into an answer; what no client can have caused is logged.
    private func report(_ error: PostgresError, isAnonymous: Bool) -> APIError {
        let answer = APIError(error, isAnonymous: isAnonymous)
        if answer.status.code >= 500 {
            log.error("database", metadata: ["error": "\(error.message)", "state": "\(error.sqlState ?? "none")"])
        }
        return answer
    }

    package func body(_ request: Request, limit: Int) async throws -> Data {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limit {
            throw APIError(.contentTooLarge, "413", "The body has more than \(limit) bytes")
        }
        do {
            let buffer = try await request.body.collect(upTo: limit)
            return Data(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw APIError(.contentTooLarge, "413", "The body has more than \(limit) bytes")
        } catch is HTTPParserError {
            // A chunk's length is no number, or the like.
            throw APIError(.badRequest, "400", "The body is not well-formed HTTP")
        }
    }

    /// The body as a JSON object.
    package func jsonObject(_ request: Request) async throws -> [String: Any] {
        let data = try await body(request, limit: settings.bodyBytes)
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
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
