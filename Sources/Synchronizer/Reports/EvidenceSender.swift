import Enforcement
import Foundation
import ParkAPI
import Storage

/// Brings the evidence chain to the server: after everything else, and never in its way.
struct EvidenceSender {
    /// After an outage the rest follows with the next cycles.
    private static let mostParcels = 10

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
                try context.store.evidence.sent(entries, anchoredAt: receipt.at, next: receipt.next)
            // A server without the function, or one that won't have the chain: asked again by the next run of the box.
            case .refused, .forbidden, .duplicate, .unsendable, .tooLong:
                context.dialect?.learn(.evidence, false)
                return
            case .unauthorised, .unwell, .silent: return
            }
        }
    }
}
