import HTTPTypes
import Hummingbird

/// What stands between our pages and those of other sites.
package enum PageSafety {
    /// Whether a writing request comes from a page of ours, as far as the browser says.
    package static func isOwn(_ request: Request) -> Bool {
        if let site = request.headers[.init("Sec-Fetch-Site") ?? .origin], site == "cross-site" || site == "same-site" {
            return false
        }
        guard let origin = request.headers[.origin] else { return true }
        let authority = origin.split(separator: "/", omittingEmptySubsequences: true).last.map(String.init)
        return origin != "null" && authority == request.head.authority
    }

    /// What every answer carries: nothing is fetched from elsewhere, no style and no script runs but our own, and nobody frames us.
    package static func secure(_ response: inout Response) {
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'self'; style-src \(PageStyle.source); img-src 'self' data:; media-src 'self'; "
            + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        response.headers[.xContentTypeOptions] = "nosniff"
        for (name, value) in [
            ("Referrer-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
        ] {
            if let name = HTTPField.Name(name) { response.headers[name] = value }
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    }
}
