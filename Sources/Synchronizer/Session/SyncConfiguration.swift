import Crypto
import Enforcement
import Foundation
import ParkAPI

/// Where the server is, and as whom the box signs in.
package struct SyncServer: Sendable {
    /// `https://park.example.org`
    package var url: String

    /// The key that a Supabase project wants with every request; nil for a server that needs none.
    package var apiKey: String?
    package var email: String

    /// Asked at each sign-in, so that a changed password needs no restart. It is in no message.
    package var password: @Sendable () throws -> Secret

    package var checkpostCode: String

    /// What the configuration says of the road; nil where nobody compares.
    package var configured: ConfiguredPlace?

    /// Names this box among those of the account: a host name or a machine's id.
    package var deviceID: String
    package var appVersion: String

    package init(
        url: String, apiKey: String? = nil, email: String, password: @escaping @Sendable () throws -> Secret,
        checkpostCode: String, configured: ConfiguredPlace? = nil, deviceID: String, appVersion: String
    ) {
        self.configured = configured
        self.url = url
        self.apiKey = apiKey
        self.email = email
        self.password = password
        self.checkpostCode = checkpostCode
        self.deviceID = deviceID
        self.appVersion = appVersion
    }
}

extension SyncServer {
    /// An id that follows from a name and this device.
    func stableID(_ name: String) -> UUID {
        let name = "\(deviceID) \(email) \(name)"
        var bytes = Array(SHA256.hash(data: Data(name.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0f | 0x80
        bytes[8] = bytes[8] & 0x3f | 0x80
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}

/// The names by which people sign in at the box.
package enum AccountName {
    /// The account's e-mail address: a name without a domain has that of the box's own account.
    package static func email(_ name: String, besides own: String) -> String {
        guard !name.contains("@"), let at = own.firstIndex(of: "@") else { return name }
        return name + own[at...]
    }
}

/// What may change while the engine runs.
package struct SyncSettings: Sendable, Equatable {
    package var interval = TimeSpan.seconds(30)
    package var queue = SyncQueue.Settings()
    package var link = LinkMonitor.Settings()

    /// How far apart two passages of one vehicle may be.
    package var window = PassageMatcher.defaultWindow

    /// How much older than the window passages are still fetched: the other post may have been offline.
    package var windowBuffer = TimeSpan.hours(24)

    /// How far pages overlap against a server without sequence numbers.
    package var overlap = TimeSpan.seconds(10)

    /// Rows a page; at most as many.
    package var pageSize = ContractLimits.rowsAPage
    package var maximumPagesACycle = 40
    package var maximumPhotoBytes = ContractLimits.photoBytes
    package var photosACycle = 20

    /// When photos go, where the link is paid by the megabyte.
    package var photoAllowance = PhotoAllowance()

    /// How often segments, checkposts and settings are asked for.
    package var referenceInterval = TimeSpan.minutes(5)

    /// How often box and server compare what they have, and of how many days.
    package var comparisonInterval = TimeSpan.hours(12)
    package var comparedDays = 90

    /// How far the box's clock may be from the server's before it is an alarm.
    package var maximumSkew = TimeSpan.seconds(10)

    package init() {}
}
