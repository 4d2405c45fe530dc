/// One round of removing, in bounded steps: each is a small transaction, and recording waits for none of them.
///
/// First what the settings let go, each kind until nothing of it is left. Then, only while the disk is short of room, photos that
/// would still have their time: those of vehicles that nothing was found against, and when none is left the others.
package struct RetentionRound: Sendable, Equatable {
    package enum Step: Sendable, Equatable, CaseIterable {
        case folderPictures
        case superseded
        case photos
        case violations
        case passages
        /// Readings of decided sightings, and unmatched passages of the other post: of no use after some months.
        case leftovers
        /// Pictures in folders that would still have their day.
        case earlyFolderPictures
        case earlyCompliantPhotos
        case earlyOtherPhotos

        package var need: RetentionPolicy.Need {
            switch self {
            case .earlyCompliantPhotos: .compliantPhotos
            case .earlyOtherPhotos: .otherPhotos
            default: .none
            }
        }

        /// Whether what goes is old by the clock, and not only out of use.
        var needsTime: Bool { [.folderPictures, .photos, .violations, .passages, .leftovers].contains(self) }

        var isEarly: Bool { [.earlyFolderPictures, .earlyCompliantPhotos, .earlyOtherPhotos].contains(self) }
    }

    /// A step looks at so many rows at most.
    package static let stepRows = 100

    /// Of one kind in one round: more than two weeks bring at 2,000 vehicles a day. What is left comes with the next round.
    static let mostSteps = 400

    private var waiting: [Step]
    private var steps = 0

    /// The last early step that was needed and had nothing left to give; nil when there was always something.
    package private(set) var exhausted: Step?

    /// Whether anything was removed before its time.
    package private(set) var removedEarly = false

    /// - Parameter goesByAge: false while the box's clock can't be trusted: a wrong date must not clear the disk.
    package init(goesByAge: Bool = true) {
        waiting = Step.allCases.filter { goesByAge || !$0.needsTime }
    }

    /// - Parameter isShort: whether the disk is short of room now.
    /// - Returns: what to do next; nil when the round is over.
    package mutating func next(isShort: Bool) -> Step? {
        while let step = waiting.first {
            guard isShort || !step.isEarly else { return nil }
            if steps < Self.mostSteps { return step }
            // More of it goes with the next round; the kinds after it don't go in its stead.
            if step.isEarly { return nil }
            pass()
        }
        return nil
    }

    /// Takes in what a step came to.
    ///
    /// - Parameter hasMore: whether another step of this kind may find something.
    package mutating func finished(_ step: Step, removed: Int, hasMore: Bool) {
        guard step == waiting.first else { return }
        steps += 1
        if step.isEarly, removed > 0 { removedEarly = true }
        guard !hasMore else { return }
        if step.isEarly { exhausted = step }
        pass()
    }

    private mutating func pass() {
        waiting.removeFirst()
        steps = 0
    }
}
