import Enforcement
import HTTPClient
import ParkAPI

/// A connection on which the server tells what happens. It is used by one thread; what it has under way can be cancelled from any.
package protocol ChangeLine: AnyObject, Sendable {
    var cancellation: HTTPCancellation { get }

    /// Blocks as long as the server goes on.
    ///
    /// - Returns: the status of the answer; 0 when there was none.
    func listen(_ request: SyncRequest, heard: @escaping ([ChangeEvent]) -> Void) -> Int
}

/// The real one, a connection of its own: requests don't wait for what never ends.
package final class ServerChangeLine: ChangeLine, @unchecked Sendable {
    private let url: String
    private let trust: HTTPTrust
    private let connection: HTTPConnection

    /// The server says something every 20 s. Whoever has heard nothing for so long has lost the link.
    private static let silence = TimeSpan.seconds(Double(ChangeEvent.interval) * 2)

    /// - Parameters:
    ///   - url: the server's address: `https://park.example.org`.
    ///   - certificateFile: certificates in PEM form that are trusted instead of the system's.
    ///   - meter: counts what goes over it.
    package init(url: String, certificateFile: String? = nil, meter: DataMeter? = nil) {
        self.url = url
        connection = HTTPConnection(meter: meter)
        trust = HTTPTrust(certificateFile: certificateFile)
    }

    package var cancellation: HTTPCancellation { connection.cancellation }

    package func listen(_ request: SyncRequest, heard: @escaping ([ChangeEvent]) -> Void) -> Int {
        var request = request.overHTTP(to: url, trust: trust)
        request.limits = HTTPLimits(total: nil, silence: Self.silence, answerBytes: nil)
        var stream = ChangeStream()
        var heardAt = ContinuousClock.now
        do throws(HTTPFailure) {
            return try connection.perform(request) { head, bytes in
                guard head.status == 200, head["content-type"]?.hasPrefix("text/event-stream") == true else {
                    return false
                }
                let events = stream.take(bytes)
                // What says other things without an end is no stream of ours.
                guard !events.isEmpty else { return ContinuousClock.now - heardAt < .seconds(Self.silence.seconds) }
                heardAt = .now
                heard(events)
                return true
            }.status
        } catch {
            return error.status
        }
    }
}
