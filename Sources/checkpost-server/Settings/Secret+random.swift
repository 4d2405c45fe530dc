import Enforcement

extension Secret {
    /// 256 bits from the system's generator, in hexadecimal.
    static func random() -> Secret {
        var generator = SystemRandomNumberGenerator()
        return Secret(
            (0..<4).map { _ in
                let digits = String(generator.next() as UInt64, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined())
    }
}
