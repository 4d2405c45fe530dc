/// A SHA-256 in 32 bytes: a million of them are known at a time.
struct PhotoHash: Hashable {
    private var first = UInt64(0)
    private var second = UInt64(0)
    private var third = UInt64(0)
    private var fourth = UInt64(0)

    /// - Parameter text: 64 digits.
    init?(_ text: Substring) {
        guard text.utf8.count == 64 else { return nil }
        let parts = (0..<4).compactMap { part in
            UInt64(text.dropFirst(part * 16).prefix(16), radix: 16)
        }
        guard parts.count == 4 else { return nil }
        (first, second, third, fourth) = (parts[0], parts[1], parts[2], parts[3])
    }

    var text: String {
        [first, second, third, fourth].map { part in
            let digits = String(part, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
