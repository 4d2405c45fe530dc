import Crypto
import Enforcement
import Foundation
import ParkAPI
import TestKit
import Testing

@testable import checkpost_server

@Suite("The evidence that the warden's page gives out", .serialized, .timeLimit(.minutes(10)))
struct WardenEvidenceTests {
    /// Sends what a box signed of a passage, after the beginning of its chain.
    private func sign(_ server: TestServer, _ clientID: UUID) async throws {
        let key = Curve25519.Signing.PrivateKey()
        let name = EvidenceEntry.hexadecimal(key.publicKey.rawRepresentation)
        let (chain, now) = (UUID(), Instant(seconds: Date().timeIntervalSince1970))
        let passage = Passage(
            clientID: clientID, plate: Plate(canonical: "BA1PA1234"), plateRaw: "BA1PA1234", vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: now, clockState: .synchronised, origin: .camera)
        let first = EvidenceEntry(
            .began(checkpost: "BNP-A", key: name, because: .first, after: nil), chain: chain, after: nil, at: now)
        let second = EvidenceEntry(.passage(passage), chain: chain, after: first.head, at: now)
        let parcel = EvidenceParcel(
            entries: try [first, second].map {
                EvidenceParcel.Entry(text: $0.text, key: name, signature: try key.signature(for: Data($0.text.utf8)))
            })
        let answer = try await server.send(
            "POST", "/functions/v1/add-evidence", as: "a", ["Content-Type": "application/json"],
            body: try JSONEncoder().encode(parcel))
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test func `is unpacked and verified with what every Debian has`() async throws {
        try await TestServer.run { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            let photo = "/storage/v1/object/passage-photos/\(passages.exit).jpg"
            #expect(try await server.send("POST", photo, as: "admin", body: PhotoTests.jpeg).status == 200)
            let client = try database.owner.value(
                "select client_id from vehicle_passages where id = $1", [passages.entry])
            try await sign(server, try #require(client.flatMap(UUID.init(uuidString:))))
            let id = try database.owner.value("select id from violations") ?? ""
            let visitor = try await server.warden()
            #expect(
                try await visitor.get("/warden/passage?id=\(passages.exit)").text.contains(
                    "/warden/evidence?violation=\(id)"))
            let answer = try await visitor.get("/warden/evidence?violation=\(id)")
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/x-tar")
            #expect(answer.headers["content-disposition"]?.contains("evidence-\(id.prefix(8)).tar") == true)

            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("evidence-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try answer.body.write(to: folder.appendingPathComponent("all.tar"))
            let steps = """
                set -e
                cd \(folder.path)
                tar -xvf all.tar
                sha256sum exit.jpg
                cd chain-entry
                sha256sum --check 0000000002.txt 2>&1 | head -1
                for n in 0000000001 0000000002; do openssl pkeyutl -verify -pubin -inkey key-*.pem -rawin -in $n.txt -sigfile $n.sig; done
                """
            let outcome = try await OtherProgram.run("/bin/bash", ["-c", steps], limitSeconds: 60)
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.output.contains(PhotoStore.hash(of: PhotoTests.jpeg)))
            #expect(outcome.output.contains("0000000001.txt: OK"))
            #expect(outcome.output.components(separatedBy: "Signature Verified Successfully").count == 3)
            let record = try JSONSerialization.jsonObject(
                with: Data(contentsOf: folder.appendingPathComponent("record.json")))
            let violation = (record as? [String: Any])?["violation"] as? [String: Any]
            #expect(violation?["id"] as? String == id)
            let text = try String(contentsOf: folder.appendingPathComponent("STEPS.txt"), encoding: .utf8)
            #expect(text.contains("The picture of the entry is not here."))
            #expect(text.contains("What the box of the exit signed is not here."))
            #expect(!text.contains("What the box of the entry signed is not here."))
        }
    }

    @Test(arguments: ["evidence", "notice"])
    func `is for who may see the violation, as its notice is`(page: String) async throws {
        try await TestServer.run { server, database in
            _ = try server.speeding("BA1PA1234", database)
            let id = try database.owner.value("select id from violations") ?? ""
            let path = "/warden/\(page)?violation="
            for (user, status) in [("admin", 200), ("a", 200), ("c", 404)] {
                let visitor = try await server.warden(user)
                #expect(try await visitor.get(path + id).status == status, "\(user)")
                for wrong in ["", "x", UUID().uuidString, "\(id)'"] {
                    #expect(try await visitor.get(path + wrong.encoded).status == 404, "\(wrong)")
                }
            }
            #expect(try await Visitor(port: server.port).get(path + id).status == 303, "to the sign-in")
        }
    }
}
