import Foundation

/// Walks a JPEG's markers. A thumbnail inside a segment has an end marker of its own, so searching for `FF D9` is not enough.
enum JPEGStructure {
    /// Where the picture that begins at `start` ends (one past its end marker), or nil when the end isn't in `bytes`.
    static func end(of bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        var walk = JPEGWalk(start: start)
        return walk.advance(over: bytes)
    }
}

/// A walk over a JPEG that arrives in pieces: it goes on where it stopped, so a picture in a thousand pieces is looked at once.
struct JPEGWalk: Sendable {
    /// The place reached: a marker between segments, or a place in the coded data.
    private var position: Int
    private var isInScan = false

    init(start: Int) {
        position = start + 2
    }

    /// `bytes` begins where it began at the last call, and is longer.
    ///
    /// - Returns: one past the end marker, or nil when it isn't there yet. In a stream that isn't a JPEG's the end is never there.
    mutating func advance(over bytes: UnsafeRawBufferPointer) -> Int? {
        while position + 1 < bytes.count {
            if isInScan {
                guard let found = memchr(bytes.baseAddress! + position, 0xFF, bytes.count - position) else {
                    position = bytes.count
                    return nil
                }
                position = UnsafeRawPointer(found) - bytes.baseAddress!
                guard position + 1 < bytes.count else { return nil }
                // In coded data FF is followed by 0 (a data byte FF), a restart marker, or filling; anything else ends it.
                let next = bytes[position + 1]
                if next == 0 || (0xD0...0xD7).contains(next) { position += 2 } else { isInScan = false }
                continue
            }
            let marker = bytes[position + 1]
            if bytes[position] != 0xFF {
                // Out of step: go to the next marker, as decoders do.
                position += 1
            } else if marker == 0xD9 {
                return position + 2
            } else if marker == 0xFF {
                position += 1
            } else if marker == 0x01 || marker == 0 || (0xD0...0xD8).contains(marker) {
                position += 2
            } else {
                guard position + 3 < bytes.count else { return nil }
                let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
                position += 2 + max(length, 2)
                isInScan = marker == 0xDA
            }
        }
        return nil
    }
}
