import Enforcement
import Foundation
import Glibc

/// Takes pictures that are answered for out of a camera's folder.
///
/// A camera may write another picture under the same name at any moment. So a file is first renamed, then looked at, and goes only if it
/// is the one that was answered for; otherwise it is put back, and comes to its turn.
package struct FolderTidying: Sendable {
    private let directory: FolderDirectory

    /// Hidden names are no pictures, for this program as for cameras that send by FTP.
    private static let prefix = ".checkpost-answered-"

    package init(path: String) {
        directory = FolderDirectory(path: path)
    }

    /// A picture in the folder.
    package struct Picture: Sendable, Equatable {
        let file: FolderFile

        /// As the consumer remembers it.
        package var key: String { file.sourceKey }
        package var bytes: Int { Int(file.size) }
    }

    /// The pictures that are in the folder now, the oldest first.
    package func pictures() throws(CameraFailure) -> [Picture] {
        try directory.list().map(Picture.init).sorted {
            ($0.file.modifiedNanoseconds, $0.file.name) < ($1.file.modifiedNanoseconds, $1.file.name)
        }
    }

    /// Removes a picture, or moves it to the folder `done`.
    ///
    /// - Returns: false when it is no longer there, or when another one is by now.
    /// - Throws: `CameraFailure` when the folder doesn't let it go.
    package func take(_ picture: Picture, moves: Bool) throws(CameraFailure) -> Bool {
        let place = directory.path + "/" + picture.file.name
        let folder = place.lastIndex(of: "/").map { String(place[..<$0]) } ?? directory.path
        let aside = folder + "/" + Self.prefix + picture.file.baseName
        guard rename(place, aside) == 0 else {
            if errno == ENOENT { return false }
            throw failure("take a picture out of", errno)
        }
        var status = stat()
        guard lstat(aside, &status) == 0,
            FolderFile(name: picture.file.name, status: status)?.sourceKey == picture.key
        else {
            // Should yet another one have come by now, it is the newer, and this one waits under its hidden name for a person.
            if link(aside, place) == 0 {
                unlink(aside)
            } else if errno != EEXIST, lstat(place, &status) != 0 {
                // File systems of sticks and cards know no links.
                _ = rename(aside, place)
            }
            return false
        }
        if moves {
            try move(aside, as: picture.file)
        } else if unlink(aside) != 0, errno != ENOENT {
            throw failure("remove a picture from", errno)
        }
        return true
    }

    /// Two pictures of one name, of two folders or two times, keep both.
    private func move(_ aside: String, as file: FolderFile) throws(CameraFailure) {
        let done = directory.path + "/" + FolderDirectory.done
        guard mkdir(done, 0o775) == 0 || errno == EEXIST else { throw failure("make the folder done in", errno) }
        for name in [file.baseName, "\(file.modifiedNanoseconds)-\(file.size)-\(file.baseName)"] {
            if link(aside, done + "/" + name) == 0 {
                unlink(aside)
                return
            }
            if errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS {
                var status = stat()
                if lstat(done + "/" + name, &status) == 0 { continue }
                if rename(aside, done + "/" + name) == 0 { return }
            }
            guard errno == EEXIST else { break }
        }
        let code = errno
        _ = rename(aside, directory.path + "/" + file.name)
        throw failure("move a picture to done in", code)
    }

    private func failure(_ tried: String, _ code: Int32) -> CameraFailure {
        CameraFailure(
            "Can't \(tried) the folder \(directory.path): \(FolderDirectory.text(code))",
            hint:
                "Let the user that runs checkpost write into the folder (chmod, chown or its group), or set pictures = \"keep\" "
                + "for this camera.")
    }
}
