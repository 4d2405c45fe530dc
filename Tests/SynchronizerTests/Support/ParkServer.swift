import Enforcement
import Foundation
import ParkAPI

@testable import Synchronizer

/// A park's server in memory, behind a real socket: enough of the contract for a post to work against, with faults on demand.
///
/// It is no stand-in for the rules in SQL: a test says itself what the server matched and judged.
final class ParkServer: @unchecked Sendable {
    typealias Row = [String: Any]

    static let segment = "b0000000-0000-4000-8000-000000000002"
    static let postA = "b0000000-0000-4000-8000-00000000000a"
    static let postB = "b0000000-0000-4000-8000-00000000000b"
    static let ranger = "c0000000-0000-4000-8000-000000000001"
    static let rangerB = "c0000000-0000-4000-8000-000000000002"

    let lock = NSRecursiveLock()
    var tables: [String: [Row]] = [:]
    var sequence = 100
    private var faults: [(prefix: String, fault: Fault)] = []
    /// With whose they are.
    private var tokens: [String: String] = [:]
    /// Who asks at the moment.
    private(set) var caller = ParkServer.ranger
    /// With whose they are.
    private var refreshTokens: [String: String] = [:]
    private var listener: HTTPListener?
    private(set) var asked: [Asked] = []
    var photos: [String: Data] = [:]

    var password = "right"
    /// Whether it has the columns beyond the published ones.
    var isExtended = true
    /// Whether its functions are where a Supabase project without edge functions has them.
    var isSupabase = false
    /// Whether posts may change passages through its function, and are told of changes.
    var keepsChanges = false
    /// Whether posts can tell through it up to when all that they saw is there.
    var hasCompleteness = true
    /// Whether it says in one answer whether there is anything to fetch.
    var tellsNews = true
    /// What it says with it of the road, settings and lists; nil: it doesn't say.
    var referenceMark: String?
    /// What it says of the post's texts; nil: it has no such function.
    var textKey: Row?
    /// Whether it has the function `passage_days`.
    var comparesDays = true
    /// Who may use a console; nil where it has no function that says so.
    var openAccounts: Set<String>?
    /// Whether somebody belongs to the post of whoever asks.
    var isOfPost: (_ name: String, _ caller: String) -> Bool = { _, _ in true }
    /// Plates whose passages it refuses, with this status.
    var refusals: [String: Int] = [:]
    /// How far its clock is ahead of the test's.
    var hoursAhead = 0.0
    var clock: (any SyncClock)?
    private var tokenNumber = 0

    var makeID: () -> String = { UUID().uuidString.lowercased() }
    /// Called for each passage that was inserted, with its row.
    var onPassage: (Row) -> Void = { _ in }
    /// Called when something was written that has a number.
    var onWrite: () -> Void = {}
    /// Called with each passage that is gone, or was something else before it was changed.
    var onGone: (Row) -> Void = { _ in }
    /// Called with each upload that completed the row of a text.
    var onCompletion: (Row) -> Void = { _ in }

    /// - Parameter listens: whether it answers on a socket; else only `respond` asks it.
    init(listens: Bool = true) throws {
        let road: [SegmentColumn: Any] = [
            .id: Self.segment, .name: "Banke", .distanceKm: 45, .maxSpeedKmh: 40, .minSpeedKmh: 10,
        ]
        tables[Table.highwaySegments.rawValue] = [Row(cells: road)]
        tables[Table.checkposts.rawValue] = [(Self.postA, "BNP-A", 0), (Self.postB, "BNP-B", 1)].map {
            id, code, index in
            let post: [CheckpostColumn: Any] = [
                .id: id, .segment: Self.segment, .code: code, .name: code, .positionIndex: index,
            ]
            return Row(cells: post)
        }
        tables[Table.userProfiles.rawValue] = [(Self.ranger, Self.postA), (Self.rangerB, Self.postB)].map { id, post in
            let profile: [ProfileColumn: Any] = [
                .id: id, .role: AccountRole.ranger.rawValue, .isActive: true, .assignedCheckpost: post,
            ]
            return Row(cells: profile)
        }
        guard listens else { return }
        listener = try HTTPListener { [weak self] in self?.answer($0) ?? (Answered(status: 503), .drop) }
    }

