import Foundation
import Storage

/// What a box that is to become another post would leave behind.
package enum PostMove {
    package struct Left: Sendable, Equatable {
        /// Whose records they are.
        package var post: String

        /// Records and pictures that the server doesn't have.
        package var waiting: Int
    }

    /// What waits in a data folder of any other post than this one; nil when nothing does.
    ///
    /// - Parameter code: nil for any post.
    /// - Throws: `StoreError` when the database can't be read.
    package static func left(in dataFolder: String, by code: String?) throws -> Left? {
        let path = dataFolder + "/checkpost.sqlite"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let store = try Store(path: path)
        defer { try? store.close() }
        guard let post = try store.passages.list(limit: 1).first?.passage.checkpostCode, post != code else {
            return nil
        }
        let figures = try SyncFigures(store, at: BoxClock.now)
        let waiting = figures.waiting + figures.refused + figures.photosWaiting
        return waiting > 0 ? Left(post: post, waiting: waiting) : nil
    }
}
