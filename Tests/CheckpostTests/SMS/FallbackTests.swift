import Enforcement
import Foundation
import ParkAPI
import Storage
import Testing

@testable import Appliance

@Suite("Passages by SMS", .serialized, .timeLimit(.minutes(15)))
struct FallbackTests {
    @Test func `go out after five minutes and not a second earlier, once each and in order`() async throws {
        let bench = try FallbackBench(
            """
            on AT+CMGS=*
              prompt
              < +CMGS: 41
              < OK
              < +CDS: 26
              raw 07917799082100F006290D91799718325476F8621112510503326211125115033200\\r\\n
            """)
        bench.loseLink()
        let passages = try ["BA 1 PA 1", "BA 1 PA 2", "BA 1 PA 3"].map { try bench.record($0) }
        #expect(try await bench.isReady())
        bench.advance(.seconds(299))
        for _ in 0..<3 { await bench.fallback.turn() }
        #expect(bench.payloads.isEmpty)
        #expect(try bench.states().isEmpty)
        #expect(await bench.fallback.report.state == .ready)
        bench.advance(.seconds(1))
        #expect(try await bench.eventually { try bench.states() == [.delivered, .delivered, .delivered] })
        #expect(bench.payloads == (try FallbackBench.pdus(of: passages)))
        #expect(try bench.store.queue.entries().allSatisfy { $0.smsSent && $0.status == .pending })
        let report = await bench.fallback.report
        #expect(report.state == .active)
        #expect(report.modem?.operatorName == "NTC" && report.modem?.signalDBm == -79)
        #expect(report.modem?.registration == "home" && report.modem?.sim == "ready")
        bench.advance(.minutes(60))
        for _ in 0..<3 { await bench.fallback.turn() }
        try await bench.stop()
        #expect(bench.payloads.count == 3)
    }

    @Test func `wait for the first word about the link, and for a gateway's number`() async throws {
        let bench = try FallbackBench(FallbackBench.accepting, gateway: nil)
        try bench.record("BA 1 PA 1")
        #expect(try await bench.isReady())
        bench.advance(.hours(1))
        await bench.fallback.turn()
        bench.loseLink()
        for _ in 0..<3 { await bench.fallback.turn() }
        #expect(try bench.states().isEmpty)
        let report = await bench.fallback.report
        #expect(report.state == .off)
        #expect(report.reason?.contains("gateway_number") == true)
        // The server's settings may bring it.
        try bench.store.settings.replace(
            ["sms.gateway_number": "\"\(FallbackBench.gateway)\""], from: .server, at: bench.now)
        bench.see(.unknown)
        for _ in 0..<3 { await bench.fallback.turn() }
        #expect(try bench.states().isEmpty)
        bench.loseLink()
        #expect(try await bench.eventually { try bench.states() == [.sent] })
        try await bench.stop()
    }

    @Test func `stay behind when the link comes back half-way`() async throws {
        let bench = try FallbackBench(
            """
            on AT+CMGS=*
              prompt
              pause 400
              < +CMGS: 41
              < OK
            """)
        try (0..<3).forEach { try bench.record("BA 1 PA \($0)") }
        bench.loseLink()
        bench.advance(.minutes(5))
        #expect(try await bench.eventually { bench.payloads.count == 1 })
        bench.findLink()
        await bench.fallback.turn()
        #expect(try await bench.eventually { try bench.states() == [.sent] })
        bench.advance(.minutes(5))
        for _ in 0..<3 { await bench.fallback.turn() }
        try await bench.stop()
        #expect(bench.payloads.count == 1)
    }

    @Test func `are repeated once, word for word, when the modem falls silent over them`() async throws {
        let bench = try FallbackBench(
            """
            on AT+CMGS=*
              prompt
              silence
            """)
        let passage = try bench.record("BA 1 PA 1")
        bench.loseLink()
        bench.advance(.minutes(5))
        #expect(try await bench.eventually { try bench.store.messages.list().first?.lostAnswers == 1 })
        // The modem is brought up anew meanwhile.
        bench.advance(.minutes(1))
        #expect(try await bench.eventually { try bench.store.messages.list().first?.lostAnswers == 2 })
        bench.advance(.minutes(30))
        for _ in 0..<3 { await bench.fallback.turn() }
        try await bench.stop()
        #expect(bench.payloads == (try FallbackBench.pdus(of: [passage, passage])))
        let message = try #require(try bench.store.messages.list().first)
        #expect(message.state == .ambiguous && message.handOvers == 2)
        #expect(try bench.store.queue.entries().first?.smsSent == false)
    }

    @Test func `count as sent when the modem's answer comes late, though the link is back by then`() async throws {
        let bench = try FallbackBench(
            """
            on AT+CMGS=*
              prompt
              late +CMGS: 9
            """)
        try bench.record("BA 1 PA 1")
        bench.loseLink()
        bench.advance(.minutes(5))
        #expect(try await bench.eventually { try bench.store.messages.list().first?.lostAnswers == 1 })
        bench.findLink()
        #expect(try await bench.eventually { try bench.states() == [.sent] })
        try await bench.stop()
        #expect(bench.payloads.count == 1)
        #expect(try bench.store.queue.entries().first?.smsSent == true)
    }

