import Enforcement
import Foundation

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
    private var caller = ParkServer.ranger
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
    /// Whether it has the function `passage_days`.
    var comparesDays = true
    /// Who may use a console; nil where it has no function that says so.
    var openAccounts: Set<String>?
    /// Plates whose passages it refuses, with this status.
    var refusals: [String: Int] = [:]
    /// How far its clock is ahead of the test's.
    var hoursAhead = 0.0
    var clock: (any SyncClock)?
    private var tokenNumber = 0

    var makeID: () -> String = { UUID().uuidString.lowercased() }
    /// Called for each passage that was inserted, with its row.
    var onPassage: (Row) -> Void = { _ in }
    /// Called with each upload that completed the row of a text.
    var onCompletion: (Row) -> Void = { _ in }

    /// - Parameter listens: whether it answers on a socket; else only `respond` asks it.
    init(listens: Bool = true) throws {
        tables["highway_segments"] = [
            ["id": Self.segment, "name": "Banke", "distance_km": 45, "max_speed_kmh": 40, "min_speed_kmh": 10]
        ]
        tables["checkposts"] = [(Self.postA, "BNP-A", 0), (Self.postB, "BNP-B", 1)].map { id, code, index in
            ["id": id, "segment_id": Self.segment, "code": code, "name": code, "position_index": index]
        }
        tables["user_profiles"] = [
            ["id": Self.ranger, "role": "ranger", "is_active": true, "assigned_checkpost_id": Self.postA],
            ["id": Self.rangerB, "role": "ranger", "is_active": true, "assigned_checkpost_id": Self.postB],
        ]
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

    @discardableResult
    func insert(_ table: String, _ row: Row) -> String {
        lock.withLock {
            var row = row
            sequence += 1
            let id = row["id"] as? String ?? makeID()
            row["id"] = id
            row["server_seq"] = sequence
            tables[table, default: []].append(row)
            return id
        }
    }

    /// Changes the rows of a table that have this id.
    func change(_ table: String, id: String, _ changes: Row) {
        lock.withLock {
            sequence += 1
            tables[table] = tables[table]?.map { row in
                guard row["id"] as? String == id else { return row }
                return row.merging(changes) { $1 }.merging(["server_seq": sequence]) { $1 }
            }
        }
    }

    /// A passage that the other post uploaded.
    @discardableResult
    func insertRemote(_ plate: String, at time: String, source: String = "app") -> String {
        insert(
            "vehicle_passages",
            [
                "client_id": UUID().uuidString.lowercased(), "plate_number": plate, "vehicle_type": "car",
                "checkpost_id": Self.postB, "segment_id": Self.segment, "recorded_at": time, "source": source,
                "matched_passage_id": NSNull(), "clock_state": "synchronised",
                "server_received_at": "2026-11-21T10:00:00+00:00",
            ])
    }

    func link(_ one: String, _ other: String) {
        change("vehicle_passages", id: one, ["matched_passage_id": other])
        change("vehicle_passages", id: other, ["matched_passage_id": one])
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
        if request.path == "/auth/v1/token" { return token(request) }
        let token = request.headers["authorization"]?.replacingOccurrences(of: "Bearer ", with: "") ?? ""
        guard let user = tokens[token] else { return error(401, "PGRST301", "JWT expired") }
        caller = user
        if request.path.hasPrefix("/storage/v1/object/") {
            photos[String(request.path.dropFirst("/storage/v1/object/".count))] = request.body
            return .json(["Key": request.path])
        }
        if request.path == (isSupabase ? "/rest/v1/rpc/match_passage" : "/functions/v1/match-passage") {
            return match(request)
        }
        if isSupabase, request.path == "/rest/v1/rpc/change_passage" { return .json(["changed": true]) }
        if keepsChanges, request.path == "/functions/v1/change-passage" { return changePassage(request) }
        if request.path == "/rest/v1/rpc/passage_days", isExtended, comparesDays { return passageDays(request) }
        if request.path == "/rest/v1/rpc/accounts_open", let openAccounts {
            let names = (request.json as? [String: [String]])?["names"] ?? []
            return .json(names.filter(openAccounts.contains))
        }
        if request.path.hasPrefix("/rest/v1/rpc/") { return error(404, "PGRST202", "Could not find the function") }
        if request.path.hasPrefix("/functions/") { return error(404, "NOT_FOUND", "Requested function was not found") }
        let table = String(request.path.dropFirst("/rest/v1/".count))
        switch request.method {
        case "GET": return select(table, request)
        case "POST": return insert(table, request)
        case "PATCH":
            let changes = request.json as? Row ?? [:]
            let found = filtered(table, request)
            for row in found { change(table, id: row["id"] as? String ?? "", changes) }
            return .json(filtered(table, request))
        default: return error(405, "405", "no")
        }
    }

    private func token(_ request: Asked) -> Answered {
        let fields = request.json as? [String: String] ?? [:]
        var user = fields["email"]?.hasPrefix("bnp-b") == true ? Self.rangerB : Self.ranger
        if request.first("grant_type") == "refresh_token" {
            guard let holder = refreshTokens.removeValue(forKey: fields["refresh_token"] ?? "") else {
                return error(400, "refresh_token_not_found", "no such token")
            }
            user = holder
        } else if fields["password"] != password {
            return error(400, "invalid_credentials", "Invalid login credentials")
        }
        tokenNumber += 1
        tokens["access-\(tokenNumber)"] = user
        refreshTokens["refresh-\(tokenNumber)"] = user
        return .json([
            "access_token": "access-\(tokenNumber)", "refresh_token": "refresh-\(tokenNumber)", "expires_in": 3600,
            "user": ["id": user],
        ])
    }

    var profile: Row { tables["user_profiles"]?.first { $0["id"] as? String == caller } ?? [:] }

    func setActive(_ isActive: Bool, _ user: String = ParkServer.ranger) {
        change("user_profiles", id: user, ["is_active": isActive])
    }

    private func match(_ request: Asked) -> Answered {
        let fields = request.json as? [String: String] ?? [:]
        guard let one = fields["entry_passage_id"], let other = fields["exit_passage_id"] else {
            return error(400, "400", "ids")
        }
        let rows = (tables["vehicle_passages"] ?? []).filter { [one, other].contains($0["id"] as? String ?? "") }
        guard rows.count == 2, rows.allSatisfy({ $0["matched_passage_id"] is NSNull }) else {
            return Answered(status: 409, body: Data(#"{"error":"matched already"}"#.utf8))
        }
        link(one, other)
        return .json(["matched": true, "violation": NSNull()])
    }

    func error(_ status: Int, _ code: String, _ message: String, details: String? = nil) -> Answered {
        .json(["code": code, "message": message, "details": details as Any? ?? NSNull()], status: status)
    }
}
