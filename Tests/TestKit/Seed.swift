import Foundation

/// The seed of a test that draws its cases by chance.
package enum Seed {
    /// `CHECKPOST_SEED` from the environment, or one by chance. It is printed either way, so that what failed can be repeated.
    package static func drawn(file: String = #fileID, line: Int = #line) -> UInt64 {
        let given = ProcessInfo.processInfo.environment["CHECKPOST_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...UInt64.max)
        print("\(file):\(line): CHECKPOST_SEED=\(seed)")
        return seed
    }
}
