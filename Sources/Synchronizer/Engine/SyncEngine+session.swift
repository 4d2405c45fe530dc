import Enforcement
import Foundation
import Storage

/// Asking the server as this box's account.
extension SyncEngine {
    /// Sends a request with the keys that there are. Every answer, or none, tells of the link.
    ///
    /// - Parameter hidden: what the request holds and no error may repeat.
    func exchange(_ request: SyncRequest, hidden: [Secret] = []) throws -> ServerExchange {
        let request = request.authorised(apiKey: server.apiKey, token: tokens?.accessToken)
        let before = clock.now
        let started = clock.uptime
        let used = [server.apiKey, tokens?.accessToken].compactMap { $0.map { Secret($0) } }
        let answer = perform(request).hiding(used + hidden)
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
    func ask(_ request: SyncRequest) throws -> ServerAnswer {
        let (verdict, answer) = try askForVerdict(request)
        if case .accepted = verdict, let answer { return answer }
        throw CycleEnd("\(request.method.rawValue) \(request.path.prefix { $0 != "?" }): \(verdict.reason)")
    }

    /// As `ask`, for answers that are not all alike. Only silence throws.
    func askForVerdict(_ request: SyncRequest, identities: [String] = []) throws -> (Verdict, ServerAnswer?) {
        var reply = try exchange(request)
        var verdict = Verdict(reply, identities: identities, at: clock.now)
        if case .unauthorised = verdict {
            try perform(signInAgain())
            reply = try exchange(request)
            verdict = Verdict(reply, identities: identities, at: clock.now)
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
            let reply = try token(grant: "refresh_token", ["refresh_token": refreshToken])
            if take(reply) { return try handle(.signedIn) }
            if case .answered(let answer) = reply, (400..<500).contains(answer.status), answer.isWellFormed {
                tokens = nil
                tokenStore.forget()
            } else {
                return try handle(.signInFailed(reason(of: reply)))
            }
        }
        let password: Secret
        do {
            password = try server.password()
        } catch {
            return try handle(.signInRefused("The password of \(server.email) can't be read: check `password_file`."))
        }
        let reply = try token(grant: "password", ["email": server.email, "password": password.revealed])
        if take(reply) { return try handle(.signedIn) }
        guard case .answered(let answer) = reply, answer.isWellFormed, [400, 401, 403, 422].contains(answer.status)
        else {
            return try handle(.signInFailed(reason(of: reply)))
        }
        return try handle(
            .signInRefused("The server refuses the account \(server.email): \(answer.summary)."))
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

    private func token(grant: String, _ fields: [String: String]) throws -> ServerExchange {
        let held = tokens
        // The old token is not sent along: a server refuses the request for it.
        tokens = nil
        defer { tokens = tokens ?? held }
        return try exchange(
            SyncRequest(
                .post, "/auth/v1/token", query: [("grant_type", grant)],
                body: try JSONSerialization.data(withJSONObject: fields)),
            hidden: fields.filter { $0.key != "email" }.map { Secret($0.value) })
    }

    /// - Returns: whether the reply brought tokens.
    private func take(_ reply: ServerExchange) -> Bool {
        guard case .answered(let answer) = reply, answer.status == 200, let fields = answer.json as? [String: Any],
            let access = fields["access_token"] as? String, let refresh = fields["refresh_token"] as? String,
            let user = fields["user"] as? [String: Any],
            let id = (user["id"] as? String).flatMap(UUID.init(uuidString:)), !access.contains(where: \.isNewline)
        else { return false }
        let tokens = SyncTokens(
            accessToken: access, refreshToken: refresh, userID: id, owner: "\(server.email) \(server.url)")
        self.tokens = tokens
        tokenStore.save(tokens)
        return true
    }

    /// Whether the account may send: what is wrong with it, or nil.
    func accountProblem() throws -> String? {
        guard let tokens else { return "Nobody is signed in." }
        let answer = try ask(
            SyncRequest(
                .get, "/rest/v1/user_profiles",
                query: [
                    ("id", "eq.\(tokens.userID.uuidString.lowercased())"),
                    ("select", "id,role,is_active,assigned_checkpost_id"),
                ]))
        guard let profile = try answer.rows(ServerRows.Profile.self).first, profile.is_active else {
            return "The account \(server.email) is not active at the server."
        }
        let own = place?.checkposts.first { $0.code == server.checkpostCode }?.id
        guard profile.role == "admin" || profile.assigned_checkpost_id == own else {
            return "The account \(server.email) is not assigned to \(server.checkpostCode)."
        }
        return nil
    }
}

extension Verdict {
    /// For a message.
    var reason: String {
        switch self {
        case .accepted: "accepted"
        case .duplicate: "the server has it already"
        case .refused(let reason), .forbidden(let reason), .unwell(let reason, _), .silent(let reason),
            .tooLong(let reason), .unsendable(let reason):
            reason
        case .unauthorised: "401: the server refuses the token"
        }
    }
}
