import Pages
import Testing

@Suite("The query that a form of a browser makes", .timeLimit(.minutes(1)))
struct FormQueryTests {
    @Test(arguments: [
        ("q=Ram+Thapa", "Ram Thapa"), ("q=Ram%20Thapa", "Ram Thapa"), ("q=1%2B1", "1+1"), ("q=", ""), ("q", ""),
        ("p=1&q=a=b&r", "a=b"), ("q=first&q=second", "first"), ("q=%E0%A4%AA%20%E0%A5%A7", "प १"), ("&&q=x&", "x"),
        ("%71=x", "x"),
    ])
    func `is read as it was typed`(query: String, typed: String) {
        #expect(FormQuery(query).get("q") == typed)
    }

    @Test(arguments: ["", "p=1", "q=%zz", "q=%", "Q=1", String(repeating: "p=1&", count: 100) + "q=x"])
    func `has nothing where nothing was typed, or nothing that can be read`(query: String) {
        #expect(FormQuery(query).get("q") == nil)
    }
}
