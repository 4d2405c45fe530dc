import Console
import Enforcement
import Foundation
import Logging
import Modem
import Paper
import Recognition
import Storage
import Synchronizer

/// Gives the console what it needs of the rest of the appliance.
struct ApplianceHost: ConsoleHost {
    let configuration: Configuration
    let store: Store
    private let matching: MatchingService
    let folder: RunFolder
    private let pictures: PictureFetcher?
    private let reader: PictureReader
    private let log: Logger
    private let readTime: @Sendable () -> StampedState

    init(
        configuration: Configuration, store: Store, folder: RunFolder, pictures: PictureFetcher?, log: Logger
    ) {
        self.log = log
        self.configuration = configuration
        self.store = store
        self.folder = folder
        self.pictures = pictures
        readTime = configuration.hostTime(store)
        matching = MatchingService(store: store, configuration: configuration)
        reader = PictureReader(models: configuration.reader.models, country: configuration.reader.country)
    }

    func read(_ picture: Data) async throws -> ConsoleReading { try await reader.read(picture) }

    func look(at picture: Data, of camera: String) async throws -> ConsoleLook {
        var look = try await reader.look(at: picture)
        let mask = try store.cameraMasks.mask(of: camera)?.mask ?? configuration.mask(of: camera)
        let all = look.sights.count
        look.sights.removeAll { mask.hides($0.box, width: look.width, height: look.height) }
        look.hiddenCount = all - look.sights.count
        return look
    }

    func mask(of camera: String) -> PictureMask { configuration.mask(of: camera) }
    func approaching(of camera: String) -> Travel? { configuration.approaching(of: camera) }

    /// One that may be silent for ever: a folder that a camera fills, or where the technician said so.
    func sendsOnMotion(_ camera: String) -> Bool {
        configuration.cameras.contains { $0.name == camera && $0.silentAfter == nil }
    }

    func size(of picture: Data) -> (width: Int, height: Int)? {
        (try? ImageDecoder.size(of: picture)).map { ($0.width, $0.height) }
    }

    func paper(_ picture: Data, asDots: Bool) -> PaperPicture? {
        guard let size = size(of: picture) else { return nil }
        if !asDots, let file = PaperPicture(file: picture) { return file }
        // A receipt has 576 dots at most.
        let reduction = asDots ? [8, 4, 2].first { size.width / $0 >= 576 } ?? 1 : 1
        guard let image = try? ImageDecoder.decode(picture, minimumReduction: reduction).image else { return nil }
        return try? PaperPicture(.gray(image.pixels), width: image.width, height: image.height)
    }

    /// A match that fails now is tried again with the next round: the passages stay on the list of what is to be matched.
    func match(_ passages: [Passage]) {
        do {
            _ = try matching.match(passages, at: BoxClock.now)
        } catch {
            log.error("matching failed; it is tried again", metadata: ["error": "\(error)"])
        }
    }

    func segment() async throws -> Segment? { try matching.segment() }

    var time: StampedState { readTime() }

    func status() async -> ConsoleStatus {
        var status = ConsoleStatus()
        status.cameras = configuration.cameras.map { camera(named: $0.name) }
        if let link = PartNews.read(of: .sync, in: folder) {
            status.offlineSince = link.link?.offlineSince
            status.goesThroughOtherPost = link.link?.isThroughPeer
            status.link =
                switch link.link?.level {
                case LinkMonitor.Level.online.rawValue: .online
                case LinkMonitor.Level.sms.rawValue: .sms
                default: .offline
                }
            if link.age() > PartNews.oldAfter, status.link == .online {
                // Nobody knows how the link is: what was known last is as old as the news.
                status.link = .offline
                status.offlineSince = link.link?.lastSuccessAt
            }
        }
        status.hasModem = configuration.modem != nil
        status.hasTrigger = configuration.trigger != nil
        if status.hasModem, configuration.sms.gatewayNumber == nil {
            // Where the settings can't be read nobody knows what the server has set.
            status.lacksGatewayNumber = (try? ServerSettings(store).gatewayNumber == nil) ?? false
        }
        let sms = PartNews.read(of: .sms, in: folder)?.sms
        // Without a key, or paired with none, none takes them.
        status.givesTexts = configuration.textsGoToPairedBox && sms.map { $0.state != .off } ?? false
        // What the modem told as 0 to 31 is 113 dBm below and 2 dB a step (3GPP TS 27.007, +CSQ).
        status.modemSignal = sms?.modem?.signalDBm.map {
            min(31, max(0, ($0 + 113) / 2))
        }
        status.signsTexts = store.textKey.read() != nil
        status.clockState = time.clockState
        status.freeBytes = DiskSpace.freeBytes(at: configuration.dataFolder)
        status.version = Version.text
        status.databaseTroubles = StatusBoard.databaseProblems(in: folder).map {
            .init(message: $0.message, hint: $0.hint ?? "", since: $0.since ?? BoxClock.now)
        }
        return status
    }

