import Foundation
import HTTPTypes
import Hummingbird

package func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
        status: status, headers: [.contentType: "text/html; charset=utf-8"],
        body: .init(byteBuffer: ByteBuffer(string: text)))
}

package func bytes(_ data: some Collection<UInt8>, _ mediaType: String, cacheControl: String? = nil) -> Response {
    var headers: HTTPFields = [.contentType: mediaType]
    if let cacheControl { headers[.cacheControl] = cacheControl }
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: data)))
}

extension Response {
    /// To a page of ours, to be fetched with GET.
    package static func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path])
    }
}

extension Request {
    /// The page of ours that the request came from; nil when it came from none, or from what only takes forms.
    package var comesFrom: String? {
        guard let referer = HTTPField.Name("Referer").flatMap({ headers[$0] }),
            let address = URLComponents(string: referer), address.path.hasPrefix("/"), !address.path.hasPrefix("//"),
            !address.path.hasPrefix("/do/")
        else { return nil }
        return address.percentEncodedPath + (address.percentEncodedQuery.map { "?" + $0 } ?? "")
    }
}
