import Foundation

/// What stands here of one passage of the other post, and what becomes of it when the server, or a file, says something about it.
///
/// | word | what follows |
/// | --- | --- |
/// | told, unknown | it is kept |
/// | told, with another plate or time | what followed from the old ones is taken back |
/// | told with a higher number, though withdrawn | it is in force again: its deletion was taken back |
/// | withdrawn there | its matches are taken back |
/// | told again as it was told before, and the post itself says otherwise | the post's plate and time stay |
/// | withdrawn by the post itself | the same, and no word of the server puts it in force again |
/// | told by the post itself | what the server has matched stays so; what the post took back is in force again |
/// | deleted there | and so is every violation on it |
package struct RemoteStanding: Sendable, Equatable {
    package internal(set) var passage: MatchablePassage
    package internal(set) var isWithdrawn: Bool
    package internal(set) var findings: Findings

    /// Whether the post itself has taken it back, over the link between the two posts.
    package internal(set) var isWithdrawnByPost: Bool

    /// Whether plate and time are the post's own word, over that link.
    package internal(set) var isToldByPost: Bool

    /// What the server said of plate and time last, as `serverWord(of:)` writes it; nil where it said nothing.
    package internal(set) var serverWord: String?

    package init(
        passage: MatchablePassage, isWithdrawn: Bool = false, isWithdrawnByPost: Bool = false,
        isToldByPost: Bool = false, serverWord: String? = nil, findings: Findings = Findings()
    ) {
        (self.isToldByPost, self.serverWord) = (isToldByPost, serverWord)
        self.passage = passage
        self.isWithdrawn = isWithdrawn
        self.isWithdrawnByPost = isWithdrawnByPost
        self.findings = findings
    }

    package enum Event: Sendable, Equatable {
        /// - isMatched: whether the server has matched it: then it is no candidate here.
        /// - spelling: the plate with its spaces, where this post has read the same one: the server keeps none.
        case told(MatchablePassage, isMatched: Bool, spelling: Plate?)
        case withdrawnThere
        case deletedThere
        /// - isMatched: as the server said before.
        case toldByPost(MatchablePassage, isMatched: Bool, spelling: Plate?)
        case withdrawnByPost
    }

    package mutating func handle(_ event: Event) -> [ReconciliationAction] {
        switch event {
        case .told(let passage, let isMatched, let spelling):
            let isBack =
                isWithdrawn && !isWithdrawnByPost && isLater(passage.serverSequence, than: self.passage.serverSequence)
            var row = passage
            let word = Self.serverWord(of: passage)
            if serverWord.map({ $0 == word }) ?? isToldByPost, isToldByPost { row = known(of: row) }
            if word != serverWord, serverWord != nil { isToldByPost = false }
            serverWord = word
            return told(row, isMatched: isMatched, spelling: spelling, isBack: isBack)
        case .toldByPost(let passage, let isMatched, let spelling):
            let isBack = isWithdrawn && isWithdrawnByPost
            (isWithdrawnByPost, isToldByPost) = (false, true)
            return told(passage, isMatched: isMatched, spelling: spelling, isBack: isBack)
        case .withdrawnThere: return withdraw()
        case .withdrawnByPost:
            isWithdrawnByPost = true
            return withdraw()
        case .deletedThere:
            let withdrawn = withdraw()
            return withdrawn.isEmpty ? [] : withdrawn + findings.withdrawViolations(onPassage: passage.clientID)
        }
    }

    /// What a row of the server's says of a passage that the post may say otherwise: `BA1PA1234 1795255200000`.
    package static func serverWord(of passage: MatchablePassage) -> String {
        "\(passage.plate.compact) \(passage.recordedAt.milliseconds)"
    }

    /// The passage as it is known, with what only the server knows of it.
    private func known(of told: MatchablePassage) -> MatchablePassage {
        var known = passage
        (known.serverID, known.serverSequence) = (told.serverID, told.serverSequence)
        return known
    }

    /// One that is not here yet.
    package static func new(_ passage: MatchablePassage, isMatched: Bool, spelling: Plate?) -> [ReconciliationAction] {
        var row = passage
        row.plate = spelling ?? passage.plate
        return [.writeRemote(row, isMatched: isMatched, isInForceAgain: false)]
    }

    /// Gives a row that is known by its server id the `clientID` that it has there now: the server merged an SMS with the upload that
    /// came later, or the upload came by a file before.
    ///
    /// - Parameters:
    ///   - known: what it is known by here; nil when it isn't known.
    ///   - isTaken: whether a passage here has the new id already.
    package static func identify(_ id: UUID, known: UUID?, isTaken: Bool) -> [ReconciliationAction] {
        guard let known, known != id else { return [] }
        return [isTaken ? .mergeRemote(known, into: id) : .renameRemote(known, to: id)]
    }

    private mutating func told(
        _ told: MatchablePassage, isMatched: Bool, spelling: Plate?, isBack: Bool
    ) -> [ReconciliationAction] {
        var row = told
        row.plate = spelling ?? told.plate
        row.serverID = told.serverID ?? passage.serverID
        row.serverSequence = told.serverSequence ?? passage.serverSequence
        let isSame = passage.plate.compact == told.plate.compact && passage.recordedAt == told.recordedAt
        let withdrawn = isSame ? [] : withdrawMatches()
        passage = row
        if isBack { isWithdrawn = false }
        return withdrawn + [.writeRemote(row, isMatched: isMatched, isInForceAgain: isBack)]
    }

    private func isLater(_ number: Int64?, than known: Int64?) -> Bool {
        guard let number, let known else { return false }
        return number > known
    }

    private mutating func withdraw() -> [ReconciliationAction] {
        guard !isWithdrawn else { return [] }
        isWithdrawn = true
        return [.withdrawRemote(passage.clientID)] + withdrawMatches()
    }

    private mutating func withdrawMatches() -> [ReconciliationAction] {
        findings.withdrawMatches { [id = passage.clientID] in $0.remote == id }
    }
}
