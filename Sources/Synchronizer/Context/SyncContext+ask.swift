import Enforcement
import Foundation
import ParkAPI
import Storage

/// Asking the server as this box's account.
extension SyncContext {
    /// Sends a request with the keys that there are. Every answer, or none, tells of the link.
    func exchange(_ request: SyncRequest) throws -> ServerExchange {
        try exchange(token: session.tokens?.accessToken) { $0(request) }
    }

    /// Calls a function; one that the server lacks in one place is called in the other, and from then on there.
    ///
    /// A 404 can also mean that a record is not there. The other place then says so once more, and nothing was done by either.
    func exchange(_ call: FunctionCall) throws -> ServerExchange {
        let paths = (dialect ?? .ours).paths(of: call.function)
        func request(_ path: String) -> SyncRequest {
            SyncRequest(.post, path, body: call.body, timeout: call.timeout)
        }
        return try exchange(token: session.tokens?.accessToken) {
            let reply = $0(request(paths.first))
            guard let other = paths.other, reply.isMissing else { return reply }
            let second = $0(request(other))
            if case .answered = second, !second.isMissing { self.dialect?.learn(isInDatabase: call.function) }
            return second
        }
    }

    /// Renews the token, or else signs in with the password.
    ///
    /// - Returns: what the queue is to be told of it.
    func signInAgain() throws -> SyncQueue.Event {
        try session.signInAgain { request, hidden in try exchange(token: nil, hidden: hidden) { $0(request) } }
    }

    /// - Parameters:
    ///   - hidden: what the request holds and no error may repeat.
    ///   - asking: what is asked of the one who performs requests; of several answers the last one counts.
    private func exchange(
        token: String?, hidden: [Secret] = [], asking: (_ perform: (SyncRequest) -> ServerExchange) -> ServerExchange
    ) throws -> ServerExchange {
        let used = [server.apiKey, token].compactMap { $0.map { Secret($0) } }
        let asked = line.asked
        let answer = asking { line.perform($0.authorised(apiKey: server.apiKey, token: token)) }.hiding(used + hidden)
        if try line.note(answer, since: asked) { try tellQueue(.answeredWell) }
        onExchange()
        return answer
    }

    /// Asks for rows. One that makes no sense ends the cycle.
    ///
    /// - Throws: `CycleEnd` when nothing, or nothing good, answers.
    func rows<Column, Row: Decodable>(_ query: RowQuery<Column>, _ type: Row.Type = Row.self) throws -> [Row] {
        let answer = try ask(query)
        return try readable { () throws(SenselessAnswer) in try answer.rows(Row.self) }
    }

    /// Asks for rows, and leaves out those that make no sense; how many they are is told.
    func usableRows<Column, Row: Decodable>(
        _ query: RowQuery<Column>, _ type: Row.Type = Row.self
    ) throws -> (rows: [Row], unreadable: Int) {
        let answer = try ask(query)
        return try readable { () throws(SenselessAnswer) in try answer.usableRows(Row.self) }
    }

    /// A road and its posts, in the order of the road, as the server tells them.
    func road(_ segment: UUID) throws -> (row: SegmentRow?, posts: [CheckpostRow]) {
        let row = try rows(
            // All columns: a server that knows no tolerance refuses to be asked for it.
            RowQuery<SegmentColumn>().whose(.id, .equals(segment)).tellingAll(), SegmentRow.self
        ).first
        let posts = RowQuery<CheckpostColumn>().whose(.segment, .equals(segment)).telling(CheckpostRow.columns)
        return (row, try rows(posts.inOrder(of: [.positionIndex]), CheckpostRow.self))
    }

    private func ask<Column>(_ query: RowQuery<Column>) throws -> ServerAnswer {
        let (verdict, answer) = try askForVerdict(.read(query))
        if case .accepted = verdict, let answer { return answer }
        throw CycleEnd("GET \(query.path): \(verdict.reason)")
    }

    /// What makes no sense ends the cycle.
    func readable<Result>(_ read: () throws(SenselessAnswer) -> Result) throws(CycleEnd) -> Result {
        do {
            return try read()
        } catch {
            throw CycleEnd(error.reason)
        }
    }

    /// Asks for something that is no queue entry, where the answers are not all alike. A 401 is answered by signing in again, once.
    ///
    /// - Throws: `CycleEnd` when nothing answers.
    func askForVerdict(_ request: SyncRequest) throws -> (Verdict, ServerAnswer?) {
        try judged { try exchange(request) }
    }

    /// The same, of a function.
    func askForVerdict(_ call: FunctionCall) throws -> (Verdict, ServerAnswer?) { try judged { try exchange(call) } }

    private func judged(_ ask: () throws -> ServerExchange) throws -> (Verdict, ServerAnswer?) {
        var reply = try ask()
        var verdict = Verdict(reply, identities: [], at: clock.now)
        if case .unauthorised = verdict {
            try tellQueue(signInAgain())
            reply = try ask()
            verdict = Verdict(reply, identities: [], at: clock.now)
        }
        if case .silent(let reason) = verdict { throw CycleEnd(reason) }
        guard case .answered(let answer) = reply else { return (verdict, nil) }
        return (verdict, answer)
    }
}

/// What several parts ask.
extension SyncContext {
    /// Whether the server has a table that tells of something; asked once a run.
    func learnedWhether(_ ability: ServerDialect.Ability) throws -> Bool {
        if let known = try chosenDialect.can(ability) { return known }
        let (what, question): (String, SyncRequest)
        switch ability {
        case .changes:
            (what, question) = ("changes", .read(RowQuery<ChangeColumn>().telling([.serverSequence]).limited(to: 1)))
        case .deletions:
            (what, question) = (
                "deletions", .read(RowQuery<DeletionColumn>().telling([.serverSequence]).limited(to: 1))
            )
        // These are learned from the answers to what is asked anyway.
        case .reviews, .completeness, .travel, .tolerance, .accounts, .evidence, .news, .tellingNews:
            return false
        }
        let (verdict, _) = try askForVerdict(question)
        switch verdict {
        case .accepted: dialect?.learn(ability, true)
        case .refused: dialect?.learn(ability, false)
        default: throw CycleEnd("Asking for the server's \(what): \(verdict.reason)")
        }
        return try chosenDialect.can(ability) == true
    }

    /// Whether the account may send: what is wrong with it, or nil.
    func accountProblem() throws -> String? {
        guard let tokens = session.tokens else { return "Nobody is signed in." }
        let profiles = try rows(
            RowQuery<ProfileColumn>().whose(.id, .equals(tokens.userID))
                .telling([.id, .role, .isActive, .assignedCheckpost]), ProfileRow.self)
        guard let profile = profiles.first, profile.isActive else {
            return "The account \(server.email) is not active at the server."
        }
        guard profile.role == .admin || profile.assignedCheckpost == ownCheckpost else {
            return "The account \(server.email) is not assigned to \(server.checkpostCode)."
        }
        return nil
    }

    /// Which numbers the server has for rows, by their ids; those that it lacks are left out.
    func numbers<Column: NumberedColumn>(
        of marks: [SyncCursor], in _: Column.Type
    ) throws -> [UUID: Int64] {
        guard !marks.isEmpty else { return [:] }
        let rows = try rows(
            RowQuery<Column>().whose(.id, .isAmong(marks.compactMap(\.row))).telling([.id, .serverSequence]),
            NumberRow<Column>.self)
        return Dictionary(rows.map { ($0.id, $0.serverSequence) }, uniquingKeysWith: { first, _ in first })
    }
}
