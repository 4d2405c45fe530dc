/// What `checkpost sync --verify --json` prints.
package struct VerificationReport: Encodable {
    package struct Day: Encodable {
        package let day: String
        package let here: Int
        package let there: Int
        package let isSame: Bool
        package let sentAgain: Int

        package init(day: String, here: Int, there: Int, isSame: Bool, sentAgain: Int) {
            (self.day, self.here, self.there, self.isSame, self.sentAgain) = (day, here, there, isSame, sentAgain)
        }

        enum CodingKeys: String, CodingKey {
            case day, here, there
            case isSame = "same"
            case sentAgain = "sent_again"
        }
    }

    package let at: String?
    package let sentAgain: Int
    package let days: [Day]
    package let problem: String?

    package init(at: String?, sentAgain: Int, days: [Day], problem: String?) {
        (self.at, self.sentAgain, self.days, self.problem) = (at, sentAgain, days, problem)
    }

    enum CodingKeys: String, CodingKey {
        case at
        case sentAgain = "sent_again"
        case days, problem
    }
}
