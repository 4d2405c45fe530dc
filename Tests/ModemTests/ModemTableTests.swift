import Foundation
import TestKit
import Testing

@testable import Modem

@Suite("The tables of the modem's standards", .timeLimit(.minutes(10)))
struct ModemTableTests {
    @Test(
        arguments: [
            ("operation not allowed", 3), ("operation not supported", 4), ("sim not inserted", 10),
            ("SIM PIN required", 11),
            ("sim puk required", 12), ("sim failure", 13), ("sim busy", 14), ("sim wrong", 15),
            ("incorrect password", 16),
            ("no network service", 30), ("network timeout", 31), ("anything else", nil),
        ] as [(String, Int?)])
    func `name the errors of the equipment`(text: String, code: Int?) {
        #expect(ATResult(line: "+CME ERROR: \(text)") == .equipmentError(code))
    }

    @Test(
        arguments: [
            ("unassigned (unallocated) number", 1), ("operator determined barring", 8), ("call barred", 10),
            ("call barred 10", 10),
            ("short message transfer rejected", 21), ("destination out of service", 27),
            ("unidentified subscriber", 28),
            ("facility rejected", 29), ("unknown subscriber", 30), ("network out of order", 38),
            ("temporary failure", 41),
            ("congestion", 42), ("resources unavailable, unspecified", 47), ("sim not inserted", 310),
            ("sim pin required", 311),
            ("sim failure", 313), ("sim busy", 314), ("sim puk required", 316), ("memory full", 322),
            ("smsc address unknown", 330),
            ("no network service", 331), ("network timeout", 332), ("unknown error", 500), ("anything else", nil),
        ] as [(String, Int?)])
    func `name the errors of messages`(text: String, code: Int?) {
        #expect(ATResult(line: "+CMS ERROR: \(text)") == .messageError(code))
    }

    @Test(arguments: [
        (-5, 0), (0, 0), (5, 0), (6, 1), (10, 1), (11, 2), (715, 142), (716, 143), (720, 143), (721, 144), (750, 144),
        (751, 145),
        (1410, 166), (1411, 167), (1440, 167), (1441, 168), (2880, 168), (2881, 169), (43_200, 196), (43_201, 197),
        (50_400, 197),
        (50_401, 198), (635_040, 255), (635_041, 255), (9_999_999, 255),
    ])
    func `code how long a network keeps trying`(minutes: Int, octet: UInt8) {
        #expect(ValidityPeriod(minutes: minutes).octet == octet)
    }

    @Test func `code every period as one that is long enough and not longer than it must be`() {
        for octet in 1...255 {
            // The coding says one day twice, and each of the periods of a whole week as days, too.
            let longest = minutes(octet)
            #expect(ValidityPeriod(minutes: longest).minutes == longest, "\(octet)")
            #expect(ValidityPeriod(minutes: longest - 1).minutes >= longest - 1, "\(octet)")
        }
        #expect(ValidityPeriod.day.octet == 167)
    }

    /// The standard's own table.
    private func minutes(_ octet: Int) -> Int {
        if octet <= 143 { return (octet + 1) * 5 }
        if octet <= 167 { return 12 * 60 + (octet - 143) * 30 }
        return octet <= 196 ? (octet - 166) * 24 * 60 : (octet - 192) * 7 * 24 * 60
    }

