import Enforcement
import Foundation
import ParkAPI
import Storage
import Synchronization
import Testing

@testable import Appliance

/// Lets about every other reading fail.
private final class FailingReads: Sendable {
    let isFaulty = Mutex(false)
    private let state = Mutex<UInt64>(0x9E37_79B9_7F4A_7C15)

    func fails() -> Bool {
        guard isFaulty.withLock({ $0 }) else { return false }
        return state.withLock { state in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 63 == 1
        }
    }
}

@Suite("Passages by SMS", .serialized, .timeLimit(.minutes(15)))
struct FallbackTests {
    @Test func `go out after five minutes and not a second earlier, once each and in order`() async throws {
        let rig = try FallbackRig(
            """
            on AT+CMGS=*
              prompt
              < +CMGS: 41
              < OK
              < +CDS: 26
              raw 07917799082100F006290D91799718325476F8621112510503326211125115033200\\r\\n
            """)
        rig.loseLink()
        let passages = try ["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"].map { try rig.record($0) }
        #expect(try await rig.isReady())
        rig.advance(.seconds(299))
        for _ in 0..<3 { await rig.fallback.turn() }
        #expect(rig.payloads.isEmpty)
        #expect(try rig.states().isEmpty)
        #expect(await rig.fallback.report.state == .ready)
        rig.advance(.seconds(1))
        #expect(try await rig.eventually { try rig.states() == [.delivered, .delivered, .delivered] })
        #expect(rig.payloads == (try FallbackRig.pdus(of: passages)))
        #expect(try rig.store.queue.entries().allSatisfy { $0.smsSent && $0.status == .pending })
        let report = await rig.fallback.report
        #expect(report.state == .active)
        #expect(report.modem?.operatorName == "NTC" && report.modem?.signalDBm == -79)
        #expect(report.modem?.registration == "home" && report.modem?.sim == "ready")
        rig.advance(.minutes(60))
        for _ in 0..<3 { await rig.fallback.turn() }
        try await rig.stop()
        #expect(rig.payloads.count == 3)
    }

    @Test func `wait for the first word about the link, and for a gateway's number`() async throws {
        let rig = try FallbackRig(FallbackRig.accepting, gateway: nil)
        try rig.record("BA 1 PA 1")
        #expect(try await rig.isReady())
        rig.advance(.hours(1))
        await rig.fallback.turn()
        rig.loseLink()
        for _ in 0..<3 { await rig.fallback.turn() }
        #expect(try rig.states().isEmpty)
        let report = await rig.fallback.report
        #expect(report.state == .off)
        #expect(report.reason?.contains("gateway_number") == true)
        // The server's settings may bring it.
        try rig.store.settings.replace(
            ["sms.gateway_number": "\"\(FallbackRig.gateway)\""], from: .server, at: rig.now)
        rig.see(.unknown)
        for _ in 0..<3 { await rig.fallback.turn() }
        #expect(try rig.states().isEmpty)
        rig.loseLink()
        #expect(try await rig.eventually { try rig.states() == [.sent] })
        try await rig.stop()
    }

    @Test func `go to the number of the server alone, also while the database can't be read`() async throws {
        // The file names another number; every other reading fails or so, in an order that doesn't repeat.
        let disk = FailingReads()
        let rig = try FallbackRig(
            FallbackRig.accepting, gateway: "+9779811111111",
            probe: { if $0 == .beforeRead, disk.fails() { throw StoreError(.busy, "The database is locked.") } })
        try rig.store.settings.replace(
            ["sms.gateway_number": "\"\(FallbackRig.gateway)\""], from: .server, at: rig.now)
        let passages = try (1...12).map { try rig.record("BA 1 PA \($0)") }
        #expect(try await rig.isReady())
        disk.isFaulty.withLock { $0 = true }
        rig.advance(.minutes(6))
        rig.loseLink()
        let isDone = try await rig.eventually {
            await rig.fallback.turn()
            return rig.payloads.count == passages.count
        }
        disk.isFaulty.withLock { $0 = false }
        #expect(isDone, "\(rig.payloads.count)")
        #expect(try Set(rig.payloads) == Set(FallbackRig.pdus(of: passages)))
        try await rig.stop()
    }

