import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("Boxes that lend this one their link", .timeLimit(.minutes(5)))
struct LendersTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let lenders: Lenders

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder["checkpost.sqlite"].path)
        lenders = Lenders(otherPost: "BNP-B", store: store)
    }

    private func peer(_ code: String, _ kind: Peer.Kind, _ number: Int) -> Peer {
        Peer(
            publicKey: String(format: "%064x", number), code: code, kind: kind, address: "10.0.0.\(number):8460",
            pairedAt: Instant(milliseconds: Int64(number)))
    }

    private var order: [String] { get throws { try lenders.list().map(\.code) } }

    @Test func `are asked in the order of their pairing, the other post first, and those that led nowhere at the end`()
        throws
    {
        let (post, first, second) = (peer("BNP-B", .post, 9), peer("HQ-1", .hub, 1), peer("HQ-2", .hub, 2))
        for box in [second, post, first, peer("CNP-A", .guest, 5)] { try store.peers.pair(box, at: box.pairedAt) }
        #expect(try order == ["BNP-B", "HQ-1", "HQ-2"])
        // One that answers, and leads to a login page.
        lenders.asks(post)
        lenders.note(hasWay: false)
        #expect(try order == ["HQ-1", "HQ-2", "BNP-B"])
        lenders.asks(first)
        lenders.note(hasWay: false)
        #expect(try order == ["HQ-2", "BNP-B", "HQ-1"])
        lenders.asks(second)
        lenders.note(hasWay: true)
        #expect(try order == ["HQ-2", "BNP-B", "HQ-1"] && lenders.last == "HQ-2")
        lenders.note(hasWay: false)
        #expect(try order == ["BNP-B", "HQ-1", "HQ-2"])
        try store.peers.revoke(key: first.publicKey, at: first.pairedAt)
        #expect(try order == ["BNP-B", "HQ-2"])
        #expect(try !lenders.isThere(first) && lenders.isThere(second))
    }
}
