import Enforcement

extension ModelComparison.Report {
    package var text: String {
        var lines = differences.map { difference in
            let old = difference.old ?? "nothing"
            let new = difference.new ?? "nothing"
            return
                "\(difference.verdict.rawValue): \(difference.file): \(old) (\(Wording.decimal(difference.oldConfidence, 2)))"
                + " is now \(new) (\(Wording.decimal(difference.newConfidence, 2)))"
        }
        lines.append(
            "\(pictures) pictures: \(same) read the same, \(better) better, \(worse) worse, "
                + "\(different) differently, \(unreadable) unreadable")
        return lines.joined(separator: "\n")
    }
}
