import Enforcement
import TestKit
import Testing

@testable import checkpost_server

@Suite("The server's look-alikes", .timeLimit(.minutes(10)))
struct LookAlikeTests {
    let database: TestDatabase

    init() throws {
        database = try TestDatabase()
    }

    private func list(_ sql: String, _ parameters: [String?] = []) throws -> [String] {
        try database.owner.run("select unnest(\(sql))", parameters).rows.map { $0[0] ?? "" }
    }

    @Test func `are judged by the cases that the box is held to, whichever comes first`() throws {
        for pair in try Contract.lookAlikes() {
            for plates in [[pair.one, pair.other], [pair.other, pair.one]] {
                let answer = try database.owner.value("select checkpost.may_be_same($1, $2)", plates)
                #expect(answer == (pair.may_be_same ? "t" : "f"), "\(pair.name): \(plates)")
            }
        }
    }

    @Test func `have the characters, the syllables and the formats of the box`() throws {
        #expect(
            try list("checkpost.alike_characters()").sorted()
                == (LatinAlphabet.alike + DevanagariAlphabet.alikeDigits).sorted())
        #expect(
            try list("checkpost.alike_syllables()").sorted()
                == DevanagariAlphabet.alikeSyllables.map { "\($0) \($1)" }.sorted())
        let formats = PlateFormat.covered.filter { $0.script == .devanagari }
        #expect(try list("checkpost.syllabic_formats()").sorted() == formats.map(pattern).sorted())
    }

    private func pattern(_ format: PlateFormat) -> String {
        let fields = format.slots.map { slot in
            if case .only(let symbols) = slot.symbols {
                return "(\(Set(symbols.values).sorted().joined(separator: "|")))"
            }
            let (least, most) = (slot.count.lowerBound, slot.count.upperBound)
            return "([0-9]{\(least == most ? "\(least)" : "\(least),\(most)")})"
        }
        return "^" + (format.prefix.isEmpty ? "" : "(\(format.prefix))") + fields.joined() + "$"
    }

    @Test(arguments: [Seed.drawn()]) func `are listed as at the box`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let syllables = [
            "BA", "KA", "PA", "PHA", "YA", "THA", "ME", "BHE", "SE", "SA", "MA", "RA", "GA", "LU", "B", "O",
        ]
        for _ in 0..<300 {
            let number = { (count: Int, random: inout SeededGenerator) in
                (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            }
            let start =
                Bool.random(using: &random) ? "P\(number(6, &random))" : syllables.randomElement(using: &random) ?? ""
            let plate =
                start + number(start.count > 3 ? 0 : Int.random(in: 1...3, using: &random), &random)
                + (syllables.randomElement(using: &random) ?? "")
                + number(Int.random(in: 1...4, using: &random), &random)
            #expect(
                try list("checkpost.look_alike_variants($1)", [plate]).sorted()
                    == LookAlike.variants(of: Plate(canonical: plate)).sorted(), "seed \(seed): \(plate)")
        }
    }

    /// Rows read are counted, not seconds: of a table that was never analysed, so that a plan that depends on luck shows.
    @Test(arguments: [("BA1PA1234", 150), ("BA1PA12?4", 450)])
    func `are looked up for an alert without reading the day`(plate: String, most: Int) throws {
        let owner = database.owner
        try owner.run("begin")
        let entry = try #require(try owner.record(plate, at: TestDatabase.postA, "2026-11-21T10:00:00Z"))
        try owner.run(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
            select gen_random_uuid(), 'LU2CHA' || g, 'car', $1::uuid, '2026-11-21T11:00:00Z'::timestamptz + g * interval '10 seconds'
            from generate_series(1, 3000) g
            """, [TestDatabase.postB])
        try owner.record("BA1PHA1234", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
        let read = """
            select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relid = 'public.vehicle_passages'::regclass
            """
        let before = Int(try owner.value(read) ?? "") ?? .max
        let found = try owner.value(
            "select jsonb_array_length(checkpost.look_alikes(p)) from vehicle_passages p where p.id = $1", [entry])
        let after = Int(try owner.value(read) ?? "") ?? .max
        try owner.run("rollback")
        #expect(found == (plate.contains("?") ? "0" : "1"))
        #expect(after - before < most, "read \(after - before)")
    }
}
