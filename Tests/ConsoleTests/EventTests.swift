import Enforcement
import Foundation
import Pages
import Storage
import Testing

@testable import Console

@Suite("The event hub", .timeLimit(.minutes(10)))
struct EventHubTests {
    private func take(_ count: Int, _ stream: AsyncStream<EventHub.Event>) async -> [EventHub.Event] {
        var events: [EventHub.Event] = []
        for await event in stream {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }

    @Test func `tells everybody what happens from now on`() async throws {
        let hub = EventHub(run: "r")
        hub.send("before")
        let one = try #require(hub.subscribe(after: nil, for: "Hari"))
        let other = try #require(hub.subscribe(after: nil, for: "Hari"))
        hub.send("passage")
        #expect(await take(1, one).map(\.name) == ["passage"])
        #expect(await take(1, other).map(\.id) == ["r-2"])
    }

    @Test func `tells one that comes back what it missed, once`() async throws {
        let hub = EventHub(run: "r")
        for number in 1...5 { hub.send("e\(number)") }
        let stream = try #require(hub.subscribe(after: "r-3", for: "Hari"))
        hub.send("e6")
        #expect(await take(3, stream).map(\.name) == ["e4", "e5", "e6"])
    }

    @Test(arguments: ["other-3", "r-99", "r-1", "nonsense", "r-"])
    func `has one load everything anew that missed too much`(id: String) async throws {
        let hub = EventHub(run: "r")
        for _ in 0..<(EventHub.keptEvents + 10) { hub.send("e") }
        let stream = try #require(hub.subscribe(after: id, for: "Hari"))
        // r-99 is among what is kept; the others aren't known any more, or never were.
        #expect(await take(1, stream).map(\.name) == [id == "r-99" ? "e" : "reset"])
    }

    @Test func `cuts off a reader that doesn't read, counts it, and never waits for it`() async throws {
        let hub = EventHub(run: "r")
        let slow = try #require(hub.subscribe(after: nil, for: "Hari"))
        for _ in 0..<10_000 { hub.send("e") }
        #expect(hub.overflowCount == 1)
        #expect(hub.readerCount == 0)
        var count = 0
        for await _ in slow { count += 1 }
        #expect(count == EventHub.keptEvents + EventHub.readerBuffer)
    }

    @Test func `takes so many readers and no more, and of one person a part of them`() throws {
        let hub = EventHub()
        let ofOne = (0..<EventHub.maximumReaders).compactMap { _ in hub.subscribe(after: nil, for: "Hari") }
        #expect(ofOne.count == EventHub.maximumOfOne)
        let others = (0..<EventHub.maximumReaders).compactMap { hub.subscribe(after: nil, for: "ranger \($0)") }
        #expect(ofOne.count + others.count == EventHub.maximumReaders)
        #expect(hub.subscribe(after: nil, for: "Sita") == nil)
        hub.finish()
        #expect(hub.readerCount == 0)
    }
}

@Suite("A browser that listens", .serialized, .timeLimit(.minutes(10)))
struct EventStreamTests {
    @Test func `hears of a violation and of a review as they are stored`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let listening = try await rig.ranger().listener()
            async let heard = listening.events(3)
            while rig.console.hub.readerCount == 0 { try await Task.sleep(for: .milliseconds(20)) }
            try rig.violation()
            try rig.doubtful("BA 1 CHA 7")
            let names = Set(try await heard.compactMap { $0["event"] })
            #expect(names.isSuperset(of: ["passage"]))
            let last = try #require(try await heard.last?["id"])
            // What came after the connection was lost is told first when it is back.
            rig.console.hub.send("review", "{}")
            let missed = try await listening.events(1, after: last)
            #expect(!missed.isEmpty)
            #expect(missed.first?["id"] != last)
        }
    }

    @Test func `hears of each kind of change by its name, and of a violation before the review behind it`() async throws
    {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let events = try #require(rig.console.hub.subscribe(after: nil, for: "Hari"))
            try rig.violation()
            try rig.doubtful("BA 1 CHA 7")
            var heard: Set<String> = []
            for await event in events {
                heard.insert(event.name)
                if event.name == "review" { break }
            }
            #expect(heard.isSuperset(of: ["passage", "alert", "review"]), "heard \(heard.sorted())")
        }
    }

    @Test func `that is slow holds up nobody`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let streams = (0..<20).compactMap { _ in rig.console.hub.subscribe(after: nil, for: "Hari") }
            for number in 0..<400 { rig.console.hub.send("passage", "{\"n\": \(number)}") }
            #expect(rig.console.hub.overflowCount == streams.count)
            #expect(try await visitor.call("/api/record", [:]).status == 200)
            #expect(try await visitor.get("/api/status").object["overflow"] as? Int == streams.count)
        }
    }

    @Test func `doesn't keep the box from stopping`() async throws {
        let rig = try await Rig()
        let listening = try await rig.ranger().listener()
        let heard = Task { try await listening.events(1000) }
        while rig.console.hub.readerCount == 0 { try await Task.sleep(for: .milliseconds(20)) }
        await rig.stop()
        _ = try? await heard.value
    }
}
