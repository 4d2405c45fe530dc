import TestKit
import Testing

@testable import Modem

@Suite("The 7-bit alphabet", .timeLimit(.minutes(10)))
struct GSMAlphabetTests {
    @Test func `packs hellohello as every handbook shows it`() throws {
        let septets = try #require(GSMAlphabet.septets(of: "hellohello"))
        #expect(Hex.text(SeptetPacking.pack(septets)) == "E8329BFD4697D9EC37")
    }

    @Test func `takes an escape for a pipe and a euro`() {
        #expect(GSMAlphabet.septets(of: "|€") == [0x1B, 0x40, 0x1B, 0x65])
        #expect(GSMAlphabet.text(of: [0x1B, 0x40, 0x1B, 0x65]) == "|€")
    }

    @Test(arguments: ["ब", "ç", "🐅", "\t"])
    func `refuses what it doesn't have`(text: String) {
        #expect(GSMAlphabet.septets(of: text) == nil)
    }

    @Test func `survives every septet and every lone escape`() {
        #expect(GSMAlphabet.text(of: (0..<128).map { UInt8($0) }).unicodeScalars.count == 127)
        #expect(GSMAlphabet.text(of: [0x41, 0x1B]) == "A ")
        #expect(GSMAlphabet.text(of: [0x1B, 0x41]) == "A")
    }

    @Test func `unpacks what it packed, for every length and fill`() {
        var random = SeededGenerator(seed: 1)
        for count in 0...170 {
            let septets = random.bytes(count: count).map { $0 & 0x7F }
            for fillBits in 0...6 {
                let octets = SeptetPacking.pack(septets, fillBits: fillBits)
                #expect(SeptetPacking.unpack(octets, count: count, fillBits: fillBits) == septets)
            }
        }
    }

    @Test func `does not read past the octets`() {
        #expect(SeptetPacking.unpack([0xFF], count: 2) == nil)
    }
}

@Suite("A telephone number", .timeLimit(.minutes(10)))
struct PhoneNumberTests {
    @Test(arguments: [
        ("+977 98-1234 5678", "+9779812345678"), ("009779812345678", "+9779812345678"), ("9812345678", "9812345678"),
        ("1415", "1415"), ("*123#", "*123#"),
    ])
    func `is read as people write it`(text: String, number: String) {
        #expect(PhoneNumber(text)?.description == number)
    }

    @Test(arguments: ["", "+", "abc", "12a4", "+977*1", "९८१२", "123456789012345678901"])
    func `is refused when it is none`(text: String) {
        #expect(PhoneNumber(text) == nil)
    }

    @Test func `hides all but two digits in a log`() {
        #expect(PhoneNumber("+9779812345678")?.masked == "+•••••••••••78")
    }
}

@Suite("An SMS to send", .timeLimit(.minutes(10)))
struct SMSSubmitTests {
    private func number(_ text: String = "+9779812345678") throws -> PhoneNumber { try #require(PhoneNumber(text)) }

    /// 00 SIM's centre, 31 SUBMIT with relative validity and report, 00 reference, 0D 91 …F8 number, 00 protocol, 00 7-bit,
    /// A7 one day, 0E septets, then the text as gammu 1.42 packs it.
    @Test func `carries a V1 text in one part`() throws {
        let submit = try SMSSubmit(to: number(), text: "V1|BNP-A|BA1")
        #expect(submit.parts.map(\.hex) == ["0031000D91799718325476F80000A70ED6D8062874425BC10D50188C01"])
        #expect(submit.parts.map(\.length) == [28])
    }

    @Test func `leaves validity and report out when they are not wanted`() throws {
        let submit = try SMSSubmit(to: number("1415"), text: "hi", validity: nil, wantsReport: false)
        #expect(submit.parts.map(\.hex) == ["00010004814151000002E834"])
    }

    @Test func `goes over to UCS-2 for Devanagari`() throws {
        let submit = try SMSSubmit(to: number(), text: "बा")
        #expect(submit.coding == .ucs2)
        #expect(submit.parts.map(\.hex) == ["0031000D91799718325476F80008A704092C093E"])
    }

    @Test func `fits 160 septets into one part and 161 into two`() throws {
        #expect(try SMSSubmit(to: number(), text: String(repeating: "A", count: 160)).parts.count == 1)
        #expect(try SMSSubmit(to: number(), text: String(repeating: "A", count: 161)).parts.count == 2)
        #expect(try SMSSubmit(to: number(), text: String(repeating: "|", count: 80)).parts.count == 1)
        #expect(try SMSSubmit(to: number(), text: String(repeating: "|", count: 81)).parts.count == 2)
    }

    @Test func `never parts an escape from its character`() throws {
        // 152 letters leave one septet in the first part: the pipe has to go into the second.
        let text = String(repeating: "A", count: 152) + "|" + String(repeating: "A", count: 20)
        let parts = try SMSSubmit(to: number(), text: text, concatenationReference: 9).parts
        #expect(parts.count == 2)
        // The length of the first: 7 septets of header and 152 of text.
        #expect(parts[0].octets[15] == 159)
        #expect(Array(parts[0].octets[16..<22]) == [0x05, 0x00, 0x03, 9, 2, 1])
    }

    @Test func `asks for one report, with the last part`() throws {
        let parts = try SMSSubmit(to: number(), text: String(repeating: "A", count: 200)).parts
        #expect(parts.map { $0.octets[1] & 0x20 } == [0, 0x20])
    }

    @Test func `refuses nothing to say, and far too much`() throws {
        #expect(throws: PDUError.emptyText) { try SMSSubmit(to: number(), text: "") }
        #expect(throws: PDUError.tooManyParts(9)) {
            try SMSSubmit(to: number(), text: String(repeating: "A", count: 153 * 8 + 1))
        }
    }

