import Enforcement
import Foundation
import Modem
import ParkAPI
import Storage
import TestKit
import Testing

@testable import Appliance

@Suite("Questions by SMS", .serialized, .timeLimit(.minutes(15)))
struct QuestionTests {
    private let contract: Contract.Questions
    private let key: TextKey

    init() throws {
        contract = try Contract.questions()
        key = try #require(TextKey(number: 1, secret: Secret(contract.key), lastTextNumber: 0))
    }

    /// A box of the post that the cases ask, with its key.
    private func rig(code: String = "J-A", gateway: String? = FallbackRig.gateway) throws -> FallbackRig {
        let rig = try FallbackRig(FallbackRig.accepting, gateway: gateway) { $0.checkpostCode = code }
        try rig.store.textKey.keep(key)
        return rig
    }

    private func question(_ name: String) throws -> String {
        try #require(contract.questions.first { $0.name == name }).text
    }

    private func ask(_ name: String, _ rig: FallbackRig, from number: String = "+9779811111111") async throws {
        let text = try question(name)
        await rig.fallback.take(.message(InboundText(sender: PhoneNumber(number), text: text)))
    }

    private func answers(_ rig: FallbackRig) throws -> [String] {
        try rig.store.messages.list().reversed().filter { $0.question != nil }.map(\.text)
    }

    @Test func `are answered with how the post is, to the gateway, whoever asked`() async throws {
        let rig = try rig()
        #expect(try await rig.isReady())
        rig.loseLink(since: FallbackRig.start - .minutes(90))
        // While the limit of an outage is far away nothing else goes out.
        try rig.record("BA 1 PA 1", clock: .untrusted)
        rig.advance(.minutes(7))
        await rig.fallback.turn()
        try rig.store.alarms.raise("disk", .critical, "The disk is full.", at: rig.now)
        try await ask("how it is", rig)
        #expect(try await rig.eventually { rig.payloads.count == 1 })
        let text = try #require(try answers(rig).first)
        #expect(rig.payloads == [try FallbackRig.pdu(of: text)])
        let answer = try PostAnswer.readUnchecked(text)
        #expect(answer.checkpostCode == "J-A" && answer.number == 1_795_255_530)
        let facts = answer.facts
        #expect(facts[.waiting] == 1 && facts[.oldestMinutes] == 7 && facts[.passageMinutes] == 7)
        #expect(facts[.offlineMinutes] == 97 && facts[.alarms] == 1 && facts[.criticalAlarms] == 1)
        #expect(facts[.refused] == 0 && facts[.lastText] == 0 && facts[.texts] == nil)
        #expect((facts[.freeMegabytes] ?? 0) > 0)
        try await rig.stop()
    }

    @Test func `for texts bring those that went out once more, word for word`() async throws {
        let rig = try rig()
        rig.loseLink()
        #expect(try await rig.isReady())
        try await rig.tellThree()
        let sent = rig.payloads
        #expect(sent.count == 3)
        try await ask("ten texts", rig)
        #expect(try await rig.eventually { rig.payloads.count == 7 })
        let answered = Array(rig.payloads.dropFirst(3))
        let texts = try answers(rig)
        #expect(try PostAnswer.readUnchecked(texts[0]).facts == [.texts: 3])
        #expect(Array(answered.dropFirst()) == sent)
        // Nothing of it is another text, or sent by itself again.
        #expect(try rig.store.messages.lastTextNumber() == 3)
        rig.advance(.minutes(10))
        for _ in 0..<3 { await rig.fallback.turn() }
        #expect(rig.payloads.count == 7)
        try await rig.stop()
    }

    @Test func `are answered once, and none before one that was answered`() async throws {
        let rig = try rig()
        #expect(try await rig.isReady())
        try await ask("ten texts", rig)
        try await ask("ten texts", rig)
        try await ask("how it is", rig)
        #expect(try answers(rig).count == 1)
        try await ask("a number of seven digits", rig)
        #expect(try answers(rig).count == 2)
        #expect(try rig.store.messages.inbound().count == 4)
        try await rig.stop()
    }

    @Test func `are not answered where the signature is wrong, the post another one, or nothing can go out`()
        async throws
    {
        let here = try rig()
        for name in ["another signature", "no signature", "half a signature", "a passage", "nothing"] {
            try await ask(name, here)
        }
        try here.store.textKey.keep(nil)
        try await ask("how it is", here)
        #expect(try answers(here).isEmpty)
        try await here.stop()
        for rig in [try rig(code: "J-B"), try rig(gateway: nil)] {
            try await ask("how it is", rig)
            #expect(try answers(rig).isEmpty)
            try await rig.stop()
        }
    }

    @Test func `are twelve a day at most, and answers that nobody waits for are given up`() throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder["checkpost.sqlite"].path)
        let now = FallbackRig.start
        for number in 1...12 {
            #expect(
                try store.messages.take(question: Int64(number), answers: ["A2"], to: "+977", at: now) == .taken)
        }
        #expect(try store.messages.take(question: 13, answers: ["A2"], to: "+977", at: now) == .tooMany)
        #expect(try store.messages.take(question: 12, answers: ["A2"], to: "+977", at: now + .hours(25)) == .old)
        #expect(try store.messages.take(question: 13, answers: ["A2"], to: "+977", at: now + .hours(25)) == .taken)
        let begun = try #require(try store.messages.beginAnswer(at: now + .hours(25)))
        #expect(begun.question == 13 && begun.state == .sending)
        let list = try store.messages.list()
        #expect(list.count == 13 && list.count { $0.state == .failed } == 12)
        // A technician's test is another thing.
        #expect(try store.messages.beginTest(askedSince: now, at: now + .hours(25)) == nil)
    }
}
