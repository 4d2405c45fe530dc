import Enforcement
import Foundation

/// Reads a picture's file, with a bound.
package enum PictureFile {
    /// Larger files are refused before they are read.
    package static let maximumBytes = 100 << 20

    package static func read(_ path: String) throws -> Data {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let attributes else { throw AdvisedError("there is no such file.", hint: "Check the path.") }
        guard attributes[.type] as? FileAttributeType != .typeDirectory else {
            throw AdvisedError("this is a folder.", hint: "Name the pictures in it, or use `checkpost replay`.")
        }
        // It follows links.
        guard FileManager.default.fileExists(atPath: path) else {
            throw AdvisedError("the link leads nowhere.", hint: "Check the path.")
        }
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let file = try? FileManager.default.attributesOfItem(atPath: resolved) else {
            throw AdvisedError("the file can't be read.", hint: "Check its permissions.")
        }
        guard file[.type] as? FileAttributeType == .typeRegular else {
            throw AdvisedError("this is no file but a pipe or a device.", hint: "Name a picture's file.")
        }
        guard let size = file[.size] as? Int, size <= maximumBytes else {
            throw AdvisedError("the file is larger than 100 MB.", hint: "A camera's picture is smaller.")
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw AdvisedError("the file can't be read.", hint: "Check its permissions.")
        }
        return data
    }
}
