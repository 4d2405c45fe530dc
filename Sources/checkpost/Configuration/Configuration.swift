import Capture
import Console
import Enforcement
import Foundation
import Synchronizer

/// What a checkpost is told about itself: the file `checkpost.toml`.
struct Configuration: Sendable {
    /// Where the file is unless told otherwise.
    static let defaultPath = "/etc/checkpost/checkpost.toml"

    var post = Checkpost(code: "POST-A", name: "Post", positionIndex: 0)

    /// The code of the checkpost at the other end.
    var otherPostCode = "POST-B"

    var segment = Segment(name: "Segment", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10)
    var dataFolder = "/var/lib/checkpost"
    var cameras: [CameraConfiguration] = []
    var reader = Reader()
    var matcher = PassageMatcher()
    var server: Server?
    var sync = SyncSettings()
    var sms = SMS()
    var modem: Modem?

    /// Nil when no page is served.
    var console: ConsoleConfiguration?

    /// Whether the times of pictures are taken as right, as replay does: for demonstrations and tests.
    var isClockSimulated = false
    var logLevel = "info"

    struct Reader: Sendable {
        /// The country whose plates are likelier here.
        var country: String? = "np"
        var models: String?
        var tracking = SightingTracker.Settings()
    }

    struct Server: Sendable {
        var url: String
        var email: String
        var passwordFile: String

        /// The key that a Supabase project wants with every request. It is no secret.
        var anonKey: String?

        /// Certificates that are trusted instead of the system's.
        var caFile: String?
    }

    /// When and where passages go by SMS.
    struct SMS: Sendable {
        /// nil: nothing is sent.
        var gatewayNumber: String?

        /// The phone of the box's account; its last four digits go into each message.
        var rangerPhone: String?

        /// How long the server has to be out of reach, and a passage to wait.
        var after = TimeSpan.minutes(5)
        var hourlyLimit = 200
        var dailyLimit = 1000
        var warningPercent = 80

        /// Whether a message whose answer was lost is sent once more.
        var repeatsLost = true
    }

    /// The GSM modem; its PIN is in no description.
    struct Modem: Sendable, CustomStringConvertible {
        /// A path, or `auto`.
        var device: String
        var speed = 115_200
        var pin: Secret?
        var serviceCentre: String?
        var usesHardwareFlowControl = false

        var description: String { "modem at \(device), \(speed) baud" }
    }

    var databasePath: String { dataFolder + "/checkpost.sqlite" }
}