    var url: String { "http://127.0.0.1:\(listener?.port ?? 0)" }
    func goDown() { listener?.stop() }
    func comeUp() throws { try listener?.start() }

    /// The next request to a path that begins so goes wrong.
    func fail(_ prefix: String, _ fault: Fault, times: Int = 1) {
        lock.withLock { faults += Array(repeating: (prefix, fault), count: times) }
    }

    func rows(_ table: String) -> [Row] { lock.withLock { tables[table] ?? [] } }
    func texts(_ table: String, _ column: String) -> [String] { rows(table).map { "\($0[column] ?? "")" } }
    func requests(_ method: String, _ path: String) -> [Asked] {
        lock.withLock { asked.filter { $0.method == method && $0.path == path } }
    }
    func expireTokens(refreshToo: Bool = false) {
        lock.withLock {
            tokens = [:]
            if refreshToo { refreshTokens = [:] }
        }
    }

    /// Tables whose rows nobody follows.
    private static let unnumbered = Set(
        [Table.listedPlates, .postReviews, .syncMetadata, .syncRuns, .userProfiles].map(\.rawValue))

    @discardableResult
    func insert(_ table: String, _ row: Row) -> String {
        lock.withLock {
            var row = row
            if !Self.unnumbered.contains(table) { sequence += 1 }
            let id = row.text(PassageColumn.id) ?? makeID()
            row[PassageColumn.id] = id
            row[PassageColumn.serverSequence] = sequence
            tables[table, default: []].append(row)
            if !Self.unnumbered.contains(table) { onWrite() }
            return id
        }
    }

    /// Changes the rows of a table that have this id.
    func change(_ table: String, id: String, _ changes: Row) {
        lock.withLock {
            sequence += 1
            tables[table] = tables[table]?.map { row in
                guard row.text(PassageColumn.id) == id else { return row }
                var changed = row.merging(changes) { $1 }
                changed[PassageColumn.serverSequence] = sequence
                return changed
            }
            onWrite()
        }
    }

    /// A passage that the other post uploaded.
    @discardableResult
    func insertRemote(_ plate: String, at time: String, source: String = "app") -> String {
        let cells: [PassageColumn: Any] = [
            .clientID: UUID().sent, .plate: plate, .vehicleType: "car", .checkpost: Self.postB, .segment: Self.segment,
            .recordedAt: time, .source: source, .match: NSNull(), .clockState: "synchronised",
            .receivedAt: "2026-11-21T10:00:00+00:00",
        ]
        return insert(cells)
    }

    func link(_ one: String, _ other: String) {
        change(id: one, [PassageColumn.match: other])
        change(id: other, [PassageColumn.match: one])
    }

    private func answer(_ request: Asked) -> (Answered, Fault?) {
        lock.withLock {
            asked.append(request)
            let index = faults.firstIndex { request.path.hasPrefix($0.prefix) }
            let fault = index.map { faults.remove(at: $0).fault }
            switch fault {
            case .drop: return (Answered(status: 500), fault)
            case .answer(let answered): return (answered, fault)
            case .portal:
                return (Answered(status: 200, body: Data("<!DOCTYPE html><html>Pay here</html>".utf8)), fault)
            case .twice: _ = route(request)
            default: break
            }
            return (respond(request), fault)
        }
    }

