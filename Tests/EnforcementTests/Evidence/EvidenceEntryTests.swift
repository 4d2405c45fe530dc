import Enforcement
import Foundation
import Testing

@Suite("An entry of the evidence chain", .timeLimit(.minutes(10)))
struct EvidenceEntryTests {
    private let chain = UUID(uuidString: "6F1C24B0-5C0E-4F54-9A53-0D3B8D1F8C11") ?? UUID()
    private let now = Instant(milliseconds: 1_795_255_200_000)

    private func passage(by actor: String?) -> Passage {
        Passage(
            clientID: UUID(uuidString: "0F0E0D0C-0B0A-4908-8706-050403020100") ?? UUID(),
            plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "बा १ प १२३४", vehicleType: .motorcycle,
            checkpostCode: "BNP-A", recordedAt: now, clockState: .synchronised, confidence: 0.97, origin: .camera,
            photoSHA256: String(repeating: "a", count: 64), actedBy: actor)
    }

    @Test func `is a text that is the same to the byte as the document says`() {
        let head = EvidenceHead(chain: chain, number: 41, hash: String(repeating: "0", count: 63) + "1")
        let entry = EvidenceEntry(.passage(passage(by: nil)), chain: chain, after: head, at: now + .seconds(1))
        #expect(
            entry.text == """
                checkpost evidence 1
                chain: 6f1c24b0-5c0e-4f54-9a53-0d3b8d1f8c11
                number: 42
                SHA256 (0000000041.txt) = 0000000000000000000000000000000000000000000000000000000000000001
                at: 2026-11-21T10:00:01.000Z
                kind: passage
                passage: 0f0e0d0c-0b0a-4908-8706-050403020100
                checkpost: BNP-A
                plate: BA 1 PA 1234
                read: बा १ प १२३४
                vehicle: motorcycle
                recorded: 2026-11-21T10:00:00.000Z
                clock: synchronised
                origin: camera
                confidence: 0.970
                by: none
                photo: \(String(repeating: "a", count: 64))

                """)
        let said = EvidenceText(entry.text)
        #expect(said.number == 42 && said.chain == chain && said.before == head.hash)
        #expect(said.value("photo") == String(repeating: "a", count: 64) && said.value("by") == nil)
        #expect(said.hash == entry.head.hash)
    }

    @Test func `says of a change whether it is a correction or a withdrawal, from what to what, by whom and why`() {
        let id = passage(by: nil).clientID
        for (fact, kind, plate) in [
            (EvidenceFact.corrected(passage: id, amendment("BA 1 PA 1235")), "corrected", "BA 1 PA 1235"),
            (.withdrawn(passage: id, amendment(nil)), "withdrawn", nil),
        ] {
            let said = EvidenceText(EvidenceEntry(fact, chain: chain, after: nil, at: now).text)
            #expect(said.value("kind") == kind && said.value("plate") == plate, "\(said)")
            #expect(said.value("old plate") == "BA 1 PA 1234" && said.value("by") == "ram")
            #expect(said.value("reason") == "misread" && said.value("passage") == id.uuidString.lowercased())
        }
    }

    private func amendment(_ plate: String?) -> Amendment {
        Amendment(
            oldPlate: Plate(canonical: "BA 1 PA 1234"), newPlate: plate.map { Plate(canonical: $0) }, reason: "misread",
            actor: "ram")
    }

    @Test func `lets no name pass for a line of its own`() {
        let text = EvidenceEntry(
            .passage(passage(by: "ram\nphoto: 00")), chain: chain, after: nil, at: now
        ).text
        #expect(text.components(separatedBy: "\n").filter { $0.hasPrefix("photo: ") }.count == 1)
        #expect(text.contains("by: ram\\u{A}photo: 00\n"))
    }

    @Test func `follows the one before and no other`() {
        let first = EvidenceEntry(.passage(passage(by: nil)), chain: chain, after: nil, at: now)
        let second = EvidenceEntry(.key("00"), chain: chain, after: first.head, at: now)
        let third = EvidenceEntry(.key("11"), chain: chain, after: second.head, at: now)
        #expect(EvidenceText(second.text).follows(EvidenceText(first.text)))
        #expect(EvidenceText(third.text).follows(EvidenceText(second.text)))
        #expect(!EvidenceText(third.text).follows(EvidenceText(first.text)))
        let changed = EvidenceText(first.text.replacingOccurrences(of: "1234", with: "1235"))
        #expect(!EvidenceText(second.text).follows(changed))
    }

    @Test(arguments: [
        (0, "0000000000.txt"), (42, "0000000042.txt"), (1_234_567_890, "1234567890.txt"),
        (12_345_678_901, "12345678901.txt"),
    ])
    func `is a file whose name sorts by its number`(number: Int, name: String) {
        #expect(EvidenceEntry.fileName(number) == name)
    }

    @Test func `is no key where the digits are none`() {
        #expect(EvidenceText.bytes(ofKey: String(repeating: "ab", count: 32))?.count == 32)
        for wrong in ["", "zz", String(repeating: "g", count: 64), String(repeating: "ab", count: 33)] {
            #expect(EvidenceText.bytes(ofKey: wrong) == nil)
            #expect(!EvidenceText("x").isSigned(by: Data(count: 64), key: wrong))
        }
    }
}