    @Test func `are repeated word for word when one is found half-way, though the plate was corrected since`()
        async throws
    {
        let bench = try FallbackBench(FallbackBench.accepting)
        #expect(try await bench.isReady())
        let passage = try bench.record("BA 1 PA 1")
        let entry = try #require(try bench.store.queue.entries().first).id
        _ = try bench.store.messages.beginSending(entry: entry, to: FallbackBench.gateway, at: bench.now) {
            (passage: Passage) throws(SMSFormatError) in FallbackBench.text(of: passage)
        }
        try bench.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 9"), reason: "misread", by: "ram", at: bench.now)
        bench.loseLink()
        bench.advance(.minutes(5))
        #expect(try await bench.eventually { try bench.states() == [.sent] })
        try await bench.stop()
        #expect(bench.payloads == (try FallbackBench.pdus(of: [passage])))
        #expect(try bench.store.messages.list().first?.lostAnswers == 1)
    }

    @Test func `are refused with an alarm when the SIM is barred, and go on when a test goes through`() async throws {
        let bench = try FallbackBench(
            """
            on AT+CMGS=*
              prompt
              < +CMS ERROR: 8
            on AT+CMGS=*
              prompt
              < +CMGS: 41
              < OK
            """)
        try bench.record("BA 1 PA 1")
        bench.loseLink()
        bench.advance(.minutes(5))
        #expect(try await bench.eventually { await bench.fallback.report.state == .refused })
        #expect(try bench.store.alarms.list().map(\.key).contains("sms.refused"))
        #expect(try bench.states() == [.queued])
        #expect(try bench.store.messages.list().first?.reason?.contains("+CMS ERROR 8") == true)
        #expect(try bench.store.messages.handOvers(since: FallbackBench.start).isEmpty)
        bench.advance(.minutes(4))
        for _ in 0..<3 { await bench.fallback.turn() }
        #expect(bench.payloads.count == 1)
        let test = try bench.store.messages.addTest(to: "+9779800000000", text: "test", at: bench.now)
        #expect(try await bench.eventually { try bench.store.messages.message(id: test)?.state == .sent })
        #expect(try await bench.eventually { try bench.store.messages.message(id: 1)?.state == .sent })
        #expect(try !bench.store.alarms.list().map(\.key).contains("sms.refused"))
        try await bench.stop()
    }

    @Test func `that are with the modem when the box stops count as lost, and a repetition waits for the next start`()
        async throws
    {
        let bench = try FallbackBench(
            """
            on AT+CMGS=*
              prompt
              silence
            """)
        try bench.record("BA 1 PA 1")
        bench.loseLink()
        bench.advance(.minutes(5))
        #expect(try await bench.eventually { bench.payloads.count == 1 })
        #expect(try bench.states() == [.sending])
        try await bench.stop()
        let message = try #require(try bench.store.messages.list().first)
        #expect(message.state == .ambiguous && message.lostAnswers == 1)
        #expect(bench.payloads.count == 1)
    }

    @Test func `keep to the hour's limit, with an alarm`() async throws {
        let bench = try FallbackBench(FallbackBench.accepting) { $0.policy.hourlyLimit = 2 }
        try (0..<3).forEach { try bench.record("BA 1 PA \($0)") }
        bench.loseLink()
        bench.advance(.minutes(5))
        #expect(try await bench.eventually { try bench.states() == [.sent, .sent] })
        #expect(try await bench.eventually { try bench.store.alarms.list().map(\.key).contains("sms.budgetSpent") })
        #expect(bench.payloads.count == 2)
        bench.advance(.minutes(61))
        #expect(try await bench.eventually { try bench.states() == [.sent, .sent, .sent] })
        #expect(try await bench.eventually { try bench.store.alarms.list().isEmpty })
        try await bench.stop()
    }

    @Test func `never wait behind messages from outside, whose texts are kept and deleted from the SIM`() async throws {
        let bench = try FallbackBench(
            """
            on AT+CMGL=4
              < +CMGL: 3,1,,24
              < 07917799082100F0040D91799718325476F80000621112510503320268690A
              < OK
            """)
        #expect(try await bench.isReady())
        #expect(try await bench.eventually { try bench.store.messages.inbound().count == 1 })
        #expect(try await bench.eventually { bench.modem.received.contains("AT+CMGD=3") })
        #expect(try bench.store.messages.counts(midnight: FallbackBench.start, at: bench.now).inboundToday == 1)
        let message = try #require(try bench.store.messages.inbound().first)
        #expect(message.sender == "+9779812345678" && message.text?.count == 2)
        try await bench.stop()
    }

    @Test func `on a clock that isn't trusted stay behind, and the others go`() async throws {
        let bench = try FallbackBench(FallbackBench.accepting)
        try bench.record("BA 1 PA 1", clock: .untrusted)
        let trusted = try bench.record("BA 1 PA 2")
        bench.loseLink()
        bench.advance(.minutes(5))
        #expect(try await bench.eventually { try bench.states() == [.sent] })
        bench.advance(.minutes(30))
        for _ in 0..<3 { await bench.fallback.turn() }
        try await bench.stop()
        #expect(bench.payloads == (try FallbackBench.pdus(of: [trusted])))
        #expect(try bench.store.messages.heldBack() == 1)
    }
}
