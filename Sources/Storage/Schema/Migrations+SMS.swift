import GRDB

extension Migrations {
    static func registerSMS(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("4 SMS") { db in try db.execute(sql: sms) }
    }

    /// What operators write about credit and expiry is kept for the technician.
    static func registerInbox(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("12 texts of messages from others") { db in
            try db.execute(sql: "ALTER TABLE sms_inbound ADD COLUMN text TEXT")
        }
    }

    /// Texts of version V2 carry several passages.
    static let signedTexts = """
        -- The message that stands for the text which this one is in; NULL for a text of one passage, of version V1.
        ALTER TABLE sms_messages ADD COLUMN batch INTEGER;
        ALTER TABLE sms_messages ADD COLUMN text_number INTEGER;
        CREATE INDEX sms_messages_by_batch ON sms_messages (batch) WHERE batch IS NOT NULL;

        -- The number of the last text.
        CREATE TABLE sms_numbers (
            id    INTEGER PRIMARY KEY CHECK (id = 1),
            last  INTEGER NOT NULL CHECK (last >= 0)
        ) STRICT;
        """

    /// What the office asks by SMS, signed.
    static let questions = """
        -- Of a message that answers one: its number. A message with neither a passage nor a question is a technician's test.
        ALTER TABLE sms_messages ADD COLUMN question INTEGER;

        -- Those that were answered. Numbers grow: one below the last is never answered.
        CREATE TABLE sms_questions (
            number   INTEGER PRIMARY KEY,
            taken_at INTEGER NOT NULL
        ) STRICT;
        """

    /// What was told by SMS, and what came by SMS.
    private static let sms = """
        -- At most one a passage, however often it is handed over. Without a passage it is a technician's test.
        CREATE TABLE sms_messages (
            id                INTEGER PRIMARY KEY AUTOINCREMENT,
            passage_client_id TEXT UNIQUE REFERENCES passages (client_id),
            number            TEXT NOT NULL,
            text              TEXT NOT NULL,      -- as it was handed over last; empty when it can't be written
            state             TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'delivered', 'failed', 'ambiguous')),
            lost_answers      INTEGER NOT NULL DEFAULT 0 CHECK (lost_answers >= 0),
            hand_overs        INTEGER NOT NULL DEFAULT 0 CHECK (hand_overs >= 0),
            reason            TEXT,
            created_at        INTEGER NOT NULL,
            handed_over_at    INTEGER,
            settled_at        INTEGER
        ) STRICT;
        CREATE INDEX sms_messages_open ON sms_messages (state) WHERE state IN ('queued', 'sending', 'ambiguous');

        -- Each time that a modem got a text which it did not refuse: what it may have cost.
        CREATE TABLE sms_hand_overs (
            id         INTEGER PRIMARY KEY AUTOINCREMENT,
            message_id INTEGER NOT NULL REFERENCES sms_messages (id),
            at         INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX sms_hand_overs_by_time ON sms_hand_overs (at);
        CREATE INDEX sms_hand_overs_by_message ON sms_hand_overs (message_id);

        -- What the network calls the parts of a message: its reports of delivery name them by it.
        CREATE TABLE sms_parts (
            message_id   INTEGER NOT NULL REFERENCES sms_messages (id),
            part         INTEGER NOT NULL CHECK (part >= 1),
            reference    INTEGER NOT NULL CHECK (reference BETWEEN 0 AND 255),
            accepted_at  INTEGER NOT NULL,
            status       INTEGER CHECK (status BETWEEN 0 AND 255),
            reported_at  INTEGER,
            PRIMARY KEY (message_id, part)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sms_parts_by_reference ON sms_parts (reference, accepted_at);

        -- Messages from others, deleted from the SIM. Nobody reads them.
        CREATE TABLE sms_inbound (
            id          INTEGER PRIMARY KEY AUTOINCREMENT,
            sender      TEXT,
            received_at INTEGER NOT NULL
        ) STRICT;
        """
}
