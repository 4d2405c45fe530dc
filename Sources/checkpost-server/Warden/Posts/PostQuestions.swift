import Enforcement
import Modem
import Pages
import ParkAPI

/// What a post was asked by SMS, as `checkpost.post_question_list` gives it, and the number that its texts come from.
struct PostQuestions: Sendable {
    struct Question: Decodable, Sendable {
        enum Wish: String, Decodable, Sendable { case status, texts }

        var wish: Wish
        /// As it goes to the post.
        var body: String
        var by: String?
        /// Where the server's modem sends it; nil: somebody does from a phone.
        var phone: String?
        /// Why the modem could not.
        var problem: String?
        var answer: String?
        var askedAt: Micros
        var sentAt: Micros?
        var answeredAt: Micros?
    }

    /// The newest first.
    let asked: [Question]
    /// With a plus, where one is known.
    let phone: String?

    static func of(_ post: String, _ connection: PostgresConnection) throws -> PostQuestions {
        let asked = try connection.object(
            [Question].self, "select checkpost.post_question_list($1::uuid)", [post])
        let phone = try connection.run(
            """
            select coalesce(
                (select '+' || s.number from sms_senders s where s.checkpost_id = $1::uuid order by s.added_at desc limit 1),
                (select p.phone_number from user_profiles p where p.assigned_checkpost_id = $1::uuid and p.is_active
                    and p.phone_number is not null order by p.id limit 1))
            """, [post]
        ).scalar
        return PostQuestions(asked: asked, phone: phone.flatMap { PhoneNumber($0)?.description })
    }

    /// What the page of the post shows.
    ///
    /// - Parameters:
    ///   - isPossible: whether the post has a key.
    ///   - missing: how many of its texts have not come.
    ///   - hasModem: whether the server has one of its own.
    func model(_ texts: Texts, isPossible: Bool, missing: Int, hasModem: Bool) -> [String: Any]? {
        guard isPossible || !asked.isEmpty else { return nil }
        var model: [String: Any] = [
            "isPossible": isPossible, "hasMissing": missing > 0, "hasModem": hasModem,
            "asked": asked.map { question in
                var row: [String: Any] = [
                    "title": texts["ask_" + question.wish.rawValue] + " · " + texts.moment(question.askedAt.instant)
                        + " · " + (question.by ?? texts["a_program"]),
                    "state": Self.state(question, texts), "facts": Self.facts(question, texts),
                ]
                if question.answeredAt == nil, question.phone == nil || question.problem != nil {
                    row["body"] = question.body
                }
                return row
            },
        ]
        model["phone"] = phone
        return model
    }

    private static func state(_ question: Question, _ texts: Texts) -> String {
        if let time = question.answeredAt { return texts("asked_answered", ["time": texts.moment(time.instant)]) }
        if let problem = question.problem { return texts("asked_unsent", ["reason": problem]) }
        guard let phone = question.phone else { return texts["asked_by_hand"] }
        if let time = question.sentAt {
            return texts("asked_sent", ["time": texts.moment(time.instant), "number": phone])
        }
        return texts("asked_waits", ["number": phone])
    }

    /// What the post said, a line each.
    private static func facts(_ question: Question, _ texts: Texts) -> [String] {
        guard let answer = question.answer.flatMap({ try? PostAnswer.readUnchecked($0) }) else { return [] }
        return PostAnswer.Fact.allCases.compactMap { fact in
            answer.facts[fact].map { texts("fact_\(fact)", ["n": texts.digits(said($0, fact))]) }
        }
    }

    private static func said(_ value: Int64, _ fact: PostAnswer.Fact) -> String {
        switch fact {
        case .oldestMinutes, .offlineMinutes, .passageMinutes:
            let (hours, minutes) = value.quotientAndRemainder(dividingBy: 60)
            return "\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
        default: return String(value)
        }
    }
}
