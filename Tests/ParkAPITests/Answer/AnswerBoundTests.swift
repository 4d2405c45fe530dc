import Enforcement
import Foundation
import Testing

@testable import ParkAPI

@Suite("The server's contract, at its bounds", .timeLimit(.minutes(10)))
struct AnswerBoundTests {
    private let now = Instant(milliseconds: 1_795_309_200_000)
    private let fault = #"{"code":"23505","message":"duplicate key","details":"Key (client_id)=(x) already exists."}"#

    private func answer(_ status: Int, _ body: String = #"{"message":"said"}"#) -> ServerAnswer {
        ServerAnswer(status: status, body: Data(body.utf8))
    }

    private func verdict(_ status: Int, _ body: String = #"{"message":"said"}"#, _ identities: [String] = ["client_id"])
        -> String
    {
        let verdict = Verdict(.answered(answer(status, body)), identities: identities, at: now)
        return String("\(verdict)".prefix { $0 != "(" })
    }

    @Test func `mean what each status says`() {
        let runs = [
            199, 200, 201, 299, 300, 399, 400, 401, 402, 403, 404, 405, 408, 409, 413, 422, 423, 429, 500, 503, 599,
            600,
        ].map {
            "\($0) \(verdict($0))"
        }
        #expect(
            runs == [
                "199 unwell", "200 accepted", "201 accepted", "299 accepted", "300 unwell", "399 unwell", "400 refused",
                "401 unauthorised", "402 unwell", "403 forbidden", "404 refused", "405 unwell", "408 unwell",
                "409 unwell",
                "413 refused", "422 refused", "423 unwell", "429 unwell", "500 unwell", "503 unwell", "599 unwell",
                "600 unwell",
            ])
        #expect(verdict(413, "<html>") == "tooLong" && verdict(413, "") == "tooLong")
        #expect(Verdict(.silent("no route"), identities: [], at: now) == .silent("no route"))
    }

    @Test func `say why an answer is none`() {
        func words(_ status: Int, _ body: String) -> String {
            "\(Verdict(.answered(answer(status, body)), identities: [], at: now))"
        }
        for status in [299, 300, 399, 400] {
            let isElsewhere = words(status, "<p>").contains("sends elsewhere")
            #expect(isElsewhere == (300..<400).contains(status), "\(status)")
        }
        let page = String(repeating: " ", count: 195)
        #expect(words(200, page + "<html").contains("a web page") && words(200, page + " <html").contains("no JSON"))
        #expect(words(200, "<!DOCTYPE html>").contains("a web page") && words(200, "no").contains("no JSON"))
    }

    @Test(
        arguments: [
            ("2026-11-22T01:00:00Z", 0), ("2026-11-22T01:00:00+00", 0), ("2026-11-22T01:00:00+00:00", 0),
            ("2026-11-22T01:00:00.250999+00", 250), ("2026-11-22T06:45:00+05:45", 0), ("2026-11-21T21:00:00-04", 0),
            ("2026-11-22", nil), ("+00", nil), ("", nil),
        ] as [(String, Int64?)])
    func `tell a time as PostgreSQL writes it, cut to milliseconds`(text: String, milliseconds: Int64?) {
        let time = try? JSONDecoder().decode(ServerTime.self, from: Data("\"\(text)\"".utf8)).instant
        #expect(time == milliseconds.map { now + .milliseconds($0) })
    }

    @Test func `tell a list of nothing from anything else`() {
        let empty = ["[]", " [ ] ", "[1]", "{}", "", "null", "[", "\"\""].filter { answer(200, $0).isEmptyList }
        #expect(empty == ["[]", " [ ] "])
    }

    @Test(arguments: [
        ("0", 0.0), ("9", 9), ("120", 120), ("000000007", 7), ("0000000007", nil), (":", nil), ("/", nil), ("1a", nil),
        ("-1", nil),
        ("", nil),
    ])
    func `give a time to wait in whole seconds`(text: String, seconds: Double?) {
        let span = RetryAfter.span(ServerAnswer(status: 503, retryAfter: text), at: now)
        #expect(span == seconds.map { .seconds($0) })
    }

    @Test func `take an account for active where it was not asked`() throws {
        func isActive(_ more: String) throws -> Bool {
            try JSONDecoder().decode(ProfileRow.self, from: Data("{\"role\": \"ranger\"\(more)}".utf8)).isActive
        }
        #expect(try isActive("") && isActive(", \"is_active\": true") && !isActive(", \"is_active\": false"))
    }

