import Enforcement
import Foundation
import PeerLink
import Synchronization

/// A Unix socket in a folder for this user alone, behind which the park's server seems to be: what is written into it goes to the other
/// post piece by piece, and from there to the server.
///
/// One connection at a time; a new one ends the one before. It asks on a thread of its own, which ends with `close`.
final class RelayDoor: Sendable {
    typealias Ask = (RelayQuestion) throws -> RelayReply

    let path: String
    private let folder: String
    private let listener: Int32
    private let isClosed = Atomic(false)
    private let told = Mutex<String?>(nil)

    /// Why the last connection came to nothing; nil when it didn't.
    var trouble: String? { told.withLock { $0 } }

    /// - Parameters:
    ///   - runFolder: where the socket lies, so that the next run removes what this one leaves. Where there is none, or its name is too long
    ///     for a socket's, it is the temporary folder.
    ///   - makeAsk: called on the door's thread, for each connection.
    /// - Throws: `AdvisedError` where there can be no socket.
    init(in runFolder: String, _ makeAsk: @escaping @Sendable () throws -> Ask) throws {
        let isFit = runFolder.utf8.count < 80 && FileManager.default.isWritableFile(atPath: runFolder)
        let place = isFit ? runFolder : NSTemporaryDirectory() + "/checkpost"
        var template = Array((place + (isFit ? "/" : "-") + "way.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Self.failure("no folder: \(String(cString: strerror(errno)))") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.folder = folder
        path = folder + "/server"
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0, UnixAddress(path)?.use({ bind(listener, $0, $1) }) == 0, listen(listener, 4) == 0 else {
            let reason = String(cString: strerror(errno))
            if listener >= 0 { Foundation.close(listener) }
            try? FileManager.default.removeItem(atPath: folder)
            throw Self.failure(reason)
        }
        let thread = Thread { [self] in
            RelayRun(listener: listener, makeAsk) { trouble in self.told.withLock { $0 = trouble } }
                .run { !isClosed.load(ordering: .relaxed) }
            Foundation.close(listener)
        }
        thread.name = "way to server"
        thread.start()
    }

    /// Its thread ends within a second after what it asks has an end.
    func close() {
        isClosed.store(true, ordering: .relaxed)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Whether it can still be found.
    var isThere: Bool { FileManager.default.fileExists(atPath: path) }

    private static func failure(_ reason: String) -> AdvisedError {
        AdvisedError(
            "The way through another box can't be opened: \(reason).", hint: "Look at the temporary folder.")
    }
}

/// What the door's thread does.
private final class RelayRun {
    /// Of one question: at 9,600 baud a dozen seconds, sealed.
    private static let piece = 8 << 10

    /// Somebody new, and the end, are seen within this.
    private static let look: Int32 = 250

    /// What is written in one go comes within this.
    private static let lull: Int32 = 10

    private struct Guest {
        let descriptor: Int32
        let name = UUID().uuidString
        let ask: RelayDoor.Ask
        var isFirst = true
        var pace = RelayPace()
    }

    private let listener: Int32
    private let makeAsk: () throws -> RelayDoor.Ask
    private let tell: (String?) -> Void
    private var guest: Guest?

    init(listener: Int32, _ makeAsk: @escaping () throws -> RelayDoor.Ask, tell: @escaping (String?) -> Void) {
        (self.listener, self.makeAsk, self.tell) = (listener, makeAsk, tell)
    }

    func run(while goesOn: () -> Bool) {
        while goesOn() {
            guard let guest else {
                if isReadable(listener, Self.look) { welcome() }
                continue
            }
            if isReadable(listener, 0) {
                welcome()
            } else if isReadable(guest.descriptor, guest.pace.isAwaiting ? guest.pace.lull : Self.look) {
                read()
            } else if guest.pace.isAwaiting || self.guest?.pace.isDue(after: Self.look) == true {
                ask(Data())
            }
        }
        leave()
    }

    private func welcome() {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else {
            // Without a free number for it there is none a moment later either.
            usleep(250_000)
            return
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        leave()
        tell(nil)
        do { guest = Guest(descriptor: descriptor, ask: try makeAsk()) } catch {
            tell(Self.words(error))
            close(descriptor)
        }
    }

    /// - Parameter isHeard: whether the other post answers; where it doesn't, it finds out by itself that this is over.
    private func leave(isHeard: Bool = true) {
        guard let guest else { return }
        if isHeard, !guest.isFirst { _ = try? guest.ask(RelayQuestion(connection: guest.name, isOver: true)) }
        close(guest.descriptor)
        self.guest = nil
    }

    private func read() {
        guard let guest else { return }
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: Self.piece)
        repeat {
            let count = recv(guest.descriptor, &buffer, Self.piece - bytes.count, 0)
            guard count > 0 else {
                if bytes.isEmpty { return leave() }
                break
            }
            bytes += buffer.prefix(count)
        } while bytes.count < Self.piece && isReadable(guest.descriptor, Self.lull)
        self.guest?.pace.sends()
        ask(bytes)
    }

    private func ask(_ bytes: Data) {
        guard let guest else { return }
        let isWhole = bytes.count < Self.piece
        let question = RelayQuestion(
            connection: guest.name, isFirst: guest.isFirst, bytes: bytes,
            waitMilliseconds: isWhole ? guest.pace.wait : 0)
        self.guest?.isFirst = false
        let began = ContinuousClock.now
        do {
            let reply = try guest.ask(question)
            // One that answers at once, and with nothing, is not asked again at once.
            if reply.bytes.isEmpty, !reply.isOver {
                let rest = Duration.milliseconds(question.waitMilliseconds) - (ContinuousClock.now - began)
                if rest > .zero { _ = isReadable(guest.descriptor, Int32(rest / .milliseconds(1))) }
            }
            guard reply.bytes.isEmpty || write(reply.bytes, to: guest.descriptor) else { return leave() }
            tell(reply.trouble)
            self.guest?.pace.heard(something: !reply.bytes.isEmpty)
            if reply.isOver { leave(isHeard: false) } else if guest.pace.isOver { leave() }
        } catch {
            tell(Self.words(error))
            leave(isHeard: false)
        }
    }

    private static func words(_ error: any Error) -> String { (error as? AdvisedError)?.message ?? "\(error)" }

    private func isReadable(_ descriptor: Int32, _ milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, milliseconds) > 0
    }

    /// - Returns: false where nobody takes it.
    private func write(_ bytes: Data, to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&wanted, 1, 30_000) > 0 else { return false }
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
