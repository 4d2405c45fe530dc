import Enforcement
import Foundation

/// Where in S3-compatible storage something is kept, and who asks for it there.
package struct S3Place: Sendable, Equatable {
    /// `https://s3.example.org`, with a port if it has one of its own. The bucket stands in the path, never in the host's name.
    package var endpoint: String
    package var bucket: String
    package var region = "us-east-1"
    /// Stands before every name: `checkpost/`, or nothing.
    package var prefix = ""
    package var accessKey: String
    /// A file with the secret key and nothing else, so that it stands in no configuration that is passed on.
    package var secretKeyFile: String
    /// Certificates in PEM that are believed instead of the system's.
    package var certificateFile: String?

    /// What can't work, and what would; nil when all of it can.
    ///
    /// - Parameter section: of the configuration: `photo_bucket`.
    func complaint(_ section: String) -> String? {
        if host == nil {
            return "\(section).endpoint is an address such as \"https://s3.example.org\", without a path."
        }
        if bucket.wholeMatch(of: /[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/) == nil {
            return "\(section).name is a name of 3 to 63 small letters, digits, dots and hyphens."
        }
        if region.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) == nil {
            return "\(section).region is a name such as \"us-east-1\"."
        }
        if !prefix.isEmpty, prefix.count > 200 || prefix.wholeMatch(of: /([A-Za-z0-9_-][A-Za-z0-9._-]*\/)+/) == nil {
            return
                "\(section).prefix ends with a slash, such as \"checkpost/\", and has letters, digits and ._- before it."
        }
        if accessKey.wholeMatch(of: /[A-Za-z0-9._@-]{1,256}/) == nil {
            return "\(section).access_key is missing: the name of the key, as the storage gave it."
        }
        if !secretKeyFile.hasPrefix("/") {
            return "\(section).secret_key_file is the whole path of a file with the secret key and nothing else."
        }
        return nil
    }

    /// The host with its port, as it stands in the field `Host`; nil for no address of http or https.
    var host: String? {
        guard let parts = URLComponents(string: endpoint), let name = parts.host, !name.isEmpty,
            ["http", "https"].contains(parts.scheme), ["", "/"].contains(parts.path), parts.query == nil,
            parts.user == nil, parts.password == nil, parts.fragment == nil
        else { return nil }
        let isUsual = parts.port == nil || parts.port == (parts.scheme == "https" ? 443 : 80)
        return isUsual ? name : "\(name):\(parts.port ?? 0)"
    }

    /// - Throws: ``Settings/Mistake`` for a file that can't be read, that everybody may read, or that holds no key.
    func secretKey() throws(Settings.Mistake) -> Secret {
        var information = stat()
        guard stat(secretKeyFile, &information) == 0,
            let text = try? String(contentsOfFile: secretKeyFile, encoding: .utf8)
        else {
            throw Settings.Mistake(
                description: "The secret key in \(secretKeyFile) can't be read: \(String(cString: strerror(errno))). "
                    + "It is a file for root and the group checkpost-server: chown root:checkpost-server, chmod 640.")
        }
        guard information.st_mode & 0o007 == 0 else {
            throw Settings.Mistake(description: "Everybody may read the secret key in \(secretKeyFile): chmod 640.")
        }
        let key = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...256).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw Settings.Mistake(description: "\(secretKeyFile) holds no secret key: one line, and nothing else.")
        }
        return Secret(key)
    }
}
