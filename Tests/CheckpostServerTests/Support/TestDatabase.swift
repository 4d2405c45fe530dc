import Foundation

@testable import checkpost_server

/// A database of a test's own, migrated and seeded with the pilot: 45 km, 40 and 10 km/h, posts A and B.
///
/// Two more posts, C and D, lie on a second segment that has nothing to do with the first.
struct TestDatabase {
    let cluster: PostgresCluster
    let name: String
    /// As the owner of the tables.
    let owner: PostgresConnection

    static let segment = "b0000000-0000-4000-8000-000000000002"
    static let postA = "b0000000-0000-4000-8000-00000000000a"
    static let postB = "b0000000-0000-4000-8000-00000000000b"
    static let postC = "b0000000-0000-4000-8000-00000000000c"
    static let postD = "b0000000-0000-4000-8000-00000000000d"

    var ownerURL: String { cluster.url(database: name, user: "postgres") }
    /// As the gateway signs in: a role that is nothing by itself.
    var gatewayURL: String { cluster.url(database: name, user: "authenticator") }

    init(template: String = PostgresCluster.template, in cluster: PostgresCluster? = nil) throws {
        let cluster = try cluster ?? PostgresCluster.shared.get()
        self.cluster = cluster
        name = "\(template)_test_\(UUID().uuidString.replacing("-", with: "").lowercased())"
        let maintenance = try PostgresConnection(url: cluster.url(database: "postgres", user: "postgres"))
        // Copying one template from two connections at a time is refused.
        try maintenance.run("select pg_advisory_lock(1)")
        try maintenance.run("create database \(name) template \(template)")
        owner = try PostgresConnection(url: cluster.url(database: name, user: "postgres"))
        if template == PostgresCluster.template { try addOtherSegment() }
    }

    private func addOtherSegment() throws {
        try owner.runScript(
            """
            insert into highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
            values ('b0000000-0000-4000-8000-000000000003', 'b0000000-0000-4000-8000-000000000001', 'other', 10, 40, 10);
            insert into checkposts (id, segment_id, name, code, position_index) values
                ('\(Self.postC)', 'b0000000-0000-4000-8000-000000000003', 'C', 'BNP-C', 0),
                ('\(Self.postD)', 'b0000000-0000-4000-8000-000000000003', 'D', 'BNP-D', 1);
            """)
    }

    /// For what the server's own clock decides: a fixed day would be too long ago in a month.
    static func hoursAgo(_ hours: Double) -> String {
        Date(timeIntervalSinceNow: -hours * 3600).formatted(.iso8601)
    }

    func connect() throws -> PostgresConnection {
        try PostgresConnection(url: ownerURL)
    }

    /// Adds an account and returns its id. The e-mail is `<name>@bnp.local`, the password `password-<name>`.
    @discardableResult
    func addUser(_ name: String, post: String? = nil, role: String = "ranger", phone: String? = nil) throws -> String {
        try owner.run(
            """
            with account as (
                select (checkpost.insert_user($1 || '@bnp.local', 'password-' || $1, null, null, null)).id as id)
            insert into user_profiles (id, full_name, role, phone_number, assigned_checkpost_id)
            select id, $1, $2, $3, $4::uuid from account returning id
            """, [name, role, phone, post]
        ).scalar ?? ""
    }

    /// Runs statements as a signed-in user, the way the gateway does, in one transaction.
    func asUser<Value>(
        _ id: String?, role: String = "authenticated", _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        let connection = try PostgresConnection(url: gatewayURL)
        return try connection.transaction { connection in
            let claims = id.map { #"{"sub": "\#($0)", "role": "\#(role)"}"# } ?? #"{"role": "\#(role)"}"#
            try connection.run(
                "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [role, claims])
            return try body(connection)
        }
    }
}

extension PostgresConnection {
    /// Inserts a passage and returns its id; nil when it was merged into another row.
    @discardableResult
    func record(
        _ plate: String, at post: String, _ time: String, clientID: String? = nil, smsClientID: String? = nil,
        clockState: String? = nil
    ) throws -> String? {
        try run(
            """
            insert into vehicle_passages
                (client_id, sms_client_id, plate_number, vehicle_type, checkpost_id, recorded_at, clock_state)
            values (coalesce($1::uuid, gen_random_uuid()), $2::uuid, $3, 'car', $4::uuid, $5::timestamptz, $6)
            returning id
            """, [clientID, smsClientID, plate, post, time, clockState]
        ).scalar
    }

    func value(_ sql: String, _ parameters: [String?] = []) throws -> String? {
        try run(sql, parameters).scalar
    }

    /// A round for overstays as it is on the day after that of the tests, and how many alerts it raised: the server's own clock goes on, and
    /// a round looks back for a month only.
    @discardableResult
    func overstayRound() throws -> String? {
        try value(
            """
            with made as materialized (select checkpost.raise_overstay_alerts(500, '2026-11-22T12:00:00Z') as n),
                doubts as materialized (select checkpost.renew_doubts('2026-11-22T12:00:00Z') from made)
            select n from made, doubts
            """)
    }
}

/// Runs `body` on `count` threads that start together, and returns what each of them returned.
func together<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) throws -> Value
) async throws -> [Value] {
    let gate = Gate(count)
    return try await withThrowingTaskGroup(of: Value.self) { group in
        for index in 0..<count {
            group.addTask {
                try await withCheckedThrowingContinuation { continuation in
                    Thread {
                        gate.wait()
                        continuation.resume(with: Result { try body(index) })
                    }.start()
                }
            }
        }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}

/// Lets threads through when all of them have arrived.
private final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var missing: Int

    init(_ count: Int) {
        missing = count
    }

    func wait() {
        condition.lock()
        defer { condition.unlock() }
        missing -= 1
        if missing == 0 { condition.broadcast() }
        while missing > 0 { condition.wait() }
    }
}
