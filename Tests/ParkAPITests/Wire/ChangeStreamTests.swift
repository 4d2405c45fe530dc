import ParkAPI
import Testing

@Suite("The stream of changes", .timeLimit(.minutes(1)))
struct ChangeStreamReadingTests {
    private let stream =
        "retry: 5\n\nevent: hello\ndata: {}\n\n" + "id: 1-1\r\nevent: change\r\ndata: {}\r\n\r\nevent: alive\n\n"

    @Test func `is read the same in pieces of any size`() {
        for size in 1...stream.utf8.count {
            var reader = ChangeStream()
            var events: [ChangeEvent] = []
            var rest = Array(stream.utf8)[...]
            while !rest.isEmpty {
                events += reader.take(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(events == [.hello, .change, .alive])
        }
    }

    @Test(arguments: [
        "event: other\n", "data: event: change\n", "event:change\n", " event: change\n", "<html>change</html>\n",
        "event: change", "event: change" + String(repeating: " ", count: 10_000) + "\n",
    ])
    func `says nothing in other words`(words: String) {
        var reader = ChangeStream()
        #expect(reader.take(words.utf8) == [])
        #expect(reader.take("\nevent: change\n".utf8).last == .change)
    }
}
