import Enforcement
import Foundation
import Synchronization
import Testing

@testable import Storage

@Suite("An import of the other post's passages", .timeLimit(.minutes(10)))
struct ImportTests {
    private func rows(_ count: Int, from first: Int = 0) -> [MatchablePassage] {
        (first..<first + count).map { sampleRemote(at: Double($0), clientID: Self.id($0)) }
    }

    private func words(_ inForce: [MatchablePassage], withdrawn: [MatchablePassage]) -> [PostWord] {
        inForce.map { PostWord($0) } + withdrawn.map { PostWord($0, isWithdrawn: true) }
    }

    private static func id(_ number: Int) -> UUID {
        UUID(uuidString: String(format: "00000000-0000-4000-8000-%012x", number)) ?? UUID()
    }

    @Test func `changes nothing when it is made again, and lets nothing withdrawn be in force`() throws {
        let test = try TestStore()
        let words = words(rows(450), withdrawn: rows(210, from: 400))
        #expect(try test.store.otherPost.takeIn(words, at: minute(1)) == (400, 210))
        #expect(try test.store.otherPost.takeIn(words, at: minute(2)) == (0, 0))
        let open = try test.store.matches.unmatched(.remote, from: minute(0), to: minute(2000))
        #expect(open.map(\.clientID) == (0..<400).map(Self.id))
    }

    @Test func `goes on where it was interrupted`() throws {
        let words = words(rows(900), withdrawn: rows(300, from: 700))
        let whole = try TestStore()
        _ = try whole.store.otherPost.takeIn(words, at: minute(1))
        let expected = try whole.store.matches.unmatched(.remote, from: minute(0), to: minute(2000))
        for interruption in 1...6 {
            let writes = Mutex(0)
            let folder = try TestStore()
            let path = folder.store.path + ".interrupted"
            defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
            let faulty = try Store(path: path) { moment in
                guard case .beforeWrite = moment else { return }
                let count = writes.withLock { count in
                    count += 1
                    return count
                }
                if count == interruption { throw StoreError(.busy, "interrupted") }
            }
            #expect(throws: StoreError.self) {
                try faulty.otherPost.takeIn(words, at: minute(1))
            }
            let halfWay = try faulty.matches.unmatched(.remote, from: minute(0), to: minute(2000))
            #expect(halfWay.allSatisfy(expected.contains))
            _ = try faulty.otherPost.takeIn(words, at: minute(2))
            #expect(try faulty.matches.unmatched(.remote, from: minute(0), to: minute(2000)) == expected)
            try faulty.close()
        }
    }

    @Test func `never keeps another program from the database for long`() async throws {
        let test = try TestStore()
        let passages = rows(20_000)
        let isDone = Mutex(false)
        let store = test.store
        async let imported = Task.detached {
            defer { isDone.withLock { $0 = true } }
            return try store.otherPost.takeIn(passages.map { PostWord($0) }, at: minute(1)).added
        }.value
        let other = try Store(path: test.store.path)
        var longest = Duration.zero
        var writes = 0
        while !isDone.withLock({ $0 }) {
            let clock = ContinuousClock()
            let took = try clock.measure {
                try other.passages.record(samplePassage(at: Double(writes), clientID: UUID()), at: minute(1))
            }
            longest = max(longest, took)
            writes += 1
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try await imported == 20_000)
        #expect(writes > 5)
        // Ten seconds are what a writer waits before it gives up.
        #expect(longest < .seconds(3), "\(longest) after \(writes) writes")
        try other.close()
    }
}
