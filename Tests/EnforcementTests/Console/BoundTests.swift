import Foundation
import Testing

@testable import Enforcement

@Suite("What people are shown, at its bounds", .timeLimit(.minutes(5)))
struct ShownBoundTests {
    @Test(arguments: [
        (0, "0 kB"), (1, "1 kB"), (1024, "1 kB"), (1025, "2 kB"), ((1 << 20) - 1, "1024 kB"), (1 << 20, "1.0 MB"),
        (3 << 19, "1.5 MB"), ((1 << 30) - 1, "1024.0 MB"), (1 << 30, "1.0 GB"), (5 << 29, "2.5 GB"),
    ])
    func `is a size`(bytes: Int, text: String) {
        #expect(Wording.bytes(bytes) == text)
    }

    @Test(arguments: [
        (0, "0 s"), (59, "59 s"), (60, "1 min"), (3599, "59 min"), (3600, "1 h 00 min"), (4020, "1 h 07 min"),
        (90_060, "25 h 01 min"),
    ])
    func `is a span`(seconds: Double, text: String) {
        #expect(Wording.span(.seconds(seconds)) == text)
    }

    @Test func `is a number, or so many of something`() {
        #expect(Wording.number(12) == "12" && Wording.number(0.25) == "0.25" && Wording.number(-3) == "-3")
        #expect(Wording.number(1e15) == "1000000000000000.0" && Wording.number(1e15 - 1) == "999999999999999")
        #expect(Wording.number(-1e15) == "-1000000000000000.0")
        #expect(Wording.decimal(2.25) == "2.2" && Wording.decimal(2.256, 2) == "2.26")
        #expect(Wording.count(1, "photo") == "1 photo" && Wording.count(0, "photo") == "0 photos")
        #expect(Wording.count(2, "entry", "entries") == "2 entries")
    }

    @Test(arguments: [
        (-1, "0 s"), (0, "0 s"), (999, "0 s"), (59_999, "59 s"), (60_000, "1 min"), (61_000, "1 min 1 s"),
        (3_599_000, "59 min 59 s"), (3_600_000, "1 h"), (3_605_000, "1 h 0 min 5 s"), (86_399_000, "23 h 59 min 59 s"),
        (86_400_000, "1 d"), (90_000_000, "1 d 1 h"), (86_460_000, "1 d 0 h 1 min"), (86_401_000, "1 d 0 h 0 min 1 s"),
    ])
    func `is a travel time`(milliseconds: Int64, text: String) {
        #expect(FindingFigures.text(.milliseconds(milliseconds)) == text)
    }

    @Test func `is a travel time to the millisecond, where it must`() {
        #expect(FindingFigures.text(.milliseconds(449_999), withMilliseconds: true) == "7 min 29.999 s")
        #expect(FindingFigures.text(.milliseconds(60_001), withMilliseconds: true) == "1 min 0.001 s")
        #expect(FindingFigures.text(.milliseconds(7), withMilliseconds: true) == "0.007 s")
        #expect(FindingFigures.number(0.1001, decimals: 3) == "0.1" && FindingFigures.number(10, decimals: 2) == "10")
    }

