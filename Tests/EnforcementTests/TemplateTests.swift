import Foundation
import Testing

/// A template that nobody names, and a part that isn't there, show nothing and fail nowhere.
@Suite("The templates of the pages", .timeLimit(.minutes(1)))
struct TemplateTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources")

    @Test(arguments: ["Console", "checkpost-server"])
    func `are all named, with each of their parts`(target: String) throws {
        var (templates, code): ([String: String], String) = ([:], "")
        for folder in [target, "Pages"] {
            let root = Self.sources.appending(path: folder)
            let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
            for case let file as URL in files {
                if file.pathExtension == "mustache" {
                    templates[file.deletingPathExtension().lastPathComponent] = try String(
                        contentsOf: file, encoding: .utf8)
                } else if file.pathExtension == "swift" {
                    code += try String(contentsOf: file, encoding: .utf8)
                }
            }
        }
        #expect(templates.count > 10)
        for (name, text) in templates {
            #expect(code.contains("\"\(name)\": PackageResources."), "\(name).mustache is not named in \(target)")
            for part in text.matches(of: /\{\{[><] ?([a-z-]+)/) {
                #expect(templates[String(part.output.1)] != nil, "\(name).mustache shows \(part.output.1)")
            }
        }
    }
}
