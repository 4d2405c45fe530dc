import ArgumentParser
import Foundation
import ParkAPI

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Prints the keys that clients need.",
        discussion: """
            They follow from auth.jwt_secret: the same secret gives the same keys. The service role's key may do everything, and the secret
            can make any key; neither belongs on a checkpost.

            --rotate gives the configuration a new secret and keeps the former one in auth.former_jwt_secrets: boxes go on with their keys.
            Restart the server, give each box the new SUPABASE_ANON_KEY when somebody is there, and take the former secret out once all have it.
            """)

    @OptionGroup var option: ConfigurationOption

    @Flag(help: "As lines NAME=value, for a shell or an environment file.")
    var env = false

    @Flag(help: "Make a new secret first; what the former one signed stays good.")
    var rotate = false

    func run() throws {
        if rotate {
            try SecretRotation.rotate(path: option.path)
            print("A new secret stands in \(option.path). Restart the server: systemctl restart checkpost-server")
        }
        for (name, value) in try Self.values(option.settings()) {
            print(env ? "\(name)=\(value)" : "\(name)\n    \(value)")
        }
    }

    static func values(_ settings: Settings) throws -> [(name: String, value: String)] {
        let signer = TokenSigner(secret: settings.jwtSecret)
        return [
            ("SUPABASE_URL", settings.publicURL),
            ("SUPABASE_ANON_KEY", try signer.key(for: .anon)),
            ("SUPABASE_SERVICE_ROLE_KEY", try signer.key(for: .service)),
            ("SUPABASE_JWT_SECRET", settings.jwtSecret.revealed),
            ("TWILIO_AUTH_TOKEN", settings.smsAuthToken?.revealed ?? ""),
            ("SMS_NAMESPACE", SMSEncoder.namespace.sent),
        ]
    }
}
