import ArgumentParser
import Foundation
import ParkAPI

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Prints the keys that clients need.",
        discussion: """
            They follow from auth.jwt_secret: the same secret gives the same keys. The service role's key may do everything, and the secret
            can make any key; neither belongs on a checkpost.
            """)

    @OptionGroup var option: ConfigurationOption

    @Flag(help: "As lines NAME=value, for a shell or an environment file.")
    var env = false

    func run() throws {
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
