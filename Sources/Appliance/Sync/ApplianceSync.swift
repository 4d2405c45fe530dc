import Enforcement
import Foundation
import HTTPClient
import Logging
import MachineClock
import ParkAPI
import Storage
import Synchronizer

/// Puts the synchronization together for this post.
package enum ApplianceSync {
    /// The engine towards the configured server, and what ends its request under way. It is to be used by one thread.
    ///
    /// - Returns: nil when no server is configured.
    /// - Throws: `StoreError`.
    package static func makeEngine(
        _ configuration: Configuration, store: Store, log: Logger
    ) throws -> (engine: SyncEngine, cancellation: HTTPCancellation)? {
        try makeEngine(configuration, store: store, fault: PartFault(text: ""), meter: DataMeter(), log: log)
    }

    private static func makeEngine(
        _ configuration: Configuration, store: Store, fault: PartFault, meter: DataMeter, log: Logger
    ) throws -> (engine: SyncEngine, cancellation: HTTPCancellation)? {
        guard let server = configuration.server else { return nil }
        let cancellation = HTTPCancellation()
        let transport = transport(to: server, configuration, store: store, cancellation, meter: meter, log: log)
        let (settings, _) = SyncTuning.settings(of: configuration.sync, under: try ServerSettings(store))
        let engine = try SyncEngine(
            store: store, transport: StruckTransport(transport, fault: fault),
            server: SyncServer(
                url: server.url, apiKey: server.anonKey, email: server.email,
                password: { try SecretFile.firstLine(of: server.passwordFile) }, checkpostCode: configuration.post.code,
                configured: configuration.place,
                deviceID: ProcessInfo.processInfo.hostName, appVersion: Version.text),
            settings: settings, tokens: TokenStore(path: configuration.dataFolder + "/server.tokens"),
            surroundings: SyncNeighbours(configuration, store: store, log: log), meter: meter)
        return (engine, cancellation)
    }

    /// The box's own link, and the way through another box where one may lend it.
    private static func transport(
        to server: Configuration.Server, _ configuration: Configuration, store: Store, _ cancellation: HTTPCancellation,
        meter: DataMeter, log: Logger
    ) -> any SyncTransport {
        let own = ServerTransport(
            url: server.url, certificateFile: server.caFile, cancellation: cancellation, meter: meter)
        // Without TLS the other box would read the password, and could say that it has what it has not.
        guard let peer = configuration.peer, peer.relays, ServerPlace(url: server.url)?.isSealed == true else {
            return own
        }
        let way = PeerWay(to: server, otherPost: configuration.otherPostCode, store: store, cancellation)
        return RoutedTransport(
            own: own, peer: way, uptime: { MachineClock.uptime }
        ) { route in
            switch route {
            case .own: log.notice("the server is reached over this box's own link again")
            case .peer:
                log.notice(
                    "the server is reached through another box", metadata: ["post": "\(way.lender ?? "")"])
            }
        }
    }

    /// What fetches the other post's pictures for the console: from the server, and then from the other post itself.
    ///
    /// - Returns: nil when neither is configured.
    static func makePictureFetcher(_ configuration: Configuration, store: Store) -> PictureFetcher? {
        var sources: [any PictureSource] = []
        if let server = configuration.server {
            sources.append(
                ServerPictures(
                    server: .init(
                        url: server.url, certificateFile: server.caFile, apiKey: server.anonKey, email: server.email),
                    tokens: TokenStore(path: configuration.dataFolder + "/server.tokens")))
        }
        if let peer = configuration.peer, peer.photoBytes > 0 {
            sources.append(PeerPictures(settings: peer, otherPost: configuration.otherPostCode, store: store))
        }
        let pictures = OtherPostPictures(folder: URL(fileURLWithPath: configuration.dataFolder))
        return sources.isEmpty ? nil : PictureFetcher(sources: sources, pictures: pictures)
    }

    /// - Returns: nil when no server is configured.
    static func makeService(
        _ configuration: Configuration, store: Store, fault: PartFault, log: Logger
    ) throws -> SyncService? {
        // One for both connections: the month's data is that of the link.
        let meter = DataMeter()
        return try makeEngine(configuration, store: store, fault: fault, meter: meter, log: log).map {
            SyncService(
                $0.engine,
                changeLine: configuration.server.map {
                    ServerChangeLine(url: $0.url, certificateFile: $0.caFile, meter: meter)
                }, cancellation: $0.cancellation)
        }
    }
}

/// A transport that fails where a test has asked for it, and is the real one otherwise.
private final class StruckTransport: SyncTransport {
    private let transport: any SyncTransport
    private let fault: PartFault

    init(_ transport: any SyncTransport, fault: PartFault) {
        self.transport = transport
        self.fault = fault
    }

    func perform(_ request: SyncRequest) -> ServerExchange {
        fault.strike(.work)
        return transport.perform(request)
    }

    var isThroughPeer: Bool { transport.isThroughPeer }
    func networkChanged() { transport.networkChanged() }
}

/// A secret in the first line of a file.
package enum SecretFile {
    private static let maximumBytes = 4096

    /// - Throws: `AdvisedError`, without what is in the file.
    package static func firstLine(of path: String) throws -> Secret {
        guard let content = FileManager.default.contents(atPath: path), content.count < maximumBytes,
            let line = String(data: content, encoding: .utf8)?.split(whereSeparator: \.isNewline).first
        else {
            throw AdvisedError(
                "\(path) can't be read or is empty.",
                hint: "Put the password into its first line, for this user to read.")
        }
        return Secret(String(line))
    }
}
