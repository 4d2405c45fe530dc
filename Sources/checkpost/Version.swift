/// The version that `--version`, `status` and the server are told.
enum Version {
    static let text = "0.1.0"
}
