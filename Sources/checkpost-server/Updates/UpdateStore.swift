import Foundation

/// The packages that are offered to the boxes: files named by their content, in one folder.
package struct UpdateStore: Sendable {
    package let folder: String

    static let mostBytes = 2 << 30
    static let mostSignatureBytes = 4096

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
        else { throw Settings.Mistake(description: "\(file) is no package that can be read.") }
        guard let signature = FileManager.default.contents(atPath: file + ".sig"),
            (1...Self.mostSignatureBytes).contains(signature.count),
            // 64 bytes as they are, or in base64.
            let text = signature.count == 64
                ? signature.base64EncodedString()
                : String(data: signature, encoding: .utf8)?.trimmingCharacters(in: .whitespacesAndNewlines),
            !text.isEmpty
        else {
            throw Settings.Mistake(
                description:
                    "\(file).sig is not there: no box would take the package. `deploy/package --sign` makes it.")
        }
        let hash = PhotoStore.hash(of: data)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let temporary = path(hash) + ".part"
        do {
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
        return Package(fileName: name, bytes: data.count, sha256: hash, signature: text)
    }

    /// Removes the files that are offered no more.
    func keepOnly(_ hashes: Set<String>) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasSuffix(".deb") && !hashes.contains(String(name.dropLast(4))) { unlink("\(folder)/\(name)") }
    }
}
