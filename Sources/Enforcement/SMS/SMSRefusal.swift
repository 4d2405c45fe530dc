/// Why a text did not go out, and what follows from it: one table for all that a modem and a network can say.
///
/// Nothing waits for a person. Everything is tried again, rarely where a person has to act first, and somebody is told when it
/// has lasted. A message that alone is at fault is given up after some tries, so that it holds the others up no longer.
package struct SMSRefusal: Hashable, Sendable {
    /// What was said.
    package enum Cause: Hashable, Sendable {
        /// `+CMS ERROR`: 3GPP TS 24.011, annex E-2 (1…127), TS 23.040, 9.2.3.22 (128…255), TS 27.005, 3.2.5 (300 and up).
        case message(Int?)

        /// `+CME ERROR` (3GPP TS 27.007, 9.2), or no more than `ERROR`.
        case modem(Int?)

        /// The modem gave no prompt, or fell silent before it had the text.
        case silence

        /// The modem is starting, looking for a network, or without its SIM: the alarms of the modem say so.
        case notReady

        /// No box that this one is paired with keeps it.
        case notKept

        /// The modem has text mode only, and the text has characters that this gets wrong.
        case needsPDUMode

        /// The box's own disk did not take the note that comes before a text.
        case notWritten
    }

    /// What follows.
    package struct Rule: Hashable, Sendable {
        /// The wait before the next try of anything; doubled with each further refusal in a row, up to ``longestWait``.
        package var firstWait: TimeSpan
        package var longestWait: TimeSpan

        /// How long nothing may have gone out before somebody is told; nil: another alarm says it.
        package var alarmAfter: TimeSpan?

        /// Whether the cause stays until somebody removes it. Such an alarm outlives the outage, until a text goes out.
        package var needsPerson = false

        /// Whether the network had the message, and may charge for it: it counts in the budget.
        package var isCharged = false

        /// After so many refusals the message itself is at fault; nil: never.
        package var givesUpAfter: Int?
    }

    package let cause: Cause

    /// For people: what was said, and what to look at.
    package let reason: String
    package let rule: Rule

    package init(_ cause: Cause) {
        self.cause = cause
        switch cause {
        case .message(let code?):
            let row = Self.table.first { $0.codes.contains { $0.contains(code) } }
            reason = "\(row?.reason ?? "the message was refused") (+CMS ERROR \(code))"
            rule = row?.rule ?? Self.unclear
        case .message(nil): (reason, rule) = ("the message was refused", Self.unclear)
        case .modem(let code?): (reason, rule) = ("the modem reports error \(code)", Self.unclear)
        case .modem(nil): (reason, rule) = ("the modem said ERROR", Self.unclear)
        case .silence: (reason, rule) = ("the modem did not answer", Self.unclear)
        case .notReady: (reason, rule) = ("the modem is not ready", Self.unnamed)
        case .notKept: (reason, rule) = ("no paired box keeps it", Self.busy)
        case .needsPDUMode:
            reason = "the modem has no PDU mode and the text has characters that need it; use another modem"
            rule = Self.person
        case .notWritten: (reason, rule) = ("the disk did not take the note that comes before a message", Self.unnamed)
        }
    }

    /// No wait of the table is longer.
    static let longestWait = TimeSpan.hours(1)
}

extension SMSRefusal {
    private struct Row: Sendable {
        var codes: [ClosedRange<Int>]
        var reason: String
        var rule: Rule
    }

    /// Passes by itself, usually soon.
    private static let busy = Rule(firstWait: .seconds(30), longestWait: .minutes(15), alarmAfter: .minutes(30))

    /// May pass by itself or not.
    private static let unclear = Rule(firstWait: .seconds(30), longestWait: .minutes(15), alarmAfter: .minutes(5))

    /// Others tell of it.
    private static let unnamed = Rule(firstWait: .seconds(30), longestWait: .minutes(15), alarmAfter: nil)

    /// The network had the message and could not place it.
    private static let unplaced = Rule(
        firstWait: .minutes(1), longestWait: .minutes(15), alarmAfter: .minutes(5), isCharged: true)

    /// Somebody has to do something; when he has, it goes on by itself within the hour, and at once after a test.
    private static let person = Rule(
        firstWait: .minutes(5), longestWait: longestWait, alarmAfter: .seconds(0), needsPerson: true)

    /// The message itself is not to anyone's liking.
    private static let message = Rule(
        firstWait: .seconds(30), longestWait: .minutes(15), alarmAfter: .minutes(5), givesUpAfter: 5)

    /// The first row that has a code holds. What stands nowhere is ``unclear``.
    private static let table = [
        Row(codes: [1...1], reason: "the number is not assigned; check the gateway's number", rule: person),
        Row(codes: [8...8, 10...10], reason: "sending is barred for this SIM; ask the operator", rule: person),
        Row(
            codes: [21...21],
            reason: "the network rejects the message; check the SIM's credit and the gateway's number",
            rule: unplaced),
        Row(codes: [27...27], reason: "the destination is out of service; check the gateway's number", rule: unplaced),
        Row(codes: [28...28], reason: "the network doesn't know this SIM; ask the operator if it lasts", rule: unclear),
        Row(
            codes: [29...29, 50...50, 69...69], reason: "this SIM has no SMS service; ask the operator", rule: person),
        Row(
            codes: [30...30], reason: "the network doesn't know the subscriber; check the SIM and the gateway's number",
            rule: unplaced),
        Row(
            codes: [17...17, 22...22, 38...38, 41...42, 47...47, 331...331],
            reason: "the network is busy or out of reach", rule: busy),
        // The network may have it: the answer only did not come in its time.
        Row(
            codes: [332...332], reason: "the network did not answer in time",
            rule: Rule(firstWait: .minutes(1), longestWait: .minutes(15), alarmAfter: .minutes(30), isCharged: true)),
        Row(codes: [192...192, 194...194], reason: "the service centre is busy or failed", rule: busy.charged),
        Row(
            codes: [193...193], reason: "the service centre doesn't know this SIM; ask the operator",
            rule: person.charged),
        Row(
            codes: [195...196], reason: "the service centre doesn't take the gateway's number; check it",
            rule: person.charged),
        Row(codes: [127...255], reason: "the service centre refuses the message", rule: message.charged),
        Row(codes: [95...111], reason: "the network doesn't understand the message", rule: message),
        Row(codes: [302...303], reason: "the modem can't send now", rule: unclear),
        Row(codes: [304...305], reason: "the modem doesn't take the message as it is written", rule: message),
        Row(codes: [310...318], reason: "the SIM can't be used", rule: unclear),
        Row(codes: [320...322], reason: "the modem's memory for messages is full or fails", rule: unclear),
        Row(codes: [330...330], reason: "the number of the service centre is wrong; set it", rule: person),
    ]
}

extension SMSRefusal.Rule {
    fileprivate var charged: Self {
        var rule = self
        rule.isCharged = true
        return rule
    }
}
