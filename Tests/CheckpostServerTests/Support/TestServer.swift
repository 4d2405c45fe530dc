import Enforcement
import Foundation
import Logging
import ParkAPI
import ServiceLifecycle

@testable import checkpost_server

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The server in this process, on a free port, over a database of its own, with one ranger at each post and an admin.
struct TestServer: Sendable {
    struct Answer {
        var status: Int
        var headers: [String: String]
        var data: Data

        var text: String { String(decoding: data, as: UTF8.self) }
        var object: [String: Any] { (try? JSONSerialization.jsonObject(with: data) as? [String: Any]) ?? [:] }
        var rows: [[String: Any]] { (try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]) ?? [] }
        var code: String? { object["code"] as? String }
    }

    let port: Int
    let settings: Settings
    let signer: TokenSigner
    let users: [String: String]
    var gateway: Gateway?

    var connectionsInUse: Int { gateway?.connections.inUse ?? -1 }
    var bodyBytesInUse: Int { gateway?.bodyMemory.inUse ?? -1 }

    var anonKey: String { (try? signer.key(for: .anon)) ?? "" }
    var serviceKey: String { (try? signer.key(for: .service)) ?? "" }

    /// Starts a server, runs `body`, and stops the server again, whatever happens.
    static func run(
        _ configure: (inout Settings) -> Void = { _ in }, limits: ConnectionLimits = ConnectionLimits(),
        log lines: LogLines? = nil, in database: TestDatabase? = nil,
        _ body: @Sendable @escaping (TestServer, TestDatabase) async throws -> Void
    ) async throws {
        let database = try database ?? TestDatabase()
        var users: [String: String] = [:]
        for (name, post) in [("a", TestDatabase.postA), ("b", TestDatabase.postB), ("c", TestDatabase.postC)] {
            users[name] = try database.addUser(name, post: post, phone: "980000000\(users.count)")
        }
        users["admin"] = try database.addUser("admin", role: "admin")
        let photos = FileManager.default.temporaryDirectory.appendingPathComponent("photos-\(UUID().uuidString)")
        defer {
            try? FileManager.default.removeItem(at: photos)
            try? FileManager.default.removeItem(atPath: photos.path + "-updates")
        }

        var settings = Settings()
        settings.port = 0
        settings.databaseURL = Secret(database.gatewayURL)
        settings.poolSize = 4
        settings.jwtSecret = "a secret of the tests, long enough for HS256"
        settings.smsAuthToken = "twilio-token"
        settings.photoFolder = photos.path
        settings.updateFolder = photos.path + "-updates"
        settings.signInPerMinute = 0
        settings.requestsPerSecond = 0
        settings.overstayIntervalMinutes = 0
        configure(&settings)
        try settings.check()

        var log = Logger(label: "test")
        log.logLevel = .critical
        if let lines {
            log = Logger(label: "test") { _ in lines }
            log.logLevel = .trace
        }
        let gateway = try await Gateway(settings, log: log)
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let service = GatewayServer(gateway, limits: limits) { continuation.yield($0) }
        let group = ServiceGroup(configuration: .init(services: [service], logger: log))
        let (final, people) = (settings, users)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { continuation.finish() }
                try await group.run()
            }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next() else {
                try await tasks.next()
                return
            }
            let server = TestServer(
                port: port, settings: final, signer: TokenSigner(secret: final.jwtSecret), users: people,
                gateway: gateway)
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(server, database))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try result.get()
        }
    }

    /// A token for one of the users, as a sign-in gives it.
    func token(_ user: String, role: String = "authenticated", expiresIn seconds: Int = 600) throws -> String {
        try signer.sign([
            "sub": .text(users[user] ?? ""), "role": .text(role),
            "exp": .integer(Int64(Date().timeIntervalSince1970) + Int64(seconds)),
        ])
    }

    /// Sends a request. `user` is a name (a, b, c, admin), "service", "anon", or nil for no token at all.
    func send(
        _ method: String, _ path: String, as user: String? = "a", _ headers: [String: String] = [:],
        json: Any? = nil, body: Data? = nil
    ) async throws -> Answer {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        switch user {
        case nil: break
        case "anon": request.setValue(anonKey, forHTTPHeaderField: "apikey")
        case "service": request.setValue("Bearer \(serviceKey)", forHTTPHeaderField: "Authorization")
        case let name?: request.setValue("Bearer \(try token(name))", forHTTPHeaderField: "Authorization")
        }
        if let json {
            request.httpBody = try JSONSerialization.data(withJSONObject: json, options: [.fragmentsAllowed])
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        if let body { request.httpBody = body }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        // A session of its own: cookies, caches and waiting connections of another test have no influence.
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: request)
        guard let http = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        let fields = http.allHeaderFields.reduce(into: [String: String]()) { fields, field in
            fields["\(field.key)".lowercased()] = "\(field.value)"
        }
        return Answer(status: http.statusCode, headers: fields, data: data)
    }

    /// What a box sends for a passage.
    static func passage(
        _ plate: String, at post: String = TestDatabase.postA, _ time: String, client: String = UUID().uuidString
    )
        -> [String: Any]
    {
        [
            "client_id": client.lowercased(), "plate_number": plate, "vehicle_type": "car", "checkpost_id": post,
            "segment_id": post == TestDatabase.postC ? "b0000000-0000-4000-8000-000000000003" : TestDatabase.segment,
            "recorded_at": time, "source": "app",
        ]
    }
}

extension String {
    /// Percent-encoded for a query.
    var encoded: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~"))) ?? self
    }
}
