import Foundation
import Synchronization
import Testing

@testable import Synchronizer

@Suite("The kernel's word on the network", .timeLimit(.minutes(10)))
struct LinkWatchTests {
    /// A thread in a network of its own, whose loopback interface is down; nil where that isn't allowed.
    private static func inOwnNetwork<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value? {
        let result = Mutex<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
        Thread {
            if leaveNetwork() {
                let value = body()
                result.withLock { $0 = value }
            }
            done.signal()
        }.start()
        done.wait()
        return result.withLock { $0 }
    }

    /// `unshare(CLONE_NEWNET)`, which Swift's headers leave out: it holds for the calling thread alone.
    private static func leaveNetwork() -> Bool {
        guard let symbol = dlsym(nil, "unshare") else { return false }
        let unshare = unsafeBitCast(symbol, to: (@convention(c) (CInt) -> CInt).self)
        return unshare(0x4000_0000) == 0
    }

    private static let isAllowed = inOwnNetwork { true } == true

    /// `ifreq`: the interface's name in 16 bytes, then its flags.
    private static func bringLoopbackUp() -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var request = [UInt8](repeating: 0, count: 40)
        request.replaceSubrange(0..<2, with: Array("lo".utf8))
        request[16] = UInt8(IFF_UP)
        return request.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { ioctl(descriptor, 0x8914, $0) == 0 } ?? false
        }
    }

    @Test(.enabled(if: isAllowed, "needs the right to make a network namespace"))
    func `comes at once when an interface changes, and not before`() {
        let hints = Mutex(0)
        let found = Self.inOwnNetwork { () -> [Int] in
            let watch = LinkWatch { hints.withLock { $0 += 1 } }
            guard let watch else { return [] }
            defer { watch.stop() }
            // What must not come is waited for.
            usleep(300_000)
            let before = hints.withLock { $0 }
            guard Self.bringLoopbackUp() else { return [] }
            for _ in 0..<600 where hints.withLock({ $0 }) == before { usleep(100_000) }
            return [before, hints.withLock { $0 }]
        }
        #expect(found?.first == 0)
        #expect((found?.last ?? 0) > 0)
    }
}
