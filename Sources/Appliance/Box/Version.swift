/// The version that `--version`, `status` and the server are told.
package enum Version {
    package static let text = "0.1.0"
}
