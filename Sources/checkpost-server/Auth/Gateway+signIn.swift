import Foundation

extension Gateway {
    /// Refuses who tries too often, by account and address and by address alone.
    package func limitSignIn(_ email: String, address: String) throws(APIError) {
        let waits = [
            signInLimiter.secondsToWait("\(address) \(email.lowercased())"), addressLimiter.secondsToWait(address),
        ]
        guard let seconds = waits.compactMap(\.self).max() else { return }
        throw APIError(
            .tooManyRequests, "over_request_rate_limit", "Too many attempts to sign in",
            retryAfterSeconds: max(1, Int(seconds.rounded(.up))))
    }
}
