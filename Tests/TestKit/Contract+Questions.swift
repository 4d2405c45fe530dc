import Foundation

extension Contract {
    /// What the office asks a post by SMS, and what the post answers.
    package struct Questions: Decodable, Sendable {
        package var key: String
        package var questions: [Question]
        package var answers: [Answer]

        package struct Question: Decodable, Sendable {
            package struct Reading: Decodable, Sendable, Equatable {
                package var number: Int64
                package var wish: String
                package var first: Int64?
                package var last: Int64?

                package init(number: Int64, wish: String, first: Int64? = nil, last: Int64? = nil) {
                    (self.number, self.wish, self.first, self.last) = (number, wish, first, last)
                }
            }

            package var name: String
            package var text: String
            package var read: Reading?
        }

        package struct Answer: Decodable, Sendable {
            package struct Reading: Decodable, Sendable, Equatable {
                package var number: Int64
                package var facts: [String: Int64]

                package init(number: Int64, facts: [String: Int64]) {
                    (self.number, self.facts) = (number, facts)
                }
            }

            package var name: String
            package var text: String
            package var read: Reading?
        }
    }

    package static func questions() throws -> Questions { try decode("questions.json") }
}
