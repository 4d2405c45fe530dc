import Enforcement
import ParkAPI

/// The settings of what is kept how long: those of the file, and over them those that the server has for this one post.
enum RetentionTuning {
    private struct Key: Sendable {
        let setting: PostSetting
        let example: String
        let help: String
        let path: WritableKeyPath<RetentionSettings, TimeSpan> & Sendable
    }

    private static let keys: [Key] = [
        .init(
            setting: .passageDays, example: "365",
            help: "How long passages are kept.", path: \.passages),
        .init(
            setting: .violationDays, example: "365",
            help: "How long violations are kept once somebody has said what was done about them.", path: \.violations),
        .init(
            setting: .photoDays, example: "365",
            help: "How long photos of violations and overstays are kept.", path: \.photos),
        .init(
            setting: .compliantPhotoDays, example: "30",
            help: "How long photos of vehicles are kept that nothing was found against.", path: \.compliantPhotos),
        .init(
            setting: .folderDays, example: "1",
            help:
                "How long pictures stay in the folder of a camera once they are answered for. See pictures of [[camera]].",
            path: \.folderPictures),
    ]

    static let configurationKeys = keys.map { ConfigurationKey($0.setting, example: $0.example, $0.help) }

    /// - Parameter value: the number that the file has for a key of `[retention]`.
    static func settings(value: (String) -> Double?) -> RetentionSettings {
        var settings = RetentionSettings()
        for key in keys { if let days = value(key.setting.key) { settings[keyPath: key.path] = .days(days) } }
        return settings
    }

    /// The file's settings with the server's over them.
    ///
    /// - Returns: and the server's settings that can't stand, which are left out, in words.
    static func settings(
        of file: RetentionSettings, under server: ServerSettings
    ) -> (settings: RetentionSettings, problems: [String]) {
        var settings = file
        var problems: [String] = []
        for key in keys {
            switch server.number(key.setting) {
            case .value(let days): settings[keyPath: key.path] = .days(days)
            case .wrong(let problem): problems.append(problem)
            case .absent: break
            }
        }
        return (settings, problems)
    }

    /// The terms as one line, in days.
    static func text(_ settings: RetentionSettings) -> String {
        keys.map { key in
            let days = settings[keyPath: key.path].days
            return "\(key.setting.key) \(days == days.rounded() ? String(Int(days)) : String(days))"
        }.joined(separator: ", ")
    }
}
