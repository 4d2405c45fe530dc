/// What decides how long a passage and its photo are kept, as it stands on record now.
package struct KeptPassage: Sendable, Equatable {
    /// When it was recorded, by the later of the two times that it has: an old folder that is read today is kept from today.
    package var since: Instant

    /// Not so where the box's clock was wrong, and its time is one that no box can have recorded: then age lets nothing go.
    package var isAgeKnown: Bool

    /// Nothing of it waits for the server: no record, no correction, no outcome, no dismissal. What a person set aside doesn't wait.
    package var isSynced: Bool

    /// The server has its photo, or is not to have it.
    package var isPhotoSynced: Bool

    package var isMatched: Bool

    /// A violation without an outcome, an overstay that nobody dismissed, or a possible match that nobody judged.
    package var isOpen: Bool

    /// When the last thing was found against it that stands; nil when nothing was.
    package var foundAt: Instant?

    package init(
        since: Instant, isAgeKnown: Bool = true, isSynced: Bool = true, isPhotoSynced: Bool = true,
        isMatched: Bool = true, isOpen: Bool = false,
        foundAt: Instant? = nil
    ) {
        self.since = since
        self.isAgeKnown = isAgeKnown
        self.isSynced = isSynced
        self.isPhotoSynced = isPhotoSynced
        self.isMatched = isMatched
        self.isOpen = isOpen
        self.foundAt = foundAt
    }
}

/// A photo on the disk with all that refers to it.
package struct KeptPhoto: Sendable, Equatable {
    package var keptAt: Instant
    package var bytes: Int

    /// A tracker holds it, it waits in review, or a ranger who discarded it may still restore it.
    package var isWatched: Bool

    package var passages: [KeptPassage]

    package init(keptAt: Instant, bytes: Int = 0, isWatched: Bool = false, passages: [KeptPassage] = []) {
        self.keptAt = keptAt
        self.bytes = bytes
        self.isWatched = isWatched
        self.passages = passages
    }
}

/// A violation as far as it matters to how long it is kept.
package struct KeptViolation: Sendable, Equatable {
    package var exitTime: Instant
    package var isOpen: Bool

    /// No outcome of it waits for the server.
    package var isSynced: Bool

    package init(exitTime: Instant, isOpen: Bool = false, isSynced: Bool = true) {
        self.exitTime = exitTime
        self.isOpen = isOpen
        self.isSynced = isSynced
    }
}
