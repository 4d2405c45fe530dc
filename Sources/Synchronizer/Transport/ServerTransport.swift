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
    private let socket: String?

    /// - Parameters:
    ///   - url: the server's address: `https://park.example.org`.
    ///   - certificateFile: certificates in PEM form that are trusted instead of the system's.
    ///   - cancellation: ends what is under way.
    ///   - meter: counts what goes over it.
    ///   - socket: a Unix socket that leads to the server; nil to go there over the network.
    package init(
        url: String, certificateFile: String? = nil, cancellation: HTTPCancellation = HTTPCancellation(),
        meter: DataMeter? = nil, socket: String? = nil
    ) {
        self.url = url
        self.socket = socket
        connection = HTTPConnection(cancellation: cancellation, meter: meter)
        trust = HTTPTrust(certificateFile: certificateFile)
    }

    package var cancellation: HTTPCancellation { connection.cancellation }

    package func perform(_ request: SyncRequest) -> ServerExchange {
        do {
            var asked = request.overHTTP(to: url, trust: trust)
            if let socket {
                asked.socket = socket
                asked.limits = asked.limits.overRadio
            }
            let answer = try connection.perform(asked)
            return .answered(
                ServerAnswer(
                    status: answer.status, retryAfter: answer.head["retry-after"], date: answer.head["date"],
                    body: answer.body))
        } catch {
            return .silent(error.cause)
        }
    }
}

extension HTTPLimits {
    /// Between two posts there may be 9,600 baud, over which a server's certificate takes several seconds.
    fileprivate var overRadio: HTTPLimits {
        HTTPLimits(
            connect: .seconds(40), total: total.map { TimeSpan.seconds(min($0.seconds + 30, 120)) },
            silence: .seconds(45),
            answerBytes: answerBytes)
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
