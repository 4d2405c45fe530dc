import Foundation
import Testing

@testable import Enforcement

@Suite("A watch over what a camera shows", .timeLimit(.minutes(1)))
struct SceneWatchTests {
    private let start = Instant(milliseconds: 1_795_255_200_000)

    /// A picture of one light, with a pattern of so many levels.
    private func picture(_ level: Int, pattern: Int = 0) throws -> GrayThumbnail {
        let pixels = (0..<160 * 90).map { UInt8(level + ($0 % 7 < 3 ? pattern : 0)) }
        return try #require(GrayThumbnail(width: 160, height: 90, pixels: pixels))
    }

    /// What it says of the last of so many pictures, one every `step`; `data` is that of the number.
    private func seen(
        _ thumbnail: GrayThumbnail, count: Int, every step: TimeSpan,
        _ data: (Int) -> Data? = { Data([UInt8($0 % 251)]) }
    ) -> SceneWatch.Trouble? {
        var watch = SceneWatch()
        var trouble: SceneWatch.Trouble?
        for number in 0..<count {
            let at = start + .milliseconds(Int64(number) * step.milliseconds)
            trouble = watch.see(thumbnail, picture: data(number), at: at)
        }
        return trouble
    }

    @Test(arguments: [(10, SceneWatch.Shade.dark), (250, .bright), (120, .plain)])
    func `calls a picture blank in which nothing stands out for ten minutes`(level: Int, shade: SceneWatch.Shade) throws
    {
        let one = try picture(level, pattern: 4)
        #expect(seen(one, count: 61, every: .seconds(10)) == .blank(shade))
        #expect(seen(one, count: 60, every: .seconds(10)) == nil, "not yet")
        // Nine of them are too few, however long they took.
        #expect(seen(one, count: 9, every: .minutes(30)) == nil)
        #expect(seen(one, count: 10, every: .minutes(30)) == .blank(shade))
        #expect(seen(try picture(level == 250 ? 200 : level, pattern: 20), count: 61, every: .seconds(10)) == nil)
    }

    @Test func `calls a camera frozen that gives the same picture for five minutes`() throws {
        let road = try picture(100, pattern: 60)
        let same: (Int) -> Data? = { _ in Data([1, 2, 3]) }
        #expect(seen(road, count: 32, every: .seconds(10), same) == .frozen)
        #expect(seen(road, count: 31, every: .seconds(10), same) == nil, "the first is like none before it")
        #expect(seen(road, count: 100, every: .seconds(10)) == nil, "each is another one")
        // A folder's picture says nothing of its camera.
        #expect(seen(road, count: 100, every: .seconds(10), { _ in nil }) == nil)
    }

    @Test func `ends with the first good picture, and begins anew after a clock that went back`() throws {
        let (dark, road) = (try picture(10), try picture(100, pattern: 60))
        var watch = SceneWatch()
        for second in stride(from: 0, through: 600, by: 10) {
            _ = watch.see(dark, picture: nil, at: start + .seconds(Double(second)))
        }
        #expect(watch.see(dark, picture: nil, at: start + .seconds(610)) == .blank(.dark))
        #expect(watch.see(road, picture: nil, at: start + .seconds(620)) == nil)
        #expect(watch.see(dark, picture: nil, at: start + .seconds(630)) == nil)
        for second in stride(from: 0, through: 590, by: 10) {
            #expect(watch.see(dark, picture: nil, at: start - .hours(1) + .seconds(Double(second))) == nil, "\(second)")
        }
        #expect(watch.see(dark, picture: nil, at: start - .hours(1) + .seconds(600)) == .blank(.dark))
    }
}

@Suite("A watch over the traffic", .timeLimit(.minutes(1)))
struct TrafficWatchTests {
    @Test(arguments: [
        (0, [3, 9, 4, 3, 12, 5, 3], true), (1, [3, 9, 4, 3, 12, 5, 3], false), (0, [3, 9, 4, 2, 12, 5, 3], false),
        (0, [9, 9, 9, 9, 9, 9], false), (0, [], false),
    ])
    func `finds no vehicle unusual where each day had some`(count: Int, before: [Int], isUnusual: Bool) {
        #expect(TrafficWatch.isUnusual(count, before: before) == isUnusual)
    }

    @Test func `compares the same hours of the days before`() {
        let now = Instant(milliseconds: 1_795_255_200_000)
        let span = TrafficWatch.span(daysBefore: 2, now)
        #expect(span.until == now - .hours(48) && span.from == now - .hours(51))
        #expect(TrafficWatch.span(daysBefore: 0, now).until == now)
    }
}
