import Capture
import Console
import Enforcement
import Foundation
import Synchronizer

/// What a checkpost is told about itself: the file `checkpost.toml`.
package struct Configuration: Sendable {
    /// Where the file is unless told otherwise.
    package static let defaultPath = "/etc/checkpost/checkpost.toml"

    package var post = Checkpost(code: "POST-A", name: "Post", positionIndex: 0)

    /// The code of the checkpost at the other end.
    package var otherPostCode = "POST-B"

    /// What alarms may be about.
    var alarmScope: AlarmScope {
        AlarmScope(
            cameras: Set(cameras.map(\.name)), hasServer: server != nil, hasModem: modem != nil,
            hasTexts: hasTexts,
            hasTrigger: trigger != nil, hasPeer: peer != nil)
    }

    /// What it says of the road, to be held against the server's word.
    package var place: ConfiguredPlace {
        ConfiguredPlace(code: post.code, otherCode: otherPostCode, position: post.positionIndex)
    }

    package var segment = Segment(name: "Segment", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10)
    /// Where it records: the data folder, or the one that stands in for it while its disk is away.
    package var dataFolder = "/var/lib/checkpost"

    /// The data folder, as the file has it.
    package var homeFolder = "/var/lib/checkpost"

    /// On another disk; nil for the usual one, where there is one.
    var spareFolder: String?
    package var cameras: [CameraConfiguration] = []
    package var reader = Reader()
    package var matcher = PassageMatcher()
    package var server: Server?
    package var sync = SyncSettings()
    package var retention = RetentionSettings()

    /// Nil when no backups are made.
    var backup: BackupPlace?

    /// Whose packages are taken for updates; nil when none are.
    var updateKey: UpdateSignature?
    package var sms = SMS()
    package var modem: Modem?

    /// Nil without a loop or a radar.
    package var trigger: Trigger?

    /// Nil where the two posts have no direct link.
    package var peer: PeerSettings?

    /// Nil when no page is served.
    package var console: ConsoleConfiguration?

    /// Whether the times of pictures are taken as right, as replay does: for demonstrations and tests.
    package var isClockSimulated = false
    package var logLevel = "info"

    package init() {}

    package struct Reader: Sendable {
        /// The country whose plates are likelier here.
        package var country: String? = "np"
        package var models: String?
        package var tracking = SightingTracker.Settings()
    }

    package struct Server: Sendable {
        package var url: String
        package var email: String
        package var passwordFile: String

        /// The key that a Supabase project wants with every request. It is no secret.
        package var anonKey: String?

        /// Certificates that are trusted instead of the system's.
        package var caFile: String?
    }

    /// When and where passages go by SMS.
    package struct SMS: Sendable {
        /// nil: nothing is sent.
        package var gatewayNumber: String?

        /// The phone of the box's account; its last four digits go into each message.
        package var rangerPhone: String?

        /// How long the server has to be out of reach, and a passage to wait.
        package var after = TimeSpan.minutes(5)

        /// An older passage waits for the data link.
        package var longestAge = TimeSpan.hours(24)
        package var hourlyLimit = 200
        package var dailyLimit = 1000
        package var warningPercent = 80

        /// Whether a message whose answer was lost is sent once more.
        package var repeatsLost = true
    }

    /// The GSM modem; its PIN is in no description.
    package struct Modem: Sendable, CustomStringConvertible {
        /// A path, or `auto`.
        package var device: String
        package var speed = 115_200
        package var pin: Secret?
        package var serviceCentre: String?
        package var usesHardwareFlowControl = false

        /// Whether texts may go over another operator's network, at its price.
        package var allowsRoaming = false

        /// A command that takes the modem's power away for some seconds; empty where there is none.
        package var powerCycle: [String] = []

        /// What is dialled to hear what the SIM has left, and how little of it is told as an alarm.
        package var balanceCode: String?
        package var lowBalance = 50.0

        package var description: String { "modem at \(device), \(speed) baud" }
    }

    /// A loop detector or a radar on a serial line.
    package struct Trigger: Sendable, Equatable {
        /// A path.
        package var device: String
        package var speed = 9600

        /// Whose vehicles pass it; nil for those of all cameras.
        package var camera: String?

        /// So long before or after its event a vehicle is before the camera.
        package var window = TimeSpan.seconds(15)

        /// Without any frame for so long there is an alarm; nil for never.
        package var silentAfter: TimeSpan? = .seconds(60)
    }

    /// The direct link to the other post.
    package struct PeerSettings: Sendable, Equatable {
        /// Where this post listens.
        package var address = "0.0.0.0"
        package var port = 8460

        /// Without a word of the other post for so long there is an alarm.
        package var silentAfter = TimeSpan.minutes(10)

        /// A photo goes over it that small; 0 for none.
        package var photoBytes = 100 << 10

        /// Whether the records of each post go through the other one while it has no link of its own.
        package var relays = true
    }

    package var databasePath: String { dataFolder + "/checkpost.sqlite" }
}
