import Enforcement
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import Pages
import ServiceLifecycle

/// The whole server as one service: the routes, the pool behind them and the overstay round.
package struct GatewayServer: Service {
    package let gateway: Gateway
    private let connectionLimits: ConnectionLimits
    private let onRunning: @Sendable (Int) async -> Void

    /// - Parameter onRunning: called with the port once it listens; with port 0 in the settings this is how one learns it.
    package init(
        _ gateway: Gateway, limits: ConnectionLimits = ConnectionLimits(),
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.gateway = gateway
        connectionLimits = limits
        self.onRunning = onRunning
    }

    private var router: Router<GatewayContext> {
        // Middleware comes before routes, and this one knows them all.
        let plan = Router(context: GatewayContext.self)
        addRoutes(to: plan)
        let router = Router(context: GatewayContext.self)
        router.add(middleware: GatewayMiddleware(gateway: gateway, routes: KnownRoutes(plan)))
        addRoutes(to: router)
        return router
    }

    private func addRoutes(to router: Router<GatewayContext>) {
        // Ready: it and PostgreSQL answer. Live: it does; a restart would not help PostgreSQL.
        for path in ["/health", "/health/ready"] {
            router.on(RouterPath(path), method: .get) { _, _ in
                let alive = try? await gateway.readPool.run { try $0.run("select 1").scalar }
                guard alive == "1" else { throw APIError.unavailable }
                // Passages are taken all the same, so it is ready; why, the log says, and nobody else is told.
                return try json([
                    "status": "ok", "photos": gateway.photos.storage.trouble == nil ? "ok" : "out of reach",
                ])
            }
        }
        router.on("/health/live", method: .get) { _, _ in try json(["status": "ok"]) }
        MetricsHandler(gateway).addRoutes(to: router)
        AuthHandler(gateway).addRoutes(to: router)
        RPCHandler(gateway).addRoutes(to: router)
        RestHandler(gateway).addRoutes(to: router)
        PhotoHandler(gateway).addRoutes(to: router)
        UpdateHandler(gateway).addRoutes(to: router)
        ChangeHandler(gateway).addRoutes(to: router)
        FunctionHandler(gateway).addRoutes(to: router)
        Warden(gateway).addRoutes(to: router)
    }

    /// Serves until the surrounding group shuts down; requests under way are answered first.
    package func run() async throws {
        defer {
            gateway.pool.close()
            gateway.readPool.close()
            gateway.replica?.close()
            gateway.signInPool.close()
        }
        let onRunning = onRunning
        let (limits, connections) = (connectionLimits, gateway.connections)
        let (proxies, journal) = (gateway.proxies, gateway.journal)
        let http = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [
                    ConnectionWatch(limits: limits, connections: connections, proxies: proxies, journal: journal)
                ],
                // A client that says nothing for a minute doesn't keep its connection.
                idleTimeout: .seconds(60),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: RequestBounds.parserFieldBytes,
                    maxHeaderListSize: RequestBounds.parserFieldBytes,
                    maxHeaderFieldCount: RequestBounds.parserFieldLimit)))
        let application = Application(
            router: router, server: try secured(http),
            configuration: .init(
                address: .hostname(gateway.settings.host, port: gateway.settings.port), serverName: "checkpost-server"),
            services: [
                OverstayTimer(gateway: gateway), RemovalTimer(gateway: gateway), LiveTimer(gateway: gateway),
                ChangeTimer(gateway: gateway), PhotoTimer(gateway: gateway),
            ] + (TextModem(gateway).map { [$0] } ?? []),
            onServerRunning: { channel in await onRunning(channel.localAddress?.port ?? 0) },
            logger: gateway.log)
        try await application.run()
    }
}

extension GatewayServer {
    /// Over TLS where the configuration names a certificate: for a park without a proxy before it.
    private func secured(_ http: HTTPServerBuilder) throws -> HTTPServerBuilder {
        guard let certificate = gateway.settings.certificateFile, let key = gateway.settings.keyFile else {
            return http
        }
        do { return try http.secured(certificate: certificate, key: key) } catch {
            throw Settings.Mistake(
                description: "server.certificate_file or server.key_file can't be used: \(error). "
                    + "Both are PEM, and the user checkpost-server has to be able to read them.")
        }
    }
}

// Whoever runs services logs them; all that is known of this one is its name.
extension GatewayServer: CustomStringConvertible, CustomReflectable {
    package var description: String { "GatewayServer" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension OverstayTimer: CustomStringConvertible, CustomReflectable {
    package var description: String { "OverstayTimer" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The overstay round at its interval.
package struct OverstayTimer: Service {
    package let gateway: Gateway

    package func run() async throws {
        let minutes = gateway.settings.overstayIntervalMinutes
        // Waiting for ever is how a service that has nothing to do ends with the others.
        let interval = minutes > 0 ? Duration.seconds(minutes * 60) : .seconds(365 * 86_400)
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil {
                await round()
            }
        }
    }

    private func round() async {
        do {
            // A backlog is worked off in steps, each a transaction of its own; the bound ends a round that never would.
            for _ in 0..<1000 {
                let count = try await gateway.transaction(as: .service) { connection in
                    try connection.run("select checkpost.check_overstay()").scalar
                }
                guard let made = count.flatMap(Int.init), made > 0 else { break }
                gateway.log.info("overstay", metadata: ["alerts_created": "\(made)"])
                if made < 500 { break }
            }
        } catch {
            gateway.log.error("overstay", metadata: ["error": "\(LogText.of("\(error)", limit: 500))"])
        }
    }
}