    @Test func `stay behind when the link comes back half-way`() async throws {
        let rig = try FallbackRig(
            """
            on AT+CMGS=*
              prompt
              pause 400
              < +CMGS: 41
              < OK
            """)
        try (0..<3).forEach { try rig.record("BA 1 PA \($0)") }
        rig.loseLink()
        rig.advance(.minutes(5))
        #expect(try await rig.eventually { rig.payloads.count == 1 })
        rig.findLink()
        await rig.fallback.turn()
        #expect(try await rig.eventually { try rig.states() == [.sent] })
        rig.advance(.minutes(5))
        for _ in 0..<3 { await rig.fallback.turn() }
        try await rig.stop()
        #expect(rig.payloads.count == 1)
    }

    @Test func `are repeated once, word for word, when the modem falls silent over them`() async throws {
        let rig = try FallbackRig(
            """
            on AT+CMGS=*
              prompt
              silence
            """)
        let passage = try rig.record("BA 1 PA 1")
        rig.loseLink()
        rig.advance(.minutes(5))
        #expect(try await rig.eventually { try rig.store.messages.list().first?.lostAnswers == 1 })
        // The modem is brought up anew meanwhile.
        rig.advance(.minutes(1))
        #expect(try await rig.eventually { try rig.store.messages.list().first?.lostAnswers == 2 })
        rig.advance(.minutes(30))
        for _ in 0..<3 { await rig.fallback.turn() }
        try await rig.stop()
        #expect(rig.payloads == (try FallbackRig.pdus(of: [passage, passage])))
        let message = try #require(try rig.store.messages.list().first)
        #expect(message.state == .ambiguous && message.handOvers == 2)
        #expect(try rig.store.queue.entries().first?.smsSent == false)
    }

    @Test func `count as sent when the modem's answer comes late, though the link is back by then`() async throws {
        let rig = try FallbackRig(
            """
            on AT+CMGS=*
              prompt
              late +CMGS: 9
            """)
        try rig.record("BA 1 PA 1")
        rig.loseLink()
        rig.advance(.minutes(5))
        #expect(try await rig.eventually { try rig.store.messages.list().first?.lostAnswers == 1 })
        rig.findLink()
        #expect(try await rig.eventually { try rig.states() == [.sent] })
        try await rig.stop()
        #expect(rig.payloads.count == 1)
        #expect(try rig.store.queue.entries().first?.smsSent == true)
    }

    @Test func `are repeated word for word when one is found half-way, though the plate was corrected since`()
        async throws
    {
        let rig = try FallbackRig(FallbackRig.accepting)
        #expect(try await rig.isReady())
        let passage = try rig.record("BA 1 PA 1")
        let entry = try #require(try rig.store.queue.entries().first).id
        _ = try rig.store.messages.beginSending(entry: entry, to: FallbackRig.gateway, at: rig.now) {
            (passage: Passage) throws(SMSFormatError) in FallbackRig.text(of: passage)
        }
        try rig.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 9"), reason: "misread", by: "ram", at: rig.now)
        rig.loseLink()
        rig.advance(.minutes(5))
        #expect(try await rig.eventually { try rig.states() == [.sent] })
        try await rig.stop()
        #expect(rig.payloads == (try FallbackRig.pdus(of: [passage])))
        #expect(try rig.store.messages.list().first?.lostAnswers == 1)
    }

