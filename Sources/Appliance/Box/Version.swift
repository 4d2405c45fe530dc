import CVersion

/// The version that `--version`, `status` and the server are told.
///
/// It is git's word (deploy/version), and stands nowhere else.
package enum Version {
    package static let text = String(cString: checkpost_version())

    /// The commit that the program was built from.
    package static let commit = String(cString: checkpost_commit())
}
