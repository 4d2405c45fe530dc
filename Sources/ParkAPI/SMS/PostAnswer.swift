import Enforcement

/// What a post answers by SMS: facts about itself, under the number of the question.
///
/// `A2.<post>.<number>.<fact>.<fact>….<signature>`, for example `A2.J-A.TOUK16.w3F.o1K.a0.9tEr3Wv6Lz0a`. A fact is a letter and a whole number
/// to the base 36. A letter that the reader doesn't know is a newer box's: it is kept, and says nothing here.
package struct PostAnswer: Hashable, Sendable {
    /// What is told, in the order of the text.
    package enum Fact: Character, CaseIterable, Sendable {
        /// Records that wait for the server.
        case waiting = "w"
        /// Minutes since the oldest of them was made.
        case oldestMinutes = "o"
        /// Records that the server refuses.
        case refused = "r"
        /// Minutes since the server's last good answer; missing while it answers.
        case offlineMinutes = "l"
        /// Alarms that are on, and how many of them are critical.
        case alarms = "a"
        case criticalAlarms = "c"
        /// Megabytes that are free on the disk of the records.
        case freeMegabytes = "f"
        /// Minutes since the last vehicle was recorded; missing where there was none.
        case passageMinutes = "p"
        /// The number of the last text of version V2.
        case lastText = "n"
        /// How many texts follow once more.
        case texts = "t"
    }

    package var checkpostCode: String
    package var number: Int64
    package var facts: [Fact: Int64]

    package init(checkpostCode: String, number: Int64, facts: [Fact: Int64]) {
        self.checkpostCode = checkpostCode
        self.number = number
        self.facts = facts
    }
}

extension PostAnswer {
    private static let mark = "A2."

    /// Six digits of base 36; what is more is said as that.
    private static let numbers: ClosedRange<Int64> = 0...2_176_782_335

    /// At most 160 septets: ten facts of eight characters, a code of twenty and a signature.
    package func text(key: TextKey) -> String {
        let told = Fact.allCases.compactMap { fact in
            facts[fact].map { value in
                "\(fact.rawValue)" + Base36.text(min(max(value, Self.numbers.lowerBound), Self.numbers.upperBound))
            }
        }
        let body = ([Self.mark + checkpostCode, Base36.text(number)] + told).joined(separator: ".")
        return body + "." + key.signature(of: body)
    }

    /// Reads what a text says, whoever wrote it: whether its signature holds has to be known before.
    package static func readUnchecked(_ text: String) throws(SMSFormatError) -> PostAnswer {
        guard text.utf8.count <= 1024 else { throw .tooLong(septets: text.utf8.count) }
        let text = SMSDecoder.trimmed(text)
        guard text.hasPrefix(mark) else { throw .unknownVersion(String(text.prefix(20))) }
        guard let (body, _) = TextSignature.parts(of: text) else { throw .wrongSignature }
        let fields = body.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard fields.count >= 4 else { throw .wrongFieldCount(fields.count) }
        guard let number = Base36.number(fields[2], longest: PostQuestion.longestNumber) else {
            throw .wrongNumber(fields[2])
        }
        var facts: [Fact: Int64] = [:]
        for field in fields[3...] {
            let digits = String(field.dropFirst())
            guard let value = digits == "0" ? 0 : Base36.number(digits, longest: SignedSMS.longestNumber) else {
                throw .wrongNumber(field)
            }
            if let fact = field.first.flatMap(Fact.init(rawValue:)) { facts[fact] = value }
        }
        return PostAnswer(checkpostCode: fields[1], number: number, facts: facts)
    }
}
