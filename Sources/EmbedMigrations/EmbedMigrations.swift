import Foundation
import PackagePlugin

/// Writes the SQL files of `deploy/server/migrations` and `deploy/server/functions` into a Swift file of the server's target, so that the
/// program and the lists that it knows can't differ.
///
/// A command before the build and not one of its steps: a file that is added to the folder has to be noticed, too.
@main
struct EmbedMigrations: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let package = context.package.directoryURL
        let output = context.pluginWorkDirectoryURL
        let paths = [
            package.appending(path: "Sources/EmbedMigrations/embed"),
            package.appending(path: "deploy/server/migrations"),
            package.appending(path: "deploy/server/functions"),
            output.appending(path: "EmbeddedMigrations+files.swift"),
        ]
        return [
            .prebuildCommand(
                displayName: "Embedding the server's SQL", executable: URL(filePath: "/bin/sh"),
                arguments: paths.map { $0.path(percentEncoded: false) }, outputFilesDirectory: output)
        ]
    }
}
