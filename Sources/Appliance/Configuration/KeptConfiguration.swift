import Enforcement
import Foundation

/// The configuration that the box last came up with, for a start at which somebody has broken the file.
///
/// It lies in the spare folder, which the service can write, or beside a file that is not in its usual place. Passwords may be in it: it is
/// for its user alone.
package struct KeptConfiguration {
    /// Of the configuration.
    private let path: String
    private let file: String

    package init(of path: String, spare: String = DataHome.usualSpare) {
        self.path = path
        let isUsual = path == Configuration.defaultPath && Presence.of(spare) == .there
        file = isUsual ? spare + "/checkpost.toml.kept" : path + ".kept"
    }

    /// Nothing depends on it while the file is right.
    ///
    /// - Throws: when it can't be written: then a mistake in the file will stop the box.
    func keep(_ text: Data) throws {
        guard FileManager.default.contents(atPath: file) != text else { return }
        try ServiceUser.write(text, to: file, for: nil, isSecret: true)
    }

    /// Nil when none is known, or it can't be used by this version.
    package func read() -> (configuration: Configuration, text: Data, keptAt: Instant?)? {
        guard let text = FileManager.default.contents(atPath: file) else { return nil }
        let configuration = try? ConfigurationReader.read(
            text: String(decoding: text, as: UTF8.self), path: path,
            relativeTo: URL(fileURLWithPath: path).deletingLastPathComponent().path)
        var status = stat()
        let isDated = stat(file, &status) == 0
        return configuration.map {
            ($0, text, isDated ? Instant(seconds: Double(status.st_mtim.tv_sec)) : nil)
        }
    }
}
