import Enforcement
import ParkAPI
import Synchronizer

/// The settings of synchronization: those of the file, and over them those that the server has for this one post.
enum SyncTuning {
    private struct Key: Sendable {
        let setting: PostSetting
        let example: String
        let help: String
        let apply: @Sendable (inout SyncSettings, Double) -> Void
    }

    private static let keys: [Key] = [
        .init(
            setting: .interval, example: "30",
            help: "The time between two cycles. A new passage is sent at once in any case."
        ) { $0.interval = .seconds($1) },
        .init(
            setting: .batchSize, example: "1",
            help:
                "How many passages travel in one request; 1 sends them one by one. More empties a long queue sooner over a "
                + "slow link."
        ) { $0.queue.batchSize = Int($1) },
        .init(
            setting: .maximumAttempts, example: "5",
            help: "Bad answers to one record before it steps aside for those behind it."
        ) { $0.queue.maximumAttempts = Int($1) },
        .init(
            setting: .longestBackoff, example: "60",
            help: "The longest wait before a record is tried again."
        ) { $0.queue.backoff.longestDelay = .seconds($1) },
        .init(
            setting: .windowBuffer, example: "24",
            help: "How much older than matching.window_hours the other post's passages are still fetched."
        ) { $0.windowBuffer = .hours($1) },
        .init(
            setting: .overlap, example: "10",
            help: "How far pages overlap with a server that has no sequence numbers."
        ) { $0.overlap = .seconds($1) },
        .init(
            setting: .pageRows, example: "500",
            help: "Rows that are fetched at a time."
        ) { $0.pageSize = Int($1) },
        .init(
            setting: .photosPerCycle, example: "20",
            help: "Photos that are sent in one cycle; 0 keeps them here, for a link that is paid by the megabyte."
        ) { $0.photosACycle = Int($1) },
        .init(
            setting: .photoKilobytes, example: "2000",
            help: "A larger photo is made smaller for the server. The post keeps it as the camera gave it."
        ) { $0.maximumPhotoBytes = Int($1) * 1000 },
        .init(
            setting: .dataMegabytes, example: "500",
            help:
                "How many millions of bytes a month the link may carry before photos wait, spread over its days; records go always. "
                + "0: as many as there are. `status` shows what was used."
        ) { $0.photoAllowance.megabytesAMonth = $1 > 0 ? $1 : nil },
    ]

    static let configurationKeys =
        keys.map { ConfigurationKey($0.setting, example: $0.example, $0.help) } + [
            .init(
                "sync", "photo_hours", .hours, example: "\"22:00-05:00\"",
                "The hours in which photos are sent, in Nepal time: where data is cheaper by night. Without it at all hours."
            )
        ]

    /// - Parameter value: the number that the file has for a key of `[sync]`.
    static func settings(window: TimeSpan, value: (String) -> Double?) -> SyncSettings {
        var settings = SyncSettings()
        settings.window = window
        for key in keys { if let value = value(key.setting.key) { key.apply(&settings, value) } }
        return settings
    }

    /// The file's settings with the server's over them.
    ///
    /// - Returns: and the server's settings that can't stand, which are left out, in words.
    static func settings(of file: SyncSettings, under server: ServerSettings) -> (SyncSettings, problems: [String]) {
        var settings = file
        var problems: [String] = []
        for key in keys {
            switch server.number(key.setting) {
            case .value(let number): key.apply(&settings, number)
            case .wrong(let problem): problems.append(problem)
            case .absent: break
            }
        }
        let known = Set(PostSetting.all.map(\.name))
        problems += server.otherProblems
        problems += server.names.subtracting(known).sorted().map { "\($0): there is no such setting" }
        if let window = server.matchingWindow { settings.window = window }
        return (settings, problems)
    }
}

extension ConfigurationKey {
    /// One that the park's office may give this post over the file.
    init(_ setting: PostSetting, example: String, _ help: String) {
        let kind: Kind =
            switch setting.value {
            case .number(let range, isWhole: true): .whole(Int(range.lowerBound)...Int(range.upperBound))
            case .number(let range, isWhole: false): .number(range)
            case .phone: .text
            }
        self.init(setting.section, setting.key, kind, example: example, help)
    }
}
