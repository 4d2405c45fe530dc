import Capture
import Enforcement
import Foundation
import MachineClock

/// What the machine says of itself. Each figure is nil where it isn't told.
enum Machine {
    static var memory: (free: Int, all: Int)? {
        guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8) else { return nil }
        var figures: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == ":" || $0 == " " })
            if words.count >= 2, let kilobytes = Int(words[1]) { figures[words[0]] = kilobytes << 10 }
        }
        guard let free = figures["MemAvailable"], let all = figures["MemTotal"] else { return nil }
        return (free, all)
    }

    static var hottestCelsius: Double? {
        let folder = "/sys/class/thermal"
        let zones = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return zones.filter { $0.hasPrefix("thermal_zone") }.compactMap {
            number(in: "\(folder)/\($0)/temp").map { $0 / 1000 }
        }.filter { (-60...200).contains($0) }.max()
    }

    static var isClockSynchronised: Bool { MachineClock.isSynchronised }

    /// Whether the kernel has a clock that runs without power.
    static var hasBatteryClock: Bool { FileManager.default.fileExists(atPath: "/sys/class/rtc/rtc0") }

    /// The greater of the two figures that an eMMC gives of its life.
    static func wornTenths(at folder: String) -> Int? {
        var status = stat()
        guard stat(folder, &status) == 0 else { return nil }
        // As the kernel packs them: 12 bits of the first, 20 of the second (makedev(3)).
        let device = UInt64(status.st_dev)
        let (major, minor) = ((device >> 8) & 0xFFF, (device & 0xFF) | ((device >> 12) & 0xFFF00))
        // A partition's device is its disk's, one folder up.
        for step in ["device", "../device"] {
            let path = "/sys/dev/block/\(major):\(minor)/\(step)/life_time"
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            return text.split(whereSeparator: \.isWhitespace).compactMap { word in
                Int(word.dropFirst(2), radix: 16)
            }.max()
        }
        return nil
    }

    private static func number(in file: String) -> Double? {
        (try? String(contentsOfFile: file, encoding: .utf8)).flatMap {
            Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }
}

/// Writes as a database does, where there is none yet.
enum DiskProbe {
    private static let bytes = 4096

    /// - Returns: what each write took until it was on the disk.
    /// - Throws: `AdvisedError` when the folder can't be written.
    static func writes(_ count: Int, in folder: String) throws -> [TimeSpan] {
        let path = "\(folder)/.self-test-\(getpid())"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw AdvisedError(
                "\(folder) can't be written: \(String(cString: strerror(errno))).",
                hint: "Make it, and give it to the user \(ServiceUser.current).")
        }
        defer {
            close(descriptor)
            unlink(path)
        }
        let page = [UInt8](repeating: 0x55, count: bytes)
        return try (0..<count).map { _ in
            let began = ContinuousClock.now
            guard write(descriptor, page, bytes) == bytes, fsync(descriptor) == 0 else {
                throw AdvisedError(
                    "\(folder) can't be written: \(String(cString: strerror(errno))).",
                    hint: "Look at its disk: df, dmesg.")
            }
            return .milliseconds(Int64((ContinuousClock.now - began) / .milliseconds(1)))
        }
    }
}
