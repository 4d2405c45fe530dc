import Foundation
import Pages

extension Texts {
    static let english = Texts(language: "en", PackageResources.en_json)
    static let nepali = Texts(language: "ne", PackageResources.ne_json)

    static func of(_ language: String?) -> Texts { language == "ne" ? nepali : english }
}
