import Enforcement
import Foundation
import Storage

/// What the warden has set for this one post at the server, as it was last fetched. It overrides the file.
struct ServerSettings {
    /// Keys that are read elsewhere than in `SyncTuning`.
    static let otherKeys: Set<String> = [windowKey, SMSFallback.gatewayKey]
    private static let windowKey = "matching.window_hours"

    private let values: [String: String]

    /// - Parameter values: JSON text by key.
    init(_ values: [String: String]) {
        self.values = values
    }

    init(_ store: Store) throws {
        values = try store.settings()
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
        guard case .value(let hours) = number(Self.windowKey, in: 1...240) else { return nil }
        return .hours(hours)
    }
}
