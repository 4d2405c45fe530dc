import Enforcement
import Foundation
import ParkAPI
import Storage

/// What came of sending entries.
struct Parcel {
    var verdict: Verdict
    var confirmed: Set<Int64> = []
    var facts: [UUID: ServerFacts] = [:]
}

/// Why the box can't write a record as a request.
struct Unsendable: Error { var reason: String }

extension SyncContext {
    /// Sends a change that row level security may quietly ignore: then no row comes back.
    func change(_ request: SyncRequest, orElse refusal: String) throws -> Parcel {
        let reply = try exchange(request)
        let verdict = Verdict(reply, identities: [], at: clock.now)
        // These rights are the role's and not the account's: nothing is gained by looking at the account.
        if case .forbidden(let reason) = verdict { return Parcel(verdict: .refused("\(refusal) (\(reason))")) }
        guard case .accepted = verdict, case .answered(let answer) = reply else { return Parcel(verdict: verdict) }
        if answer.isEmptyList { return Parcel(verdict: .refused(refusal)) }
        return Parcel(verdict: .accepted)
    }
}

extension Verdict {
    /// What can't be read as what was asked for.
    static let nonsense = Verdict.unwell("the server's answer is no list of rows", retryAfter: nil)

    /// What a failed look at the server means for the entry that was looked for.
    static func unwellOrSilent(_ verdict: Verdict) -> Verdict {
        switch verdict {
        case .silent, .unwell: verdict
        default: .unwell("looking the passage up: \(verdict.reason)", retryAfter: nil)
        }
    }
}
