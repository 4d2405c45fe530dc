import Crypto
import Enforcement
import Foundation
import Pages
import Storage
import Testing

@testable import Console

@Suite("The console's texts", .timeLimit(.minutes(10)))
struct TextsTests {
    @Test func `are there in both languages, with the same blanks`() throws {
        #expect(Texts.english.all.count > 200)
        #expect(Set(Texts.english.all.keys) == Set(Texts.nepali.all.keys))
        for (name, text) in Texts.english.all {
            let other = Texts.nepali[name]
            #expect(!other.isEmpty && !text.isEmpty, "\(name)")
            #expect(Self.blanks(text) == Self.blanks(other), "\(name)")
        }
        let same = Texts.english.all.filter { Texts.nepali[$0.key] == $0.value }.keys.sorted()
        #expect(same == ["sync_none"], "these are not translated: \(same)")
    }

    private static func blanks(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{[a-z]+\}/).map { String($0.output) })
    }

    @Test func `say how long something is`() {
        let texts = Texts.english
        #expect(texts.span(.seconds(59)) == "59 s")
        #expect(texts.span(.minutes(67.5)) == "1 h 7 min")
        #expect(texts.span(.hours(50)) == "2 d")
        #expect(texts.span(.seconds(-5)) == "0 s")
    }
}

@Suite("The console's pages", .serialized, .timeLimit(.minutes(10)))
struct PageTests {
    static let paths = ["/", "/review", "/alerts", "/history", "/overstays", "/inside", "/technician", "/aim", "/api"]

