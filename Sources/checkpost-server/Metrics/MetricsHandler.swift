import CVersion
import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// `/metrics`: how the server and its posts are, for the program that watches many. It asks nobody to sign in, and answers no one but this
/// machine and those that the configuration names.
package struct MetricsHandler: Sendable {
    private let gateway: Gateway
    private let kept = KeptText()
    private static let freshness = TimeSpan.seconds(5)

    package init(_ gateway: Gateway) {
        self.gateway = gateway
    }

    package func addRoutes(to router: Router<GatewayContext>) {
        router.on("/metrics", method: .get) { request, context in
            guard mayRead(request, context) else {
                throw APIError(.notFound, "PGRST205", "There is no /metrics for you")
            }
            let text = await kept.text(at: Warden.now, newerThan: Self.freshness) { await figures() }
            return Response(
                status: .ok,
                headers: [.contentType: PrometheusText.contentType, .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: text)))
        }
    }

    /// Behind a proxy that the configuration doesn't name everybody has the proxy's address.
    private func mayRead(_ request: Request, _ context: GatewayContext) -> Bool {
        let isForwarded = request.headers[.forwardedFor] != nil
        guard !isForwarded || !gateway.settings.trustedProxies.isEmpty else { return false }
        return gateway.figureReaders.has(context.address) == true
    }

    private func figures() async -> String {
        var text = PrometheusText()
        text.gauge(
            "checkpost_server_info", "The version that runs.", [(["version": String(cString: checkpost_version())], 1)])
        requests(&text)
        let pools =
            [("write", gateway.pool), ("read", gateway.readPool), ("sign_in", gateway.signInPool)]
            + (gateway.replica.map { [("replica", $0.pool)] } ?? [])
        if let (isAsked, reads) = gateway.replica?.figures {
            text.gauge("checkpost_server_replica_up", "1 while the copy of the database is asked.", isAsked ? 1 : 0)
            text.counter("checkpost_server_replica_reads_total", "Pages that it answered.", [([:], Double(reads))])
        }
        text.gauge(
            "checkpost_server_database_waiting", "Work that waits for a connection of PostgreSQL.",
            pools.map { (["pool": $0.0], Double($0.1.figures.waiting)) })
        text.gauge(
            "checkpost_server_database_working", "Connections of PostgreSQL at work.",
            pools.map { (["pool": $0.0], Double($0.1.figures.working)) })
        text.gauge(
            "checkpost_server_photos_up", "1 while the storage of the photos does what it is asked.",
            gateway.photos.storage.trouble == nil ? 1 : 0)
        if let modem = gateway.modemHealth.now {
            text.gauge(
                "checkpost_server_modem_ready", "1 while the server's modem takes texts.", modem.stage == .ready ? 1 : 0
            )
            text.gauge(
                "checkpost_server_modem_signal_dbm", "Strength of the mobile network.", modem.signalDBm.map(Double.init)
            )
        }
        await records(&text)
        return text.description
    }

    private func requests(_ text: inout PrometheusText) {
        let (answered, seconds) = gateway.figures.all
        let parts = RequestFigures.Part.allCases
        text.counter(
            "checkpost_server_requests_total", "Requests that were answered, by part and class of the status.",
            parts.flatMap { part in
                (answered[part] ?? [:]).sorted { $0.key < $1.key }.map { status, count in
                    (["part": part.rawValue, "status": "\(status)xx"], Double(count))
                }
            })
        text.counter(
            "checkpost_server_request_seconds_total", "How long they took together.",
            parts.compactMap { part in seconds[part].map { (["part": part.rawValue], $0) } })
        text.gauge("checkpost_server_connections", "Connections of clients.", Double(gateway.connections.inUse))
        text.gauge(
            "checkpost_server_requests_under_way", "Requests that are being answered.",
            Double(gateway.requestsUnderWay.inUse))
        text.gauge("checkpost_server_body_bytes", "What their bodies take.", Double(gateway.bodyMemory.inUse))
    }

    private func records(_ text: inout PrometheusText) async {
        let now = Warden.now
        let today = NepalTime.start(ofDay: NepalTime.day(now)) ?? now
        let found = try? await gateway.transaction(as: .service, readsOnly: true) { connection in
            (
                try TodayFigures.counts(connection, since: today), try TodayFigures.posts(connection, since: today),
                try connection.run("select extract(epoch from checkpost.last_backup())").scalar.flatMap(Double.init)
            )
        }
        text.gauge("checkpost_server_database_up", "1 while PostgreSQL answers.", found == nil ? 0 : 1)
        guard let (counts, posts, backup) = found else { return }
        if let counts {
            text.gauge("checkpost_server_passages_today", "Passages of today.", Double(counts.passages))
            text.gauge(
                "checkpost_server_violations_today", "Violations of today.",
                [(["kind": "speeding"], Double(counts.speeding)), (["kind": "overstay"], Double(counts.overstay))])
            text.gauge("checkpost_server_overstays_open", "Vehicles inside too long.", Double(counts.openOverstays))
            text.gauge("checkpost_server_inside", "Vehicles lawfully inside.", Double(counts.inside))
        }
        text.gauge("checkpost_server_backup_timestamp_seconds", "When the last backup was made.", backup)
        func each(_ value: (TodayFigures.Post) -> Double?) -> [PrometheusText.Sample] {
            posts.compactMap { post in value(post).map { (["post": post.code], $0) } }
        }
        text.gauge(
            "checkpost_server_post_last_seen_timestamp_seconds", "When a post was heard of.",
            each { $0.lastSeen.map { Double($0.value) / 1e6 } })
        text.gauge(
            "checkpost_server_post_last_passage_timestamp_seconds", "The newest passage of a post.",
            each { $0.lastPassage.map { Double($0.value) / 1e6 } })
        text.gauge("checkpost_server_post_queue", "What waits at a post.", each { $0.waiting.map(Double.init) })
        text.gauge("checkpost_server_post_reviews", "What waits for its rangers.", each { $0.reviews.map(Double.init) })
        text.gauge("checkpost_server_post_passages_today", "Its passages of today.", each { Double($0.passages) })
        text.gauge(
            "checkpost_server_post_evidence_problems", "What is wrong with its chain, in 30 days.",
            each { Double($0.evidenceProblems) })
    }
}
