import Enforcement
import Foundation
import Testing

@testable import Synchronizer

@Suite("An answer that makes no sense", .timeLimit(.minutes(10)))
struct AnswerTextTests {
    @Test(arguments: [
        (#"[{"role":"ranger","is_active":true}]"#, #""id" is missing in row 1"#),
        (#"[{"id":"x","role":"ranger","is_active":true}]"#, #""id" in row 1 can't be read"#),
        (
            #"[{"id":"c0000000-0000-4000-8000-000000000001","role":"ranger","is_active":"yes"}]"#,
            #""is_active" in row 1 is of another kind"#
        ),
        (#"{"message":"x"}"#, "it is no list of rows"), ("<html>", "it is no JSON"),
    ])
    func `is told in plain words`(body: String, said: String) {
        let answer = ServerAnswer(status: 200, body: Data(body.utf8))
        let end = #expect(throws: CycleEnd.self) { _ = try answer.rows(ServerRows.Profile.self) }
        #expect(end?.reason == "The server's answer makes no sense: \(said).")
    }
}
