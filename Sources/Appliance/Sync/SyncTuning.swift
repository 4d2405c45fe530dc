import Enforcement
import Synchronizer

/// The settings of synchronization: those of the file, and over them those that the server has for this one post.
enum SyncTuning {
    private struct Key: Sendable {
        let name: String
        let range: ClosedRange<Double>
        let isWhole: Bool
        let example: String
        let help: String
        let apply: @Sendable (inout SyncSettings, Double) -> Void
    }

    private static let keys: [Key] = [
        .init(
            name: "interval_seconds", range: 1...3600, isWhole: false, example: "30",
            help: "The time between two cycles. A new passage is sent at once in any case."
        ) { $0.interval = .seconds($1) },
        .init(
            name: "batch_size", range: 1...500, isWhole: true, example: "1",
            help:
                "How many passages travel in one request; 1 sends them one by one. More empties a long queue sooner over a "
                + "slow link."
        ) { $0.queue.batchSize = Int($1) },
        .init(
            name: "maximum_attempts", range: 1...100, isWhole: true, example: "5",
            help: "Bad answers to one record before it steps aside for those behind it."
        ) { $0.queue.maximumAttempts = Int($1) },
        .init(
            name: "longest_backoff_seconds", range: 1...900, isWhole: false, example: "60",
            help: "The longest wait before a record is tried again."
        ) { $0.queue.backoff.longestDelay = .seconds($1) },
        .init(
            name: "window_buffer_hours", range: 0...240, isWhole: false, example: "24",
            help: "How much older than matching.window_hours the other post's passages are still fetched."
        ) { $0.windowBuffer = .hours($1) },
        .init(
            name: "overlap_seconds", range: 1...3600, isWhole: false, example: "10",
            help: "How far pages overlap with a server that has no sequence numbers."
        ) { $0.overlap = .seconds($1) },
        .init(
            name: "page_rows", range: 1...500, isWhole: true, example: "500", help: "Rows that are fetched at a time."
        ) { $0.pageSize = Int($1) },
        .init(
            name: "photos_per_cycle", range: 0...1000, isWhole: true, example: "20",
            help: "Photos that are sent in one cycle; 0 keeps them here, for a link that is paid by the megabyte."
        ) { $0.photosACycle = Int($1) },
        .init(
            name: "photo_kilobytes", range: 50...2000, isWhole: true, example: "2000",
            help: "A larger photo is made smaller for the server. The post keeps it as the camera gave it."
        ) { $0.maximumPhotoBytes = Int($1) * 1000 },
    ]

    static let configurationKeys = keys.map { key in
        ConfigurationKey(
            "sync", key.name,
            key.isWhole
                ? .whole(Int(key.range.lowerBound)...Int(key.range.upperBound)) : .number(key.range),
            example: key.example, key.help)
    }

    /// - Parameter value: the number that the file has for a key of `[sync]`.
    static func settings(window: TimeSpan, value: (String) -> Double?) -> SyncSettings {
        var settings = SyncSettings()
        settings.window = window
        for key in keys { if let value = value(key.name) { key.apply(&settings, value) } }
        return settings
    }

    /// The file's settings with the server's over them.
    ///
    /// - Returns: and the server's settings that can't stand, which are left out, in words.
    static func settings(of file: SyncSettings, under server: ServerSettings) -> (SyncSettings, problems: [String]) {
        var settings = file
        var problems: [String] = []
        for key in keys {
            switch server.number("sync.\(key.name)", in: key.range, isWhole: key.isWhole) {
            case .value(let number): key.apply(&settings, number)
            case .wrong(let problem): problems.append(problem)
            case .absent: break
            }
        }
        let known = Set(keys.map { "sync.\($0.name)" }).union(ServerSettings.otherKeys)
        problems += server.otherProblems
        problems += server.names.subtracting(known).sorted().map { "\($0): there is no such setting" }
        if let window = server.matchingWindow { settings.window = window }
        return (settings, problems)
    }
}
