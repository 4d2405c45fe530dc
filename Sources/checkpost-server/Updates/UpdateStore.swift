import Foundation

/// The packages that are offered to the boxes: files named by their content, in one folder.
package struct UpdateStore: Sendable {
    package let folder: String

    static let mostBytes = 2 << 30

    func path(_ sha256: String) -> String { "\(folder)/\(sha256).deb" }

    /// What a package is offered as.
    package struct Package: Sendable {
        package var fileName: String
        package var bytes: Int
        package var sha256: String
        package var signature: String
    }

    /// Takes a copy of a package, whole or not at all, that the service may read.
    ///
    /// - Throws: `Settings.Mistake` that says what is wrong with it.
    package func take(_ file: String) throws -> Package {
        let name = URL(fileURLWithPath: file).lastPathComponent
        let size = (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
        guard size > 0, size <= Self.mostBytes,
            let data = try? Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
        else { throw Settings.Mistake(description: "\(file) is no file that can be read, or larger than 2 GB.") }
        guard data.starts(with: Data("!<arch>\n".utf8)) else {
            throw Settings.Mistake(description: "\(file) is no Debian package. deploy/package makes one.")
        }
        guard let signature = FileManager.default.contents(atPath: file + ".sig") else {
            throw Settings.Mistake(
                description:
                    "\(file).sig is not there: no box would take the package. `deploy/package --sign` makes it.")
        }
        // 64 bytes as they are, or in base64.
        let text = String(decoding: signature, as: UTF8.self).filter { !$0.isWhitespace }
        guard let bytes = signature.count == 64 ? signature : Data(base64Encoded: text), bytes.count == 64 else {
            throw Settings.Mistake(
                description: "\(file).sig is no signature: it has 64 bytes, or 88 characters of base64.")
        }
        let hash = PhotoStore.hash(of: data)
        let temporary = path(hash) + ".part"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            unlink(temporary)
            try FileManager.default.copyItem(atPath: file, toPath: temporary)
            // The command is root's, and the service isn't.
            chmod(temporary, 0o644)
            guard
                try PhotoStore.hash(of: Data(contentsOf: URL(fileURLWithPath: temporary), options: .alwaysMapped))
                    == hash
            else { throw Settings.Mistake(description: "\(file) changed while it was copied. Offer it again.") }
            guard rename(temporary, path(hash)) == 0 else { throw CocoaError(.fileWriteUnknown) }
            chmod(folder, 0o755)
        } catch let mistake as Settings.Mistake {
            unlink(temporary)
            throw mistake
        } catch {
            unlink(temporary)
            throw Settings.Mistake(
                description:
                    "\(file) can't be copied to \(folder): \(error.localizedDescription) It is root's: use sudo.")
        }
        return Package(fileName: name, bytes: data.count, sha256: hash, signature: bytes.base64EncodedString())
    }

    /// Removes the files that are offered no more.
    func keepOnly(_ hashes: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasSuffix(".deb") && !hashes.contains(String(name.dropLast(4))) { unlink("\(folder)/\(name)") }
    }
}
