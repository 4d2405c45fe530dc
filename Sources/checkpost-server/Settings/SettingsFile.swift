import Enforcement
import Foundation
import TOMLKit

/// The configuration file in TOML, one optional value for each of ``Settings``.
package struct SettingsFile: Codable, Sendable {
    package struct Server: Codable, Sendable {
        var host: String?
        var port: Int?
        var public_url: String?
        var trusted_proxies: [String]?
        var certificate_file: String?
        var key_file: String?
    }

    package struct Database: Codable, Sendable {
        var url: String?
        var owner_url: String?
        var replica_url: String?
        var replica_wait_seconds: DecimalNumber?
        var pool_size: Int?
        var read_pool_size: Int?
        var statement_timeout_seconds: DecimalNumber?
    }

    package struct Auth: Codable, Sendable {
        var jwt_secret: String?
        var former_jwt_secrets: [String]?
        var access_token_minutes: Int?
        var refresh_token_days: Int?
    }

    package struct Warden: Codable, Sendable {
        var session_hours: DecimalNumber?
        var four_eyes: Bool?
    }

    package struct SMS: Codable, Sendable {
        var auth_token: String?
        var public_url: String?
        var inbox_secret: String?
    }

    package struct Modem: Codable, Sendable {
        var device: String?
        var speed: Int?
        var pin: String?
        var folder: String?
    }

    package struct Photos: Codable, Sendable {
        var folder: String?
    }

    /// A place in S3-compatible storage.
    package struct Bucket: Codable, Sendable {
        var name: String?
        var endpoint: String?
        var region: String?
        var prefix: String?
        var access_key: String?
        var secret_key_file: String?
        var certificate_file: String?

        /// Nil where no bucket is named.
        var place: S3Place? {
            guard let name, !name.isEmpty else { return nil }
            var place = S3Place(
                endpoint: endpoint ?? "", bucket: name, accessKey: access_key ?? "",
                secretKeyFile: secret_key_file ?? "")
            place.region = region ?? place.region
            place.prefix = prefix ?? place.prefix
            place.certificateFile = certificate_file.flatMap { $0.isEmpty ? nil : $0 }
            return place
        }
    }

    package struct Updates: Codable, Sendable {
        var folder: String?
    }

    package struct Limits: Codable, Sendable {
        var sign_in_per_minute: Int?
        var requests_per_second: Int?
        var body_bytes: Int?
        var photo_bytes: Int?
        var rows: Int?
        var connections: Int?
        var connections_per_address: Int?
        var body_memory_bytes: Int?
    }

    package struct Backup: Codable, Sendable {
        var folder: String?
        var keep: Int?
    }

    package struct Retention: Codable, Sendable {
        var passages_days: Int?
        var violations_days: Int?
        var photos_days: Int?
        var compliant_photos_days: Int?
        var changes_days: Int?
    }

    package struct Metrics: Codable, Sendable {
        var from: [String]?
    }

    package struct Overstay: Codable, Sendable {
        var interval_minutes: DecimalNumber?
    }

    var server: Server?
    var database: Database?
    var auth: Auth?
    var warden: Warden?
    var sms: SMS?
    var modem: Modem?
    var photos: Photos?
    var photo_bucket: Bucket?
    var updates: Updates?
    var limits: Limits?
    var backup: Backup?
    var backup_bucket: Bucket?
    var retention: Retention?
    var metrics: Metrics?
    var overstay: Overstay?

    /// Reads and checks a file. A key that is not known is a mistake: it was probably misspelt.
    package static func settings(path: String) throws -> Settings {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            if access(path, F_OK) == 0 || errno == EACCES {
                throw Settings.Mistake(
                    description:
                        "The configuration \(path) can't be read: permission is missing. It is root's: use sudo.")
            }
            throw Settings.Mistake(
                description: "The configuration \(path) can't be read. "
                    + "Write one with `checkpost-server init --config \(path)`, or name another with --config.")
        }
        do {
            return try settings(toml: text)
        } catch let mistake as Settings.Mistake {
            throw Settings.Mistake(description: "\(path): \(mistake)")
        } catch {
            throw Settings.Mistake(description: "\(path) is not the TOML that is expected: \(error)")
        }
    }

    package static func settings(toml: String) throws -> Settings {
        let file = try TOMLDecoder(strictDecoding: true).decode(SettingsFile.self, from: toml)
        let settings = file.settings
        try settings.check()
        return settings
    }

    private var textModem: Settings.TextModem? {
        guard let device = modem?.device, !device.isEmpty else { return nil }
        var made = Settings.TextModem(device: device)
        made.speed = modem?.speed ?? made.speed
        made.pin = modem?.pin.flatMap { $0.isEmpty ? nil : Secret($0) }
        made.folder = modem?.folder ?? made.folder
        return made
    }

    private var settings: Settings {
        func set<Value>(_ target: inout Value, _ value: Value?) {
            if let value { target = value }
        }
        var settings = Settings()
        set(&settings.host, server?.host)
        set(&settings.port, server?.port)
        set(&settings.publicURL, server?.public_url ?? "http://\(settings.host):\(settings.port)")
        set(&settings.trustedProxies, server?.trusted_proxies)
        set(&settings.databaseURL, database?.url.map(Secret.init(_:)))
        settings.ownerURL = database?.owner_url.map(Secret.init(_:))
        settings.replicaURL = database?.replica_url.flatMap { $0.isEmpty ? nil : Secret($0) }
        set(&settings.replicaWaitSeconds, database?.replica_wait_seconds?.value)
        set(&settings.poolSize, database?.pool_size)
        set(&settings.readPoolSize, database?.read_pool_size)
        set(&settings.statementTimeoutSeconds, database?.statement_timeout_seconds?.value)
        set(&settings.jwtSecret, auth?.jwt_secret.map(Secret.init(_:)))
        set(&settings.formerSecrets, auth?.former_jwt_secrets?.map(Secret.init(_:)))
        settings.certificateFile = server?.certificate_file.flatMap { $0.isEmpty ? nil : $0 }
        settings.keyFile = server?.key_file.flatMap { $0.isEmpty ? nil : $0 }
        set(&settings.accessTokenMinutes, auth?.access_token_minutes)
        set(&settings.refreshTokenDays, auth?.refresh_token_days)
        set(&settings.wardenSessionHours, warden?.session_hours?.value)
        set(&settings.wardenFourEyes, warden?.four_eyes)
        settings.smsAuthToken = sms?.auth_token.flatMap { $0.isEmpty ? nil : Secret($0) }
        settings.smsPublicURL = sms?.public_url.flatMap { $0.isEmpty ? nil : $0 }
        settings.smsInboxSecret = sms?.inbox_secret.flatMap { $0.isEmpty ? nil : Secret($0) }
        settings.textModem = textModem
        set(&settings.photoFolder, photos?.folder)
        settings.photoBucket = photo_bucket?.place
        set(&settings.updateFolder, updates?.folder)
        set(&settings.signInPerMinute, limits?.sign_in_per_minute)
        set(&settings.requestsPerSecond, limits?.requests_per_second)
        set(&settings.bodyBytes, limits?.body_bytes)
        set(&settings.photoBytes, limits?.photo_bytes)
        set(&settings.rows, limits?.rows)
        set(&settings.connections, limits?.connections)
        set(&settings.connectionsPerAddress, limits?.connections_per_address)
        set(&settings.bodyMemoryBytes, limits?.body_memory_bytes)
        settings.backupFolder = backup?.folder.flatMap { $0.isEmpty ? nil : $0 }
        settings.backupBucket = backup_bucket?.place
        set(&settings.backupsKept, backup?.keep)
        set(&settings.keptDays.passages, retention?.passages_days)
        set(&settings.keptDays.violations, retention?.violations_days)
        set(&settings.keptDays.photos, retention?.photos_days)
        set(&settings.keptDays.compliantPhotos, retention?.compliant_photos_days)
        set(&settings.keptDays.changes, retention?.changes_days)
        set(&settings.metricsFrom, metrics?.from)
        set(&settings.overstayIntervalMinutes, overstay?.interval_minutes?.value)
        return settings
    }
}
