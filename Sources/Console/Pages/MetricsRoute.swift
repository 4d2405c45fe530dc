import Enforcement
import Hummingbird
import NIOCore
import Pages

/// `/metrics`: how the box is, for the program that watches many. It asks nobody to sign in, and answers no one but this machine
/// and those that the configuration names.
struct MetricsRoute: Sendable {
    let console: Console

    /// Several that ask at once get one answer: counting costs a little.
    private let kept = KeptText()
    private static let freshness = TimeSpan.seconds(5)

    init(console: Console) {
        self.console = console
    }

    static func mayRead(_ address: String, _ configuration: ConsoleConfiguration) -> Bool {
        // An IPv4 address, as a socket for both kinds has it.
        let plain = address.hasPrefix("::ffff:") ? String(address.dropFirst("::ffff:".count)) : address
        return ConsoleContext.isAtPost(address) || configuration.metricsFrom.contains(plain)
    }

    func add(to router: Router<ConsoleContext>) {
        router.get("/metrics") { _, context in
            guard Self.mayRead(context.address, console.configuration) else { throw ConsoleError.notFound }
            let text = await kept.text(at: console.now, newerThan: Self.freshness) { await console.host.metrics() }
            return Response(
                status: .ok,
                headers: [.contentType: PrometheusText.contentType, .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: text)))
        }
    }
}
