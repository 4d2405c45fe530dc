import Enforcement
import Foundation
import Synchronization

/// Small pictures for pages with many: each made once, when somebody looks first, and kept on this machine until its photo goes.
struct SmallPictures: Sendable {
    let folder: String

    /// One at a time is made: a decoder's memory is that of one picture.
    private static let making = Mutex(())

    /// - Parameter original: the photo's bytes, checked; asked for only when there is no small one yet.
    /// - Returns: nil where no small one can be made: it is no JPEG, a damaged or unusual one, or small already.
    func picture(of hash: String, _ cut: SmallPicture.Cut, original: () throws -> Data?) throws -> Data? {
        let file = place(of: hash) + "/" + Self.name(cut)
        // A file that a power cut left without its end is made again.
        if let kept = FileManager.default.contents(atPath: file), SmallPicture.isWhole(kept) { return kept }
        guard let original = try original(),
            let made = Self.making.withLock({ _ in SmallPicture.made(of: original, cut) })
        else { return nil }
        // Without it the picture is made again: a full disk keeps nobody from looking.
        try? keep(made, at: file)
        return made
    }

    func remove(_ hash: String) {
        try? FileManager.default.removeItem(atPath: place(of: hash))
    }

    private func place(of hash: String) -> String { "\(folder)/\(hash.prefix(2))/\(hash)" }

    private static func name(_ cut: SmallPicture.Cut) -> String {
        switch cut {
        case .whole: "whole.jpg"
        case .plate(let place): "plate-\(place.view.x)-\(place.view.y)-\(place.view.width)-\(place.view.height).jpg"
        }
    }

    private func keep(_ picture: Data, at path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let temporary = path + "." + UUID().uuidString
        do {
            try picture.write(to: URL(fileURLWithPath: temporary))
            guard rename(temporary, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error
        }
    }
}
