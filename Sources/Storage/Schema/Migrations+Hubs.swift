extension Migrations {
    /// Boxes that lend this one their link to the server, and those that it lends its own to, beside the post at the other end.
    static let hubs = """
        ALTER TABLE peers ADD COLUMN kind TEXT NOT NULL DEFAULT 'post' CHECK (kind IN ('post', 'hub', 'guest'));
        -- What whoever types the code becomes.
        ALTER TABLE peer_offers ADD COLUMN kind TEXT NOT NULL DEFAULT 'post' CHECK (kind IN ('post', 'guest'));
        DROP INDEX peers_one_active;
        -- A road has one other end.
        CREATE UNIQUE INDEX peers_one_active ON peers (kind) WHERE status = 'active' AND kind = 'post';
        """
}