    @Test func `are refused with an alarm when the SIM is barred, and go on when a test goes through`() async throws {
        let rig = try FallbackRig(
            """
            on AT+CMGS=*
              prompt
              < +CMS ERROR: 8
            on AT+CMGS=*
              prompt
              < +CMGS: 41
              < OK
            """)
        try rig.record("BA 1 PA 1")
        rig.loseLink()
        rig.advance(.minutes(5))
        #expect(try await rig.eventually { await rig.fallback.report.state == .refused })
        #expect(try rig.store.alarms.list().map(\.key).contains("sms.refused"))
        #expect(try rig.states() == [.queued])
        #expect(try rig.store.messages.list().first?.reason?.contains("+CMS ERROR 8") == true)
        #expect(try rig.store.messages.handOvers(since: FallbackRig.start).isEmpty)
        rig.advance(.minutes(4))
        for _ in 0..<3 { await rig.fallback.turn() }
        #expect(rig.payloads.count == 1)
        let test = try rig.store.messages.addTest(to: "+9779800000000", text: "test", at: rig.now)
        #expect(try await rig.eventually { try rig.store.messages.message(id: test)?.state == .sent })
        #expect(try await rig.eventually { try rig.store.messages.message(id: 1)?.state == .sent })
        #expect(try !rig.store.alarms.list().map(\.key).contains("sms.refused"))
        try await rig.stop()
    }

    @Test func `that are with the modem when the box stops count as lost, and a repetition waits for the next start`()
        async throws
    {
        let rig = try FallbackRig(
            """
            on AT+CMGS=*
              prompt
              silence
            """)
        try rig.record("BA 1 PA 1")
        rig.loseLink()
        rig.advance(.minutes(5))
        #expect(try await rig.eventually { rig.payloads.count == 1 })
        #expect(try rig.states() == [.sending])
        try await rig.stop()
        let message = try #require(try rig.store.messages.list().first)
        #expect(message.state == .ambiguous && message.lostAnswers == 1)
        #expect(rig.payloads.count == 1)
    }

    @Test func `keep to the hour's limit, with an alarm`() async throws {
        let rig = try FallbackRig(FallbackRig.accepting) { $0.policy.hourlyLimit = 2 }
        try (0..<3).forEach { try rig.record("BA 1 PA \($0)") }
        rig.loseLink()
        rig.advance(.minutes(5))
        #expect(try await rig.eventually { try rig.states() == [.sent, .sent] })
        #expect(try await rig.eventually { try rig.store.alarms.list().map(\.key).contains("sms.budgetSpent") })
        #expect(rig.payloads.count == 2)
        rig.advance(.minutes(61))
        #expect(try await rig.eventually { try rig.states() == [.sent, .sent, .sent] })
        #expect(try await rig.eventually { try rig.store.alarms.list().isEmpty })
        try await rig.stop()
    }

    @Test func `never wait behind messages from outside, whose texts are kept and deleted from the SIM`() async throws {
        let rig = try FallbackRig(
            """
            on AT+CMGL=4
              < +CMGL: 3,1,,24
              < 07917799082100F0040D91799718325476F80000621112510503320268690A
              < OK
            """)
        #expect(try await rig.isReady())
        #expect(try await rig.eventually { try rig.store.messages.inbound().count == 1 })
        #expect(try await rig.eventually { rig.modem.received.contains("AT+CMGD=3") })
        #expect(try rig.store.messages.counts(midnight: FallbackRig.start, at: rig.now).inboundToday == 1)
        let message = try #require(try rig.store.messages.inbound().first)
        #expect(message.sender == "+9779812345678" && message.text?.count == 2)
        try await rig.stop()
    }

    @Test func `on a clock that isn't trusted stay behind, and the others go`() async throws {
        let rig = try FallbackRig(FallbackRig.accepting)
        try rig.record("BA 1 PA 1", clock: .untrusted)
        let trusted = try rig.record("BA 1 PA 2")
        rig.loseLink()
        rig.advance(.minutes(5))
        #expect(try await rig.eventually { try rig.states() == [.sent] })
        rig.advance(.minutes(30))
        for _ in 0..<3 { await rig.fallback.turn() }
        try await rig.stop()
        #expect(rig.payloads == (try FallbackRig.pdus(of: [trusted])))
        #expect(try rig.store.messages.heldBack() == 1)
    }
}
