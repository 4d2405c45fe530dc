import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Console

@Suite("The direct link on the technician's page", .serialized, .timeLimit(.minutes(10)))
struct PeerPageTests {
    @Test func `is there where it is configured, and says how it is in both languages`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.technician()
            #expect(try await !visitor.get("/technician").text.contains("/do/peer/"))
            #expect(try await visitor.call("/api/peer/pair", [:]).status == 409)
            rig.host.answer(peer: PeerStanding(state: "unpaired"))
            let unpaired = try await visitor.get("/technician").text
            #expect(unpaired.contains("Not paired") && !unpaired.contains("/do/peer/revoke"))
            rig.host.answer(
                peer: PeerStanding(
                    state: "connected", post: "BNP-B", address: "10.0.0.2:8460",
                    lastHeardAt: Instant(iso8601: "2026-11-21T06:10:00.000Z")))
            let connected = try await visitor.get("/technician").text
            #expect(connected.contains("The other post answers · BNP-B · 10.0.0.2:8460 · last heard"), "\(connected)")
            // Ending it takes a second touch.
            #expect(connected.contains(/<details><summary>End the pairing …<\/summary><form[^>]*peer\/revoke/))
            visitor.cookies["checkpost_language"] = "ne"
            #expect(try await visitor.get("/technician").text.contains("अर्को चेकपोस्ट सम्पर्कमा छ"))
            for state in ["unpaired", "waiting", "silent", "refused"] {
                rig.host.answer(peer: PeerStanding(state: state))
                #expect(try await visitor.get("/technician").text.contains("अर्को चेकपोस्टसँग सिधा लिंक"))
            }
        }
    }

    @Test func `shows a code as long as it counts`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.technician()
            rig.host.answer(peer: PeerStanding(state: "unpaired"))
            #expect(try await visitor.call("/api/peer/pair", [:]).text.contains("7K2M-9QXR-0ABC-DE45"))
            try rig.store.peers.offer(PeerOffer(code: "AAAA-BBBB-CCCC-DDDD", until: rig.clock.now + .minutes(10)))
            let alone = try await visitor.get("/technician").text
            #expect(alone.contains("AAAA-BBBB-CCCC-DDDD") && !alone.contains("This box is at"))
            var standing = PeerStanding(state: "unpaired")
            standing.own = ["10.0.0.1", "[2001:db8::1]"]
            rig.host.answer(peer: standing)
            #expect(try await visitor.get("/technician").text.contains("This box is at 10.0.0.1, [2001:db8::1]."))
            rig.clock.advance(.minutes(11))
            #expect(try await !visitor.get("/technician").text.contains("AAAA-BBBB-CCCC-DDDD"))
        }
    }

    @Test func `pairs with what is typed, says what is wrong with it, and ends it`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.technician()
            rig.host.answer(peer: PeerStanding(state: "unpaired"))
            func join(_ address: String, _ code: String) async throws -> (status: Int, text: String) {
                let answer = try await visitor.call("/api/peer/join", ["address": address, "code": code])
                return (answer.status, answer.text)
            }
            #expect(try await join("here", "7K2M-9QXR-0ABC-DE45").text.contains("no address"))
            #expect(try await join("10.0.0.9", "7K2M").text.contains("no code"))
            let refused = try await join("10.0.0.9", "7K2M-9QXR-0ABC-DE45")
            #expect(refused.status == 409 && refused.text.contains("nothing listens there"), "\(refused.text)")
            #expect(try await join("10.0.0.2", "7K2M-9QXR-0ABC-DE45").status == 200)
            #expect(try await visitor.call("/api/peer/revoke", [:]).status == 409)
            try rig.store.peers.pair(
                Peer(
                    publicKey: String(repeating: "a", count: 64), code: "BNP-B", address: nil, pairedAt: rig.clock.now),
                at: rig.clock.now)
            #expect(try await visitor.call("/api/peer/revoke", [:]).status == 200)
            #expect(try rig.store.peers.active() == nil)
        }
    }
}
