import Capture
import Enforcement
import Foundation
import Storage

/// The files that setup reads and writes, with the owners that the service needs whatever the umask is.
package struct SetupFiles: Sendable {
    /// The configuration.
    package let path: String
    package let owner: ServiceUser?

    package init(path: String, owner: ServiceUser?) {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
        self.owner = owner
    }

    package var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    /// What was answered and is not in force yet. Passwords are in it: it is for whoever runs setup alone.
    private var draft: String { path + ".setup" }

    package func secretPath(_ name: String) -> String { "\(folder)/\(name).password" }

    /// What was answered before: in a setup that was not finished, or in the configuration that stands.
    package func standing() -> (answers: SetupAnswers, isUnfinished: Bool) {
        if let data = FileManager.default.contents(atPath: draft),
            let answers = try? JSONDecoder().decode(SetupAnswers.self, from: data)
        {
            return (answers, true)
        }
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        return (text.flatMap(SetupAnswers.init(standing:)) ?? SetupAnswers(), false)
    }

    /// Remembers what was answered so far.
    package func remember(_ answers: SetupAnswers) throws {
        try ServiceUser.makeFolder(folder, for: owner, isWritable: false)
        try ServiceUser.write(JSONEncoder.sorted.encode(answers), to: draft, for: nil, isSecret: true)
    }

    /// Puts the answers in force: secrets first, then the configuration, whole. The one that stood is kept with ".old" at its end.
    package func write(_ answers: SetupAnswers) throws {
        try ServiceUser.makeFolder(folder, for: owner, isWritable: false)
        let data = answers["data", "folder"]?.text ?? Configuration().dataFolder
        try ServiceUser.makeFolder(data, for: owner, isWritable: true)
        for camera in answers.cameras {
            guard let path = camera["path"]?.text, path.hasPrefix(data + "/") else { continue }
            try ServiceUser.makeFolder(path, for: owner, isWritable: true)
        }
        for (name, secret) in answers.secrets {
            try ServiceUser.write(Data((secret + "\n").utf8), to: secretPath(name), for: owner, isSecret: true)
        }
        _ = try ConfigurationReader.read(text: answers.toml, path: path, relativeTo: folder)
        if let old = FileManager.default.contents(atPath: path) {
            try ServiceUser.write(old, to: path + ".old", for: owner)
        }
        try ServiceUser.write(Data(answers.toml.utf8), to: path, for: owner)
        unlink(draft)
        try makeKey(dataFolder: data)
    }

    /// The key that the box signs its evidence with, where it has none yet.
    private func makeKey(dataFolder: String) throws {
        let keys = EvidenceKeys(dataFolder: URL(fileURLWithPath: dataFolder))
        guard keys.all().isEmpty else { return }
        _ = try keys.make()
        guard geteuid() == 0, let owner else { return }
        let files = FileManager.default.enumerator(atPath: keys.folder.path)?.compactMap { $0 as? String } ?? []
        for file in [keys.folder.path] + files.map({ keys.folder.path + "/" + $0 }) {
            _ = lchown(file, owner.user, owner.group)
        }
    }
}
