import Crypto
import Enforcement
import Foundation
import Modem

/// What the operator decides. Every value has a bound, checked when the file is read.
package struct Settings: Sendable, Equatable {
    package var host = "127.0.0.1"
    package var port = 8000
    /// How clients reach this server: it goes into `keys --env`.
    package var publicURL = "http://127.0.0.1:8000"
    /// Addresses and networks whose word on the client's address is taken: `X-Forwarded-For` of anybody else is ignored.
    package var trustedProxies: [String] = []

    /// The certificate and its key, in PEM, where no proxy stands before the server.
    package var certificateFile: String?
    package var keyFile: String?

    /// The gateway's own connection; as the role `authenticator` it may do nothing but become a client's role.
    package var databaseURL: Secret = ""
    /// The connection of the tables' owner, for `migrate`, `seed` and `user`. Without it the gateway's is used.
    package var ownerURL: Secret?
    /// A standby of the database, for the warden's pages. Without it the primary answers all.
    package var replicaURL: Secret?
    /// How long a page waits for the standby to have what the primary has.
    package var replicaWaitSeconds = 0.5
    package var poolSize = 8
    package var readPoolSize = 4
    package var statementTimeoutSeconds = 10.0

    package var jwtSecret: Secret = ""
    /// What was signed with these is good still: clients get new keys one after the other.
    package var formerSecrets: [Secret] = []
    package var accessTokenMinutes = 60
    package var refreshTokenDays = 30

    /// How long somebody stays signed in at the warden's page without doing anything there.
    package var wardenSessionHours = 12.0
    /// Whether what rangers change waits on the warden's page for somebody to look at it.
    package var wardenFourEyes = false

    /// Twilio's auth token, with which it signs. Without it every SMS is refused.
    package var smsAuthToken: Secret?
    /// The URL that Twilio was given, when a proxy hides it.
    package var smsPublicURL: String?

    /// With which a gateway of the park's own choice signs texts. Without it none is taken that way.
    package var smsInboxSecret: Secret?

    /// A GSM modem at the server; nil where there is none.
    package var textModem: TextModem?

    package struct TextModem: Sendable, Equatable {
        /// A path, or `auto`.
        package var device: String
        package var speed = 115_200
        package var pin: Secret?
        /// Of what waits for the database, and of what is remembered of PIN and port.
        package var folder = "/var/lib/checkpost-server/texts"
    }

    /// Of the photos; with ``photoBucket`` of what is small and of what is being read.
    package var photoFolder = "/var/lib/checkpost-server/photos"
    /// Where the photos lie instead. Nil: in the folder.
    package var photoBucket: S3Place?
    /// Not for the operator.
    package var photoPatience = S3Bucket.Patience()

    /// Where packages lie that are offered to the boxes.
    package var updateFolder = "/var/lib/checkpost-server/updates"

    /// Zero turns a limit off.
    package var signInPerMinute = 10
    package var requestsPerSecond = 500
    package var bodyBytes = 2 * 1024 * 1024
    package var photoBytes = 2 * 1024 * 1024
    package var rows = 1000
    package var connections = 1000
    package var connectionsPerAddress = 100
    /// What the bodies of all requests under way may take up together.
    package var bodyMemoryBytes = 64 << 20

    /// Where `backup` puts its copies, and how many stay. Without a folder it is named each time.
    package var backupFolder: String?
    /// The same in S3-compatible storage.
    package var backupBucket: S3Place?
    package var backupsKept = 14

    /// How long what is kept.
    package var keptDays = KeptDays()

    /// Addresses and networks that may read `/metrics`.
    package var metricsFrom = ["127.0.0.1", "::1"]

    /// Zero turns the round off, for a machine where a timer runs `check-overstay`.
    package var overstayIntervalMinutes = 15.0

    package init() {}

    /// A key for one purpose, made of the server's secret: what is signed with one is nothing under another.
    func key(for purpose: String) -> Data {
        let secret = SymmetricKey(data: Data(jwtSecret.revealed.utf8))
        return Data(HMAC<SHA256>.authenticationCode(for: Data(purpose.utf8), using: secret))
    }

    package struct Mistake: Error, CustomStringConvertible, Equatable {
        package var description: String
    }

    /// Says which value can't work, and what would.
    package func check() throws(Mistake) {
        func demand(_ holds: Bool, _ message: String) throws(Mistake) {
            if !holds { throw Mistake(description: message) }
        }
        try demand((0...65535).contains(port), "server.port is a number from 0 to 65535 (0: any free port).")
        _ = try TrustedProxies(trustedProxies)
        if let secret = smsInboxSecret {
            try demand(secret.revealed.utf8.count >= 32, "sms.inbox_secret needs 32 characters at least.")
        }
        if let modem = textModem {
            try demand(
                modem.device == "auto" || modem.device.hasPrefix("/"),
                "modem.device is \"auto\" or a whole path, such as /dev/serial/by-id/usb-modem.")
            try demand(SerialPort.canRun(at: modem.speed), "modem.speed is a speed of serial ports, such as 115200.")
        }
        try demand((1...1000).contains(backupsKept), "backup.keep is a number from 1 to 1000.")
        for (place, section) in [(photoBucket, "photo_bucket"), (backupBucket, "backup_bucket")] {
            if let complaint = place?.complaint(section) { throw Mistake(description: complaint) }
        }
        if let photoBucket, let backupBucket, photoBucket.host == backupBucket.host,
            photoBucket.bucket == backupBucket.bucket
        {
            let (one, other) = (photoBucket.prefix, backupBucket.prefix)
            try demand(
                !one.hasPrefix(other) && !other.hasPrefix(one),
                "photo_bucket and backup_bucket are one bucket: give each a prefix, and neither the beginning of the other."
            )
        }
        try demand(
            backupFolder == nil || backupBucket == nil,
            "backup.folder and backup_bucket.name are two places for the same: name one of them.")
        if let complaint = keptDays.complaint { throw Mistake(description: complaint) }
        _ = try AddressList(metricsFrom, key: "metrics.from")
        try demand(!databaseURL.isEmpty, "database.url is missing: how to reach PostgreSQL, as libpq takes it.")
        try demand((1...100).contains(poolSize), "database.pool_size is a number from 1 to 100.")
        try demand((1...100).contains(readPoolSize), "database.read_pool_size is a number from 1 to 100.")
        try demand((0...10).contains(replicaWaitSeconds), "database.replica_wait_seconds is from 0 to 10.")
        try demand(
            (0.1...600).contains(statementTimeoutSeconds), "database.statement_timeout_seconds is from 0.1 to 600.")
        try demand(
            jwtSecret.revealed.utf8.count >= 32,
            "auth.jwt_secret needs 32 characters at least. `checkpost-server init` writes a file with a new one.")
        try demand(
            formerSecrets.count <= 3 && formerSecrets.allSatisfy { $0.revealed.utf8.count >= 32 && $0 != jwtSecret },
            "auth.former_jwt_secrets has three at most, each with 32 characters at least, and none is auth.jwt_secret.")
        try demand(
            (certificateFile == nil) == (keyFile == nil),
            "server.certificate_file and server.key_file belong together: name both, or none.")
        try demand((1...1440).contains(accessTokenMinutes), "auth.access_token_minutes is a number from 1 to 1440.")
        try demand((1...365).contains(refreshTokenDays), "auth.refresh_token_days is a number from 1 to 365.")
        try demand((0.25...168).contains(wardenSessionHours), "warden.session_hours is a number from 0.25 to 168.")
        try demand((0...10000).contains(signInPerMinute), "limits.sign_in_per_minute is a number from 0 to 10000.")
        try demand((0...100_000).contains(requestsPerSecond), "limits.requests_per_second is from 0 to 100000.")
        try demand((1024...64 << 20).contains(bodyBytes), "limits.body_bytes is a number from 1024 to 67108864.")
        try demand((1024...64 << 20).contains(photoBytes), "limits.photo_bytes is a number from 1024 to 67108864.")
        try demand((1...100_000).contains(rows), "limits.rows is a number from 1 to 100000.")
        try demand((1...100_000).contains(connections), "limits.connections is a number from 1 to 100000.")
        try demand(
            (1...100_000).contains(connectionsPerAddress), "limits.connections_per_address is from 1 to 100000.")
        try demand(
            (bodyMemoryBytes / 2) >= max(bodyBytes * Gateway.jsonWeight, photoBytes + 16_384)
                && bodyMemoryBytes <= 8 << 30,
            "limits.body_memory_bytes is at least sixteen times body_bytes and twice photo_bytes, and 8 GB at most.")
        try demand((0...1440).contains(overstayIntervalMinutes), "overstay.interval_minutes is from 0 to 1440.")
    }
}
