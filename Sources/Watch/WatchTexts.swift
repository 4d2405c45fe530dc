import Enforcement
import Foundation
import Pages

/// What the text console says, in one language: its own texts, and those that the pages have too.
package typealias WatchTexts = Texts

extension WatchTexts {
    static let english = Texts(language: "en", PackageResources.en_json)
    static let nepali = Texts(language: "ne", PackageResources.ne_json)

    static func speaking(_ language: String) -> WatchTexts { language == "ne" ? nepali : english }

    /// The language that was asked for, or else the environment's. A Linux console's own screen has no Devanagari letters: there it is
    /// English, unless Nepali is asked for.
    package static func watching(
        in wanted: String?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> WatchTexts {
        if let wanted { return speaking(wanted) }
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        return speaking(locale.hasPrefix("ne") && environment["TERM"] != "linux" ? "ne" : "en")
    }
}
