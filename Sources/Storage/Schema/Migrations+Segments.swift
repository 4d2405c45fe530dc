extension Migrations {
    /// The highest speed of vehicle types, as JSON, where it is another than the segment's.
    static let typeSpeeds = "ALTER TABLE segments ADD COLUMN type_speeds_kmh TEXT NOT NULL DEFAULT '{}'"

    /// The number of the certificate of the measured distance, as the server tells it.
    static let distanceCertificate = "ALTER TABLE segments ADD COLUMN distance_certificate TEXT"

    /// What holds at some hours of the day alone, as JSON, and since when this box knows it.
    static let hourLimits = """
        ALTER TABLE segments ADD COLUMN hour_limits TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE segments ADD COLUMN hours_since INTEGER NOT NULL DEFAULT 0;
        """
}
