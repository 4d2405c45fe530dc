import Crypto
import Enforcement
import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

/// A box that signs, as the server sees it.
private struct SigningBox {
    var key = Curve25519.Signing.PrivateKey()
    let chain = UUID()
    private(set) var entries: [EvidenceEntry] = []
    private var signatures: [Data] = []
    private var keys: [String] = []

    static func name(_ key: Curve25519.Signing.PrivateKey) -> String {
        EvidenceEntry.hexadecimal(key.publicKey.rawRepresentation)
    }

    mutating func add(_ fact: EvidenceFact) throws {
        let entry = EvidenceEntry(fact, chain: chain, after: entries.last?.head, at: Self.now)
        entries.append(entry)
        signatures.append(try key.signature(for: Data(entry.text.utf8)))
        keys.append(Self.name(key))
    }

    mutating func begin(because: EvidenceBeginning = .first) throws {
        try add(.began(checkpost: "BNP-A", key: Self.name(key), because: because, after: nil))
    }

    mutating func record(_ plate: String, id: UUID = UUID()) throws {
        try add(
            .passage(
                Passage(
                    clientID: id, plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
                    checkpostCode: "BNP-A", recordedAt: Self.now, clockState: .synchronised, origin: .camera)))
    }

    /// Entries by their numbers, as a parcel's body.
    func parcel(_ numbers: ClosedRange<Int>, changing: (inout EvidenceParcel.Entry) -> Void = { _ in }) throws -> Data {
        let parcel = numbers.map { number in
            var entry = EvidenceParcel.Entry(
                text: entries[number - 1].text, key: keys[number - 1], signature: signatures[number - 1])
            changing(&entry)
            return entry
        }
        return try JSONEncoder().encode(EvidenceParcel(entries: parcel))
    }

    private static let now = Instant(milliseconds: 1_795_255_200_000)
}

@Suite("Evidence at the server", .serialized, .timeLimit(.minutes(10)))
struct EvidenceTests {
    private static func send(_ server: TestServer, _ body: Data, as user: String = "a") async throws
        -> TestServer.Answer
    {
        try await server.send(
            "POST", "/functions/v1/add-evidence", as: user, ["Content-Type": "application/json"], body: body)
    }

    private static func problems(_ database: TestDatabase) throws -> [String] {
        try database.owner.run("select problem || ' ' || number from checkpost.evidence_problems() order by 1").rows
            .compactMap { $0.first.flatMap(\.self) }
    }

    private static func box(passages: Int, because: EvidenceBeginning = .first) throws -> SigningBox {
        var box = SigningBox()
        try box.begin(because: because)
        for number in 0..<passages { try box.record("BA 1 PA \(number)") }
        return box
    }

    @Test func `is a chain that is taken in parcels, once, and says what is next`() async throws {
        try await TestServer.run { server, database in
            let box = try Self.box(passages: 4)
            let first = try await Self.send(server, try box.parcel(1...3))
            #expect(first.status == 200, "\(first.text)")
            #expect(first.object["next"] as? Int == 4 && first.object["at"] is String)
            #expect(try await Self.send(server, try box.parcel(1...3)).object["next"] as? Int == 4)
            #expect(try await Self.send(server, try box.parcel(4...5)).object["next"] as? Int == 6)
            #expect(try Self.problems(database) == [])
            let heads = try database.owner.run(
                "select number || ' ' || hash from evidence_entries where is_head order by number"
            ).rows.map { $0[0] }
            #expect(heads == [3, 5].map { "\($0) \(box.entries[$0 - 1].head.hash)" })
        }
    }

    @Test func `has a gap that is seen, and that closes when the rest comes`() async throws {
        try await TestServer.run { server, database in
            let box = try Self.box(passages: 4)
            #expect(try await Self.send(server, try box.parcel(1...2)).object["next"] as? Int == 3)
            #expect(try await Self.send(server, try box.parcel(4...5)).object["next"] as? Int == 3)
            #expect(try Self.problems(database) == ["gap 4"])
            #expect(try await Self.send(server, try box.parcel(3...3)).object["next"] as? Int == 6)
            #expect(try Self.problems(database) == [])
        }
    }

