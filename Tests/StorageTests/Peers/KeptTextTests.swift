import Enforcement
import Foundation
import TestKit
import Testing

@testable import Storage

@Suite("Texts kept for other boxes", .timeLimit(.minutes(5)))
struct KeptTextTests {
    private static let now = Instant(milliseconds: 1_795_255_200_000)

    @Test func `are kept once, in the order in which they came, until they are handed in`() throws {
        let store = try TestStore()
        let texts = store.store.keptTexts
        for text in ["b", "a", "b", "c"] { #expect(try texts.keep(text, of: "k", at: Self.now) == .kept) }
        let first = try texts.waiting(limit: 2)
        #expect(first.map(\.text) == ["b", "a"])
        try texts.handedIn(first)
        #expect(try texts.waiting(limit: 9).map(\.text) == ["c"])
        // One that comes once more is handed in once more, behind the others: the server knows it.
        #expect(try texts.keep("a", of: "k", at: Self.now) == .kept)
        #expect(try texts.waiting(limit: 9).map(\.text) == ["c", "a"])
    }

    @Test func `go when they are too old to be of use`() throws {
        let store = try TestStore()
        let texts = store.store.keptTexts
        _ = try texts.keep("old", of: "k", at: Self.now)
        _ = try texts.keep("new", of: "k", at: Self.now + KeptTextTable.longestAge)
        #expect(try texts.count() == 2)
        _ = try texts.keep("newer", of: "k", at: Self.now + KeptTextTable.longestAge + .milliseconds(1))
        #expect(try texts.waiting(limit: 9).map(\.text) == ["new", "newer"])
    }

    @Test func `of one box leave room for those of others`() throws {
        let store = try TestStore()
        let texts = store.store.keptTexts
        for number in 0..<KeptTextTable.mostOfOne {
            #expect(try texts.keep("\(number)", of: "one", at: Self.now) == .kept)
        }
        #expect(try texts.keep("more", of: "one", at: Self.now) == .full)
        #expect(try texts.keep("0", of: "one", at: Self.now) == .kept, "it is here already")
        #expect(try texts.keep("more", of: "another", at: Self.now) == .kept)
    }
}
