import Enforcement
import Foundation

/// What a run begins with.
struct StartConfiguration {
    var configuration: Configuration
    let text: Data

    /// Why it isn't what the file says; nil when it is.
    var mistake: ConfigurationError?

    /// When the one that is used instead was kept.
    var keptAt: Instant?

    /// - Throws: `ConfigurationError` when the file can't be used, and no configuration is known that could.
    init(_ place: BoxPlace) throws {
        do {
            configuration = try place.written()
            text = try Data(contentsOf: URL(fileURLWithPath: place.configPath))
        } catch let error as ConfigurationError {
            // Whoever names a file that isn't there means another one.
            guard Presence.of(place.configPath) != .absent, let kept = KeptConfiguration(of: place.configPath).read()
            else { throw error }
            (configuration, text, mistake, keptAt) = (kept.configuration, kept.text, error, kept.keptAt)
        }
    }

    func tell(_ alarms: AlarmBoard) {
        guard let mistake else { return alarms.clear("configuration") }
        let kept = keptAt.map { " of \($0.nepalText)" } ?? ""
        alarms.raise(
            "configuration", .critical,
            "The configuration can't be used, and the box runs with the one that it last came up with\(kept). "
                + mistake.description.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0 == " " } }
                .joined(separator: " "),
            hint: "Mend the file: `checkpost config check` names each mistake. Then: systemctl restart checkpost.")
    }
}
