import Foundation

/// How many requests were answered since the start, how, and how long it took. It is as large as the interface has parts.
package final class RequestFigures: @unchecked Sendable {
    package enum Part: String, CaseIterable, Sendable {
        case auth, rest, photos, functions, updates, changes, warden, other

        init(path: String) {
            let first = path.split(separator: "/", maxSplits: 1).first.map(String.init) ?? ""
            self =
                switch first {
                case "auth": .auth
                case "rest": .rest
                case "storage": .photos
                case "functions": .functions
                case "updates": .updates
                case "changes": .changes
                case "warden": .warden
                default: .other
                }
        }
    }

    private let lock = NSLock()
    private var answered: [Part: [Int: Int]] = [:]
    private var seconds: [Part: Double] = [:]

    package init() {}

    /// - Parameter taken: until the answer's head was ready.
    package func count(path: String, status: Int, taken: Duration) {
        let part = Part(path: path)
        lock.withLock {
            answered[part, default: [:]][min(max(status / 100, 1), 5), default: 0] += 1
            seconds[part, default: 0] += taken / .seconds(1)
        }
    }

    /// By part of the interface and class of the status, from 1 to 5.
    package var all: (answered: [Part: [Int: Int]], seconds: [Part: Double]) {
        lock.withLock { (answered, seconds) }
    }
}
