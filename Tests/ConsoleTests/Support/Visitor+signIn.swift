import TestKit

extension Visitor {
    func signIn(_ name: String = "ram", _ password: String = "ranger-pass-1") async throws -> Answer {
        let answer = try await post("/sign-in", ["user": name, "password": password])
        if answer.status == 303 { _ = try await get("/") }
        return answer
    }
}
