import Enforcement
import Foundation

/// A package that was named for an update, taken into the box's own folder, where nobody changes it any more.
struct UpdatePackage: Sendable {
    let version: String
    let installedBytes: Int

    private static let mostSignatureBytes = 4096
    private static let mostPackageBytes = 2 << 30

    /// Room that is left beside what is counted.
    private static let marginBytes = 64 << 20

    /// Copies the package, and checks the copy.
    ///
    /// - Throws: `AdvisedError` that says why it is not taken; nothing is left of it then.
    static func take(_ file: String, key: UpdateSignature, into places: UpdatePlaces, tools: UpdateTools) throws -> Self
    {
        do {
            try copy(file, to: places.package, freeBytes: DiskSpace.freeBytes(at: places.folder))
            guard let signature = FileManager.default.contents(atPath: file + ".sig"),
                signature.count <= mostSignatureBytes
            else {
                throw AdvisedError(
                    "\(file).sig is not there: nobody says whose package this is.",
                    hint: "Copy the signature beside the package. deploy/package --sign makes it.")
            }
            try key.check(places.package, signature: signature, named: file)
            return try read(places.package, tools: tools)
        } catch {
            unlink(places.package)
            throw error
        }
    }

    private static func copy(_ file: String, to path: String, freeBytes: Int?) throws {
        let size = (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
        guard size > 0, size <= mostPackageBytes else {
            throw AdvisedError(
                "\(file) is no package that can be read.", hint: "Is the stick mounted, and the file there?")
        }
        if let freeBytes, freeBytes < size + marginBytes {
            throw AdvisedError(
                "There is no room for the package: it needs \(Wording.bytes(size + marginBytes)), and \(Wording.bytes(freeBytes)) are free.",
                hint: "Free space on the disk of /opt.")
        }
        unlink(path)
        do { try FileManager.default.copyItem(atPath: file, toPath: path) } catch {
            throw AdvisedError(
                "\(file) can't be copied: \(error.localizedDescription)", hint: "Copy it to this disk first.")
        }
        chmod(path, 0o644)
    }

    /// What the package says of itself. Its signature was checked: whoever made it is trusted, and may err.
    private static func read(_ path: String, tools: UpdateTools) throws -> Self {
        let name = try tools.field("Package", of: path)
        guard name == "checkpost" else {
            throw AdvisedError("That is a package of \(name), not of checkpost.", hint: "Name the package of the box.")
        }
        let (architecture, ours) = (try tools.field("Architecture", of: path), tools.architecture())
        guard architecture == ours || architecture == "all" else {
            throw AdvisedError(
                "The package is for \(architecture), and this machine is \(ours).", hint: "Take the one for \(ours).")
        }
        let version = try tools.field("Version", of: path)
        guard isName(version) else {
            throw AdvisedError("The package's version, \(version), can't be used.", hint: "Make the package again.")
        }
        let kilobytes = Int(try tools.field("Installed-Size", of: path)) ?? 0
        return UpdatePackage(version: version, installedBytes: min(max(0, kilobytes), 1 << 40) << 10)
    }

    /// It becomes the name of a folder.
    private static func isName(_ version: String) -> Bool {
        let isPlain = version.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || "+-.:~_".utf8.contains(byte)
        }
        return isPlain && version.first?.isNumber == true && version.utf8.count <= 128
    }

    /// - Throws: `AdvisedError` when the new program with two copies of the database doesn't fit.
    func needRoom(databaseBytes: Int, freeBytes: Int?) throws {
        let needed = installedBytes + 2 * databaseBytes + Self.marginBytes
        guard let freeBytes, freeBytes < needed else { return }
        throw AdvisedError(
            "There is no room to install it beside the version that runs: it needs \(Wording.bytes(needed)), and "
                + "\(Wording.bytes(freeBytes)) are free.", hint: "Free space on the disk of /opt.")
    }
}
