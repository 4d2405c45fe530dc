/// What is replayed, and as whose.
package struct ReplayPath: Sendable {
    /// The code of the checkpost; nil for the configured one.
    package var code: String?

    /// A folder of pictures, a picture or a video.
    package var path: String

    package init(code: String? = nil, path: String) {
        self.code = code
        self.path = path
    }
}
