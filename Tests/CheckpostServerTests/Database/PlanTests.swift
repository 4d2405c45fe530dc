import Testing

@testable import checkpost_server

/// Rows read are counted, not seconds: a table of a test's own was never analysed, so a plan that depends on luck shows.
@Suite("Inserting into a table that was never analysed", .timeLimit(.minutes(10)))
struct PlanTests {
    let database: TestDatabase

    init() throws {
        database = try TestDatabase()
    }

    @Test func `reads a few rows for each passage, however many there are`() throws {
        let count = 2000
        try database.owner.run("begin")
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
            select gen_random_uuid(), 'BA1PA' || g, 'car', (array[$2, $3])[g % 2 + 1]::uuid, now() - g * interval '1 second'
            from generate_series(1, $1::int) g
            """, [String(count), TestDatabase.postA, TestDatabase.postB])
        let read = try database.owner.value(
            """
            select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relid = 'public.vehicle_passages'::regclass
            """)
        try database.owner.run("rollback")
        #expect((Int(read ?? "") ?? .max) < 10 * count, "read \(read ?? "nothing")")
    }
}
