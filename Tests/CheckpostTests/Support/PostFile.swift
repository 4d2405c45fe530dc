/// The configuration of a post that watches the folder `incoming` and keeps its records in `data`, both beside the file.
enum PostFile {
    static let text = """
        [post]
        code = "BNP-A"
        other_code = "BNP-B"
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
