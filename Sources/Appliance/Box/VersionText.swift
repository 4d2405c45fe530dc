import Recognition

/// What `--version` says: the program, the commit that it was built from, and the models that it reads with.
package enum VersionText {
    package static var whole: String {
        let program = "checkpost \(Version.text) (commit \(Version.commit))"
        guard let folder = try? ModelFolder.folder(of: ModelFolder.latinModel, given: nil),
            let shelf = try? ModelShelf(folder: folder)
        else { return program + "\nno models" }
        let models = shelf.entries().filter(\.isUsed).map { "\($0.name) \($0.hash)" }
        return program + "\nmodels in \(folder): \(models.joined(separator: ", "))"
    }
}
