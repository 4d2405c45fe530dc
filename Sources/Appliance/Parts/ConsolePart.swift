import Console
import Foundation
import ServiceLifecycle

/// Watches the console beside it: it asks for a page as a browser does.
struct ConsolePart: Service {
    let configuration: ConsoleConfiguration
    let alarms: AlarmBoard
    let desk: PartDesk

    private static let interval = Duration.seconds(2)

    /// How often a page is asked for, in intervals.
    private static let askEvery = 5

    /// An answer takes milliseconds; a console that reads a picture for a ranger may take a while.
    private static let patienceSeconds = 20

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var others = PartAlarms(alarms: alarms, folder: desk.folder)
            var turn = 0
            desk.beat(PartNews())
            while !Task.isCancelled {
                others.follow()
                desk.fault.strike(.work)
                PartNews().write(of: .console, to: desk.folder)
                if turn % Self.askEvery == 0, await answers() { desk.beat() }
                turn += 1
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    private func answers() async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: ask()) }
        }
    }

    /// Whether it answers at all. Over TLS a plain request is refused, and a refusal is an answer; a port that isn't open is no sign of a
    /// hang, since the console itself tries to open it again and says so.
    private func ask() -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, length)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, length)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: configuration.port).bigEndian
        let host = configuration.address
        address.sin_addr.s_addr = inet_addr(host == "0.0.0.0" || inet_addr(host) == .max ? "127.0.0.1" : host)
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return errno == ECONNREFUSED }
        let request = Array("GET /sign-in HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            return errno != EAGAIN
        }
        var answer = [UInt8](repeating: 0, count: 256)
        return recv(descriptor, &answer, answer.count, 0) >= 0 || errno != EAGAIN
    }
}
