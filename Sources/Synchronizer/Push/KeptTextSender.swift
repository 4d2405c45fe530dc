import Enforcement
import Foundation
import ParkAPI
import Storage

/// Hands in signed texts that other boxes gave this one while it had no link either. Each goes in as it is: the server judges it by the key
/// of the post that wrote it, and knows one that comes twice.
struct KeptTextSender {
    /// The rest comes with the next cycles.
    private static let mostACycle = 200

    let context: SyncContext

    func send() throws {
        guard let dialect = context.dialect, dialect.can(.handedTexts) != false else { return }
        var sent = 0
        while sent < Self.mostACycle {
            let batch = try context.store.keptTexts.waiting(limit: HandedTexts.most)
            guard !batch.isEmpty else { return }
            guard try hand(in: batch) else { return }
            sent += batch.count
        }
        context.requestCycle()
    }

    /// - Returns: false where the rest has to wait.
    private func hand(in batch: [KeptTextTable.Kept]) throws -> Bool {
        let call = try FunctionCall(.handInTexts, HandedTexts(texts: batch.map(\.text)))
        let (verdict, answer) = try context.askForVerdict(call)
        switch verdict {
        case .accepted, .duplicate:
            guard answer?.object(HandedTextsAnswer.self)?.results.count == batch.count else { return false }
            context.dialect?.learn(.handedTexts, true)
            try context.store.keptTexts.handedIn(batch)
            context.counts.pushed += batch.count
            return true
        case .refused, .unsendable, .tooLong:
            // A server that has never taken one has no such function.
            guard context.dialect?.can(.handedTexts) == true else {
                context.dialect?.learn(.handedTexts, false)
                return false
            }
            // One that it won't have holds up no other; its record has a way of its own.
            guard batch.count > 1 else {
                try context.store.keptTexts.handedIn(batch)
                return true
            }
            for text in batch { guard try hand(in: [text]) else { return false } }
            return true
        case .forbidden:
            context.dialect?.learn(.handedTexts, false)
            return false
        case .unauthorised, .unwell, .silent: return false
        }
    }
}
