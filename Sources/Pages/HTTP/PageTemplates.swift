import Foundation
import Mustache

/// Templates by name: those that all pages share, and a program's own. They escape whatever they are given.
package struct PageTemplates: Sendable {
    private let library: MustacheLibrary

    package init(_ files: [String: [UInt8]]) {
        let shared: [String: [UInt8]] = [
            "message": PackageResources.message_mustache, "picture": PackageResources.picture_mustache,
            "viewer": PackageResources.viewer_mustache, "language": PackageResources.language_mustache,
            "chart": PackageResources.chart_mustache, "crop": PackageResources.crop_mustache,
        ]
        // A template that doesn't parse is left out, and the test that renders all of them fails.
        library = MustacheLibrary(
            templates: shared.merging(files) { $1 }.compactMapValues {
                try? MustacheTemplate(string: String(decoding: $0, as: UTF8.self))
            })
    }

    /// Nil for a template that is not there.
    package func render(_ name: String, _ model: [String: Any]) -> String? {
        library.render(model, withTemplate: name)
    }
}
