import Enforcement
import Foundation
import ParkAPI
import Storage

/// Hands in signed texts that other boxes gave this one while it had no link either. Each goes in as it is: the server judges it by the key
/// of the post that wrote it, and knows one that comes twice.
final class KeptTextSender {
    /// The rest comes with the next cycles.
    private static let mostACycle = 100

    /// A server without the function is asked again after this: it may be another version by then.
    private static let missingTerm = TimeSpan.hours(1)

    private let context: SyncContext
    private var nextTry = Instant(milliseconds: 0)

    /// One that the server couldn't take when it came: it goes last from then on, and holds up no other.
    private var suspect: Int64?

    init(_ context: SyncContext) { self.context = context }

    func send() throws {
        guard context.dialect?.schema == .ours, context.clock.uptime >= nextTry else { return }
        for _ in 0..<Self.mostACycle {
            guard let text = try context.store.keptTexts.first(last: suspect) else { return }
            guard try hand(in: text) else { return }
        }
        context.requestCycle()
    }

    /// - Returns: false where the rest has to wait.
    private func hand(in text: KeptTextTable.Kept) throws -> Bool {
        let (verdict, answer) = try context.askForVerdict(FunctionCall(.handInText, HandedText(text: text.text)))
        switch verdict {
        case .accepted, .duplicate:
            // Something else answers in the server's place.
            guard answer?.object(HandedTextAnswer.self) != nil else { return false }
        case .refused where answer?.status == 404:
            nextTry = context.clock.uptime + Self.missingTerm
            return false
        // The server won't have this one; its record has a way of its own.
        case .refused, .unsendable, .tooLong: break
        case .unwell:
            suspect = text.id
            return false
        case .forbidden, .unauthorised, .silent: return false
        }
        try context.store.keptTexts.handedIn(text)
        return true
    }
}
