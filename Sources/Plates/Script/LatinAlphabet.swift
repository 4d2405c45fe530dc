/// The letters and digits of Latin plates, and what is taken for what among them.
package enum LatinAlphabet {
    /// Pairs that a camera or a tired eye takes for each other.
    package static let alike = [
        "0O", "0Q", "0D", "OQ", "OD", "1I", "1L", "IL", "2Z", "5S", "6G", "8B", "4A", "7T", "UV", "VY", "MN", "EF",
        "CG",
        "PR", "KX", "1T", "17", "3B", "HM", "WM",
    ]

    /// Symbols that fonts of plates draw alike, with how often one is meant where the other was read.
    package static func substitutes(_ symbol: String) -> [(String, Double)] {
        switch symbol {
        case "O": [("0", 0.95), ("Q", 0.3), ("D", 0.2)]
        case "0": [("O", 0.95), ("D", 0.2), ("Q", 0.2)]
        case "Q": [("0", 0.7), ("O", 0.7)]
        case "D": [("0", 0.5), ("O", 0.4)]
        case "I": [("1", 0.95), ("T", 0.1)]
        case "1": [("I", 0.95), ("T", 0.1)]
        case "L": [("1", 0.2)]
        case "S": [("5", 0.2)]
        case "5": [("S", 0.2)]
        case "Z": [("2", 0.2), ("7", 0.2)]
        case "2": [("Z", 0.2)]
        case "B": [("8", 0.2)]
        case "8": [("B", 0.2)]
        case "G": [("6", 0.2)]
        case "6": [("G", 0.2)]
        case "A": [("4", 0.1)]
        case "4": [("A", 0.1)]
        case "T": [("7", 0.2), ("1", 0.1)]
        case "7": [("T", 0.2)]
        default: []
        }
    }
}
