import Enforcement
import Testing

@testable import Watch

@Suite("Judging in the console as text", .timeLimit(.minutes(5)))
struct WatchJudgingTests {
    private let alert = WatchScreen.Alert(
        id: "violation/1", title: "SPEEDING", plate: "BA 1 CHA 1", typeText: "Car", speed: "67.5 km/h",
        limit: "limit 40 km/h", tookLabel: "Took", took: "40 min", lawful: "at least 1 h 7 min",
        entryTime: "10:06:30", exitTime: "10:46:30", state: "provisional", isTouched: true, violationID: "1",
        overstayID: nil)
    private let match = WatchScreen.Match(
        id: "4", ownPlate: "BA 1 PA 1234", ownTime: "12:30", otherPlate: "BA 1 PA 1284", otherPost: "BNP-A",
        otherTime: "11:20")

    private func drawn(_ screen: WatchScreen, width: Int = 80, height: Int = 24) -> String {
        screen.lines(width: width, height: height).map(\.text).joined(separator: "\n")
    }

    @Test func `says of plates that look alike that they are two vehicles, and takes it back`() {
        var screen = WatchScreen()
        screen.matches = [match]
        #expect(drawn(screen).contains("m look-alikes 1"))
        _ = screen.handle(.character("m"))
        #expect(drawn(screen).contains("> BA 1 PA 1234 12:30 here  ~  BA 1 PA 1284 11:20 BNP-A"))
        #expect(screen.handle(.character("u")).isEmpty)
        #expect(screen.message == "Nothing was judged here.")
        #expect(screen.handle(.character("2")).isEmpty, "it asks first")
        #expect(screen.handle(.character("x")).isEmpty)
        _ = screen.handle(.character("2"))
        #expect(screen.handle(.character("y")) == [.reject(match: "4")])
        screen.lastRejected = "4"
        #expect(screen.handle(.character("u")) == [.restoreMatch("4")])
    }

    @Test func `says that they are one vehicle, which the other post read right`() {
        var screen = WatchScreen()
        screen.matches = [match]
        _ = screen.handle(.character("m"))
        _ = screen.handle(.character("1"))
        #expect(drawn(screen).contains("BA 1 PA 1234 becomes BA 1 PA 1284?"))
        #expect(screen.handle(.character("y")) == [.accept(match: "4")])
    }

    @Test func `changes an outcome, beginning with what holds`() {
        var screen = WatchScreen()
        screen.outcomes = [
            .init(
                alert: alert, seen: "1.77", what: "Fined Rs 500", fine: "500", notes: "paid", by: "by ram, 10:50",
                isClosed: false)
        ]
        _ = screen.handle(.character("e"))
        #expect(drawn(screen).contains("Fined Rs 500  by ram, 10:50"))
        _ = screen.handle(.enter)
        #expect(drawn(screen).contains("On record: Fined Rs 500, by ram, 10:50"))
        _ = screen.handle(.character("2"))
        #expect(screen.typed == "500")
        _ = screen.handle(.character("0"))
        _ = screen.handle(.enter)
        #expect(screen.typed == "paid")
        #expect(
            screen.handle(.enter)
                == [.outcome(violation: "1", kind: "fined", fine: "5000", notes: "paid", seen: "1.77")])
    }

    @Test func `leaves an outcome of yesterday to the warden`() {
        var screen = WatchScreen()
        screen.outcomes = [
            .init(alert: alert, seen: "1.77", what: "Warned", fine: "", notes: "", by: "by ram", isClosed: true)
        ]
        _ = screen.handle(.character("e"))
        #expect(screen.handle(.enter).isEmpty)
        #expect(screen.place == .outcomes)
        #expect(screen.message.contains("warden"))
    }

    @Test func `sends the queue on for a technician alone`() {
        var screen = WatchScreen()
        screen.queue = .init(
            text: "Queue: 2 waiting", dead: [.init(id: "7", entity: "passage", plate: "BA 1 CHA 1", error: "422")],
            runs: ["10:00: ↑3 ↓0 ▣1"])
        _ = screen.handle(.character("s"))
        #expect(drawn(screen).contains("> passage  BA 1 CHA 1  422"))
        #expect(screen.handle(.character("y")).isEmpty)
        #expect(screen.message == "That is for technicians.")
        screen.isTechnician = true
        #expect(screen.handle(.character("y")) == [.synchronise])
        #expect(screen.handle(.character("t")) == [.retry(entry: "7")])
        #expect(screen.handle(.character("T")) == [.retry(entry: nil)])
    }

    @Test func `speaks Nepali, in the columns that its letters take`() {
        var screen = WatchScreen()
        screen.texts = .nepali
        screen.chips = ["क्यामेरा ठीक", "लाइन खाली", "अनलाइन"]
        screen.today = .init(passages: 12, speeding: 1, overstay: 0, review: 2)
        screen.matches = [match]
        let text = drawn(screen)
        #expect(text.contains("पछिल्ला सवारी") && text.contains("आज: १२ सवारी"))
        #expect(!text.contains("LAST PASSAGES"))
        #expect(screen.lines(width: 80, height: 24).last?.text.hasSuffix("q बाहिर") == true, "all keys are there")
        for width in 1...90 {
            #expect(screen.lines(width: width, height: 24).allSatisfy { WatchCells.count($0.text) <= width })
        }
        #expect(screen.handle(.character("n")) == [.speak("en")])
    }

    /// As the C library counts them: a sign above, below or joining has no column, one beside the letter has.
    @Test(arguments: [("abc", 3), ("नि", 2), ("नु", 1), ("क्या", 3), ("ठीक", 3), ("–", 1)])
    func `counts the columns of a text`(text: String, columns: Int) {
        #expect(WatchCells.count(text) == columns)
        #expect(WatchCells.count(WatchCells.prefix(text + text, columns)) <= columns)
        #expect(WatchCells.padded(text, 10).hasPrefix(text))
    }

    @Test func `takes a mistyped vowel sign away without its letter`() {
        var screen = WatchScreen()
        _ = screen.handle(.character("/"))
        for scalar in "को".unicodeScalars { _ = screen.handle(.character(Character(scalar))) }
        _ = screen.handle(.backspace)
        #expect(screen.typed == "क")
    }

    @Test func `takes the language of the environment, and English on a screen without its letters`() {
        #expect(WatchTexts.watching(in: nil, environment: ["LANG": "ne_NP.UTF-8", "TERM": "xterm"]).language == "ne")
        #expect(WatchTexts.watching(in: nil, environment: ["LANG": "ne_NP.UTF-8", "TERM": "linux"]).language == "en")
        #expect(WatchTexts.watching(in: nil, environment: ["LC_ALL": "C", "LANG": "ne_NP.UTF-8"]).language == "en")
        #expect(WatchTexts.watching(in: "ne", environment: ["TERM": "linux"]).language == "ne")
    }

    @Test func `has each text in both languages, with the same places in it`() {
        let (english, nepali) = (WatchTexts.english.all, WatchTexts.nepali.all)
        #expect(Set(english.keys) == Set(nepali.keys))
        for (name, text) in english {
            func places(_ text: String?) -> Set<Substring> { Set((text ?? "").matches(of: /{\w+}/).map(\.output)) }
            #expect(places(text) == places(nepali[name]), "\(name)")
        }
    }

    @Test func `asks once about a PIN that can be no password`() {
        #expect(WatchClient.mayBePIN(Secret("1379")) && WatchClient.mayBePIN(Secret("12345678")))
        #expect(!WatchClient.mayBePIN(Secret("137")) && !WatchClient.mayBePIN(Secret("ranger-1")))
    }
}
