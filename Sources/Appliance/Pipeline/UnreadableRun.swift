/// Counts the pictures of a camera that can't be read, as long as no good one comes between.
struct UnreadableRun {
    /// A camera that sends so many is no camera: its lens, its cable or its settings are broken.
    static let most = 10

    private(set) var count = 0

    /// - Returns: whether it is time to say so: at ten, and after every further ten.
    mutating func goesOn() -> Bool {
        count += 1
        return count.isMultiple(of: Self.most)
    }

    /// - Returns: whether it had been said.
    mutating func ends() -> Bool {
        defer { count = 0 }
        return count >= Self.most
    }
}
