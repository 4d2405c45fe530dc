import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("How the box was", .timeLimit(.minutes(2)))
struct SampleTests {
    private let now = Instant(iso8601: "2026-11-21T06:15:00Z") ?? Instant(milliseconds: 0)

    private func sample(_ at: Instant, waiting: Int = 0) -> BoxSample {
        BoxSample(at: at, signal: 9, freeBytes: 5, waiting: waiting, queueAge: .minutes(1))
    }

    @Test func `is kept once in ten minutes`() throws {
        let test = try TestStore()
        let store = test.store
        try store.samples.keep(sample(now + .minutes(1)))
        try store.samples.keep(sample(now + .minutes(4), waiting: 3))
        try store.samples.keep(sample(now + .minutes(11)))
        let kept = try store.samples.list()
        #expect(kept.map(\.at) == [now - .minutes(5), now + .minutes(5)])
        #expect(kept.first?.waiting == 3, "the later one of the same ten minutes holds")
    }

    @Test func `is forgotten after 30 days, and where it is of a time to come`() throws {
        let test = try TestStore()
        let store = test.store
        try store.samples.keep(sample(now - .hours(31 * 24)))
        try store.samples.keep(sample(now + .hours(24 * 365)))
        #expect(try store.samples.list().count == 1, "what was older than 30 days is gone")
        try store.samples.keep(sample(now))
        #expect(try store.samples.list().map(\.at) == [now - .minutes(5)], "a clock that was wrong wrote the other")
    }
}