    private static let dates: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter
    }()

    /// Does what is asked.
    func respond(_ request: Asked) -> Answered {
        lock.withLock {
            var answered = route(request)
            answered.headers["Date"] = Self.dates.string(
                from: Date(timeIntervalSince1970: Double(clock?.now.milliseconds ?? 0) / 1000 + hoursAhead * 3600))
            return answered
        }
    }

    private func route(_ request: Asked) -> Answered {
        if request.path == ParkPath.signIn { return token(request) }
        let token = request.headers["authorization"]?.replacingOccurrences(of: "Bearer ", with: "") ?? ""
        guard let user = tokens[token] else { return error(401, "PGRST301", "JWT expired") }
        caller = user
        if request.path.hasPrefix(ParkPath.photos + "/") {
            photos[String(request.path.dropFirst((ParkPath.photos + "/").count))] = request.body
            return .json(["Key": request.path])
        }
        if request.path == (isSupabase ? ParkFunction.matchPassage.databasePath : ParkFunction.matchPassage.path) {
            return match(request)
        }
        if isSupabase, request.path == ParkFunction.changePassage.databasePath { return .json(["changed": true]) }
        if keepsChanges, request.path == ParkFunction.changePassage.path { return changePassage(request) }
        if request.path == ParkFunction.passageDays.databasePath, isExtended, comparesDays {
            return passageDays(request)
        }
        if request.path == ParkFunction.news.databasePath, isExtended, hasCompleteness, tellsNews { return news() }
        if request.path == ParkFunction.tellReviews.databasePath, referenceMark != nil { return tellReviews(request) }
        if request.path == ParkFunction.handInText.databasePath, isExtended { return handInText(request) }
        if request.path == ParkFunction.textKey.databasePath, let textKey { return .json(textKey) }
        if request.path == ParkFunction.accountsOpen.databasePath, let openAccounts {
            let question = try? JSONDecoder().decode(AccountsQuestion.self, from: request.body)
            return .json(question?.names.filter { openAccounts.contains($0) && isOfPost($0, caller) } ?? [])
        }
        if request.path.hasPrefix(ParkPath.databaseFunctions + "/") {
            return error(404, "PGRST202", "Could not find the function")
        }
        if request.path.hasPrefix("/functions/") { return error(404, "NOT_FOUND", "Requested function was not found") }
        let table = String(request.path.dropFirst((ParkPath.tables + "/").count))
        switch request.method {
        case "GET": return select(table, request)
        case "POST": return insert(table, request)
        case "PATCH":
            let changes = request.json as? Row ?? [:]
            let found = filtered(table, request)
            for row in found { change(table, id: row.text(PassageColumn.id) ?? "", changes) }
            return .json(filtered(table, request))
        default: return error(405, "405", "no")
        }
    }

    private func token(_ request: Asked) -> Answered {
        let user: String
        if request.first("grant_type") == RefreshGrant.type {
            let grant = try? JSONDecoder().decode(RefreshGrant.self, from: request.body)
            guard let holder = refreshTokens.removeValue(forKey: grant?.refreshToken.revealed ?? "") else {
                return error(400, "refresh_token_not_found", "no such token")
            }
            user = holder
        } else {
            let grant = try? JSONDecoder().decode(PasswordGrant.self, from: request.body)
            guard let grant, grant.password.revealed == password else {
                return error(400, "invalid_credentials", "Invalid login credentials")
            }
            user =
                grant.email.hasPrefix("bnp-b")
                ? Self.rangerB : grant.email.hasPrefix("bnp-c") ? Self.rangerC : Self.ranger
        }
        tokenNumber += 1
        tokens["access-\(tokenNumber)"] = user
        refreshTokens["refresh-\(tokenNumber)"] = user
        return .json([
            ServerSession.CodingKeys.accessToken.rawValue: "access-\(tokenNumber)",
            ServerSession.CodingKeys.refreshToken.rawValue: "refresh-\(tokenNumber)", "expires_in": 3600,
            ServerSession.CodingKeys.user.rawValue: ["id": user],
        ])
    }

    var profile: Row { rows(.userProfiles).first { $0.text(ProfileColumn.id) == caller } ?? [:] }

    func setActive(_ isActive: Bool, _ user: String = ParkServer.ranger) {
        change(id: user, [ProfileColumn.isActive: isActive])
    }

    private func match(_ request: Asked) -> Answered {
        guard let pair = try? JSONDecoder().decode(MatchQuestion.self, from: request.body) else {
            return error(400, "400", "ids")
        }
        let (one, other) = (pair.entry.sent, pair.exit.sent)
        let rows = rows(.passages).filter { [one, other].contains($0.text(PassageColumn.id) ?? "") }
        guard rows.count == 2, rows.allSatisfy({ $0[PassageColumn.match] is NSNull }) else {
            return Answered(status: 409, body: Data(#"{"error":"matched already"}"#.utf8))
        }
        guard !isContradicted(rows[0], rows[1]) else {
            return Answered(status: 422, body: Data(#"{"error":"the vehicle was seen in between"}"#.utf8))
        }
        link(one, other)
        return .json(["matched": true, "violation": NSNull()])
    }

    func error(_ status: Int, _ code: String, _ message: String, details: String? = nil) -> Answered {
        .json(["code": code, "message": message, "details": details as Any? ?? NSNull()], status: status)
    }
}
