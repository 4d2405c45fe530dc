import Enforcement
import Foundation
import Testing

@testable import Storage

/// Two stores on one file stand for two processes: they share nothing but the file.
@Suite("What another process changes", .timeLimit(.minutes(10)))
struct ForeignChangeTests {
    private let test: TestStore
    private let other: Store

    init() throws {
        test = try TestStore()
        other = try Store(path: test.path)
    }

    /// The next change, or nil when none comes within two seconds.
    private func next(of changes: AsyncStream<StoreChange>, within patience: Duration = .seconds(2)) async
        -> StoreChange?
    {
        await withTaskGroup(of: StoreChange?.self) { group in
            group.addTask {
                var iterator = changes.makeAsyncIterator()
                return await iterator.next()
            }
            group.addTask {
                // The patience itself, where nothing comes.
                try? await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    @Test func `is told by its kinds`() async throws {
        let changes = test.store.changes()
        try other.passages.record(samplePassage(), at: minute(0))
        #expect(await next(of: changes) == [.passage, .queue])
        try other.close()
    }

    @Test func `is told for tables of which SQLite says nothing`() async throws {
        let changes = test.store.changes()
        try other.settings.replace(["sync.page_rows": "50"], from: .server, at: minute(0))
        #expect(await next(of: changes) == .setting)
        try other.close()
    }

    @Test func `is no news when it happened before anybody asked`() async throws {
        try other.passages.record(samplePassage(), at: minute(0))
        let changes = test.store.changes()
        #expect(await next(of: changes, within: .milliseconds(600)) == nil)
        try other.close()
    }

    @Test func `is not told when it was rolled back`() async throws {
        let changes = test.store.changes()
        struct Refused: Error {}
        #expect(throws: Refused.self) {
            try other.write("Trying") { db in
                try db.execute(sql: "DELETE FROM alarms")
                other.changeHub.note(.alarm)
                throw Refused()
            }
        }
        try other.alarms.raise("disk", .warning, "The disk is nearly full.", at: minute(0))
        #expect(await next(of: changes) == .alarm)
        try other.close()
    }

    @Test func `is told once, and an own commit is not told again by the look`() async throws {
        let changes = test.store.changes()
        try test.store.alarms.raise("disk", .warning, "The disk is nearly full.", at: minute(0))
        #expect(await next(of: changes) == .alarm)
        let more = test.store.changes()
        #expect(await next(of: more, within: .milliseconds(600)) == nil)
        try other.close()
    }
}