    @Test(arguments: Texts.languages)
    func `render wholly in each language`(language: String) async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let violation = try rig.violation()
            try rig.doubtful("BA 1 CHA 7")
            let visitor = try await rig.technician()
            visitor.cookies["checkpost_language"] = language
            let more = [
                "/outcome?violation=\(violation.id)", "/passage?id=\(violation.exitClientID)", "/nowhere", "/sign-in",
            ]
            for path in Self.paths + more {
                let text = try await visitor.get(path).text
                #expect(!text.contains("{{") && !text.contains("Optional(") && !text.contains(">nil<"), "\(path)")
                // A name without its text would stand there as it is.
                let bare = text.matches(of: />\s*[a-z]+_[a-z_]+\s*</).map { String($0.output) }
                #expect(bare.isEmpty || path == "/api", "\(path): \(bare)")
                if path != "/sign-in" { #expect(text.contains("lang=\"\(language)\""), "\(path)") }
            }
        }
    }

    @Test func `are small enough for a small box`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            for number in 0..<100 { try rig.doubtful("BA 1 CHA \(number)", number: number + 1) }
            var bytes = 0
            for path in ["/", "/static/console.js", "/static/keys.js", "/static/icon.svg"] {
                bytes += try await visitor.get(path).body.count
            }
            for kind in Violation.Kind.allCases {
                bytes += try await visitor.get("/sounds/\(kind.rawValue).wav").body.count
            }
            #expect(bytes < 150_000, "\(bytes) bytes")
            let script = try await visitor.get("/static/console.js")
            let tag = try #require(script.headers["etag"])
            #expect(try await visitor.get("/static/console.js", headers: ["If-None-Match": tag]).status == 304)
            #expect(!PageStyle.text.contains("http") && !PageStyle.text.contains("url("), "nothing from outside")
        }
    }

    @Test func `have the style that their policy names, to the byte`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            for path in Self.paths {
                let answer = try await visitor.get(path)
                let page = answer.text
                let start = try #require(page.range(of: "<style>")).upperBound
                let style = page[start...].prefix(upTo: try #require(page.range(of: "</style>")).lowerBound)
                let hash = Data(SHA256.hash(data: Data(style.utf8))).base64EncodedString()
                #expect(answer.headers["content-security-policy"]?.contains("style-src 'sha256-\(hash)';") == true)
            }
        }
    }

    @Test func `show how the box is`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            var status = ConsoleStatus()
            status.link = .sms
            status.offlineSince = rig.clock.now - .minutes(20)
            status.hasModem = true
            status.modemSignal = 20
            status.clockState = .untrusted
            status.cameras = [.init(name: "gate", phase: "silent", failure: "no route", lastFrameAt: nil)]
            rig.host.answer(status)
            try rig.violation()
            rig.clock.advance(.minutes(7))
            let visitor = try await rig.ranger()
            let text = try await visitor.get("/").text
            for part in [
                "SMS, offline since 11:40", "Signal 4/5", "CLOCK NOT SET", "Camera gate: SILENT", "oldest 7 min",
            ] {
                #expect(text.contains(part), "\(part)")
            }
            for (last, chip) in [(nil, "Camera: no picture yet"), (rig.clock.now, "Camera OK")] {
                status.cameras = [.init(name: "gate", phase: "live", failure: nil, lastFrameAt: last)]
                rig.host.answer(status)
                #expect(try await visitor.get("/").text.contains(chip), "\(chip)")
            }
            status.link = .online
            for (isLent, chip) in [(nil, "Online<"), (false, "Online<"), (true, "Online through another box<")] {
                status.goesThroughOtherPost = isLent
                rig.host.answer(status)
                #expect(try await visitor.get("/").text.contains(chip), "\(chip)")
            }
        }
    }

    @Test func `show of a post without a modem that a paired box takes its texts`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            var status = ConsoleStatus()
            (status.link, status.offlineSince, status.givesTexts) = (.sms, rig.clock.now - .minutes(20), true)
            rig.host.answer(status)
            let text = try await rig.technician().get("/technician").text
            #expect(text.contains("Texts to a paired box, offline since 11:40") && !text.contains("SMS, offline"))
            #expect(text.contains("No modem. Without a link, texts go to a paired box"))
        }
    }

    @Test(arguments: [(true, "Texts are signed (V2)"), (false, "Texts are not signed (V1)")])
    func `show the technician which version of texts goes out`(signs: Bool, words: String) async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            var status = ConsoleStatus()
            (status.hasModem, status.signsTexts) = (true, signs)
            rig.host.answer(status)
            let text = try await rig.technician().get("/technician").text
            #expect(text.contains(words))
        }
    }

    @Test func `an alert names a day only where the time of day doesn't tell it`() throws {
        // One minute past midnight in Nepal.
        let now = try #require(Instant(iso8601: "2026-11-23T18:16:00Z"))
        #expect(AlertView.farDay(now - .hours(4), .english, now: now) == nil)
        #expect(AlertView.farDay(now - .hours(25), .english, now: now) == "2026-11-22")
    }

    @Test(arguments: [("day", true), ("night", false), ("<b>", false)])
    func `are black on white for a browser that wants them so`(theme: String, isDay: Bool) async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            #expect(try await visitor.get("/").text.contains("<html lang=\"en\">"))
            let answer = try await visitor.post("/theme", ["theme": theme])
            #expect(answer.status == 303 || answer.status == 302)
            let page = try await visitor.get("/history").text
            #expect(page.contains("<html lang=\"en\" class=\"day\">") == isDay)
            #expect(page.contains("content=\"light\"") == isDay && page.contains(isDay ? ">Night<" : ">Day<"))
            #expect(!page.contains("<b>Night"))
        }
    }

    @Test func `find one of ten thousand passages`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            for hour in 0..<20 {
                let recordings = (0..<500).map { number in
                    FrameCommit.Recording(
                        passage: Passage(
                            clientID: UUID(), plate: Plate(canonical: "BA \(hour) CHA \(1000 + number)"), plateRaw: "",
                            vehicleType: .car, checkpostCode: "BNP-B",
                            recordedAt: rig.clock.now - .seconds(Double(hour * 500 + number)), clockState: .simulated,
                            origin: .camera), sighting: nil)
                }
                try rig.store.frames.commit(FrameCommit(camera: "gate", recordings: recordings, at: rig.clock.now))
            }
            #expect(try await visitor.get("/history?plate=7CHA1234").text.contains("BA 7 CHA 1234"))
            #expect(try await visitor.get("/api/passages?limit=500&offset=9500").list.count == 500)
            #expect(try await visitor.get("/fragments/history?offset=9960").text.contains("BA 19 CHA 1499"))
            #expect(try await visitor.get("/history.csv").text.components(separatedBy: "\r\n").count == 10_002)
        }
    }

    @Test func `tell programs what there is`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = rig.visitor()
            let answer = try await visitor.send(
                "POST", "/api/sign-in", headers: ["Content-Type": "application/json"],
                body: Data(#"{"user": "ram", "password": "ranger-pass-1"}"#.utf8))
            #expect(answer.object["form_token"] != nil)
            let documentation = try await visitor.get("/api").text
            for action in Action.all { #expect(documentation.contains("POST /api/\(action.path)"), "\(action.path)") }
            for path in [
                "status", "counts", "live", "passages", "reviews", "alerts", "violations", "overstays", "session",
            ] {
                #expect(documentation.contains("GET /api/\(path)"), "\(path)")
                #expect(try await visitor.get("/api/\(path)").json != nil, "\(path)")
            }
        }
    }
}

@Suite("The alert sounds", .timeLimit(.minutes(10)))
struct AlertSoundTests {
    @Test func `are sound files, and not the same`() {
        let files = RangerAlert.Finding.allCases.map(AlertSound.wave)
        for file in files {
            #expect(file.prefix(4) == Data("RIFF".utf8))
            let size = file[4..<8].enumerated().reduce(0) { $0 + Int($1.element) << (8 * $1.offset) }
            #expect(size == file.count - 8)
            let samples = stride(from: 44, to: file.count, by: 2).map {
                Int16(bitPattern: UInt16(file[$0]) | UInt16(file[$0 + 1]) << 8)
            }
            #expect(samples.contains { $0 > 25_000 }, "it is loud")
            #expect(samples.count > AlertSound.sampleRate, "and longer than a second")
        }
        #expect(Set(files).count == files.count)
    }
}
