import Foundation
import Glibc
import Synchronization

/// Passes bytes between a port of its own and another one on 127.0.0.1, until it is cut: a data link that a test pulls.
package final class LoopbackProxy: Sendable {
    private struct State {
        var listener: Int32 = -1
        var connections: Set<Int32> = []
    }

    private let state = Mutex(State())
    private let target: UInt16
    package let port: UInt16

    package struct Failure: Error {}

    package init(to target: UInt16) throws {
        self.target = target
        // While it is cut nobody else may get its port: tests run beside others.
        let (listener, port) = try LoopbackSocket.listening(on: UInt16(FreePort.next()))
        self.port = port
        serve(listener)
    }

    deinit { cut() }

    /// Refuses new connections and ends those that there are.
    package func cut() {
        state.withLock { state in
            // Its thread closes it: a number that is closed here would be another socket's by the time the thread waits on it.
            if state.listener >= 0 { shutdown(state.listener, Int32(SHUT_RDWR)) }
            state.listener = -1
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    /// Listens again, on the same port.
    package func restore() throws { serve(try LoopbackSocket.listening(on: port).descriptor) }

    private func serve(_ listener: Int32) {
        state.withLock { $0.listener = listener }
        LoopbackSocket.accept(on: listener) { [weak self] near in
            guard let self, let far = try? Self.connect(to: self.target) else {
                close(near)
                return
            }
            self.join(near, far)
        }
    }

    private func join(_ near: Int32, _ far: Int32) {
        state.withLock { $0.connections.formUnion([near, far]) }
        let pumps = Pumps()
        for (source, sink) in [(near, far), (far, near)] {
            Thread { [weak self] in
                Self.pump(source, sink)
                guard pumps.finishOne() else { return }
                self?.state.withLock { $0.connections.subtract([near, far]) }
                close(near)
                close(far)
            }.start()
        }
    }

    /// Counts the two directions of a connection.
    private final class Pumps: Sendable {
        private let open = Mutex(2)

        /// Whether this one was the last.
        func finishOne() -> Bool {
            open.withLock { count in
                count -= 1
                return count == 0
            }
        }
    }

    private static func pump(_ source: Int32, _ sink: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            var sent = 0
            while sent < count {
                let written = buffer[sent..<count].withUnsafeBytes {
                    send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { break }
                sent += written
            }
            if sent < count { break }
        }
        for end in [source, sink] { shutdown(end, Int32(SHUT_RDWR)) }
    }

    private static func connect(to port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = LoopbackSocket.address(port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            throw Failure()
        }
        return descriptor
    }
}