    /// Counted day by day, each at its last second, in Nepal's offset of 23 quarter hours and in one that is behind.
    @Test func `read every day of the century in a time stamp`() {
        func swapped(_ value: Int) -> UInt8 { UInt8((value % 10) << 4 | (value / 10)) }
        var days = 10_957
        for year in 0...99 {
            for month in 1...12 {
                let length = [31, year % 4 == 0 ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
                for day in [1, length] {
                    let octets = [year, month, day, 23, 59, 58].map(swapped)
                    let local = Int64(days + day - 1) * 86_400 + 86_398
                    let ahead = PDUTimestamp(semiOctets: octets + [swapped(23)])
                    #expect(
                        ahead?.epochSeconds == local - 23 * 900 && ahead?.offsetMinutes == 345,
                        "\(year) \(month) \(day)")
                    let behind = PDUTimestamp(semiOctets: octets + [swapped(23) | 0x08])
                    #expect(
                        behind?.epochSeconds == local + 23 * 900 && behind?.offsetMinutes == -345,
                        "\(year) \(month) \(day)")
                }
                days += length
            }
        }
    }

    @Test(
        arguments: [
            [0x62, 0x00, 0x10, 0, 0, 0, 0], [0x62, 0x31, 0x10, 0, 0, 0, 0], [0x62, 0x10, 0x00, 0, 0, 0, 0],
            [0x62, 0x10, 0x23, 0, 0, 0, 0], [0x62, 0x10, 0x10, 0x42, 0, 0, 0], [0x62, 0x10, 0x10, 0, 0x06, 0, 0],
            [0x62, 0x10, 0x10, 0, 0, 0x06, 0], [0xA2, 0x10, 0x10, 0, 0, 0, 0], [0x2A, 0x10, 0x10, 0, 0, 0, 0],
            [0x62, 0x10, 0x10, 0, 0, 0], [0x62, 0x10, 0x10, 0, 0, 0, 0, 0], [0x62, 0x10, 0x10, 0, 0, 0, 0xA0],
        ] as [[UInt8]])
    func `read no time that doesn't exist`(octets: [UInt8]) {
        #expect(PDUTimestamp(semiOctets: octets) == nil)
    }

    @Test(arguments: [
        ("x", 160, 1, SMSSubmit.Coding.sevenBit), ("x", 161, 2, .sevenBit), ("x", 306, 2, .sevenBit),
        ("x", 307, 3, .sevenBit),
        ("|", 80, 1, .sevenBit), ("|", 81, 2, .sevenBit), ("|", 152, 2, .sevenBit), ("|", 153, 3, .sevenBit),
        ("न", 70, 1, .ucs2), ("न", 71, 2, .ucs2), ("न", 134, 2, .ucs2), ("न", 135, 3, .ucs2), ("🐅", 35, 1, .ucs2),
        ("🐅", 36, 2, .ucs2), ("🐅", 66, 2, .ucs2), ("🐅", 67, 3, .ucs2), ("x", 1224, 8, .sevenBit),
    ])
    func `part a text where it must`(character: String, count: Int, parts: Int, coding: SMSSubmit.Coding) throws {
        let submit = try SMSSubmit(to: Conversation.number, text: String(repeating: character, count: count))
        #expect(submit.parts.count == parts && submit.coding == coding)
        // The network is asked for one report, with the last part.
        #expect(submit.parts.map { $0.octets[1] & 0x20 != 0 } == (1...parts).map { $0 == parts })
        guard parts > 1 else { return }
        let header = submit.parts.map { Array($0.octets[16..<22]) }
        #expect(header == (1...parts).map { [0x05, 0x00, 0x03, 0, UInt8(parts), UInt8($0)] })
    }

    @Test func `send no text of nine parts, to no name, and no text of nothing`() {
        let name = PhoneNumber(kind: .alphanumeric, digits: "NTC")
        #expect(throws: PDUError.tooManyParts(9)) {
            try SMSSubmit(to: Conversation.number, text: String(repeating: "x", count: 1225))
        }
        #expect(throws: PDUError.badNumber("NTC")) { try SMSSubmit(to: name, text: "x") }
        #expect(throws: PDUError.emptyText) { try SMSSubmit(to: Conversation.number, text: "") }
    }

    @Test func `write numbers in swapped halves, with their kind`() throws {
        #expect(PhoneNumber("+97798").map { Hex.text($0.semiOctets) } == "7997F8")
        #expect(PhoneNumber("*12#").map { Hex.text($0.semiOctets) } == "1AB2")
        #expect(PhoneNumber("00977")?.kind == .international && PhoneNumber("0097")?.kind == .national)
        #expect(
            PhoneNumber(String(repeating: "1", count: 20)) != nil
                && PhoneNumber(String(repeating: "1", count: 21)) == nil)
        #expect(
            PhoneNumber("12")?.masked == "12" && PhoneNumber("123")?.masked == "•23" && PhoneNumber("1")?.masked == "1")
        #expect(PhoneNumber.digits(of: [0x79, 0x97, 0xF8], count: 9) == "97798")
        #expect(PhoneNumber.digits(of: [0x79, 0x97, 0xF8], count: 3) == "977")
        #expect(PhoneNumber.digits(of: [0xBA, 0xDC, 0xFE], count: 9) == "*#abc")
        #expect(
            Hex.octets("0aFf") == [0x0A, 0xFF] && Hex.octets("0") == nil && Hex.octets("0G") == nil
                && Hex.octets("0`") == nil)
        #expect(
            Hex.octets("/0") == nil && Hex.octets(":0") == nil && Hex.octets("@0") == nil
                && Hex.text([0x0A, 0xFF]) == "0AFF")
        #expect(
            SeptetPacking.unpack([0xFF], count: 1, fillBits: 1) == [0x7F]
                && SeptetPacking.unpack([0xFF], count: 1, fillBits: 2) == nil)
        #expect(SeptetPacking.unpack([], count: 0) == [] && SeptetPacking.unpack([0], count: -1) == nil)
        #expect(SeptetPacking.unpack([0], count: 0, fillBits: -1) == nil)
    }

    @Test func `wait as the field's experience with modems says`() {
        let timing = GSMModem.Timing()
        let waits: [(Duration, Double)] = [
            (timing.answer, 8), (timing.slowAnswer, 30), (timing.grace, 2), (timing.quiet, 0.3), (timing.prompt, 10),
            (timing.submit, 120), (timing.submitGrace, 10), (timing.settle, 3), (timing.simRetry, 2),
            (timing.simRecheck, 60),
            (timing.registrationPoll, 5), (timing.registrationAlarm, 120), (timing.registrationPatience, 900),
            (timing.radioRestart, 20), (timing.reopen, 5), (timing.portAlarm, 60), (timing.lastRung, 60),
            (timing.longestLastRung, 900), (timing.watchInterval, 60), (timing.listInterval, 600),
            (timing.firstBalance, 120),
            (timing.balanceInterval, 86_400), (timing.goodTimeToForget, 600), (timing.oneRestart, 30),
        ]
        for (wait, seconds) in waits { #expect(wait == .seconds(seconds)) }
        #expect(ATCommand("AT", timeout: .seconds(1)).payloadTimeout == .seconds(120))
    }

    @Test(
        arguments: [
            (nil, false), ("123", false), ("1234", true), ("12345678", true), ("123456789", false), ("12a4", false),
            ("१२३४", false),
        ] as [(String?, Bool)])
    func `take a PIN of four to eight digits`(pin: String?, isUsable: Bool) {
        var settings = GSMModem.Settings()
        settings.pin = pin
        #expect(settings.hasUsablePIN == isUsable)
    }

    @Test(arguments: [(0, -113), (1, -111), (20, -73), (31, -51), (32, nil), (99, nil), (-1, nil)] as [(Int, Int?)])
    func `give the strength of a signal`(strength: Int, dBm: Int?) {
        #expect(GSMModem.signalDBm(ATLine("+CSQ: \(strength),99")) == dBm)
    }

    @Test func `know every speed of a serial line`() throws {
        let terminal = try PseudoTerminal()
        for speed in [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600] {
            var settings = SerialPort.Settings()
            settings.speed = speed
            settings.lockDirectory = NSTemporaryDirectory()
            try SerialPort(path: terminal.path, settings: settings).close()
        }
        var odd = SerialPort.Settings()
        odd.speed = 1201
        #expect(throws: SerialPortError.unsupportedSpeed(1201)) { try SerialPort(path: terminal.path, settings: odd) }
    }
}