    @Test(arguments: [
        (5, 0), (720, 143), (721, 144), (1440, 167), (1441, 168), (43_200, 196), (50_000, 197), (635_040, 255),
        (9_999_999, 255), (0, 0),
    ])
    func `codes its validity, rounded up`(minutes: Int, octet: UInt8) {
        let period = ValidityPeriod(minutes: minutes)
        #expect(period.octet == octet)
        #expect(period.minutes >= min(minutes, 635_040))
    }
}

@Suite("A PDU from the network", .timeLimit(.minutes(10)))
struct SMSIncomingTests {
    /// The widely published example of a delivery.
    @Test func `tells who sent what and when`() throws {
        guard
            case .delivery(let delivery) = try SMSIncoming(
                hex: "07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37")
        else {
            Issue.record("It is a delivery")
            return
        }
        #expect(delivery.text == "hellohello")
        #expect(delivery.sender.digits == "27838890001")
        // 1999-03-29 15:16:59 +02:00 by the book; two-digit years are of this century here.
        #expect(delivery.sentAt?.offsetMinutes == 120)
    }

    @Test func `tells of a delivered message`() throws {
        let hex = "07917799082100F006290D91799718325476F8621112510503326211125115033200"
        guard case .report(let report) = try SMSIncoming(hex: hex) else {
            Issue.record("It is a report")
            return
        }
        #expect(report.reference == 0x29)
        #expect(report.recipient.description == "+9779812345678")
        #expect(report.verdict == .delivered)
        // 26-11-21 15:50:30 in Nepal, 23 quarter hours from UTC.
        #expect(report.sentAt?.epochSeconds == 1_795_255_530)
    }

    @Test(arguments: [
        (UInt8(0), StatusReport.Verdict.delivered), (2, .delivered), (0x20, .pending), (0x30, .pending),
        (0x40, .undeliverable),
        (0x46, .undeliverable), (0x60, .undeliverable), (0x80, .pending), (0xFF, .pending), (3, .pending),
    ])
    func `settles a message only when the network gave up or delivered`(status: UInt8, verdict: StatusReport.Verdict) {
        #expect(StatusReport.verdict(of: status) == verdict)
    }

    @Test(arguments: ["", "0", "zz", "07", "00", "0004", "00040B91", "0003", "00027F"])
    func `is refused when it is cut short or nonsense`(hex: String) {
        #expect(throws: PDUError.self) { try SMSIncoming(hex: hex) }
    }

    @Test func `never brings the reader down, whatever its bytes`() {
        var random = SeededGenerator(seed: 2)
        var read = 0
        let seeds = [
            "07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37",
            "07917799082100F006290D91799718325476F8621112510503326211125115033200",
            "0031000D91799718325476F80000A70ED6D8062874425BC10D50188C01",
        ].compactMap { Hex.octets($0) }
        for round in 0..<60_000 {
            var octets = seeds[round % seeds.count]
            if round.isMultiple(of: 3) { octets = random.bytes(count: random.below(180)) }
            for _ in 0..<(1 + random.below(4)) where !octets.isEmpty {
                octets[random.below(octets.count)] = random.byte()
            }
            if random.below(4) == 0 { octets = Array(octets.prefix(random.below(octets.count + 1))) }
            if (try? SMSIncoming(octets: octets)) != nil { read += 1 }
        }
        #expect(read > 1000, "most mutations of a good PDU stay readable, so the fuzzing reaches the depths")
    }
}
