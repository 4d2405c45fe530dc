import Enforcement
import Foundation
import Storage

/// Writes a part's trouble with the database down, for as long as there is any.
struct DatabaseWatch {
    private let store: Store
    private let path: String
    private let pulse: PartPulse
    private var since: Instant?

    init(_ store: Store, of part: Part, in folder: RunFolder, pulse: PartPulse) {
        (self.store, self.pulse) = (store, pulse)
        path = folder.trouble(of: part)
    }

    /// Looks once, without a call of the database: that would wait for whoever holds it.
    mutating func look() {
        guard let error = store.trouble else {
            if since != nil { unlink(path) }
            since = nil
            return
        }
        let began = since ?? BoxClock.now
        since = began
        RunFolder.write(DatabaseTrouble(error, since: began), to: path)
        if error.kind == .busy { pulse.waitsForDatabase() }
    }
}
