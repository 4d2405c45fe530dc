import Enforcement
import Foundation
import ParkAPI
import Testing

@Suite("The answer to a sign-in", .timeLimit(.minutes(5)))
struct SignInAnswerTests {
    private func answer(_ status: Int, _ body: String) -> SignInAnswer {
        SignInAnswer(.answered(ServerAnswer(status: status, body: Data(body.utf8))))
    }

    @Test func `gives tokens and who one is`() {
        let body =
            #"{"access_token":"a","refresh_token":"r","user":{"id":"c0000000-0000-4000-8000-000000000001"}}"#
        guard case .signedIn(let session) = answer(200, body) else {
            Issue.record("no session")
            return
        }
        #expect(session.accessToken == "a" && session.refreshToken == "r")
        #expect(session.user.sent == "c0000000-0000-4000-8000-000000000001")
    }

    @Test(arguments: [400, 401, 403, 422])
    func `refuses in the server's words`(status: Int) {
        #expect(
            answer(status, #"{"error_code":"invalid_credentials","msg":"Invalid login credentials"}"#)
                == .refused("\(status) (invalid_credentials): Invalid login credentials"))
        #expect(answer(status, "") == .refused("status \(status)"))
    }

    /// A page before the network lets anybody through has any status, and says nothing of a password.
    @Test(arguments: [200, 302, 400, 401, 403, 422, 500])
    func `says nothing of the account where a page answers`(status: Int) {
        let page = "<html>Buy data</html>"
        #expect(answer(status, page) == .unclear(ServerAnswer(status: status, body: Data(page.utf8))))
    }

    @Test(arguments: [
        "{}", "[]", #"{"access_token":"a","refresh_token":"r","user":{"id":"x"}}"#,
        #"{"access_token":"a","user":{"id":"c0000000-0000-4000-8000-000000000001"}}"#,
        #"{"access_token":"a\nb","refresh_token":"r","user":{"id":"c0000000-0000-4000-8000-000000000001"}}"#,
    ])
    func `is unclear when it gives less than a session needs, or what no field may hold`(body: String) {
        #expect(answer(200, body) == .unclear(ServerAnswer(status: 200, body: Data(body.utf8))))
    }

    @Test func `is unclear when the server is not well, and silence stays silence`() {
        #expect(answer(429, "{}") == .unclear(ServerAnswer(status: 429, body: Data("{}".utf8))))
        #expect(SignInAnswer(.silent("refused")) == .silent("refused"))
    }
}
