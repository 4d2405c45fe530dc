import Foundation

/// What goes through the socket on which the box answers the members of its group: one line in, an answer out, and the end.
///
/// The answer is what the command would have printed, a zero byte, and an object with its exit status and what it would have said on the
/// standard error. The service is started for each connection and runs with the rights of the service's user, so whoever asks reads no
/// file of the box.
package enum AnswerExchange {
    package static let usualPath = "/run/checkpost-answers.sock"
    package static let environmentName = "CHECKPOST_ANSWERS"

    package struct Question: Codable, Equatable, Sendable {
        package var arguments: [String]
        package init(arguments: [String]) { self.arguments = arguments }
    }

    package struct End: Codable, Equatable, Sendable {
        package var status: Int32
        package var message: String
        package init(status: Int32, message: String) { (self.status, self.message) = (status, message) }
    }

    /// A command line is short; an answer is a listing.
    static let longestQuestion = 16 * 1024
    static let longestAnswer = 64 << 20
    private static let patienceSeconds = 120

    package enum Failure: Error, Equatable {
        /// Nothing answers on this machine.
        case nobody
        /// This user is not let in.
        case forbidden
        case broken(String)
    }

    /// Asks once.
    ///
    /// - Returns: what the command printed, and how it ended.
    package static func ask(
        _ question: Question, at path: String
    ) throws(Failure) -> (output: Data, end: End) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .broken(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        try join(descriptor, path)
        var patience = timeval(tv_sec: patienceSeconds, tv_usec: 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, length)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, length)
        guard var line = try? JSONEncoder().encode(question) else { throw .broken("the question can't be written") }
        line.append(UInt8(ascii: "\n"))
        let sent = line.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard sent == line.count else { throw .broken(String(cString: strerror(errno))) }
        shutdown(descriptor, Int32(SHUT_WR))
        let answer = try readAll(descriptor)
        guard let zero = answer.lastIndex(of: 0),
            let end = try? JSONDecoder().decode(End.self, from: answer[answer.index(after: zero)...])
        else { throw .broken("the answer ended in the middle") }
        return (answer[..<zero], end)
    }

    private static func join(_ descriptor: Int32, _ path: String) throws(Failure) {
        guard let name = UnixAddress(path) else { throw .nobody }
        if name.use({ connect(descriptor, $0, $1) }) == 0 { return }
        throw errno == EACCES || errno == EPERM ? .forbidden : .nobody
    }

    private static func readAll(_ descriptor: Int32) throws(Failure) -> Data {
        var answer = Data()
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count == 0 { return answer }
            guard count > 0 else { throw .broken("no answer came within \(patienceSeconds) s") }
            guard answer.count + count <= longestAnswer else { throw .broken("the answer is too long") }
            answer.append(contentsOf: bytes[..<count])
        }
    }

    /// Reads the one line of a question from a descriptor; nil when it isn't one, or doesn't come soon.
    package static func question(from descriptor: Int32) -> Question? {
        var line = Data()
        var bytes = [UInt8](repeating: 0, count: 4096)
        let deadline = ContinuousClock.now + .seconds(10)
        while !line.contains(UInt8(ascii: "\n")) {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = Int32(max(0, (deadline - .now) / .milliseconds(1)))
            guard poll(&waiting, 1, left) > 0 else { return nil }
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0, line.count + count <= longestQuestion else { return nil }
            line.append(contentsOf: bytes[..<count])
        }
        return try? JSONDecoder().decode(Question.self, from: line.prefix { $0 != UInt8(ascii: "\n") })
    }

    /// What comes after all that was printed.
    package static func end(_ end: End) -> Data {
        Data([0]) + ((try? JSONEncoder().encode(end)) ?? Data())
    }
}