    /// A camera whose part says nothing is not connected, whatever it said last.
    private func camera(named name: String) -> ConsoleStatus.Camera {
        guard let news = PartNews.read(of: .camera(name), in: folder), let camera = news.camera else {
            return .init(
                name: name, phase: CameraSupervision.Phase.connecting.rawValue, failure: nil, lastFrameAt: nil)
        }
        guard news.age() <= PartNews.oldAfter else {
            return .init(
                name: name, phase: CameraSupervision.Phase.failed.rawValue,
                failure: "The camera's part has said nothing for \(Wording.span(news.age()))",
                lastFrameAt: camera.lastFrameAt)
        }
        return .init(
            name: camera.name, phase: camera.phase, failure: camera.failure, lastFrameAt: camera.lastFrameAt)
    }

    func logLines() async -> [String] { LogRing.lines(folder) }

    func metrics() async -> String {
        MetricsText(StatusReport.gather(configuration, store), clock: time.clockState).description
    }

    func synchroniseNow() async -> Bool {
        guard configuration.server != nil else { return false }
        do {
            try SyncRequestFile.make(folder: configuration.dataFolder)
            return true
        } catch {
            log.error("a cycle can't be asked for", metadata: ["error": "\(error)"])
            return false
        }
    }

    func signInAtServer(name: String, password: Secret) async -> ServerVerdict? {
        guard let server = configuration.server else { return nil }
        return await ServerSignIn(server: server, checkpostCode: configuration.post.code).ask(name, password)
    }

    /// The appliance has the modem: it finds the message in the database and sends it.
    func sendTestSMS(to wanted: String?) async -> TestSMS {
        guard configuration.modem != nil else { return .noModem }
        let number: PhoneNumber
        if let wanted {
            guard let typed = PhoneNumber(wanted) else { return .badNumber }
            number = typed
        } else {
            guard let gateway = configuration.sms.gatewayNumber.flatMap(PhoneNumber.init) else { return .badNumber }
            number = gateway
        }
        let now = BoxClock.now
        let text = "Checkpost \(configuration.post.code) test \(now.nepalText)"
        do {
            let id = try store.messages.addTest(to: "\(number)", text: text, at: now)
            return .inLine("The test message \(id) is in line; the list says what becomes of it.")
        } catch let error as StoreError where error.kind == .refused {
            return .enough
        } catch {
            return .refused("\(error)")
        }
    }

    func wantPicture(ofOtherPost passage: UUID) -> PictureNews {
        guard let pictures else { return .noServer }
        return switch pictures.want(passage) {
        case nil, .here: .asked
        case .notYet: .notYet
        case .silent: .unreachable
        }
    }

    var arrivedPictures: AsyncStream<UUID> { pictures?.arrived ?? AsyncStream { $0.finish() } }
}

/// Reads single pictures for people. Its models are loaded when the first one comes, and it reads one at a time.
private actor PictureReader {
    private let models: String?
    private let country: String?
    private var recognizer: PlateRecognizer?

    /// What was looked at last: several pages ask for the same picture.
    private var last: (picture: Data, look: ConsoleLook)?

    init(models: String?, country: String?) {
        self.models = models
        self.country = country
    }

    private func loaded() throws -> PlateRecognizer {
        let recognizer = try self.recognizer ?? PlateRecognizer(models: models, country: country)
        self.recognizer = recognizer
        return recognizer
    }

    func look(at picture: Data) throws -> ConsoleLook {
        if let last, last.picture == picture { return last.look }
        let (result, sights) = try loaded().sights(in: picture)
        let look = ConsoleLook(width: result.width, height: result.height, sights: sights)
        last = (picture, look)
        return look
    }

    func read(_ picture: Data) throws -> ConsoleReading {
        let result = try loaded().recognize(picture)
        return ConsoleReading(
            width: result.width, height: result.height, readings: result.readings,
            milliseconds: result.times.totalMs)
    }
}
