import Testing

@testable import Watch

@Suite("The console as text", .timeLimit(.minutes(15)))
struct WatchTests {
    private var speeding: WatchScreen.Alert {
        WatchScreen.Alert(
            id: "violation/1", title: "SPEEDING", plate: "BA 1 CHA 1", typeText: "Car", speed: "67.5 km/h",
            limit: "limit 40 km/h", tookLabel: "Took", took: "40 min", lawful: "at least 1 h 7 min",
            entryTime: "10:06:30", exitTime: "10:46:30", state: "provisional", isTouched: false, violationID: "1",
            overstayID: nil)
    }

    private var passage: WatchScreen.Passage {
        WatchScreen.Passage(
            id: "p1", day: "2026-11-21", time: "12:00:00", plate: "BA 1 CHA 1234", typeText: "Car",
            originText: "the camera, by itself", sureText: "90 %", clockText: "right", syncText: "Waits to be sent",
            violationText: nil, isMatched: false, isWithdrawn: false, isCorrected: false)
    }

    private func type(_ text: String, into screen: inout WatchScreen) {
        for character in text { _ = screen.handle(.character(character)) }
    }

    @Test func `records a vehicle and submits its plate`() {
        var screen = WatchScreen()
        #expect(screen.handle(.character("r")) == [.record])
        screen.reviews = [.init(id: "manual:gate/1", plate: "BA 1 CHA 12", time: "12:00", candidates: [])]
        screen.open(review: "manual:gate/1")
        type("34", into: &screen)
        _ = screen.handle(.backspace)
        #expect(screen.handle(.enter) == [.submit(id: "manual:gate/1", plate: "BA 1 CHA 123", type: nil)])
        #expect(screen.place == .passages)
    }

    @Test func `chooses among what waits, and discards`() {
        var screen = WatchScreen()
        screen.reviews = (1...3).map { .init(id: "gate/\($0)", plate: "P\($0)", time: "", candidates: []) }
        _ = screen.handle(.character("v"))
        _ = screen.handle(.down)
        #expect(screen.handle(.character("d")).isEmpty, "it asks first")
        #expect(screen.lines(width: 80, height: 24).contains { $0.text.contains("DISCARD P2") })
        #expect(screen.handle(.enter).isEmpty)
        _ = screen.handle(.character("d"))
        #expect(screen.handle(.character("y")) == [.discard(id: "gate/2")])
        for _ in 0..<9 { _ = screen.handle(.down) }
        _ = screen.handle(.enter)
        #expect(screen.place == .plate(id: "gate/3"))
    }

    @Test func `keeps the choice on its vehicle when rows come and go`() {
        var screen = WatchScreen()
        screen.passages = [passage]
        screen.settle()
        var newer = passage
        newer.id = "p0"
        screen.passages = [newer, passage]
        screen.settle()
        _ = screen.handle(.enter)
        #expect(screen.place == .passage(passage))
        _ = screen.handle(.escape)
        screen.reviews = (1...3).map { .init(id: "gate/\($0)", plate: "P\($0)", time: "", candidates: []) }
        _ = screen.handle(.character("v"))
        _ = screen.handle(.down)
        screen.reviews.remove(at: 1)
        #expect(screen.handle(.enter).isEmpty)
        #expect(screen.place == .reviews, "a key that was meant for one that is gone does nothing")
        #expect(screen.message.contains("gone"))
    }

    @Test func `shows one alert until it is touched, and counts the newer ones`() {
        var screen = WatchScreen()
        screen.alerts = [speeding]
        screen.settle()
        var newer = speeding
        (newer.id, newer.plate) = ("violation/2", "BA 2 KHA 2")
        screen.alerts = [newer, speeding]
        screen.settle()
        let loud = screen.lines(width: 100, height: 24).filter { $0.style == .loud }.map(\.text).joined()
        #expect(loud.contains("BA 1 CHA 1") && loud.contains("+1 more"))
        #expect(screen.handle(.character("l")) == [.later(id: "violation/1")])
    }

