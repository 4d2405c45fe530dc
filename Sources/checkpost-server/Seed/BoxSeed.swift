import CVersion
import Crypto
import Enforcement
import Foundation
import ParkAPI

/// What a new box of a road begins with, out of the database: see note 0341.
struct BoxSeed {
    let post: String
    let hours: Int

    /// More than a week of two busy posts.
    static let mostPassages = 50_000

    struct Made {
        var text: String
        var passages = 0
        var key = ""
    }

    /// - Throws: `Settings.Mistake` where no road has the post, or too many passages would be in it.
    func make(_ connection: PostgresConnection) throws -> Made {
        try connection.transaction(readsOnly: true) { connection in
            // Of one moment: the mark covers the passages that are read beside it.
            try connection.run("set transaction isolation level repeatable read")
            return try read(connection)
        }
    }

    private func read(_ connection: PostgresConnection) throws -> Made {
        func rows<Row: Decodable>(_ type: Row.Type, _ query: String, _ parameters: [String?]) throws -> [Row] {
            try connection.run(query, parameters).rows.compactMap { $0.first ?? nil }.map {
                try JSONDecoder().decode(Row.self, from: Data($0.utf8))
            }
        }
        let roads = try rows(
            SegmentRow.self,
            """
            select to_jsonb(s) from highway_segments s join checkposts c on c.segment_id = s.id where c.code = $1
            """, [post])
        guard let row = roads.first else {
            throw Settings.Mistake(description: "There is no checkpost \(post).")
        }
        guard let road = row.segment else {
            throw Settings.Mistake(description: "The road of \(post) makes no sense. \(row.problem ?? "")")
        }
        let segment = row.id.uuidString
        let posts = try rows(
            CheckpostRow.self,
            "select to_jsonb(c) from checkposts c where segment_id = $1::uuid order by position_index",
            [segment]
        ).map(\.checkpost)
        let codes = Dictionary(posts.map { ($0.id, $0.code) }, uniquingKeysWith: { first, _ in first })
        let passages = try rows(
            ParkAPI.PassageRow.self,
            """
            select to_jsonb(p) from vehicle_passages p
            where p.segment_id = $1::uuid and p.matched_passage_id is null
                and p.checkpost_id <> (select id from checkposts where code = $2)
                and p.recorded_at >= now() - make_interval(hours => $3::int)
            order by p.recorded_at, p.id limit \(Self.mostPassages)
            """, [segment, post, "\(hours)"])
        guard passages.count < Self.mostPassages else {
            throw Settings.Mistake(
                description: "More than \(Self.mostPassages) passages would be in it: take fewer --hours.")
        }
        let key = Curve25519.Signing.PrivateKey()
        var made = Made(text: "", key: EvidenceEntry.hexadecimal(key.publicKey.rawRepresentation))
        var composer = SeedComposer()
        func add(_ line: SeedLine) throws { made.text += try composer.text(of: line) + "\n" }
        let moment = try connection.run("select (extract(epoch from now()) * 1000)::bigint").rows.first?.first ?? nil
        let now = moment.flatMap { Int64($0) } ?? 0
        try add(
            SeedLine(
                SeedLine.Head(
                    program: String(cString: checkpost_version()), madeBy: "the park's server", forPost: post,
                    madeAt: now,
                    since: now - Int64(hours) * 3_600_000, key: made.key)))
        try add(SeedLine(SeedLine.Road(segment: road, checkposts: posts)))
        for plate in try rows(ParkAPI.ListedPlateRow.self, Self.listed, [segment]) {
            try add(SeedLine(SeedLine.Listed(plate.listed)))
        }
        for row in passages {
            guard let plate = Plate(told: row.plate), let code = row.checkpost.flatMap({ codes[$0] }) else { continue }
            let passage = MatchablePassage(
                clientID: row.clientID, plate: plate, vehicleType: row.vehicleType, checkpostCode: code,
                recordedAt: row.recordedAt, clockState: row.clockState, serverSequence: row.serverSequence,
                isOfText: row.source == .sms, travel: row.travel)
            try add(SeedLine(SeedLine.Passed(passage, serverID: row.id, isMatched: false)))
            made.passages += 1
        }
        for (of, query) in Self.marks {
            let row = try connection.run(query, [segment, post]).rows.first
            guard let row, let value = (row[0] ?? nil).flatMap({ Int64($0) }),
                let id = (row[1] ?? nil).flatMap({ UUID(uuidString: $0) })
            else { continue }
            try add(SeedLine(SeedLine.Mark(of: of, value: value, row: id)))
        }
        // A key for this file alone: whoever reads its digits to the technician vouches for it.
        made.text += (try composer.end { try key.signature(for: Data($0.utf8)) } ?? "") + "\n"
        return made
    }

    private static let listed = """
        select to_jsonb(l) from listed_plates l where ended_at is null and (segment_id is null or segment_id = $1::uuid)
        """

    private static let marks: [(SeedLine.Mark.Of, String)] = [
        (
            .other,
            """
            select server_seq, id from vehicle_passages where segment_id = $1::uuid
                and checkpost_id <> (select id from checkposts where code = $2)
                -- What a writer has under way has a lower number than what is seen already.
                and server_seq <= (select checkpost.settled_number()) order by server_seq desc limit 1
            """
        ),
        (
            .deleted,
            """
            select server_seq, id from deleted_passages where segment_id = $1::uuid and $2::text is not null
                and server_seq <= (select checkpost.settled_number())
            order by server_seq desc limit 1
            """
        ),
    ]
}
