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
        #expect(try drain(texts) == ["b", "a", "c"])
        // One that comes once more is handed in once more: the server knows it.
        #expect(try texts.keep("a", of: "k", at: Self.now) == .kept)
        #expect(try drain(texts) == ["a"])
    }

    /// The texts in the order in which they would be handed in.
    private func drain(_ texts: KeptTextTable, last: Int64? = nil) throws -> [String] {
        var found: [String] = []
        while let text = try texts.first(last: last) {
            found.append(text.text)
            try texts.handedIn(text)
        }
        return found
    }

    @Test func `that the server couldn't take go last`() throws {
        let store = try TestStore()
        let texts = store.store.keptTexts
        for text in ["a", "b", "c"] { _ = try texts.keep(text, of: "k", at: Self.now) }
        #expect(try drain(texts, last: texts.first()?.id) == ["b", "c", "a"])
    }

    @Test func `go when they are too old to be of use`() throws {
        let store = try TestStore()
        let texts = store.store.keptTexts
        _ = try texts.keep("old", of: "k", at: Self.now)
        _ = try texts.keep("new", of: "k", at: Self.now + .milliseconds(1))
        try texts.dropOld(at: Self.now + KeptTextTable.longestAge)
        #expect(try texts.count() == 2)
        try texts.dropOld(at: Self.now + KeptTextTable.longestAge + .milliseconds(1))
        #expect(try drain(texts) == ["new"])
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
