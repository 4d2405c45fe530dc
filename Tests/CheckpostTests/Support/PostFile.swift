/// The configuration of a post that watches the folder `incoming` and keeps its records in `data`, both beside the file.
enum PostFile {
    static let text = text(of: "BNP-A", other: "BNP-B", position: 0)

    static func text(of code: String, other: String, position: Int) -> String {
        """
        [post]
        code = "\(code)"
        other_code = "\(other)"
        position = \(position)
        [segment]
        distance_km = 45
        max_speed_kmh = 40
        min_speed_kmh = 10
        [[camera]]
        name = "gate"
        kind = "folder"
        path = "incoming"
        [data]
        folder = "data"

        """
    }
}
