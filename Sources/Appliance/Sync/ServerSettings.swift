import Enforcement
import Foundation
import Modem
import Storage

/// What the warden has set for this one post at the server, as it was last fetched. It overrides the file.
struct ServerSettings {
    /// Keys that are read elsewhere than in `SyncTuning`.
    static let otherKeys = Set([windowKey, SMSFallback.gatewayKey]).union(RetentionTuning.names)
    private static let windowKey = "matching.window_hours"

    private let values: [String: String]

    /// - Parameter values: JSON text by key.
    init(_ values: [String: String]) {
        self.values = values
    }

    init(_ store: Store) throws {
        values = try store.settings.all()
    }

    var names: Set<String> { Set(values.keys) }

    enum Number: Equatable {
        case value(Double)
        case absent
        /// It can't stand; in words.
        case wrong(String)
    }

    func number(_ key: String, in range: ClosedRange<Double>, isWhole: Bool = false) -> Number {
        guard let text = values[key] else { return .absent }
        guard let number = Double(text), range.contains(number), !isWhole || number == number.rounded() else {
            let kind = isWhole ? "a whole number" : "a number"
            return .wrong(
                "\(key) = \(text.prefix(40)): \(kind) from \(range.lowerBound) to \(range.upperBound) is allowed")
        }
        return .value(number)
    }

    var matchingWindow: TimeSpan? {
        guard case .value(let hours) = window else { return nil }
        return .hours(hours)
    }

    private var window: Number { number(Self.windowKey, in: 1...240) }

    /// The number that texts go to, and nil when there is none that can stand.
    var gatewayNumber: PhoneNumber? {
        values[SMSFallback.gatewayKey].flatMap { try? JSONDecoder().decode(String.self, from: Data($0.utf8)) }
            .flatMap { PhoneNumber($0) }
    }

    /// What can't stand among the keys that `SyncTuning` doesn't read, in words.
    var otherProblems: [String] {
        var problems: [String] = []
        if case .wrong(let problem) = window { problems.append(problem) }
        if let text = values[SMSFallback.gatewayKey], gatewayNumber == nil {
            problems.append("\(SMSFallback.gatewayKey) = \(text.prefix(40)): a telephone number in quotes is allowed")
        }
        return problems + RetentionTuning.settings(of: RetentionSettings(), under: self).problems
    }
}
