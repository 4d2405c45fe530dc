import Enforcement

/// Reads ffmpeg's standard error: the times of frames that showinfo tells, and the last lines for the operator.
struct FFmpegLog: Sendable {
    /// Longer lines are cut: metadata in a file can be of any length.
    static let longestLine = 400
    static let keptLines = 12

    /// Milliseconds since the beginning of the video of the frames whose time was told, in order.
    private(set) var times: [Int64] = []
    private(set) var isOver = false
    private var lines: [String] = []
    private var partial: [UInt8] = []

    mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte == 0x0A || byte == 0x0D {
                take(String(decoding: partial, as: UTF8.self))
                partial.removeAll(keepingCapacity: true)
            } else if partial.count < Self.longestLine {
                partial.append(byte)
            }
        }
    }

    mutating func finish() {
        if !partial.isEmpty { take(String(decoding: partial, as: UTF8.self)) }
        partial = []
        isOver = true
    }

    mutating func takeTime() -> Int64? { times.isEmpty ? nil : times.removeFirst() }

    private mutating func take(_ line: String) {
        if line.hasPrefix("[Parsed_showinfo") {
            if let time = Self.time(line) { times.append(time) }
            return
        }
        // The scaler says this of every picture with the full range of values, which a JPEG has.
        guard !line.isEmpty, !line.contains("deprecated pixel format") else { return }
        lines.append(line)
        if lines.count > Self.keptLines { lines.removeFirst() }
    }

    /// `[Parsed_showinfo_1 @ 0x55…] n:   3 pts:    280 pts_time:0.28 …` is 280.
    private static func time(_ line: String) -> Int64? {
        guard let close = line.firstIndex(of: "]") else { return nil }
        let words = line[line.index(after: close)...].split(whereSeparator: { $0 == " " || $0 == ":" })
        guard words.count >= 4, words[0] == "n", words[2] == "pts" else { return nil }
        return Int64(words[3])
    }

    /// The lines that say what went wrong: the last few, without the banners around them.
    var complaint: String {
        let text = lines.suffix(3).map { line in
            // `[rtsp @ 0x55…] method OPTIONS failed` without the address in memory.
            line.replacing(#/ @ 0x[0-9a-f]+\]/#, with: "]")
        }
        return text.joined(separator: "; ")
    }
}
