import Enforcement
import Foundation
import Storage

/// Writes a part's trouble with the database down, for as long as there is any.
struct DatabaseWatch {
    private let store: Store
    private let path: String
    private let desk: PartDesk
    private var since: Instant?

    init(_ store: Store, of desk: PartDesk) {
        (self.store, self.desk) = (store, desk)
        path = desk.folder.trouble(of: desk.part)
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
        RunFolder.write(DatabaseTrouble(error, waiting: desk.waiting.count, since: began), to: path)
        if error.kind == .busy { desk.pulse.waitsForDatabase() }
    }
}
