import Pages

/// A post that a list can be narrowed to, or an account be made for.
struct PostChoice: Decodable, Sendable {
    var id: String
    var code: String
    var name: String
    var park: String
    /// Whether it is a further road of a post: nobody works there, and nothing is recorded there.
    var isShared: Bool

    /// Those whose records the account sees.
    static func all(_ connection: PostgresConnection) throws -> [PostChoice] {
        try connection.list(
            PostChoice.self,
            """
            select c.id, c.code, c.name, s.park_id as park, c.stands_at is not null as is_shared
            from checkposts c join highway_segments s on s.id = c.segment_id
            where checkpost.reads_all() or c.segment_id = checkpost.my_segment() order by c.code limit 500
            """)
    }

    static func options(_ posts: [PostChoice], chosen: String?) -> [Choice] {
        posts.map { Choice(value: $0.id, text: "\($0.code) \($0.name)", isChosen: $0.id == chosen) }
    }
}