    @Test func `is a fork where the box signed another history, and both are kept`() async throws {
        try await TestServer.run { server, database in
            var box = try Self.box(passages: 2)
            var other = box
            #expect(try await Self.send(server, try box.parcel(1...3)).status == 200)
            try box.record("BA 1 PA 7")
            try other.record("BA 1 PA 8")
            #expect(try await Self.send(server, try box.parcel(4...4)).status == 200)
            #expect(try await Self.send(server, try other.parcel(4...4)).status == 200)
            try other.record("BA 1 PA 9")
            #expect(try await Self.send(server, try other.parcel(5...5)).object["next"] as? Int == 6)
            #expect(try Self.problems(database) == ["fork 4", "fork 5"])
            #expect(
                try database.owner.value("select hash from evidence_entries where number = 4")
                    == box.entries[3].head.hash)
        }
    }

    @Test func `is not signed where a byte of the text, the signature or the key is another`() async throws {
        let changes: [@Sendable (inout EvidenceParcel.Entry) -> Void] = [
            { $0.text = $0.text.replacing("BA 1 PA 0", with: "BA 1 PA 1") }, { $0.signature = nil },
            { $0.signature = Data(count: 64).base64EncodedString() }, { $0.signature = "?" }, { $0.key = "zz" },
            { $0.key = nil },
            // Well signed, by a key that the chain never named.
            {
                let stranger = Curve25519.Signing.PrivateKey()
                $0.key = SigningBox.name(stranger)
                $0.signature = (try? stranger.signature(for: Data($0.text.utf8)))?.base64EncodedString()
            },
        ]
        try await TestServer.run { server, database in
            for change in changes {
                try database.owner.run("delete from evidence_chains")
                let box = try Self.box(passages: 1)
                #expect(try await Self.send(server, try box.parcel(1...1)).status == 200)
                #expect(try await Self.send(server, try box.parcel(2...2, changing: change)).status == 200)
                #expect(try Self.problems(database) == ["unsigned 2"])
            }
        }
    }

    @Test func `goes on with a key that the one before has signed, and with one that comes late`() async throws {
        try await TestServer.run { server, database in
            var box = try Self.box(passages: 1)
            let new = Curve25519.Signing.PrivateKey()
            try box.add(.key(SigningBox.name(new)))
            box.key = new
            try box.record("BA 1 PA 2")
            #expect(try await Self.send(server, try box.parcel(1...4)).status == 200)
            // The box had no key when this chain began: the first that it names has signed what was before.
            var late = SigningBox()
            try late.add(.began(checkpost: "BNP-A", key: nil, because: .first, after: nil))
            try late.record("BA 1 PA 3")
            try late.add(.key(SigningBox.name(late.key)))
            #expect(try await Self.send(server, try late.parcel(1...3)).status == 200)
            #expect(try Self.problems(database) == [])
            // One that names another key than it signed with.
            var wrong = SigningBox()
            try wrong.add(.began(checkpost: "BNP-A", key: nil, because: .first, after: nil))
            try wrong.add(.key(SigningBox.name(new)))
            #expect(try await Self.send(server, try wrong.parcel(1...2)).status == 200)
            #expect(try Self.problems(database) == ["unsigned 2"])
        }
    }

    @Test func `is of one post, and read by its segment`() async throws {
        try await TestServer.run { server, database in
            var box = SigningBox()
            let passage = UUID()
            try box.begin()
            try box.record("BA 1 PA 1")
            try box.record("BA 1 PA 2", id: passage)
            try box.record("BA 1 PA 3")
            for (user, status) in [("b", 200), ("a", 403), ("admin", 403), ("service", 403), ("anon", 401)] {
                #expect(try await Self.send(server, try box.parcel(1...2), as: user).status == status, "\(user)")
            }
            #expect(try await Self.send(server, try box.parcel(3...4), as: "b").status == 200)
            let question = ["passage": passage.uuidString]
            for (user, numbers) in [("a", [2, 3, 4]), ("b", [2, 3, 4]), ("admin", [2, 3, 4]), ("c", [])] {
                let answer = try await server.send("POST", "/rest/v1/rpc/evidence_of", as: user, json: question)
                #expect(answer.rows.compactMap { $0["number"] as? Int } == numbers, "\(user): \(answer.text)")
            }
            for method in ["POST", "PATCH", "DELETE"] {
                let answer = try await server.send(
                    method, "/rest/v1/evidence_entries?number=eq.1", as: "admin", json: ["kind": "x"])
                #expect(answer.status >= 400, "\(method)")
            }
        }
    }

    @Test func `is refused where it makes no sense`() async throws {
        try await TestServer.run { server, database in
            let box = try Self.box(passages: 60)
            let bodies = [
                #"{}"#, #"{"entries": []}"#, #"{"entries": [{"text": "x"}]}"#, #"{"entries": [{}]}"#, "[]",
                #"{"entries": [{"text": "checkpost evidence 1\nchain: x\nnumber: 1\n"}]}"#,
                String(decoding: try box.parcel(1...51), as: UTF8.self),
                String(
                    decoding: try box.parcel(1...1) { $0.text = $0.text.replacing("number: 1", with: "number: 0") },
                    as: UTF8.self),
            ]
            for body in bodies {
                let answer = try await Self.send(server, Data(body.utf8))
                #expect((400..<500).contains(answer.status), "\(body.prefix(60)): \(answer.status) \(answer.text)")
            }
            #expect(try database.owner.value("select count(*) from evidence_entries") == "0")
        }
    }

    @Test func `that needs a look is on the warden's first page`() async throws {
        try await TestServer.run { server, database in
            let box = try Self.box(passages: 1, because: .keyLost)
            #expect(try await Self.send(server, try box.parcel(1...2)).status == 200)
            #expect(try Self.problems(database) == ["began 1"])
            let visitor = try await server.warden()
            let page = try await visitor.get("/warden")
            #expect(page.text.contains("Something is wrong with the evidence of this post; the report says what: 1"))
        }
    }
}
