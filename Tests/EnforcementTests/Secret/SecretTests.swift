import Enforcement
import Foundation
import Testing

@Suite("A secret", .timeLimit(.minutes(5)))
struct SecretTests {
    private struct Holder: Codable {
        var name = "box"
        var password: Secret = "hunter2"
        var pin: Secret? = Secret("1234")
    }

    @Test func `is in no description of what holds it`() throws {
        let holder = Holder()
        var dumped = ""
        dump(holder, to: &dumped)
        let texts = [
            "\(holder)", String(reflecting: holder), String(describing: holder), dumped, "\([holder.password])",
            "\(["x": holder.pin])", "\(holder.password)", holder.password.debugDescription,
            String(decoding: try JSONEncoder().encode(holder), as: UTF8.self),
        ]
        for text in texts {
            #expect(!text.contains("hunter2") && !text.contains("1234"), "\(text)")
            #expect(text.contains(Secret.mask), "\(text)")
        }
    }

    @Test func `is read as a text, and given away when it is asked for`() throws {
        let holder = try JSONDecoder().decode(Holder.self, from: Data(#"{"name":"x","password":"p","pin":null}"#.utf8))
        #expect(holder.password.revealed == "p")
        #expect(holder.password == Secret("p"))
        #expect(holder.pin == nil)
    }
}
