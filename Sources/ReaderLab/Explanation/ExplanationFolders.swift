import Foundation

/// A folder for each picture that is explained, by its name; pictures of the same name get a number behind it.
package struct ExplanationFolders {
    private let parent: URL
    private var taken: Set<String> = []

    package init(in parent: String) {
        self.parent = URL(fileURLWithPath: parent)
    }

    package mutating func folder(for path: String) -> URL {
        let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        let name = file.isEmpty ? "picture" : file
        var unused = name
        var number = 2
        while !taken.insert(unused).inserted {
            unused = "\(name)-\(number)"
            number += 1
        }
        return parent.appendingPathComponent(unused, isDirectory: true)
    }
}
