import Enforcement
import Foundation
import Synchronization

/// Keeps on the disk which picture a camera's part has in hand: the next run of the part finds it when this one ends.
///
/// It has to outlive the process, not the machine, so nothing is synced and a picture costs two writes of one page in place.
final class HandFile: Sendable {
    /// More than the suspects take. What is written is padded with spaces, so that one write replaces what was there.
    private static let bytes = 8192

    private let descriptor: Int32
    private let hand: Mutex<PictureInHand>
    private let work = Mutex((isBusy: false, turns: 0))

    /// Whether the camera's work holds a frame now, named or not, and how many it has answered for.
    var isBusy: Bool { work.withLock { $0.isBusy } }
    var turns: Int { work.withLock { $0.turns } }

    func begin() { work.withLock { $0.isBusy = true } }

    func end() { work.withLock { $0 = (false, $0.turns + 1) } }

    /// - Parameter after: why the run before this one ended without being asked; nil when it didn't.
    init(path: String, after reason: String?) {
        var found = reason.flatMap { _ in RunFolder.read(PictureInHand.self, from: path) } ?? PictureInHand()
        if let reason { found.begin(after: reason) }
        hand = Mutex(found)
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o640)
        write(found)
    }

    deinit { close(descriptor) }

    /// - Returns: why the picture is to be set aside; nil when it can be looked at.
    func take(_ key: String) -> String? { change { $0.take(key) } }

    func putDown() { change { $0.putDown() } }

    func answered(_ key: String) { change { $0.answered(key) } }

    private func change<Result>(_ work: (inout PictureInHand) -> Result) -> Result {
        hand.withLock { hand in
            let before = hand
            let result = work(&hand)
            if hand != before { write(hand) }
            return result
        }
    }

    private func write(_ hand: PictureInHand) {
        guard descriptor >= 0, var data = try? JSONEncoder.sorted.encode(hand), data.count <= Self.bytes else { return }
        data.append(Data(repeating: UInt8(ascii: " "), count: Self.bytes - data.count))
        _ = data.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
}
