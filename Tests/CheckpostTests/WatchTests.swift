import Testing

@testable import checkpost

@Suite("The console as text")
struct WatchTests {
    private var speeding: WatchScreen.Alert {
        WatchScreen.Alert(
            id: "violation/1", title: "SPEEDING", plate: "BA 1 CHA 1", typeText: "Car", speed: "67.5 km/h",
            limit: "limit 40 km/h", took: "40 min", lawful: "at least 1 h 7 min", state: "provisional",
            isTouched: false,
            violationID: "1", overstayID: nil)
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
        #expect(screen.handle(.enter) == [.submit(id: "manual:gate/1", plate: "BA 1 CHA 123")])
        #expect(screen.place == .passages)
    }

    @Test func `chooses among what waits, and discards`() {
        var screen = WatchScreen()
        screen.reviews = (1...3).map { .init(id: "gate/\($0)", plate: "P\($0)", time: "", candidates: []) }
        _ = screen.handle(.character("v"))
        _ = screen.handle(.down)
        #expect(screen.handle(.character("d")) == [.discard(id: "gate/2")])
        for _ in 0..<9 { _ = screen.handle(.down) }
        _ = screen.handle(.enter)
        #expect(screen.place == .plate(id: "gate/3"))
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
        #expect(screen.handle(.enter) == [.outcome(violation: "1", kind: "fined", fine: "1500")])
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
        screen.passages = Array(
            repeating: .init(
                day: "2026-11-21", time: "12:00:00", plate: "BA 1 CHA 1234", typeText: "Car", violationText: nil,
                syncText: ""), count: 100)
        let lines = screen.lines(width: width, height: height)
        #expect(lines.count == height)
        #expect(lines.allSatisfy { $0.text.count <= width })
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
}
