import Foundation

@testable import Appliance

/// A suite that reads configurations as they are typed.
protocol ReadsConfigurations {}

extension ReadsConfigurations {
    static var smallest: String {
        """
        [post]
        code = "BNP-A"
        other_code = "BNP-B"
        [segment]
        distance_km = 45
        max_speed_kmh = 40.0
        min_speed_kmh = 10
        [[camera]]
        name = "gate"
        kind = "folder"
        path = "incoming"
        """
    }

    func read(_ text: String) throws -> Configuration {
        try ConfigurationReader.read(text: text, path: "checkpost.toml", relativeTo: "/etc/checkpost")
    }

    func mistakes(_ text: String) -> [ConfigurationMistake] {
        do {
            _ = try read(text)
            return []
        } catch let error as ConfigurationError {
            return error.mistakes
        } catch {
            return [.init(problem: "\(error)", allowed: "")]
        }
    }
}
