import Enforcement

@testable import Synchronizer

/// The stream on which the server tells a post that something changed: it breaks with the link, and is not missed at once.
final class SimulatedChanges {
    private let link: SimulatedLink
    private var chance = Chance(seed: 0)
    private var listens = false
    private var isStanding = false
    private var isTold = false

    /// Called when the post has something to hear.
    var onNews: () -> Void = {}

    init(_ link: SimulatedLink) { self.link = link }

    func draw(_ chance: Chance) {
        self.chance = chance
        listens = self.chance.happens(0.5)
    }

    private var isOut: Bool { link.outages.contains { $0.contains(link.time.passed) } }

    /// Something was written in the segment. On a troubled link the word of it may be lost.
    func written() {
        guard isStanding, !isOut, !chance.happens(link.trouble) else { return }
        isTold = true
        onNews()
    }

    /// The post has lost its power.
    func cut() { (isStanding, isTold) = (false, false) }

    /// What the service does with what was heard, before the engine's turn.
    func turn(_ engine: SyncEngine) throws {
        guard listens else { return }
        guard isStanding else {
            guard engine.changeQuestion != nil, !isOut else { return }
            isStanding = true
            return try engine.changeTold()
        }
        if isOut || chance.happens(link.trouble / 10) {
            cut()
            return engine.nothingTold()
        }
        if isTold { try engine.changeTold() } else { try engine.serverHeard() }
        isTold = false
    }
}
