import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Signs in at the park's server once, to see that the account is right.
enum ServerTest {
    /// - Returns: nil when it worked, else what went wrong. The password is in no message.
    static func problem(url: String, email: String, password: String) async -> String? {
        guard let address = URL(string: url + "/auth/v1/token?grant_type=password") else {
            return "\(url) is no address."
        }
        var request = URLRequest(url: address, timeoutInterval: 15)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try? JSONEncoder().encode(["email": email, "password": password])
        do {
            let (data, response) = try await URLSession.shared.data(for: request)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            let answer = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
            if status == 200, answer?["access_token"] is String { return nil }
            if status == 400 || status == 401 { return "The server refused the account or the password." }
            return answer == nil
                ? "Something answered at \(url) that is not the park's server (\(status))."
                : "The server answered with \(status)."
        } catch {
            return "The server can't be reached: \(error.localizedDescription)"
        }
    }
}
