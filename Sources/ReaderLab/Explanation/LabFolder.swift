import Enforcement
import Foundation

/// The folder that somebody names for pages and pictures.
enum LabFolder {
    /// Makes it where it isn't there.
    static func make(_ folder: URL) throws {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw AdvisedError("\(folder.path) can't be made.", hint: "Name a folder that can be written.")
        }
    }
}