    @Test func `is a memory, a heat, a disk and a clock that are good enough, or not`() {
        let least = 200 << 20
        #expect(SelfTestRule.memory(freeBytes: least, allBytes: 2 << 30).outcome == .passed)
        #expect(SelfTestRule.memory(freeBytes: least - 1, allBytes: 2 << 30).outcome == .failed)
        #expect(SelfTestRule.memory(freeBytes: least, allBytes: 2 << 30).detail == "200.0 MB of 2.0 GB are free.")
        #expect(SelfTestRule.memory(freeBytes: nil, allBytes: 1).outcome == .absent)
        #expect(SelfTestRule.disk(freeBytes: 1 << 30, isReadOnly: false).outcome == .passed)
        #expect(SelfTestRule.disk(freeBytes: (1 << 30) - 1, isReadOnly: false).outcome == .failed)
        func writes(_ usual: Int64, _ slowest: Int64) -> SelfTestFinding.Outcome {
            SelfTestRule.writes("x", [usual, slowest, usual].map(TimeSpan.milliseconds)).outcome
        }
        #expect(writes(250, 2000) == .passed && writes(251, 251) == .failed && writes(5, 2001) == .failed)
        #expect(SelfTestRule.writes("x", [.seconds(1), .milliseconds(10)]).outcome == .failed)
        #expect(SelfTestRule.temperature(celsius: 84.99).detail == "85 °C in the machine.")
        let details = [1, 8, 9, 10, 11].map { SelfTestRule.wear(tenths: $0).detail }
        #expect(
            details == [
                "Up to 10 % of its life is used.", "Up to 80 % of its life is used.", "Up to 90 % of its life is used.",
                "Up to 100 % of its life is used.", "It is past its life.",
            ])
        #expect(SelfTestRule.wear(tenths: 8).outcome == .passed && SelfTestRule.wear(tenths: 9).outcome == .failed)
        let made = Instant(seconds: 1_767_225_600)
        #expect(SelfTestRule.clock(made, isSynchronised: true, verdict: .believed, hasBattery: true).outcome == .passed)
        let before = made - .milliseconds(1)
        #expect(
            SelfTestRule.clock(before, isSynchronised: true, verdict: .believed, hasBattery: true).outcome == .failed)
    }

    @Test func `is one finding a line, its columns below each other`() {
        let passed = SelfTestFinding("memory", .passed, "Enough.", hint: "Not shown.")
        #expect(passed.text == "passed  memory        Enough.")
        let failed = SelfTestFinding("temperature", .failed, "Hot.", hint: "Cool it.")
        #expect(failed.text == "failed  temperature   Hot.\n                      Cool it.")
        #expect(SelfTestFinding("camera.a-long-name", .absent, "x").text == "absent  camera.a-long-name x")
    }

    @Test func `is locked for longer after each wrong password`() {
        let now = Instant(milliseconds: 1_795_255_200_000)
        var lock = SignInLock()
        var waits: [Double] = []
        for _ in 1...13 {
            lock.failed(at: now)
            waits.append(lock.waitsUntil(at: now).map { ($0 - now).seconds } ?? 0)
        }
        #expect(waits == [0, 0, 0, 0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
        #expect(lock.waitsUntil(at: now + .hours(1)) == nil)
        #expect(lock.waitsUntil(at: now + .hours(1) - .milliseconds(1)) == now + .hours(1))
        // The clock was set back: the wait counts from now, once.
        let back = now - .hours(5)
        #expect(lock.waitsUntil(at: back) == back + .hours(1))
        #expect(lock.settle(at: back) && !lock.settle(at: back))
        #expect(lock.lockedUntil == back + .hours(1))
        var many = SignInLock(failureCount: 1000)
        many.failed(at: now)
        #expect(many.failureCount == 1000)
        lock.succeeded()
        #expect(lock == SignInLock() && !lock.settle(at: now))
    }

    @Test func `is a picture of the other post, asked for with growing pauses`() {
        let now = Instant(milliseconds: 1_795_255_200_000)
        let passage = UUID()
        var wishes = PictureWishes()
        #expect(wishes.want(passage, at: now) == nil)
        var moment = now
        for pause in [5.0, 10, 20, 40, 80, 160, 300, 300, 300, 300, 300, 300, 300] {
            wishes.want(passage, at: moment)
            wishes.answered(passage, .notYet, at: moment)
            #expect(wishes.next(at: moment + .seconds(pause) - .milliseconds(1)) == nil, "\(pause)")
            moment = moment + .seconds(pause)
            #expect(wishes.next(at: moment) == passage, "\(pause)")
        }
        // Two are due: the one that is due longest; of equal ones always the same.
        var two = PictureWishes()
        let ids = [UUID(), UUID()].sorted { $0.uuidString < $1.uuidString }
        for id in ids.reversed() { two.want(id, at: now) }
        #expect(two.next(at: now) == ids[0])
        two.answered(ids[0], .silent, at: now)
        #expect(two.next(at: now) == ids[1])
        two.answered(ids[1], .silent, at: now + .seconds(1))
        #expect(two.next(at: now + .seconds(30)) == ids[0])
        two.answered(UUID(), .notYet, at: now)
        #expect(two.count == 2)
        // A pause that lies further ahead than any is none; one as long as the longest is kept.
        var back = PictureWishes()
        back.want(passage, at: now)
        for _ in 1...8 { back.answered(passage, .silent, at: now) }
        #expect(back.next(at: now) == nil)
        #expect(PictureWishes.most == 100 && PictureWishes.patience == .hours(1))
    }

    @Test(
        arguments: [
            ("Balance Rs 35.20", 35.2), ("Main Balance:NRs1,204.5", 1204.5), ("रु ३५", 35), ("Rs35/-", nil),
            ("Rs 12-", nil),
            ("Rs 12:30", nil), ("Rs  35", 35), ("Rs   35", nil), ("Rs x35", nil), ("offers 35", nil),
            ("balance is now 35", 35),
            ("balance 12345678 and 3", 12_345_678), ("balance as of today 3", nil), ("balance on the 3", 3),
            ("Rs 123456789012", 123_456_789_012), ("Rs 1234567890123", nil), ("Rs .5. ok", 5), ("call 9800000000", nil),
        ] as [(String, Double?)])
    func `is what a SIM has left`(text: String, amount: Double?) {
        #expect(SIMBalance.amount(in: text) == amount)
    }

    @Test func `is what a SIM has left only within a thousand characters`() {
        let filler = String(repeating: "-", count: 994)
        #expect(SIMBalance.amount(in: filler + "Rs 356") == 356)
        #expect(SIMBalance.amount(in: filler + "-Rs 356") == 35)
    }

    @Test func `is a line of the log, cut at its length`() {
        #expect(LogText.of("abc", limit: 3) == "abc" && LogText.of("abcd", limit: 3) == "abc…")
        #expect(LogText.of("a\nb") == "a\\u{A}b" && LogText.of(String(repeating: "x", count: 201)).count == 201)
    }
}
