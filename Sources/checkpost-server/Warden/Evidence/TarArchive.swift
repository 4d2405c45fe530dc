import Enforcement
import Foundation

/// Files in one, as every Debian unpacks them: the form `ustar` of POSIX.
struct TarArchive {
    private(set) var bytes = Data()
    private let modified: Instant

    init(at moment: Instant) {
        modified = moment
    }

    /// - Parameter name: 100 bytes at most, as ours are.
    mutating func add(_ name: String, _ content: Data) {
        var header = Data(count: 512)
        func put(_ text: String, at offset: Int, most: Int) {
            for (index, byte) in text.utf8.prefix(most).enumerated() { header[offset + index] = byte }
        }
        func octal(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(name, at: 0, most: 100)
        for (field, offset) in [("0000644", 100), ("0000000", 108), ("0000000", 116)] {
            put(field, at: offset, most: 7)
        }
        put(octal(content.count, 11), at: 124, most: 11)
        put(octal(Int(modified.milliseconds / 1000), 11), at: 136, most: 11)
        // The sum counts its own field as spaces.
        put("        ", at: 148, most: 8)
        put("0", at: 156, most: 1)
        put("ustar", at: 257, most: 5)
        put("00", at: 263, most: 2)
        let sum = header.reduce(0) { $0 + Int($1) }
        put(octal(sum, 6) + "\0 ", at: 148, most: 8)
        bytes += header + content
        bytes += Data(count: (512 - content.count % 512) % 512)
    }

    /// What a file on a disk is: the end is two empty blocks.
    var closed: Data { bytes + Data(count: 1024) }
}
