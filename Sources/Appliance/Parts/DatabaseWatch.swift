import Enforcement
import Foundation
import Storage

/// Writes a part's trouble with the database down, for as long as there is any.
struct DatabaseWatch {
    private let store: Store
    private let path: String
    private var since: Instant?

    init(_ store: Store, of part: Part, in folder: RunFolder) {
        self.store = store
        path = folder.trouble(of: part)
    }

    /// Looks once. While there is trouble a write is tried, so that it is seen to be over by a part that has nothing to write.
    mutating func look() {
        if store.trouble != nil { _ = try? store.tryWriting() }
        guard let error = store.trouble else {
            if since != nil { unlink(path) }
            since = nil
            return
        }
        let began = since ?? BoxClock.now
        since = began
        RunFolder.write(DatabaseTrouble(error, since: began), to: path)
    }
}
