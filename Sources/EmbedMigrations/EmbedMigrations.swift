import Foundation
import PackagePlugin

/// Writes the SQL files of `deploy/server/migrations` and `deploy/server/functions` into a Swift file of the server's target, so that the
/// program and the lists that it knows can't differ.
///
/// A step of the build that depends on the folders as well: a command before the build runs only when the build is planned anew, and an
/// SQL file that was changed alone would stay outside of the program.
@main
struct EmbedMigrations: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let package = context.package.directoryURL
        let script = package.appending(path: "Sources/EmbedMigrations/embed")
        let folders = ["deploy/server/migrations", "deploy/server/functions"].map { package.appending(path: $0) }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedMigrations+files.swift")
        return [
            .buildCommand(
                displayName: "Embedding the server's SQL", executable: URL(filePath: "/bin/sh"),
                arguments: ([script] + folders + [output]).map { $0.path(percentEncoded: false) },
                inputFiles: try [script] + folders.flatMap { try [$0] + below($0) }, outputFiles: [output])
        ]
    }

    /// All files and folders below a folder.
    private func below(_ folder: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
            .map { folder.appending(path: $0) }
    }
}
