import Enforcement
import HTTPClient
import ParkAPI

/// The park's server over HTTP: the one way there, for the synchronization, the console's sign-in and the test of `setup`.
///
/// It is used by one thread; what it has under way can be cancelled from any.
package final class ServerTransport: SyncTransport {
    private let url: String
    private let trust: HTTPTrust
    private let connection: HTTPConnection

    /// - Parameters:
    ///   - url: the server's address: `https://park.example.org`.
    ///   - certificateFile: certificates in PEM form that are trusted instead of the system's.
    ///   - cancellation: ends what is under way.
    ///   - meter: counts what goes over it.
    package init(
        url: String, certificateFile: String? = nil, cancellation: HTTPCancellation = HTTPCancellation(),
        meter: DataMeter? = nil
    ) {
        self.url = url
        connection = HTTPConnection(cancellation: cancellation, meter: meter)
        trust = HTTPTrust(certificateFile: certificateFile)
    }

    package var cancellation: HTTPCancellation { connection.cancellation }

    package func perform(_ request: SyncRequest) -> ServerExchange {
        do {
            let answer = try connection.perform(request.overHTTP(to: url, trust: trust))
            return .answered(
                ServerAnswer(
                    status: answer.status, retryAfter: answer.head["retry-after"], date: answer.head["date"],
                    body: answer.body))
        } catch {
            return .silent(error.cause)
        }
    }
}

extension SyncRequest {
    /// - Parameter url: the server's address.
    package func overHTTP(to url: String, trust: HTTPTrust = .system) -> HTTPRequest {
        var request = HTTPRequest(
            method, HTTPAddress.url(url, path), headers: headers, body: body, trust: trust,
            limits: HTTPLimits(total: timeout, answerBytes: mostAnswerBytes))
        (request.apiKey, request.bearer) = (apiKey, bearer)
        return request
    }
}
