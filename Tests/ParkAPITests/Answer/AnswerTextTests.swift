import Foundation
import ParkAPI
import Testing

@Suite("An answer that makes no sense", .timeLimit(.minutes(10)))
struct AnswerTextTests {
    private static let id = "c0000000-0000-4000-8000-000000000001"

    @Test(arguments: [
        (#"[{"passages":1,"hash":"x"}]"#, #""day" is missing in row 1"#),
        (#"[{"day":"x","passages":1,"hash":null}]"#, #""hash" in row 1 is empty"#),
        (#"[{"day":"x","passages":"one","hash":"x"}]"#, #""passages" in row 1 is of another kind"#),
        (#"{"message":"x"}"#, "it is no list of rows"), ("<html>", "it is no JSON"),
    ])
    func `is told in plain words`(body: String, said: String) {
        let answer = ServerAnswer(status: 200, body: Data(body.utf8))
        let end = #expect(throws: SenselessAnswer.self) { _ = try answer.rows(DayRow.self) }
        #expect(end?.reason == "The server's answer makes no sense: \(said).")
    }

    @Test func `names the column of a table that makes no sense`() {
        let answer = ServerAnswer(status: 200, body: Data(#"[{"id":"x","role":"ranger"}]"#.utf8))
        let end = #expect(throws: SenselessAnswer.self) { _ = try answer.rows(BareRow<PassageColumn>.self) }
        #expect(end?.reason == #"The server's answer makes no sense: "id" in row 1 can't be read."#)
    }

    @Test func `leaves the rows usable that make sense`() throws {
        let body = #"[{"id":"x"},{"id":"\#(Self.id)","server_seq":7},{"id":"\#(Self.id)"}]"#
        let answer = ServerAnswer(status: 200, body: Data(body.utf8))
        let (rows, unreadable) = try answer.usableRows(NumberRow<DeletionColumn>.self)
        #expect(rows.map(\.serverSequence) == [7] && unreadable == 2)
    }
}
