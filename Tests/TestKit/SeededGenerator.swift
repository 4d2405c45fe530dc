/// Numbers that follow from a seed (SplitMix64), so that a failure can be replayed.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }

    package mutating func bytes(count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

    /// A number from 0 to below `limit`, which is at most 65,536.
    package mutating func below(_ limit: Int) -> Int { (Int(byte()) << 8 | Int(byte())) % limit }
}
