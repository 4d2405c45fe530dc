import Enforcement
import Foundation
import ParkAPI
import Storage

/// Brings the evidence chain to the server: after everything else, and never in its way.
struct EvidenceSender {
    /// After an outage the rest follows with the next cycles.
    private static let mostParcels = 10
    private static let alarm = "evidence.refused"

    /// How a server answers that has no such function.
    private static let unknown = 404

    let context: SyncContext

    func send() throws {
        guard let dialect = context.dialect, dialect.schema == .ours, dialect.can(.evidence) != false else { return }
        for _ in 0..<Self.mostParcels {
            let entries = try context.store.evidence.toSend(limit: EvidenceParcel.most)
            guard !entries.isEmpty else { return }
            let parcel = EvidenceParcel(
                entries: entries.map { EvidenceParcel.Entry(text: $0.text, key: $0.key, signature: $0.signature) })
            let (verdict, answer) = try context.askForVerdict(FunctionCall(.addEvidence, parcel))
            switch verdict {
            case .accepted:
                guard let receipt = answer?.object(EvidenceReceipt.self) else { return }
                context.dialect?.learn(.evidence, true)
                try context.store.alarms.clear(Self.alarm, at: context.clock.now)
                try context.store.evidence.sent(entries, anchoredAt: receipt.at, next: receipt.next)
            // A server without the function, or one that won't have the chain: asked again by the next run of the box.
            case .refused, .forbidden, .duplicate, .unsendable, .tooLong:
                context.dialect?.learn(.evidence, false)
                if answer?.status != Self.unknown { try tell(verdict) }
                return
            case .unauthorised, .unwell, .silent: return
            }
        }
    }

    /// Nothing else is held up by it, so nobody would notice.
    private func tell(_ verdict: Verdict) throws {
        try context.store.alarms.raise(
            Self.alarm, .warning,
            "The server takes no evidence of this post: \(verdict.reason). Passages and violations go there all the "
                + "same.",
            hint: "Tell the warden: without it nobody can verify these records. The box tries again at its start.",
            at: context.clock.now)
    }
}
