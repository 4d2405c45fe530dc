import Enforcement
import Foundation
import GRDB

/// What the other post itself says of one of its passages: in its file, or over the link between the two.
package struct PostWord: Sendable {
    package var passage: MatchablePassage
    package var isWithdrawn: Bool

    /// The id of its text, under which the server may tell it: nil where none was sent.
    package var text: UUID?

    /// It is said now. A file may be older than what is known here.
    package var isLive: Bool

    package init(_ passage: MatchablePassage, isWithdrawn: Bool = false, text: UUID? = nil, isLive: Bool = false) {
        (self.passage, self.isWithdrawn, self.text, self.isLive) = (passage, isWithdrawn, text, isLive)
    }
}

extension OtherPostTable {
    enum Taken { case added, takenBack, known }

    /// Takes in what the post says. A passage that came as a text, from the server and from the post is one, whatever came first. Repeating
    /// it changes nothing.
    static func take(_ db: Database, _ word: PostWord, at now: Instant) throws -> Taken {
        let id = word.passage.clientID
        try join(db, word, at: now)
        let row = try Row.fetchOne(
            db, cached: "SELECT is_matched FROM remote_passages WHERE client_id = ?", arguments: [id.stored])
        let isMatched = try row?.flag("is_matched") ?? false
        let spelling = try spelling(db, word.passage.plate)
        var standing = try ReconciliationTable.remoteStanding(db, id.stored)
        let wasInForce = standing.map { !$0.isWithdrawn }
        var actions: [ReconciliationAction] = []
        if standing == nil {
            actions = RemoteStanding.new(word.passage, isMatched: false, spelling: spelling)
            standing = RemoteStanding(passage: word.passage, isToldByPost: word.isLive)
        } else if !word.isWithdrawn, word.isLive || standing?.isToldByPost != true {
            // What the post told itself is newer than a file, which may be of any day.
            let event: RemoteStanding.Event =
                word.isLive
                ? .toldByPost(word.passage, isMatched: isMatched, spelling: spelling)
                : .told(word.passage, isMatched: isMatched, spelling: spelling)
            actions += standing?.handle(event) ?? []
        }
        if word.isWithdrawn { actions += standing?.handle(word.isLive ? .withdrawnByPost : .withdrawnThere) ?? [] }
        try ReconciliationTable.perform(db, actions, at: now)
        try db.execute(
            cached: """
                UPDATE remote_passages SET withdrawn_by_post = ?, told_by_post = ?,
                    sms_client_id = coalesce(?, sms_client_id)
                WHERE client_id = ?
                """,
            arguments: [
                standing?.isWithdrawnByPost ?? false, standing?.isToldByPost ?? false, word.text?.stored, id.stored,
            ])
        if word.isWithdrawn { return wasInForce != false ? .takenBack : .known }
        return wasInForce != true && standing?.isWithdrawn == false ? .added : .known
    }

    /// Gives what is here of it under another id the id that it has: its text, or the same vehicle at the same moment by a box that lost its
    /// records and read its pictures once more.
    private static func join(_ db: Database, _ word: PostWord, at now: Instant) throws {
        let passage = word.passage
        let isKnown =
            try Bool.fetchOne(
                db, cached: "SELECT EXISTS (SELECT 1 FROM remote_passages WHERE client_id = ?)",
                arguments: [passage.clientID.stored]) == true
        var known: UUID?
        if let text = word.text {
            // A text is of the same moment: an id of another passage changes nothing of that one.
            known = try UUID.fetch(
                db,
                """
                SELECT client_id FROM remote_passages
                WHERE client_id = ?1 AND is_text = 1 AND recorded_at BETWEEN ?2 - 2000 AND ?2 + 2000
                """, arguments: [text.stored, passage.recordedAt.milliseconds])
            // Of another one, which was told wrongly: this word is newer.
            try db.execute(
                cached: "UPDATE remote_passages SET sms_client_id = NULL WHERE sms_client_id = ? AND client_id <> ?",
                arguments: [text.stored, passage.clientID.stored])
        }
        // Where all that is left of it at its post is its text, it has whole seconds.
        let reach = word.text == passage.clientID ? Passage.againWithin.milliseconds : 0
        // A word that it is no vehicle is about that id alone.
        if known == nil, !isKnown, !word.isWithdrawn {
            known = try UUID.fetch(
                db,
                """
                SELECT client_id FROM remote_passages
                WHERE plate_compact = ?1 AND recorded_at BETWEEN ?2 - ?4 AND ?2 + ?4 AND checkpost_code = ?3
                    AND withdrawn_at IS NULL
                ORDER BY abs(recorded_at - ?2) LIMIT 1
                """,
                arguments: [
                    passage.plate.compact, passage.recordedAt.milliseconds, passage.checkpostCode, reach,
                ])
        }
        // The server had told the one id while the post told the other: what it tells now is what it goes by.
        if known ?? passage.clientID == passage.clientID, isKnown, word.isLive, !word.isWithdrawn {
            known = try UUID.fetch(
                db,
                """
                SELECT other.client_id FROM remote_passages AS this JOIN remote_passages AS other
                    ON other.plate_compact = this.plate_compact AND other.checkpost_code = this.checkpost_code
                        AND other.recorded_at BETWEEN this.recorded_at - ?2 AND this.recorded_at + ?2
                WHERE this.client_id = ?1 AND other.client_id <> ?1
                    AND (this.server_id IS NOT NULL OR this.is_matched = 0 OR this.is_text = 1)
                    AND other.server_id IS NULL AND other.is_matched = 0 AND other.withdrawn_at IS NULL
                ORDER BY abs(other.recorded_at - this.recorded_at) LIMIT 1
                """,
                arguments: [passage.clientID.stored, reach])
        }
        try ReconciliationTable.perform(
            db, RemoteStanding.identify(passage.clientID, known: known, isTaken: isKnown), at: now)
    }

    /// What is here under the id of the text that a row of the server's is; nil when it is no text, or its passage isn't here.
    ///
    /// - Returns: what is known here, with what the server alone knows.
    static func ofText(_ db: Database, _ told: MatchablePassage) throws -> MatchablePassage? {
        let row = try Row.fetchOne(
            db, cached: "SELECT * FROM remote_passages WHERE sms_client_id = ? AND client_id <> sms_client_id",
            arguments: [told.clientID.stored])
        guard var passage = try row?.remotePassage() else { return nil }
        passage.serverID = told.serverID ?? passage.serverID
        passage.serverSequence = told.serverSequence ?? passage.serverSequence
        return passage
    }

    static func spelling(_ db: Database, _ plate: Plate) throws -> Plate? {
        try String.fetchOne(
            db, cached: "SELECT plate FROM passages WHERE plate_compact = ? ORDER BY recorded_at DESC LIMIT 1",
            arguments: [plate.compact]
        ).map(Plate.init(canonical:))
    }
}

extension UUID {
    fileprivate static func fetch(
        _ db: Database, _ sql: StaticString, arguments: StatementArguments
    ) throws -> UUID? {
        try String.fetchOne(db, cached: sql, arguments: arguments).flatMap(UUID.init(uuidString:))
    }
}
