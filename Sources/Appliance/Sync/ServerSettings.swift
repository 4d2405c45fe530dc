import Enforcement
import Foundation
import Modem
import ParkAPI
import Storage

/// What the warden has set for this one post at the server, as it was last fetched. It overrides the file.
struct ServerSettings {
    private let values: [String: String]

    /// - Parameter values: JSON text by key.
    init(_ values: [String: String]) {
        self.values = values
    }

    init(_ store: Store) throws {
        values = try store.settings.all()
    }

    /// As one line of a log: `sync.interval_seconds 60, sync.page_rows 100`. Empty where the file holds alone.
    var text: String {
        values.sorted { $0.key < $1.key }.map { key, value in
            let isNumber = key == PostSetting.gatewayNumber.name
            return "\(key) \(isNumber ? gatewayNumber?.masked ?? "no telephone number" : value)"
        }.joined(separator: ", ")
    }

    var names: Set<String> { Set(values.keys) }

    enum Number: Equatable {
        case value(Double)
        case absent
        /// It can't stand; in words.
        case wrong(String)
    }

    func number(_ setting: PostSetting) -> Number {
        guard case .number(let range, let isWhole) = setting.value, let text = values[setting.name] else {
            return .absent
        }
        guard let number = Double(text), setting.allows(number) else {
            let kind = isWhole ? "a whole number" : "a number"
            return .wrong(
                "\(setting.name) = \(text.prefix(40)): \(kind) from \(range.lowerBound) to \(range.upperBound) is allowed"
            )
        }
        return .value(number)
    }

    var matchingWindow: TimeSpan? {
        guard case .value(let hours) = window else { return nil }
        return .hours(hours)
    }

    private var window: Number { number(.matchingWindow) }

    /// The number that texts go to, and nil when there is none that can stand.
    var gatewayNumber: PhoneNumber? {
        values[PostSetting.gatewayNumber.name].flatMap { try? JSONDecoder().decode(String.self, from: Data($0.utf8)) }
            .flatMap { PhoneNumber($0) }
    }

    /// What can't stand among the keys that `SyncTuning` doesn't read, in words.
    var otherProblems: [String] {
        var problems: [String] = []
        if case .wrong(let problem) = window { problems.append(problem) }
        if let text = values[PostSetting.gatewayNumber.name], gatewayNumber == nil {
            problems.append(
                "\(PostSetting.gatewayNumber.name) = \(text.prefix(40)): a telephone number in quotes is allowed")
        }
        return problems + RetentionTuning.settings(of: RetentionSettings(), under: self).problems
    }
}
