import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// A script, a sound or a drawing that stands in the program. A browser that has it asks whether it changed, and is told by its tag.
package struct PageAsset: Sendable {
    private let content: [UInt8]
    private let mediaType: String
    private let tag: String

    /// What every page needs: the viewer of pictures, and lists that go on.
    package static let script = PageAsset(PackageResources.pages_js, "text/javascript; charset=utf-8")
    package static let icon = PageAsset(PackageResources.icon_svg, "image/svg+xml")

    package init(_ content: [UInt8], _ mediaType: String) {
        self.content = content
        self.mediaType = mediaType
        tag = "\"" + hexadecimal(Data(SHA256.hash(data: Data(content)).prefix(8))) + "\""
    }

    package func answer(_ request: Request) -> Response {
        if request.headers[.ifNoneMatch] == tag {
            return Response(status: .notModified, headers: [.eTag: tag, .cacheControl: "no-cache"])
        }
        var answer = bytes(content, mediaType, cacheControl: "no-cache")
        answer.headers[.eTag] = tag
        return answer
    }
}
