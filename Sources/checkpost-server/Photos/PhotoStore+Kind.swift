import Foundation

extension PhotoStore {
    /// What a picture is.
    package enum Kind: String, Sendable {
        case jpeg = "image/jpeg"
        case png = "image/png"

        /// What the bytes are, whatever anybody says they are; nil for what only begins like a picture.
        package init?(_ data: Data) {
            let bytes = [UInt8](data)
            if Self.isJPEG(bytes) {
                self = .jpeg
            } else if Self.isPNG(bytes) {
                self = .png
            } else {
                return nil
            }
        }

        /// How many bytes may follow a picture's end: cameras fill their files up.
        private static let fillingBytes = 64

        /// The segments from the start of the image to its scan, with a frame among them, and the end marker near the end
        /// (ITU-T T.81, annex B).
        private static func isJPEG(_ bytes: [UInt8]) -> Bool {
            guard bytes.count >= 4, bytes[0] == 0xff, bytes[1] == 0xd8 else { return false }
            var position = 2
            var hasFrame = false
            while position + 3 < bytes.count, bytes[position] == 0xff {
                let marker = bytes[position + 1]
                if marker == 0xff {
                    position += 1
                    continue
                }
                let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
                guard length >= 2, position + 2 + length <= bytes.count else { return false }
                switch marker {
                case 0xc0...0xcf where ![0xc4, 0xc8, 0xcc].contains(marker): hasFrame = true
                case 0xda: return hasFrame && endsNear(bytes, with: [0xff, 0xd9], after: position + 2 + length)
                case 0x00, 0x01, 0xd0...0xd9: return false
                default: break
                }
                position += 2 + length
            }
            return false
        }

        /// The signature, the header chunk and the end chunk (W3C PNG, section 5).
        private static func isPNG(_ bytes: [UInt8]) -> Bool {
            let start = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
            let end = [0, 0, 0, 0] + Array("IEND".utf8) + [0xae, 0x42, 0x60, 0x82]
            // The header has 13 bytes and a checksum after its name.
            return bytes.starts(with: start) && endsNear(bytes, with: end, after: start.count + 17)
        }

        private static func endsNear(_ bytes: [UInt8], with mark: [UInt8], after start: Int) -> Bool {
            let first = max(start, bytes.count - mark.count - fillingBytes)
            let last = bytes.count - mark.count
            guard first <= last else { return false }
            return (first...last).contains { bytes[$0..<$0 + mark.count].elementsEqual(mark) }
        }
    }
}
