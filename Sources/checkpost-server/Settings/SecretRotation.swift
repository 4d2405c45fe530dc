import Enforcement
import Foundation

/// Gives a configuration a new `auth.jwt_secret` and keeps the former one beside it, in the text as a person wrote it.
struct SecretRotation {
    /// - Returns: the new text.
    /// - Throws: ``Settings/Mistake`` where the text has no line for the secret, or would not be a configuration any more.
    static func rotated(_ text: String, new: Secret) throws -> String {
        let before = try SettingsFile.settings(toml: text)
        var lines = text.components(separatedBy: "\n")
        guard let place = lines.firstIndex(where: { $0.wholeMatch(of: /\s*jwt_secret\s*=.*/) != nil }) else {
            throw Settings.Mistake(description: "There is no line with jwt_secret.")
        }
        let former = [before.jwtSecret] + before.formerSecrets
        guard former.count <= 3 else {
            throw Settings.Mistake(
                description:
                    "Three former secrets are good still. Take the oldest out of auth.former_jwt_secrets, once no client has its key."
            )
        }
        lines[place] = "jwt_secret = \"\(new.revealed)\""
        lines.removeAll { $0.wholeMatch(of: /\s*former_jwt_secrets\s*=.*/) != nil }
        let again = lines.firstIndex { $0.hasPrefix("jwt_secret = ") } ?? place
        let list = former.map { "\"\($0.revealed)\"" }.joined(separator: ", ")
        lines.insert("former_jwt_secrets = [\(list)]", at: again + 1)
        let made = lines.joined(separator: "\n")
        var wanted = before
        (wanted.jwtSecret, wanted.formerSecrets) = (new, former)
        guard (try? SettingsFile.settings(toml: made)) == wanted else {
            throw Settings.Mistake(
                description:
                    "The file is written in a way that this can't change. Put jwt_secret into auth.former_jwt_secrets "
                    + "and a new one in its place by hand.")
        }
        return made
    }

    /// Changes the file, which keeps its owner and its mode.
    static func rotate(path: String, new: Secret = .random()) throws {
        var facts = stat()
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), stat(path, &facts) == 0 else {
            throw Settings.Mistake(description: "\(path) can't be read. It is root's: use sudo.")
        }
        let made = try rotated(text, new: new)
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Settings.Mistake(description: "\(temporary) can't be written: \(String(cString: strerror(errno))).")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data(made.utf8))
        guard fchown(descriptor, facts.st_uid, facts.st_gid) == 0, fchmod(descriptor, facts.st_mode & 0o777) == 0,
            fsync(descriptor) == 0, rename(temporary, path) == 0
        else {
            unlink(temporary)
            throw Settings.Mistake(description: "\(path) can't be replaced: \(String(cString: strerror(errno))).")
        }
    }
}
