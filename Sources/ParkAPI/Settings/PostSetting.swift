/// A setting that the park's office may give one post over the post's file: a key of `device_settings`.
///
/// Box and server take the same names and bounds from here. What each does stands with the keys of the box's file.
package struct PostSetting: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        /// A number, whole or not, within these bounds.
        case number(ClosedRange<Double>, isWhole: Bool)
        /// A telephone number, as text.
        case phone
    }

    /// As the row has it: `sync.interval_seconds`. The unit stands at its end.
    package let name: String
    package let value: Value

    private init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    private init(_ name: String, _ range: ClosedRange<Double>, isWhole: Bool = false) {
        self.init(name, .number(range, isWhole: isWhole))
    }

    /// What stands before the point: the section of the file.
    package var section: String { String(name.prefix { $0 != "." }) }
    /// What stands behind it: the key.
    package var key: String { String(name.dropFirst(section.count + 1)) }

    /// Whether the number may stand. False for what takes none.
    package func allows(_ number: Double) -> Bool {
        guard case .number(let range, let isWhole) = value else { return false }
        return range.contains(number) && (!isWhole || number == number.rounded())
    }
}

extension PostSetting {
    package static let interval = Self("sync.interval_seconds", 1...3600)
    package static let batchSize = Self("sync.batch_size", 1...500, isWhole: true)
    package static let maximumAttempts = Self("sync.maximum_attempts", 1...100, isWhole: true)
    package static let longestBackoff = Self("sync.longest_backoff_seconds", 1...900)
    package static let windowBuffer = Self("sync.window_buffer_hours", 0...240)
    package static let overlap = Self("sync.overlap_seconds", 1...3600)
    package static let pageRows = Self("sync.page_rows", 1...500, isWhole: true)
    package static let photosPerCycle = Self("sync.photos_per_cycle", 0...1000, isWhole: true)
    /// Millions of bytes a month, after which photos wait; 0 for no bound.
    package static let dataMegabytes = Self("sync.data_megabytes", 0...1_000_000)
    package static let photoKilobytes = Self("sync.photo_kilobytes", 50...2000, isWhole: true)

    /// Box and server compare the days of the last three months: what they compare is not taken away under their hands.
    private static let recordDays = 100.0...mostDays
    private static let mostDays = 3650.0

    package static let passageDays = Self("retention.passage_days", recordDays)
    package static let violationDays = Self("retention.violation_days", recordDays)
    package static let photoDays = Self("retention.photo_days", 1...mostDays)
    package static let compliantPhotoDays = Self("retention.compliant_photo_days", 1...mostDays)
    package static let folderDays = Self("retention.folder_days", 0...mostDays)

    package static let matchingWindow = Self("matching.window_hours", 1...240)
    package static let gatewayNumber = Self("sms.gateway_number", .phone)

    /// In the order in which a page shows them: what is changed most, first.
    package static let all = [
        interval, photosPerCycle, photoKilobytes, dataMegabytes, batchSize, pageRows, maximumAttempts, longestBackoff,
        windowBuffer,
        overlap, passageDays, violationDays, photoDays, compliantPhotoDays, folderDays, matchingWindow, gatewayNumber,
    ]
}
