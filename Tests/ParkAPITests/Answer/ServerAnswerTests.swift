import Enforcement
import Foundation
import Testing

@testable import ParkAPI

@Suite("A server's answer", .timeLimit(.minutes(5)))
struct ServerAnswerTests {
    let noon = Instant(iso8601: "2026-11-22T12:00:00Z") ?? Instant(milliseconds: 0)

    private func verdict(_ status: Int, _ body: String = "", retryAfter: String? = nil, date: String? = nil) -> Verdict
    {
        let answer = ServerAnswer(status: status, retryAfter: retryAfter, date: date, body: Data(body.utf8))
        return Verdict(.answered(answer), identities: ["client_id", "sms_client_id"], at: noon)
    }

    private func isUnwell(_ verdict: Verdict) -> Bool {
        if case .unwell = verdict { return true }
        return false
    }

    private func isRefused(_ verdict: Verdict) -> Bool {
        if case .refused = verdict { return true }
        return false
    }

    @Test func `accepts 200 and 201 with JSON, and 201 with nothing`() {
        #expect(verdict(200, "[]") == .accepted)
        #expect(verdict(201, #"[{"id":1}]"#) == .accepted)
        #expect(verdict(201) == .accepted)
    }

    @Test func `takes nothing for an answer where nothing is one`() {
        #expect(verdict(204) == .accepted)
        for status in [200, 202, 203, 205, 206] { #expect(isUnwell(verdict(status)), "\(status)") }
    }

    @Test func `takes a page of a captive portal for no answer of the server, whatever its status`() {
        let page = "<!DOCTYPE html><html><body>Buy data</body></html>"
        for status in [200, 201, 302, 400, 401, 403, 404, 409, 422, 511] {
            #expect(isUnwell(verdict(status, page)), "\(status)")
        }
        #expect(!ServerAnswer(status: 200, body: Data(page.utf8)).showsLink)
        #expect(isUnwell(verdict(200)))
    }

    @Test func `takes half an answer for nonsense`() {
        #expect(isUnwell(verdict(201, #"[{"id":"#)))
    }

    @Test func `knows a record that the server has already by the column`() {
        let byClient = #"{"code":"23505","message":"duplicate key","details":"Key (client_id)=(x) already exists."}"#
        let bySMS = #"{"code":"23505","message":"violates unique constraint \"vehicle_passages_sms_client_id_key\""}"#
        #expect(verdict(409, byClient) == .duplicate)
        #expect(verdict(409, bySMS) == .duplicate)
        let other = #"{"code":"23505","message":"duplicate key","details":"Key (id)=(x) already exists."}"#
        #expect(isRefused(verdict(409, other)))
        #expect(isRefused(verdict(409, #"{"code":"23503","message":"Key (checkpost_id) is not present"}"#)))
    }

    @Test(arguments: [400, 404, 413, 422])
    func `takes these for a refusal of the record`(status: Int) {
        #expect(
            verdict(status, #"{"code":"23514","message":"a check failed"}"#)
                == .refused("\(status) (23514): a check failed"))
    }

    @Test(arguments: ["", "<html>Too large</html>", "Request Entity Too Large"])
    func `takes 413 in other words than the server's for the way's, and not for the record's`(body: String) {
        guard case .tooLong = verdict(413, body) else {
            Issue.record("\(verdict(413, body))")
            return
        }
    }

    @Test(arguments: [
        #"{"error":"conflict"}"#, "[]", #"{"code":"23505","message":"duplicate key","details":null}"#,
        #"{"code":"conflict","message":"client_id"}"#,
    ])
    func `concludes nothing from a conflict that doesn't say with what`(body: String) {
        #expect(isUnwell(verdict(409, body)))
    }

    @Test func `takes a conflict of what is no record for a refusal`() {
        let answer = ServerAnswer(status: 409, body: Data(#"{"error":"matched already"}"#.utf8))
        #expect(isRefused(Verdict(.answered(answer), identities: [], at: noon)))
    }

    @Test func `tells 401 from 403`() {
        #expect(verdict(401, #"{"message":"JWT expired"}"#) == .unauthorised)
        #expect(verdict(403, #"{"code":"42501","message":"no"}"#) == .forbidden("403 (42501): no"))
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `takes these for a server that is not well`(status: Int) {
        #expect(isUnwell(verdict(status, #"{"message":"later"}"#)))
    }

    @Test func `counts as a link what is well-formed and below 500`() {
        #expect(ServerAnswer(status: 429, body: Data("{}".utf8)).showsLink)
        #expect(ServerAnswer(status: 401, body: Data("{}".utf8)).showsLink)
        #expect(!ServerAnswer(status: 500, body: Data("{}".utf8)).showsLink)
        #expect(!ServerAnswer(status: 200, body: Data("garbage".utf8)).showsLink)
    }

    @Test func `reads Retry-After in seconds and as a date`() {
        #expect(verdict(503, "{}", retryAfter: " 120 ") == .unwell("status 503", retryAfter: .seconds(120)))
        #expect(
            verdict(503, "{}", retryAfter: "Sun, 22 Nov 2026 12:01:30 GMT")
                == .unwell("status 503", retryAfter: .seconds(90)))
    }

    @Test func `counts a date from the server's own clock`() {
        #expect(
            verdict(
                503, "{}", retryAfter: "Sun, 22 Nov 2026 13:01:30 GMT", date: "Sun, 22 Nov 2026 13:00:00 GMT")
                == .unwell("status 503", retryAfter: .seconds(90)))
    }

    @Test func `bounds Retry-After and ignores nonsense`() {
        #expect(
            verdict(503, "{}", retryAfter: "99999999") == .unwell("status 503", retryAfter: Verdict.longestRetryAfter))
        #expect(
            verdict(503, "{}", retryAfter: "Sun, 22 Nov 2020 12:01:30 GMT")
                == .unwell("status 503", retryAfter: .seconds(0)))
        for nonsense in ["-5", "soon", "", "Sun, 31 Feb 2026 12:00:00 GMT", "1e300"] {
            #expect(verdict(503, "{}", retryAfter: nonsense) == .unwell("status 503", retryAfter: nil), "\(nonsense)")
        }
    }

    @Test func `passes on why nothing answered`() {
        #expect(Verdict(.silent("no route"), identities: [], at: noon) == .silent("no route"))
    }
}
