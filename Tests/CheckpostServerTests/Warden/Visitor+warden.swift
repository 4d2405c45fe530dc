import Foundation
import TestKit

@testable import checkpost_server

extension TestServer {
    /// A browser that is signed in at the warden's page as one of the test's people.
    func warden(_ user: String = "admin") async throws -> Visitor {
        let visitor = Visitor(port: port)
        let answer = try await visitor.signInAtPark(user)
        guard answer.status == 303 else { throw Visitor.NoAnswer() }
        _ = try await visitor.get("/warden")
        return visitor
    }

    /// One vehicle that drove too fast from A to B an hour ago, and the id of its passage there. It entered 41 minutes before it came out.
    func speeding(_ plate: String, _ database: TestDatabase) throws -> (entry: String, exit: String) {
        let entry = try database.owner.record(plate, at: TestDatabase.postA, TestDatabase.hoursAgo(1.7)) ?? ""
        let exit = try database.owner.record(plate, at: TestDatabase.postB, TestDatabase.hoursAgo(1)) ?? ""
        return (entry, exit)
    }
}

extension Visitor {
    func signInAtPark(_ user: String, password: String? = nil, next: String? = nil) async throws -> Answer {
        _ = try await get("/warden/sign-in")
        var fields = ["email": "\(user)@bnp.local", "password": password ?? "password-\(user)"]
        fields["next"] = next
        return try await post("/warden/sign-in", fields)
    }

    /// What a form of a page carries besides the form's token.
    func hidden(_ name: String, in page: Answer) -> String {
        guard let range = page.text.range(of: #"name="\#(name)" value=""#) else { return "" }
        return String(page.text[range.upperBound...].prefix { $0 != "\"" })
    }

    /// The hidden fields of the first form of a page that has all of these words.
    func form(_ page: Answer, _ words: String...) -> [String: String] {
        for form in page.text.components(separatedBy: "<form ").dropFirst() {
            let text = form.components(separatedBy: "</form>")[0]
            guard words.allSatisfy({ text.contains($0) }) else { continue }
            return text.matches(of: /name="([a-z]+)" value="([^"]*)"/).reduce(into: [:]) {
                $0[String($1.output.1)] = String($1.output.2)
            }
        }
        return [:]
    }
}
