import Capture
import Console
import Enforcement
import Foundation

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
    var sms: SMS?
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
    }

    struct SMS: Sendable {
        var gatewayNumber: String
        var device: String
    }

    var databasePath: String { dataFolder + "/checkpost.sqlite" }
}