    @Test func `say that a record is there, or that a rule is broken`() {
        #expect(verdict(409, fault) == "duplicate")
        #expect(verdict(409, fault, ["sms_client_id"]) == "refused")
        #expect(verdict(409, fault, []) == "refused")
        #expect(verdict(409, #"{"code":"23503","message":"x"}"#) == "refused")
        #expect(verdict(409, #"{"code":"2350","message":"x"}"#) == "unwell")
        #expect(verdict(409, #"{"code":"23505","message":"something"}"#) == "unwell")
        #expect(verdict(409, #"{"code":"23505","message":"vehicle_passages_pkey"}"#) == "refused")
        #expect(verdict(409, #"{"code":"23505","message":"other_key"}"#) == "refused")
    }

    @Test func `are well-formed as JSON, or as nothing where nothing is an answer`() {
        let bodies = [
            (200, ""), (201, ""), (202, ""), (204, ""), (205, ""), (299, ""), (399, ""), (400, ""), (599, ""),
            (600, ""),
        ]
        #expect(bodies.filter { answer($0.0, $0.1).isWellFormed }.map(\.0) == [201, 204, 400, 599])
        #expect(
            [199, 200, 299, 300, 399, 400, 499, 500, 599, 600].filter { answer($0).isWellFormed } == [
                200, 299, 400, 499, 500, 599,
            ])
        #expect([200, 499, 500].filter { answer($0).showsLink } == [200, 499])
        #expect(!answer(200, "<html>").isWellFormed && answer(200, "7").isWellFormed)
    }

    @Test func `show three hundred characters of what the server says, and no secret of four or more`() {
        let long = String(repeating: "x", count: 301)
        #expect(answer(400, #"{"code":"A","message":"\#(long)"}"#).summary == "400 (A): " + long.dropLast())
        #expect(
            answer(400, "<html>").summary == "status 400" && answer(400, #"{"message":""}"#).summary == "status 400")
        func hidden(_ secret: String, _ status: Int = 400) -> String {
            String(decoding: answer(status, #""a abc abcd""#).hiding([Secret(secret)]).body, as: UTF8.self)
        }
        #expect(hidden("abc") == #""a abc abcd""# && hidden("abcd") == #""a abc \#(Secret.mask)""#)
        #expect(hidden("abcd", 399) == #""a abc abcd""#)
    }

    @Test(
        arguments: [
            ("0", 0), ("120", 120), ("900", 900), ("901", 900), ("999999999", 900), ("1234567890", nil), ("", nil),
            ("-1", nil), (" 7 ", 7),
            ("/", nil), (":", nil), ("1.5", nil), ("Sun, 22 Nov 2026 01:05:00 GMT", 300),
            ("Sun, 22 Nov 2026 00:00:00 GMT", 0),
            ("Sun, 22 Nov 2026 09:00:00 GMT", 900), ("Sun, 22 Nov 2026 01:00:60 GMT", 59),
            ("Sun, 22 Nov 2026 01:00:00 UTC", nil),
            ("Sun, 22 Nox 2026 01:00:00 GMT", nil), ("Sun, 2 Nov 2026 01:00:00 GMT", nil),
            ("Sun, 222 Nov 2026 01:00:00 GMT", nil),
            ("Sun, 22 Nov 20266 01:00:00 GMT", nil), ("Sun, 22 Nov 2026 01:00:000 GMT", nil),
            ("Sun, 22 Nov 2026 GMT", nil),
        ] as [(String, Double?)])
    func `ask to be left alone for so long`(text: String, seconds: Double?) {
        let date = "Sun, 22 Nov 2026 01:00:00 GMT"
        let asked = ServerAnswer(status: 503, retryAfter: text, date: date)
        #expect(RetryAfter.span(asked, at: now - .hours(9)) == seconds.map { TimeSpan.seconds($0) })
        #expect(RetryAfter.span(ServerAnswer(status: 503, date: date), at: now) == nil)
    }

    @Test func `count a date from the box's clock where the server says none`() {
        #expect(Instant(httpDate: "Sun, 22 Nov 2026 01:00:00 GMT") == now)
        #expect(Instant(httpDate: "Thu, 01 Jan 1970 00:00:00 GMT") == Instant(milliseconds: 0))
        let asked = ServerAnswer(status: 503, retryAfter: "Sun, 22 Nov 2026 01:05:00 GMT")
        #expect(RetryAfter.span(asked, at: now) == .minutes(5))
    }

    @Test func `hold no more than the server's tables`() {
        let numbers = [
            ContractLimits.plateRaw, ContractLimits.actedBy, ContractLimits.reason, ContractLimits.notes,
            ContractLimits.runError,
            ContractLimits.waitingPlate, ContractLimits.rowsAPage, ContractLimits.idsAQuestion,
            ContractLimits.accountsAQuestion, ContractLimits.listedPlates, ContractLimits.listReason,
            ContractLimits.email, ContractLimits.password, ContractLimits.photoBytes,
        ]
        #expect(numbers == [200, 200, 1000, 4000, 2000, 32, 500, 100, 100, 500, 60, 254, 1000, 2_000_000])
        #expect(ContractLimits.plate == 2...16 && ContractLimits.checkpostCode == 1...20)
    }

    private func passage(
        code: String = "BNP-A", plate: String = "BA1PA1234", seconds: Int64 = 1_795_255_530, suffix: String = "4321"
    )
        -> SMSPassage
    {
        SMSPassage(
            checkpostCode: code, compactPlate: plate, vehicleType: .car,
            recordedAt: Instant(milliseconds: seconds * 1000 + 999),
            rangerPhoneSuffix: suffix)
    }

    @Test func `take a text with fields of these lengths and times, and no others`() throws {
        #expect(try SMSEncoder.encode(passage()) == "V1|BNP-A|BA1PA1234|CAR|1795255530|4321")
        let long = String(repeating: "A", count: 21)
        func isFine(_ passage: SMSPassage) -> Bool { (try? SMSEncoder.encode(passage)) != nil }
        #expect(
            isFine(passage(code: "a")) && isFine(passage(code: String(long.dropLast()))) && !isFine(passage(code: long))
        )
        #expect(isFine(passage(code: "Az09-_")) && !isFine(passage(code: "A B")) && !isFine(passage(code: "")))
        for bad in ["`", "{", "@", "[", "/", ":"] { #expect(!isFine(passage(code: bad)), "\(bad)") }
        #expect(
            !isFine(passage(plate: "A")) && isFine(passage(plate: "A1"))
                && isFine(passage(plate: String(long.prefix(16)))))
        #expect(
            !isFine(passage(plate: String(long.prefix(17)))) && !isFine(passage(plate: "a1"))
                && !isFine(passage(plate: "A?")))
        #expect(isFine(passage(suffix: "1")) && isFine(passage(suffix: "1234")) && !isFine(passage(suffix: "12345")))
        #expect(!isFine(passage(suffix: "")) && !isFine(passage(suffix: "12a")))
        #expect(isFine(passage(seconds: 100_000_000)) && !isFine(passage(seconds: 99_999_999)))
        #expect(isFine(passage(seconds: 4_102_444_799)) && !isFine(passage(seconds: 4_102_444_800)))
        #expect(SMSEncoder.maximumSeptets == 160)
        #expect(SMSField.allCases.map(\.lengths) == [2...2, 1...20, 2...16, 3...3, 9...10, 1...4])
        #expect(GSMSeptets.count(of: "V1|A") == 5 && GSMSeptets.count(of: "न") == nil && GSMSeptets.count(of: "") == 0)
    }

    @Test(arguments: [
        ("+977 98-5802 4321", "4321"), ("4321", "4321"), ("321", "0000"), ("", "0000"), ("1x2x3x4x5", "2345"),
    ])
    func `end with four digits of the account's phone`(phone: String, suffix: String) {
        #expect(SMSPassage.phoneSuffix(of: phone) == suffix)
    }

    @Test func `know a text by an id that both sides compute`() {
        #expect(SMSEncoder.namespace.uuidString == "6F1C9A52-3F0E-5D5B-9C1A-7B5F0F6F2E11")
        let dns = UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8") ?? UUID()
        #expect(
            UUIDv5.make(namespace: dns, name: "www.example.com").uuidString == "2ED6657D-E927-568B-95E1-2665A8AEA6A2")
        #expect(UUIDv5.make(namespace: dns, name: "python.org").uuidString == "886313E1-3B8A-5372-9B90-0C9AEE199E5D")
    }
}
