import Enforcement
import Foundation
import Paper

/// What the console needs from the rest of the appliance. `checkpost` fulfils it.
package protocol ConsoleHost: Sendable {
    /// Finds and reads the plates of a picture, the likeliest first.
    func read(_ picture: Data) async throws -> ConsoleReading

    /// Finds, reads and measures the plates of a picture: the one that matters most first.
    ///
    /// - Parameter camera: what its mask hides is left out.
    func look(at picture: Data, of camera: String) async throws -> ConsoleLook

    /// What is left out of a camera's pictures, as the configuration has it.
    func mask(of camera: String) -> PictureMask

    /// What a vehicle that comes towards a camera does, as the configuration has it; nil where it says nothing.
    func approaching(of camera: String) -> Travel?

    /// Whether a camera sends pictures only when something moves: then an old one is no sign that it is gone.
    func sendsOnMotion(_ camera: String) -> Bool

    /// Width and height in pixels as the picture's header says; nil when it is no picture.
    func size(of picture: Data) -> (width: Int, height: Int)?

    /// A picture as it is put on paper, upright.
    ///
    /// - Parameter asDots: for a printer, which takes no files: decoded, not larger than it has dots.
    /// - Returns: nil for what is no picture.
    func paper(_ picture: Data, asDots: Bool) -> PaperPicture?

    /// Matches passages that were just recorded.
    func match(_ passages: [Passage])

    /// The road between the posts with its limits as they are now; nil where it isn't known.
    func segment() async throws -> Segment?

    /// How far the box's clock can be believed now.
    var time: StampedState { get }

    /// How cameras, link, modem and disk are.
    func status() async -> ConsoleStatus

    /// Asks the server whether somebody may sign in. Nil when no server is configured.
    func signInAtServer(name: String, password: Secret) async -> ServerVerdict?

    /// How the box is, as Prometheus reads it.
    func metrics() async -> String

    /// Starts a synchronization now. False when there is none to start.
    func synchroniseNow() async -> Bool

    /// Sends a test message.
    ///
    /// - Parameter number: where to; nil for the number that passages go to.
    func sendTestSMS(to number: String?) async -> TestSMS

    /// How the direct link to the other post is; nil where there is none.
    func peer() async -> PeerStanding?

    /// Makes a code to be typed at the other post; nil without a direct link.
    ///
    /// - Parameter forGuest: of a box that this one is to lend its link to.
    func makePeerCode(forGuest: Bool) throws -> String?

    /// Pairs this post with the one that shows a code.
    ///
    /// - Parameter asHub: it lends this box its link, and is not the other post.
    func joinPeer(address: String, code: String, asHub: Bool) async -> PeerJoining

    /// The last lines of the appliance's log, the newest last.
    func logLines() async -> [String]

    /// Asks for the picture of a passage of the other post that isn't here. It returns at once.
    func wantPicture(ofOtherPost passage: UUID) -> PictureNews

    /// The passages whose pictures have come; read once.
    var arrivedPictures: AsyncStream<UUID> { get }
}

extension ConsoleHost {
    package func signInAtServer(name: String, password: Secret) async -> ServerVerdict? { nil }
    package func paper(_ picture: Data, asDots: Bool) -> PaperPicture? { nil }
    package func segment() async throws -> Segment? { nil }
    package func mask(of camera: String) -> String { "" }
    package func approaching(of camera: String) -> Travel? { nil }
    package func sendsOnMotion(_ camera: String) -> Bool { false }
    package func synchroniseNow() async -> Bool { false }
    package func metrics() async -> String { "" }
    package func sendTestSMS(to number: String?) async -> TestSMS { .noModem }
    package func peer() async -> PeerStanding? { nil }
    package func makePeerCode(forGuest: Bool) throws -> String? { nil }
    package func joinPeer(address: String, code: String, asHub: Bool) async -> PeerJoining { .badAddress }
    package func logLines() async -> [String] { [] }
    package func wantPicture(ofOtherPost passage: UUID) -> PictureNews { .noServer }
    package var arrivedPictures: AsyncStream<UUID> { AsyncStream { $0.finish() } }
}

/// What came of asking for a test message.
package enum TestSMS: Sendable, Equatable {
    case noModem
    case badNumber
    /// In line for the modem; the list of messages says what becomes of it.
    case inLine(String)
    /// Others wait for the modem already.
    case enough
    case refused(String)
}

/// What was seen in a picture.
package struct ConsoleReading: Sendable {
    package var width: Int
    package var height: Int
    package var readings: [PlateReading]
    package var milliseconds: Double

    package init(width: Int, height: Int, readings: [PlateReading], milliseconds: Double) {
        self.width = width
        self.height = height
        self.readings = readings
        self.milliseconds = milliseconds
    }
}

/// How the plates of a picture stand in it.
package struct ConsoleLook: Sendable, Equatable {
    package var width: Int
    package var height: Int
    package var sights: [PlateSight]

    /// How many more stand where nothing is read.
    package var hiddenCount = 0

    package init(width: Int, height: Int, sights: [PlateSight]) {
        self.width = width
        self.height = height
        self.sights = sights
    }
}

/// What the server says of a sign-in.
package enum ServerVerdict: Sendable, Equatable {
    case accepted(fullName: String, isTechnician: Bool)
    case refused
    /// The password is right, and the account is deactivated or of another post.
    case closed
    /// No answer: nobody can be let in on the server's word now.
    case unreachable
}

/// How the appliance is, as the console shows it.
package struct ConsoleStatus: Sendable, Equatable, Codable {
    package struct Camera: Sendable, Equatable, Codable {
        package var name: String

        /// `live`, `silent`, `connecting`, `failed`: how the supervision calls it.
        package var phase: String
        package var failure: String?
        package var lastFrameAt: Instant?

        package init(name: String, phase: String, failure: String?, lastFrameAt: Instant?) {
            self.name = name
            self.phase = phase
            self.failure = failure
            self.lastFrameAt = lastFrameAt
        }
    }

    /// The three levels of connectivity, and a box that has no server.
    package enum Link: String, Sendable, Codable {
        case online
        case offline
        case sms
        case none
    }

    package var cameras: [Camera] = []
    package var link = Link.none

    /// Whether the server is reached through another box, since the box's own link is down.
    package var goesThroughOtherPost: Bool?

    /// The server's last good answer.
    package var offlineSince: Instant?

    /// 0 to 31 as the modem says it, nil when unknown or without a modem.
    package var modemSignal: Int?

    /// Whether texts are signed (V2), as the server wants it.
    package var signsTexts = false
    package var hasModem = false

    /// Whether texts go to a paired box, which keeps them for the server: there is no modem.
    package var givesTexts = false

    /// Whether there is a loop or a radar, which counts vehicles without a plate.
    package var hasTrigger = false
    package var clockState = ClockState.synchronised

    /// There is a modem, and no number that passages could be sent to.
    package var lacksGatewayNumber = false
    package var freeBytes: Int?
    package var version = ""

    /// Why nothing can be written into the database, with what to do. It can't be an alarm on record.
    package var databaseTroubles: [Trouble] = []

    package struct Trouble: Sendable, Equatable, Codable {
        package var message: String
        package var hint: String
        package var since: Instant

        package init(message: String, hint: String, since: Instant) {
            (self.message, self.hint, self.since) = (message, hint, since)
        }
    }

    package init() {}
}
