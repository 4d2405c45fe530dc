import Enforcement
import Foundation
import ParkAPI
import Storage

/// Asking the server as this box's account.
extension SyncEngine {
    /// Sends a request with the keys that there are. Every answer, or none, tells of the link.
    ///
    /// - Parameter hidden: what the request holds and no error may repeat.
    func exchange(_ request: SyncRequest, hidden: [Secret] = []) throws -> ServerExchange {
        try exchange(hidden: hidden) { $0(request) }
    }

    /// - Parameter asking: what is asked of the one who performs requests; of several answers the last one counts.
    func exchange(
        hidden: [Secret] = [], asking: (_ perform: (SyncRequest) -> ServerExchange) -> ServerExchange
    ) throws -> ServerExchange {
        let token = tokens?.accessToken
        let before = clock.now
        let started = clock.uptime
        let used = [server.apiKey, token].compactMap { $0.map { Secret($0) } }
        let answer = asking { transport.perform($0.authorised(apiKey: server.apiKey, token: token)) }
            .hiding(used + hidden)
        try note(answer, askedAt: before, took: clock.uptime - started)
        onExchange()
        return answer
    }

    private func note(_ exchange: ServerExchange, askedAt before: Instant, took: TimeSpan) throws {
        let event: LinkMonitor.Event
        switch exchange {
        case .silent(let reason):
            event = .unanswered
            linkFailure = reason
        case .answered(let answer):
            event = answer.showsLink ? .wellAnswered : .badlyAnswered
            linkFailure = answer.showsLink ? nil : Verdict(exchange, identities: [], at: clock.now).reason
            if answer.showsLink { try noteSkew(answer, askedAt: before, took: took) }
        }
        let actions = link.handle(event, at: clock.uptime, random: random())
        let isStale = successStoredAt.map { clock.uptime - $0 >= .seconds(10) } ?? true
        if event == .wellAnswered, isStale || !actions.isEmpty {
            successStoredAt = clock.uptime
            try store.set(SyncCursor(name: CursorName.lastSuccess, value: clock.now.milliseconds), at: clock.now)
        }
        for case .cameBack in actions { try perform(queue.handle(.answeredWell, at: clock.now, random: random())) }
    }

    /// The server's date is cut to seconds and was written somewhere between question and answer.
    private func noteSkew(_ answer: ServerAnswer, askedAt before: Instant, took: TimeSpan) throws {
        guard let date = answer.date.flatMap(Instant.init(httpDate:)) else { return }
        let middle = before + .milliseconds(took.milliseconds / 2)
        let found = middle - (date + .milliseconds(500))
        let isNews = skew.map { abs($0.seconds - found.seconds) > 2 } ?? true
        skew = found
        guard isNews else { return }
        try store.set(SyncCursor(name: CursorName.skew, value: found.milliseconds), at: clock.now)
        if found.magnitude > settings.maximumSkew {
            let seconds = Int(found.seconds.rounded())
            let direction = seconds > 0 ? "ahead of" : "behind"
            try store.raiseAlarm(
                "clock.skew", .warning, "The clock is \(abs(seconds)) s \(direction) the server's.",
                hint: "Check that the time service runs and reaches its servers.", at: clock.now)
        } else {
            try store.clearAlarm("clock.skew", at: clock.now)
        }
    }

    /// Asks for something that is no queue entry. A 401 is answered by signing in again, once.
    ///
    /// - Throws: `CycleEnd` when nothing, or nothing good, answers.
    private func ask<Column>(_ query: RowQuery<Column>) throws -> ServerAnswer {
        let (verdict, answer) = try askForVerdict(.read(query))
        if case .accepted = verdict, let answer { return answer }
        throw CycleEnd("GET \(query.path): \(verdict.reason)")
    }

    /// Asks for rows. One that makes no sense ends the cycle.
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

    /// What makes no sense ends the cycle.
    func readable<Result>(_ read: () throws(SenselessAnswer) -> Result) throws(CycleEnd) -> Result {
        do {
            return try read()
        } catch {
            throw CycleEnd(error.reason)
        }
    }

    /// As `ask`, for answers that are not all alike. Only silence throws.
    func askForVerdict(_ request: SyncRequest) throws -> (Verdict, ServerAnswer?) {
        try judged { try exchange(request) }
    }

    func judged(_ ask: () throws -> ServerExchange) throws -> (Verdict, ServerAnswer?) {
        var reply = try ask()
        var verdict = Verdict(reply, identities: [], at: clock.now)
        if case .unauthorised = verdict {
            try perform(signInAgain())
            reply = try ask()
            verdict = Verdict(reply, identities: [], at: clock.now)
        }
        if case .silent(let reason) = verdict { throw CycleEnd(reason) }
        guard case .answered(let answer) = reply else { return (verdict, nil) }
        return (verdict, answer)
    }

    func signInIfNeeded() throws {
        guard tokens == nil else { return }
        if let reason = queue.pauseReason, queue.isPaused(at: clock.now) { throw CycleEnd(reason) }
        try perform(signInAgain())
    }

    /// Renews the token, or else signs in with the password.
    func signInAgain() throws -> [SyncQueue.Action] {
        if let refreshToken = tokens?.refreshToken {
            let grant = RefreshGrant(refreshToken: Secret(refreshToken))
            let reply = try signIn(.renew(grant), hidden: [grant.refreshToken])
            switch SignInAnswer(reply) {
            case .signedIn(let session): return try keep(session)
            case .refused: forgetTokens()
            case .unclear(let answer) where (400..<500).contains(answer.status) && answer.isWellFormed: forgetTokens()
            case .unclear, .silent: return try handle(.signInFailed(reason(of: reply)))
            }
        }
        let password: Secret
        do {
            password = try server.password()
        } catch {
            return try handle(.signInRefused("The password of \(server.email) can't be read: check `password_file`."))
        }
        let grant = PasswordGrant(email: server.email, password: password)
        let reply = try signIn(.signIn(grant), hidden: [password])
        switch SignInAnswer(reply) {
        case .signedIn(let session): return try keep(session)
        case .refused(let summary):
            return try handle(.signInRefused("The server refuses the account \(server.email): \(summary)."))
        case .unclear, .silent: return try handle(.signInFailed(reason(of: reply)))
        }
    }

    private func forgetTokens() {
        tokens = nil
        tokenStore.forget()
    }

    func handle(_ event: SyncQueue.Event) throws -> [SyncQueue.Action] {
        queue.handle(event, at: clock.now, random: random())
    }

    private func reason(of reply: ServerExchange) -> String {
        switch reply {
        case .silent(let reason): reason
        case .answered(let answer): "The sign-in failed: \(answer.summary)"
        }
    }

    private func signIn(_ request: SyncRequest, hidden: [Secret]) throws -> ServerExchange {
        let held = tokens
        // The old token is not sent along: a server refuses the request for it.
        tokens = nil
        defer { tokens = tokens ?? held }
        return try exchange(request, hidden: hidden)
    }

    private func keep(_ session: ServerSession) throws -> [SyncQueue.Action] {
        let tokens = SyncTokens(
            accessToken: session.accessToken.revealed, refreshToken: session.refreshToken.revealed,
            userID: session.user, owner: "\(server.email) \(server.url)")
        self.tokens = tokens
        tokenStore.save(tokens)
        return try handle(.signedIn)
    }

    /// Whether the account may send: what is wrong with it, or nil.
    func accountProblem() throws -> String? {
        guard let tokens else { return "Nobody is signed in." }
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

    /// The server's id of this post.
    var ownCheckpost: UUID? { place?.checkposts.first { $0.code == server.checkpostCode }?.id }
}
