import Testing

@testable import Enforcement

@Suite("A message whose answer was lost", .timeLimit(.minutes(5)))
struct LostMessageTests: EscalationSteps {
    @Test func `is repeated until there is an answer, where that costs nothing`() {
        var policy = offline([entry(1)])
        policy.settings.repeatsFreely = true
        #expect(policy.handle(.clockTicked, at: at(5)) == sending(1))
        for loss in 1...20 {
            let minute = Double(5 + loss)
            _ = policy.handle(.settled(id: 1, .wentSilent(text: UInt64(loss))), at: at(minute - 1))
            #expect(policy.handle(.clockTicked, at: at(minute)) == sending(1), "loss \(loss)")
        }
        #expect(policy.handle(.settled(id: 1, .accepted()), at: at(26)) == [record(1, .sent, lostAnswers: 20)])
    }

    @Test func `sends a message again once when the modem's answer was lost, never a third time`() {
        var policy = offline([entry(1)])
        _ = policy.handle(.clockTicked, at: at(5))
        #expect(
            policy.handle(.settled(id: 1, .wentSilent(text: 41)), at: at(5)) == [
                .record(id: 1, .ambiguous(lostAnswers: 1))
            ])
        #expect(policy.handle(.clockTicked, at: at(5.9)) == [])
        #expect(policy.handle(.clockTicked, at: at(6)) == sending(1))
        #expect(
            policy.handle(.settled(id: 1, .wentSilent(text: 41)), at: at(6)) == [
                .record(id: 1, .ambiguous(lostAnswers: 2))
            ])
        #expect(policy.handle(.clockTicked, at: at(600)) == [])
        #expect(policy.handle(.waiting([entry(1, .pending, .ambiguous, lostAnswers: 2)]), at: at(601)) == [])
    }

    @Test func `still counts a lost message as unknown when its repetition is refused`() {
        var policy = offline([entry(1)])
        _ = policy.handle(.clockTicked, at: at(5))
        _ = policy.handle(.settled(id: 1, .wentSilent(text: 41)), at: at(5))
        #expect(policy.handle(.clockTicked, at: at(6)) == sending(1))
        #expect(
            policy.handle(.settled(id: 1, .refused(busy)), at: at(6)) == [
                record(1, .ambiguous, lostAnswers: 1, after: busy)
            ])
        #expect(policy.handle(.clockTicked, at: at(7)) == sending(1))
    }

    @Test func `does not repeat a lost message whose answer came late`() {
        var policy = offline([entry(1)])
        _ = policy.handle(.clockTicked, at: at(5))
        _ = policy.handle(.settled(id: 1, .wentSilent(text: 41)), at: at(5))
        #expect(policy.handle(.answeredLate(text: 40, references: [7]), at: at(5)) == [], "another text")
        #expect(
            policy.handle(.answeredLate(text: 41, references: [7]), at: at(5)) == [
                record(1, .sent, lostAnswers: 1, references: [7])
            ])
        #expect(policy.handle(.answeredLate(text: 41, references: [7]), at: at(5)) == [], "it is told once")
        #expect(policy.handle(.clockTicked, at: at(60)) == [])
    }

    @Test func `writes down a late answer after the return of the link too, and not over what its repetition told`() {
        var policy = offline([entry(1)])
        _ = policy.handle(.clockTicked, at: at(5))
        _ = policy.handle(.settled(id: 1, .wentSilent(text: 41)), at: at(5))
        var repeated = policy
        _ = policy.handle(.linkUp, at: at(5))
        #expect(
            policy.handle(.answeredLate(text: 41, references: []), at: at(6)) == [record(1, .sent, lostAnswers: 1)])

        #expect(repeated.handle(.clockTicked, at: at(6)) == sending(1))
        _ = repeated.handle(.settled(id: 1, .accepted()), at: at(6))
        #expect(repeated.handle(.answeredLate(text: 41, references: []), at: at(7)) == [])
    }

    @Test func `leaves it at a late answer that comes while the repetition is with the modem`() {
        var policy = offline([entry(1), entry(2)])
        _ = policy.handle(.clockTicked, at: at(5))
        _ = policy.handle(.settled(id: 1, .wentSilent(text: 41)), at: at(5))
        _ = policy.handle(.clockTicked, at: at(6))
        #expect(
            policy.handle(.answeredLate(text: 41, references: []), at: at(6)) == [record(1, .sent, lostAnswers: 1)],
            "the modem has one text at a time")
        #expect(policy.handle(.settled(id: 1, .wentSilent(text: 42)), at: at(7)) == sending(2))
    }

    @Test func `writes nothing of a message that the disk did not take`() {
        var policy = offline([entry(1)])
        _ = policy.handle(.clockTicked, at: at(5))
        #expect(policy.handle(.settled(id: 1, .refused(SMSRefusal(.notWritten))), at: at(5)) == [])
        #expect(policy.handle(.clockTicked, at: at(6)) == sending(1))
    }

    @Test func `does not repeat a lost message to a server that would not recognise it`() {
        var policy = offline([entry(1), entry(2)]) { $0.serverRecognisesTexts = false }
        _ = policy.handle(.clockTicked, at: at(5))
        _ = policy.handle(.settled(id: 1, .wentSilent(text: 41)), at: at(5))
        #expect(policy.handle(.clockTicked, at: at(6)) == sending(2))
    }

    @Test func `counts a message found half-way after a restart as lost, and repeats it once`() {
        var policy = offline([])
        #expect(
            policy.handle(.waiting([entry(1, .pending, .sending)]), at: at(6)) == [
                record(1, .ambiguous, lostAnswers: 1, because: cutShort)
            ] + sending(1))
        var again = offline([])
        #expect(
            again.handle(.waiting([entry(1, .pending, .sending, lostAnswers: 1)]), at: at(6)) == [
                record(1, .ambiguous, lostAnswers: 2, because: cutShort)
            ])
    }
}
