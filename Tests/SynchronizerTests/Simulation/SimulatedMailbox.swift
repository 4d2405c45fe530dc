import Enforcement
import Foundation
import Storage

/// A post without a modem, whose texts the other post keeps and hands to the server: over the same radio, and on that post's own disk.
final class SimulatedMailbox {
    private let keeper: SimulatedPost
    private let isOut: () -> Bool
    private var chance: Chance

    /// Texts that were kept.
    private(set) var kept = 0

    init(at keeper: SimulatedPost, _ chance: Chance, isOut: @escaping () -> Bool) {
        (self.keeper, self.chance, self.isOut) = (keeper, chance, isOut)
    }

    func take(_ text: String) -> EscalationPolicy.TextResult {
        guard !isOut(), !keeper.isPowerless else { return .refused(SMSRefusal(.notKept)) }
        do {
            switch try keeper.store.keptTexts.keep(text, of: String(repeating: "a", count: 64), at: keeper.clock.now) {
            case .full: return .refused(SMSRefusal(.notKept))
            case .kept: kept += 1
            }
            // Its answer is lost now and then.
            return chance.happens(0.1) ? .wentSilent(text: UInt64(kept)) : .accepted()
        } catch {
            return .wentSilent(text: UInt64(kept))
        }
    }
}
