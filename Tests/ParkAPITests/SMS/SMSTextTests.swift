import Enforcement
import Foundation
import TestKit
import Testing

@testable import ParkAPI

@Suite("The text of an SMS", .timeLimit(.minutes(5)))
struct SMSTextTests {
    private let passage = SMSPassage(
        checkpostCode: "BNP-A", compactPlate: "BA1PA1234", vehicleType: .car,
        recordedAt: Instant(milliseconds: 1_795_255_530_999), rangerPhoneSuffix: "4321")
    private let text = "V1|BNP-A|BA1PA1234|CAR|1795255530|4321"

    @Test func `has the six fields of V1, the time rounded down to seconds`() throws {
        #expect(try SMSEncoder.encode(passage) == text)
    }

    @Test func `reads back as what was written, to the second`() throws {
        let decoded = try SMSDecoder.decode(text)
        var expected = passage
        expected.recordedAt = Instant(milliseconds: 1_795_255_530_000)
        #expect(decoded == expected)
    }

    @Test func `has a bound of length with all that stands around it`() throws {
        #expect(throws: Never.self) {
            try SMSDecoder.decode(text + String(repeating: " ", count: 1024 - text.utf8.count))
        }
        #expect(throws: SMSFormatError.tooLong(septets: 1025)) {
            try SMSDecoder.decode(text + String(repeating: " ", count: 1025 - text.utf8.count))
        }
    }

    @Test(arguments: VehicleType.allCases)
    func `carries every vehicle type`(type: VehicleType) throws {
        var passage = passage
        passage.vehicleType = type
        #expect(try SMSDecoder.decode(SMSEncoder.encode(passage)).vehicleType == type)
    }

    @Test(arguments: [
        ("JEP", VehicleType.jeepSUV), ("MOT", .motorcycle), ("MTK", .truck), ("AUT", .autoRickshaw),
    ])
    func `is read with the codes of older boxes`(code: String, type: VehicleType) throws {
        #expect(try SMSDecoder.decode("V1|BNP-A|BA1PA1234|\(code)|1795255530|4321").vehicleType == type)
    }

    @Test(arguments: [
        ("", SMSFormatError.emptyField(.plate)), ("BA 1 PA 1234", .forbiddenCharacter(" ", in: .plate)),
        ("BA1|PA", .forbiddenCharacter("|", in: .plate)), ("ba1pa1234", .forbiddenCharacter("b", in: .plate)),
        ("बा१च१२३४", .forbiddenCharacter("ब", in: .plate)), ("B", .wrongLength(1, of: .plate)),
        ("BA1PA123456789012", .wrongLength(17, of: .plate)),
    ])
    func `takes no plate but a compact Latin one`(plate: String, error: SMSFormatError) {
        var passage = passage
        passage.compactPlate = plate
        #expect(throws: error) { try SMSEncoder.encode(passage) }
    }

    @Test(arguments: [
        ("", SMSFormatError.emptyField(.checkpostCode)), ("A|B", .forbiddenCharacter("|", in: .checkpostCode)),
        ("चौकी", .forbiddenCharacter("च", in: .checkpostCode)), ("A\nB", .forbiddenCharacter("\n", in: .checkpostCode)),
        ("A B", .forbiddenCharacter(" ", in: .checkpostCode)), ("A[", .forbiddenCharacter("[", in: .checkpostCode)),
        ("ABCDEFGHIJKLMNOPQRSTU", .wrongLength(21, of: .checkpostCode)),
    ])
    func `takes no checkpost code that would break it`(code: String, error: SMSFormatError) {
        var passage = passage
        passage.checkpostCode = code
        #expect(throws: error) { try SMSEncoder.encode(passage) }
    }

    @Test func `takes a phone suffix of digits only`() {
        var passage = passage
        passage.rangerPhoneSuffix = ""
        #expect(throws: SMSFormatError.emptyField(.phoneSuffix)) { try SMSEncoder.encode(passage) }
        passage.rangerPhoneSuffix = "43x1"
        #expect(throws: SMSFormatError.forbiddenCharacter("x", in: .phoneSuffix)) { try SMSEncoder.encode(passage) }
    }

    @Test(arguments: [Int64(-1), 0, 99_999_999, 4_102_444_800, 10_000_000_000])
    func `refuses a time that the server refuses`(seconds: Int64) {
        var passage = passage
        passage.recordedAt = Instant(milliseconds: seconds * 1000)
        #expect(throws: SMSFormatError.timeOutOfRange(String(seconds))) { try SMSEncoder.encode(passage) }
    }

    @Test func `fits into one SMS with the longest fields, a pipe counted as two`() throws {
        var passage = passage
        passage.checkpostCode = String(repeating: "A", count: 20)
        passage.compactPlate = String(repeating: "B", count: 16)
        // 5 pipes are 10 septets, the other fields 2, 20, 16, 3, 10 and 4.
        #expect(GSMSeptets.count(of: try SMSEncoder.encode(passage)) == 65)
    }

    @Test(arguments: [
        ("", SMSFormatError.unknownVersion("")), ("hello", .unknownVersion("hello")),
        ("a greeting of twenty!", .unknownVersion("a greeting of twenty")),
        ("V2|BNP-A|BA1PA1234|CAR|1795255530|4321", .unknownVersion("V2")),
        ("V1|BNP-A|BA1PA1234|CAR|1795255530", .wrongFieldCount(5)),
        ("V1|BNP-A|BA1PA1234|CAR|1795255530|4321|", .wrongFieldCount(7)),
        ("V1||BA1PA1234|CAR|1795255530|4321", .emptyField(.checkpostCode)),
        ("V1|BNP-A|BA1PA1234|CAR|1795255530|", .emptyField(.phoneSuffix)),
        ("V1|BNP-A|BA1PA1234|XXX|1795255530|4321", .unknownVehicleCode("XXX")),
        ("V1|BNP-A|BA1PA1234|car|1795255530|4321", .unknownVehicleCode("car")),
        ("V1|BNP-A|BA1PA1234|CAR|1795255530250|4321", .timeOutOfRange("1795255530250")),
        ("V1|BNP-A|BA1PA1234|CAR|-5|4321", .forbiddenCharacter("-", in: .time)),
        ("V1|BNP-A|BA1PA1234|CAR|1795255530|४३२१", .forbiddenCharacter("४", in: .phoneSuffix)),
    ])
    func `is refused with a reason when it is malformed`(text: String, error: SMSFormatError) {
        #expect(throws: error) { try SMSDecoder.decode(text) }
    }

    @Test func `is read with the line end that a gateway added`() throws {
        #expect(try SMSDecoder.decode(" \(text)\r\n") == SMSDecoder.decode(text))
        #expect(SMSDecoder.trimmed(" \(text)\r\n") == text)
    }

    @Test(arguments: [
        ("+977 98-5802 4321", "4321"), ("9858024321", "4321"), ("321", "0000"), ("", "0000"), ("९८५८०२४३२१", "0000"),
    ])
    func `takes the last four digits of a phone`(phone: String, suffix: String) {
        #expect(SMSPassage.phoneSuffix(of: phone) == suffix)
    }

    @Test func `survives random texts without a crash`() throws {
        var random = SeededGenerator(seed: 4)
        for round in 0..<20_000 {
            var bytes = Array(text.utf8)
            if round.isMultiple(of: 2) { bytes = random.bytes(count: round % 200) }
            for _ in 0..<(round % 6) where !bytes.isEmpty { bytes[random.below(bytes.count)] = random.byte() }
            let mutated = String(decoding: bytes, as: UTF8.self)
            guard let passage = try? SMSDecoder.decode(mutated) else { continue }
            // What can be read can be written, and reads the same again.
            #expect(try SMSDecoder.decode(SMSEncoder.encode(passage)) == passage)
        }
    }
}

@Suite("The id of an SMS", .timeLimit(.minutes(5)))
struct SMSIdentifierTests {
    @Test func `is a UUID v5 as the standard computes it`() throws {
        let dns = try #require(UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
        let id = UUIDv5.make(namespace: dns, name: "www.example.com")
        #expect(id.uuidString.lowercased() == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
    }

    /// Computed with Python: `uuid.uuid5(uuid.UUID("6f1c9a52-3f0e-5d5b-9c1a-7b5f0f6f2e11"), text)`.
    @Test func `is derived from the text in the name space of the texts`() {
        let id = SMSEncoder.clientID(of: "V1|BNP-A|BA1PA1234|CAR|1795255530|4321")
        #expect(id.uuidString.lowercased() == "ef51752c-4a13-506b-904b-2b2ab1d6b074")
    }

    @Test func `differs when a single character differs`() {
        #expect(SMSEncoder.clientID(of: "V1|A") != SMSEncoder.clientID(of: "V1|B"))
    }
}
