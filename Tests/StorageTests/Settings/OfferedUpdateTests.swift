import Enforcement
import Foundation
import Storage
import Testing

@Suite("The updates that the server offers", .timeLimit(.minutes(2)))
struct OfferedUpdateTableTests {
    @Test func `are what it told last, and nothing else`() throws {
        let test = try TestStore()
        let store = test.store
        defer { withExtendedLifetime(test) {} }
        func offer(_ version: String) throws -> OfferedUpdate {
            try #require(
                OfferedUpdate(
                    fileName: "checkpost_\(version)_amd64.deb", bytes: 90_000_000,
                    sha256: String(repeating: "0f", count: 32),
                    signature: "c2lnbmF0dXJl", offeredAt: minute(3)))
        }
        #expect(try store.offeredUpdates.list().isEmpty)
        let both = [try offer("1.2.0"), try offer("1.3.0")]
        try store.offeredUpdates.replace(both.reversed())
        #expect(try store.offeredUpdates.list() == both)
        try store.offeredUpdates.replace([both[1], both[1]])
        #expect(try store.offeredUpdates.list() == [both[1]])
        try store.offeredUpdates.replace([])
        #expect(try store.offeredUpdates.list().isEmpty)
    }
}
