import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Pages
import ServiceLifecycle
import Storage

/// The console as a service: the pages, and what tells the browsers of changes.
package struct ConsoleService: Service {
    package let console: Console
    private let onRunning: @Sendable (Int) async -> Void

    /// - Parameter onRunning: called with the port once it listens; with port 0 in the settings this is how one learns it.
    package init(_ console: Console, onRunning: @escaping @Sendable (Int) async -> Void = { _ in }) {
        self.console = console
        self.onRunning = onRunning
    }

    private var router: Router<ConsoleContext> {
        let router = Router(context: ConsoleContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: GuardMiddleware(console: console))
        let pages = PageRoutes(console: console)
        pages.add(to: router)
        SignInRoutes(console: console).add(to: router)
        HistoryRoutes(console: console).add(to: router)
        InsideRoutes(console: console).add(to: router)
        ListRoutes(console: console).add(to: router)
        AlarmRoutes(console: console).add(to: router)
        FigureRoutes(console: console).add(to: router)
        NoticeRoutes(console: console).add(to: router)
        TechnicianRoutes(console: console).add(to: router)
        AgainRoutes(console: console).add(to: router)
        AimRoutes(console: console).add(to: router)
        AssetRoutes(console: console).add(to: router)
        MetricsRoute(console: console).add(to: router)
        APIRoutes(console: console, pages: pages).add(to: router)
        refuseOtherMethods(router)
        return router
    }

    /// A page that is there but not for this method says so.
    private func refuseOtherMethods(_ router: Router<ConsoleContext>) {
        var methods: [String: Set<HTTPRequest.Method>] = [:]
        for route in router.routes { methods[route.path.description, default: []].insert(route.method) }
        for (path, known) in methods {
            let allowed = known.map(\.rawValue).sorted().joined(separator: ", ")
            for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] where !known.contains(method) {
                router.on(RouterPath(path), method: method) { _, _ -> Response in
                    throw ConsoleError(.methodNotAllowed, "error_method", allowed: allowed)
                }
            }
        }
    }

    /// Serves until the surrounding group shuts down. Should the port be taken, it is tried again: recording must not end
    /// because a page can't be shown.
    package func run() async throws {
        do {
            try console.alerts.noteHours(at: console.now)
        } catch {
            console.log.warning("since when the road is closed can't be kept", metadata: ["reason": "\(error)"])
        }
        let hub = console.hub
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await cancelWhenGracefulShutdown { await ChangeTeller(console: console).run() } }
            group.addTask { await cancelWhenGracefulShutdown { await SoundPlayer(console: console).run() } }
            group.addTask { await cancelWhenGracefulShutdown { await SampleKeeper(console: console).run() } }
            group.addTask {
                try await withGracefulShutdownHandler {
                    try await serve()
                } onGracefulShutdown: {
                    hub.finish()
                }
            }
            try await group.waitForAll()
        }
    }

    private func serve() async throws {
        let configuration = console.configuration
        if let problem = configuration.problem {
            console.log.error("the console is not served", metadata: ["reason": "\(problem)"])
            tell(ConsoleTrouble(message: "\(problem).", hint: ConsoleTrouble.mend))
            try await gracefulShutdown()
            return
        }
        await KeptServing.run {
            try await application().run()
        } failed: { error in
            console.log.error(
                "the console can't be served; it is tried again in 10 s",
                metadata: ["address": "\(configuration.address):\(configuration.port)", "error": "\(error)"])
            tell(ConsoleTrouble(error, configuration))
        }
    }

    /// Nobody at the post sees anything without it, and the box records all the same: it stands in `status` and among the alarms.
    private func tell(_ trouble: ConsoleTrouble?) {
        let alarms = console.store.alarms
        do {
            if let trouble {
                try alarms.raise(ConsoleTrouble.key, .critical, trouble.message, hint: trouble.hint, at: console.now)
            } else {
                try alarms.clear(ConsoleTrouble.key, at: console.now)
            }
        } catch {
            console.log.error("the alarm can't be written down", metadata: ["error": "\(error)"])
        }
    }

    private func application() throws -> some ApplicationProtocol {
        let configuration = console.configuration
        let onRunning = onRunning
        let log = console.log
        // A client that says nothing for a minute doesn't keep its connection; an event stream talks every 20 s.
        let count = console.connections
        let http = HTTPServerBuilder.http1(
            configuration: .init(additionalChannelHandlers: [ConnectionGate(count)], idleTimeout: .seconds(60)))
        let server = try configuration.certificatePath.map { certificate in
            try http.secured(certificate: certificate, key: configuration.keyPath ?? "")
        }
        return Application(
            router: router, server: server ?? http,
            configuration: .init(
                address: .hostname(configuration.address, port: configuration.port), serverName: "checkpost"),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                log.notice(
                    "the console is served",
                    metadata: [
                        "at": "\(configuration.hasTLS ? "https" : "http")://\(configuration.address):\(port)/"
                    ])
                tell(nil)
                await onRunning(port)
            }, logger: quiet)
    }

    /// Hummingbird tells of every start and stop; the journal needs one line.
    private var quiet: Logger {
        var log = console.log
        log.logLevel = .warning
        return log
    }
}

/// Turns what the store says into events.
struct ChangeTeller: Sendable {
    let console: Console

    /// What another process wrote (a correction on the command line) isn't told by the store: it is seen this much later.
    /// It is also the sign of life that keeps event streams open, and finds browsers that are gone.
    private static let interval = Duration.seconds(15)

    func run() async {
        let hub = console.hub
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await change in console.store.changes() {
                    if Task.isCancelled { return }
                    if !change.isDisjoint(with: [.passage, .match]) { hub.send("passage") }
                    if !change.isDisjoint(with: [.violation, .overstayAlert]) { hub.send("alert") }
                    if change.contains(.review) { hub.send("review") }
                    if !change.isDisjoint(with: [.queue, .alarm, .setting]) { hub.send("status") }
                }
            }
            group.addTask {
                for await passage in console.host.arrivedPictures {
                    hub.send("picture", "{\"passage\": \"\(passage.uuidString.lowercased())\"}")
                }
            }
            group.addTask {
                while (try? await Task.sleep(for: Self.interval)) != nil { hub.send("status") }
            }
            await group.waitForAll()
        }
    }
}
