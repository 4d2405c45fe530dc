import Foundation

/// What an address in the configuration must be; `setup` asks by the same rule.
package struct AddressRule {
    let schemes: [String]

    package static let server = AddressRule(schemes: ["https", "http"])

    /// Of a camera of this kind; nil for one that has a path.
    package static func camera(kind: String) -> Self? {
        switch kind {
        case "rtsp": Self(schemes: ["rtsp", "rtsps"])
        case "mjpeg", "snapshots": Self(schemes: ["http", "https"])
        default: nil
        }
    }

    package struct Mistake {
        package var reason: String
        package var allowed: String
    }

    package func mistake(in address: String, login: String = "\"user\" and \"password_file\"") -> Mistake? {
        guard let url = URLComponents(string: address), schemes.contains(url.scheme?.lowercased() ?? ""),
            url.host?.isEmpty == false
        else {
            return Mistake(
                reason: "this is no address",
                allowed: "an address that begins with " + schemes.map { "\($0)://" }.joined(separator: " or "))
        }
        guard url.user == nil, url.password == nil else {
            return Mistake(reason: "the login stands in the address, where logs would show it", allowed: login)
        }
        return nil
    }
}