    @Test func `asks again when somebody else was faster, and takes no sum that is none`() {
        var screen = WatchScreen()
        screen.alerts = [speeding]
        _ = screen.handle(.character("a"))
        _ = screen.handle(.enter)
        _ = screen.handle(.character("2"))
        type("1,50", into: &screen)
        _ = screen.handle(.enter)
        #expect(screen.place == .fine(.init(speeding)))
        for _ in 0..<4 { _ = screen.handle(.backspace) }
        type("५००", into: &screen)
        _ = screen.handle(.enter)
        let sent = screen.handle(.enter)
        screen.askAgain(sent[0], because: "Somebody was faster")
        #expect(
            screen.handle(.character("y"))
                == [.outcome(violation: "1", kind: "fined", fine: "५००", notes: "", seen: nil)])
    }

    @Test func `shows an alert over everything until it is touched, and records its outcome`() {
        var screen = WatchScreen()
        screen.alerts = [speeding]
        #expect(screen.isSounding)
        _ = screen.handle(.character("/"))
        #expect(screen.lines(width: 80, height: 24).contains { $0.text.contains("SPEEDING") && $0.style == .loud })
        _ = screen.handle(.escape)
        #expect(screen.handle(.character("l")) == [.later(id: "violation/1")])
        _ = screen.handle(.character("a"))
        #expect(screen.handle(.enter) == [.later(id: "violation/1")])
        _ = screen.handle(.character("2"))
        type("1500", into: &screen)
        #expect(screen.handle(.enter).isEmpty)
        type("paid", into: &screen)
        #expect(
            screen.handle(.enter) == [
                .outcome(violation: "1", kind: "fined", fine: "1500", notes: "paid", seen: "0")
            ])
    }

    @Test func `takes another reading and another type for a plate`() {
        var screen = WatchScreen()
        screen.reviews = [.init(id: "gate/1", plate: "BA 1 CHA 12", time: "", candidates: ["BA 7 CHA 12"])]
        screen.open(review: "gate/1")
        _ = screen.handle(.down)
        _ = screen.handle(.tab)
        _ = screen.handle(.tab)
        #expect(screen.handle(.enter) == [.submit(id: "gate/1", plate: "BA 7 CHA 12", type: "jeep_suv")])
    }

    @Test func `corrects and withdraws a passage, with a reason`() {
        var screen = WatchScreen()
        screen.passages = [passage]
        _ = screen.handle(.enter)
        #expect(screen.lines(width: 80, height: 24).contains { $0.text.contains("Waits to be sent") })
        _ = screen.handle(.character("c"))
        _ = screen.handle(.backspace)
        type("5", into: &screen)
        _ = screen.handle(.enter)
        #expect(screen.handle(.enter).isEmpty, "a reason is needed")
        type("mud", into: &screen)
        #expect(screen.handle(.enter) == [.correct(passage: "p1", plate: "BA 1 CHA 1235", reason: "mud")])
        _ = screen.handle(.enter)
        _ = screen.handle(.character("w"))
        type("a cow", into: &screen)
        #expect(screen.handle(.enter) == [.withdraw(passage: "p1", reason: "a cow")])
    }

    @Test func `dismisses an overstay with a reason`() {
        var screen = WatchScreen()
        var overstay = speeding
        (overstay.violationID, overstay.overstayID, overstay.isTouched) = (nil, 7, true)
        screen.overstays = [overstay]
        _ = screen.handle(.character("o"))
        _ = screen.handle(.enter)
        type("left by the same post", into: &screen)
        #expect(screen.handle(.enter).isEmpty, "it asks first")
        #expect(screen.handle(.character("y")) == [.dismiss(overstay: "7", reason: "left by the same post")])
    }

    @Test func `searches, and an empty plate is none`() {
        var screen = WatchScreen()
        _ = screen.handle(.character("/"))
        #expect(screen.handle(.enter).isEmpty)
        type("cha12", into: &screen)
        #expect(screen.handle(.enter) == [.search("cha12")])
        #expect(screen.place == .found)
    }

    @Test(arguments: [(80, 24), (40, 10), (200, 60), (1, 1)])
    func `fits any terminal`(width: Int, height: Int) {
        var screen = WatchScreen()
        screen.chips = Array(repeating: "a chip of the status", count: 12)
        screen.alerts = [speeding, speeding]
        screen.lost = "no answer"
        screen.today = .init(passages: 12, speeding: 1, overstay: 0, review: 2)
        screen.passages = (1...100).map {
            var row = passage
            row.id = "p\($0)"
            return row
        }
        for _ in 0..<60 { _ = screen.handle(.down) }
        let lines = screen.lines(width: width, height: height)
        #expect(lines.count == height)
        #expect(lines.allSatisfy { $0.text.count <= width })
        if height > 16 { #expect(lines.contains { $0.text.hasPrefix("> 2026") }, "what is chosen is in sight") }
    }

    @Test func `has all its keys in 80 columns`() {
        var screen = WatchScreen()
        screen.reviews = Array(repeating: .init(id: "", plate: "", time: "", candidates: []), count: 100)
        screen.alerts = Array(repeating: speeding, count: 99)
        #expect(screen.lines(width: 80, height: 24).last?.text.hasSuffix("q quit") == true)
    }

    @Test func `lets no text move the cursor`() {
        #expect(WatchScreen.Line("BA\u{1B}[2J1\n").text == "BA?[2J1?")
    }

    @Test func `understands the keys of a terminal`() {
        #expect(WatchTerminal.keys(Array("a\r".utf8)) == [.character("a"), .enter])
        #expect(WatchTerminal.keys([27, 91, 65, 27, 91, 66]) == [.up, .down])
        #expect(WatchTerminal.keys([27]) == [.escape])
        #expect(WatchTerminal.keys([127]) == [.backspace])
        #expect(WatchTerminal.keys(Array("च".utf8)) == [.character("च")])
        #expect(WatchTerminal.keys([27, 91, 51, 126]).isEmpty, "the delete key")
    }

    @Test func `asks whether a vehicle is the one that the camera has just recorded`() {
        var screen = WatchScreen()
        var review = WatchScreen.Review(id: "manual:gate/1", plate: "", time: "12:00", candidates: [])
        review.recorded = .init(id: "p1", plate: "BA 1 PA 4036", time: "12:00:30")
        screen.reviews = [review]
        screen.open(review: review.id)
        #expect(
            screen.lines(width: 80, height: 24).contains { $0.text.contains("BA 1 PA 4036 was recorded at 12:00:30") })
        #expect(screen.handle(.down).isEmpty)
        #expect(screen.handle(.character("y")) == [.confirm(id: "manual:gate/1", passage: "p1")])
        screen.open(review: review.id)
        #expect(screen.handle(.character("t")).isEmpty)
        #expect(screen.place == .plate(id: "manual:gate/1"))
    }

    @Test func `takes the last discard back, once`() {
        var screen = WatchScreen()
        screen.lastDiscarded = "gate/2"
        _ = screen.handle(.character("v"))
        #expect(screen.handle(.character("u")) == [.restore(id: "gate/2")])
        #expect(screen.handle(.character("u")).isEmpty)
        #expect(screen.message.contains("Nothing was discarded"))
    }

    @Test func `says what a doubtful overstay waits for`() {
        var screen = WatchScreen()
        var overstay = speeding
        (overstay.violationID, overstay.overstayID, overstay.isTouched) = (nil, 7, true)
        overstay.waitsFor = ["a vehicle of 10:42 waits for review at the other post"]
        screen.overstays = [overstay]
        _ = screen.handle(.character("o"))
        #expect(screen.lines(width: 80, height: 24).contains { $0.text.contains("a vehicle of 10:42 waits") })
    }

    @Test func `says how many wait as the box counts them`() {
        var screen = WatchScreen()
        screen.today = .init(passages: 0, speeding: 0, overstay: 0, review: 700)
        #expect(screen.lines(width: 80, height: 24).last?.text.contains("v review 700") == true)
    }
}
