import Enforcement
import Foundation
import HTTPClient
import Synchronization

/// Objects in a bucket of S3-compatible storage. Every call blocks until it is done or has failed, within its limits of time; from any thread.
package final class S3Bucket: Sendable {
    /// How long a storage is waited for. The longest wait is for an object that moves slowly and never stands still.
    package struct Patience: Sendable, Equatable {
        var connect = TimeSpan.seconds(5)
        var silence = TimeSpan.seconds(10)
        /// What is sent may take longer: see ``limits(body:most:isJoining:)``.
        var total = TimeSpan.seconds(30)
        /// So long a storage may be busy with putting the parts of an object together, and say nothing meanwhile.
        var joining = TimeSpan.minutes(10)
        /// Before each further try of what may pass.
        var pauses = [TimeSpan.seconds(0.2), TimeSpan.seconds(1)]
        /// For so long nobody asks a storage that didn't answer.
        var rest = Duration.seconds(10)

        package init() {}

        /// As slow as a link may be, in bytes a second.
        private static let slowest = 50_000.0
        /// So long what was handed to the system may be under way after the last byte was.
        private static let longestDraining = 60.0

        /// - Parameters:
        ///   - bytes: of the body of the request.
        ///   - most: bytes of the answer; nil for any length, in any time in which it moves.
        ///   - isJoining: whether parts are to be put together.
        func limits(body bytes: Int, most: Int?, isJoining: Bool) -> HTTPLimits {
            guard !isJoining else {
                return HTTPLimits(connect: connect, total: joining, silence: joining, answerBytes: most)
            }
            let time = Double(bytes) / Self.slowest
            return HTTPLimits(
                connect: connect, total: most == nil ? nil : TimeSpan.seconds(total.seconds + time),
                silence: .seconds(silence.seconds + min(time, Self.longestDraining)), answerBytes: most)
        }
    }

    /// So long a list or an error may be; an object's bound is whoever's who asks for it.
    private static let answerBytes = 4 << 20

    let place: S3Place
    private let signature: S3Signature
    private let patience: Patience
    private let circuit: S3Circuit
    private let host: String

    /// Connections that nobody uses now; one is used by one thread at a time.
    private struct Idle: @unchecked Sendable { let connection: HTTPConnection }
    private let idle = Mutex<[Idle]>([])
    private static let mostIdle = 16

    /// - Parameter note: is told when the storage stops answering, and of nothing when it answers again.
    package init(
        _ place: S3Place, patience: Patience = Patience(), note: @escaping @Sendable (S3Outage?) -> Void = { _ in }
    ) throws(Settings.Mistake) {
        guard let host = place.host else {
            throw Settings.Mistake(description: "\(place.endpoint) is no address of a storage.")
        }
        (self.place, self.host, self.patience) = (place, host, patience)
        signature = S3Signature(
            accessKey: place.accessKey, secretKey: try place.secretKey(), region: place.region)
        circuit = S3Circuit(pause: patience.rest, note: note)
    }

    /// What is wrong with it, since it last answered; nil while it answers, and before it was asked.
    var trouble: S3Outage? { circuit.trouble }

    /// Asks for something small, so that ``trouble`` is of now.
    func probe() { _ = try? names(under: "", after: "", most: 1) }

    /// Stores an object whole: whoever reads it meanwhile gets all of it, or what was there before.
    func put(_ data: Data, as name: String) throws(S3Outage) {
        _ = try ask(.put, name, body: data, expecting: [200])
    }

    /// How many bytes an object has; nil when there is none.
    func size(of name: String) throws(S3Outage) -> Int? {
        let answer = try ask(.head, name, expecting: [200, 404])
        // The head alone doesn't say whether it is the bucket that is missing; whoever stores or reads learns it.
        guard answer.status == 200 else { return nil }
        guard let bytes = answer.head["content-length"].flatMap(Int.init) else {
            throw S3Outage("it doesn't say how long an object is")
        }
        return bytes
    }

    /// Writes an object into a file, which is empty before; it stands at its beginning afterwards.
    ///
    /// - Parameter most: so many bytes it may have; nil for one of any length, which may take as long as it moves.
    /// - Returns: how many bytes it has; nil when there is none.
    func get(_ name: String, into file: FileHandle, most: Int?) throws -> Int? {
        var bytes = 0
        var failure: (any Error)?
        let answer = try ask(.get, name, expecting: [200, 404], most: most) { piece in
            do { try file.write(contentsOf: Data(piece)) } catch { failure = error }
            bytes += piece.count
            return failure == nil
        } begin: {
            bytes = 0
            do {
                try file.truncate(atOffset: 0)
                try file.seek(toOffset: 0)
            } catch { failure = error }
        }
        if let failure { throw failure }
        guard answer.status == 200 else {
            let said = S3Answer(answer.body)
            guard said.first("Code") == "NoSuchBucket" else { return nil }
            throw S3Outage(status: 404, said, bucket: place.bucket)
        }
        try file.seek(toOffset: 0)
        return bytes
    }

    /// What is not there is removed already.
    func remove(_ name: String) throws(S3Outage) {
        _ = try ask(.delete, name, expecting: [200, 204, 404])
    }

    /// Names in their order, the prefix of the place left off.
    ///
    /// - Parameters:
    ///   - part: what they begin with.
    ///   - after: the last one that is known.
    ///   - most: 1000 at most.
    func names(under part: String, after: String, most: Int) throws(S3Outage) -> [String] {
        var query = [("list-type", "2"), ("max-keys", "\(most)"), ("prefix", place.prefix + part)]
        // An object of the prefix alone has no name here.
        let start = place.prefix + after
        if !start.isEmpty { query.append(("start-after", start)) }
        let answer = S3Answer(try ask(.get, nil, query: query, expecting: [200]).body)
        guard answer.first("Name") != nil || answer.first("IsTruncated") != nil else {
            throw S3Outage("it answered with something else than a list")
        }
        let names = answer.all("Key", most: most).compactMap {
            $0.hasPrefix(place.prefix) ? String($0.dropFirst(place.prefix.count)) : nil
        }
        // Whoever lists goes on after the last name, and takes an empty list for the end: what is not listed may be removed.
        if names.isEmpty, answer.first("IsTruncated") == "true" {
            throw S3Outage("its list is empty, and not at its end")
        }
        guard names.allSatisfy({ after.utf8.lexicographicallyPrecedes($0.utf8) }) else {
            throw S3Outage("its list doesn't go on after the name that it was asked for")
        }
        return names
    }

    /// - Parameters:
    ///   - name: of an object; nil for the bucket itself.
    ///   - expecting: the statuses that are answers. Any other is an outage.
    ///   - most: bytes of the answer; nil for any length, in any time in which it moves.
    ///   - isCleanUp: asks also while nobody asks a storage that didn't answer.
    ///   - take: gets an object's bytes as they come; false ends it. Without it they are the answer's body.
    ///   - begin: is told before each try.
    func ask(
        _ method: HTTPRequest.Method, _ name: String?, query: [(String, String)] = [], body: Data? = nil,
        expecting: Set<Int>, most: Int? = S3Bucket.answerBytes, isCleanUp: Bool = false,
        take: ((UnsafeRawBufferPointer) -> Bool)? = nil, begin: () -> Void = {}
    ) throws(S3Outage) -> HTTPAnswer {
        if !isCleanUp { try circuit.enter() }
        let held = idle.withLock { $0.popLast() } ?? Idle(connection: HTTPConnection())
        defer { idle.withLock { if $0.count < Self.mostIdle { $0.append(held) } } }
        var pauses = patience.pauses[...]
        while true {
            begin()
            let request = request(method, name, query, body, most: most)
            var outage: S3Outage
            do {
                let answer = try Self.perform(request, on: held.connection, take)
                if expecting.contains(answer.status) {
                    circuit.leave(nil)
                    return answer
                }
                // The answer to a question for the head alone has no words; a list is refused for the same reason.
                let query = [("list-type", "2"), ("max-keys", "1")]
                let words =
                    method == .head && answer.status < 500
                    ? try Self.perform(self.request(.get, nil, query, nil, most: most), on: held.connection, nil)
                    : answer
                outage = S3Outage(status: answer.status, S3Answer(words.body), bucket: place.bucket)
            } catch { outage = S3Outage(error) }
            outage.description = "The storage \(place.endpoint) can't be used: \(outage)"
            guard outage.passes, let pause = pauses.popFirst() else {
                // What it refuses of one object says nothing of others; a list that it refuses does.
                if outage.isOfAll || name == nil { circuit.leave(outage) } else { circuit.answered() }
                throw outage
            }
            Thread.sleep(forTimeInterval: pause.seconds)
        }
    }

    private static func perform(
        _ request: HTTPRequest, on connection: HTTPConnection, _ take: ((UnsafeRawBufferPointer) -> Bool)?
    ) throws(HTTPFailure) -> HTTPAnswer {
        var body = Data()
        let head = try connection.perform(request) { head, bytes in
            if head.status == 200, let take { return take(bytes) }
            guard body.count + bytes.count <= answerBytes else { return false }
            body.append(contentsOf: bytes)
            return true
        }
        return HTTPAnswer(head: head, body: body)
    }

    private func request(
        _ method: HTTPRequest.Method, _ name: String?, _ query: [(String, String)], _ body: Data?, most: Int?
    ) -> HTTPRequest {
        let path = "/" + place.bucket + (name.map { "/" + S3Signature.escaped(place.prefix + $0, keeping: "/") } ?? "")
        var fields = signature.signed(
            method.rawValue, path, query: query, fields: ["host": host], bodyHash: S3Signature.hash(body ?? Data()),
            at: Date())
        if body != nil { fields["Content-Type"] = "application/octet-stream" }
        let address = query.isEmpty ? path : path + "?" + S3Signature.query(query)
        return HTTPRequest(
            method, HTTPAddress.url(place.endpoint, address), headers: fields, body: body,
            trust: HTTPTrust(certificateFile: place.certificateFile),
            limits: patience.limits(
                body: body?.count ?? 0, most: most,
                isJoining: method == .post && query.contains { $0.0 == "uploadId" }))
    }
}
