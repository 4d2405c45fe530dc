import HTTPClient
import Testing

@Suite("The head of an answer", .timeLimit(.minutes(5)))
struct HTTPHeadTests {
    private func head(_ lines: String...) -> HTTPHead {
        var head = HTTPHead()
        for line in lines { head.take(line: line + "\r\n") }
        return head
    }

    @Test func `has the status and the fields, whatever their case`() {
        let head = head("HTTP/1.1 201 Created", "CONTENT-Type:text/plain ; a=b", "no field", "Empty:", "")
        #expect(head.status == 201)
        #expect(head["content-type"] == "text/plain ; a=b")
        #expect(head["empty"] == "" && head["no field"] == nil)
        #expect(HTTPHead().status == 0)
    }

    @Test(arguments: [("HTTP/2 200", 200), ("HTTP/1.1 4042 Long", 404), ("HTTP/1.1 abc", 0), ("HTTP/1.1", 0)])
    func `reads a status of three digits`(line: String, status: Int) {
        #expect(head(line).status == status)
    }

    @Test func `begins anew with each status line, so that the last answer counts`() {
        let head = head("HTTP/1.1 401 No", "Date: then", "WWW-Authenticate: Basic", "HTTP/1.1 200 OK", "Date: now")
        #expect(head.status == 200 && head["date"] == "now" && head["www-authenticate"] == nil)
    }

    @Test func `takes the last field of a name, and no more than a hundred names`() {
        var head = head("HTTP/1.1 200 OK", "A: 1", "a: 2")
        #expect(head["a"] == "2")
        for number in 0..<1000 { head.take(line: "x-\(number): 1") }
        #expect(head["x-98"] == "1" && head["x-99"] == nil)
        head.take(line: "A: 3")
        #expect(head["a"] == "3")
    }
}
