/// Which open sighting each reading of a frame belongs to: the pairs that resemble each other most first, no sighting twice.
struct ReadingAssignment {
    /// For every reading the index of its sighting, or nil.
    let owners: [Int?]

    init(of readings: [PlateReading], to open: [OpenSighting], at time: Instant, _ settings: SightingTracker.Settings) {
        var pairs: [(cost: Double, reading: Int, sighting: Int)] = []
        for (readingIndex, reading) in readings.enumerated() {
            for (index, sighting) in open.enumerated() {
                let cost = sighting.cost(of: reading, at: time, settings)
                if let cost { pairs.append((cost, readingIndex, index)) }
            }
        }
        var owners = [Int?](repeating: nil, count: readings.count)
        var taken: Set<Int> = []
        for pair in pairs.sorted(by: { ($0.cost, $0.reading, $0.sighting) < ($1.cost, $1.reading, $1.sighting) })
        where owners[pair.reading] == nil && !taken.contains(pair.sighting) {
            owners[pair.reading] = pair.sighting
            taken.insert(pair.sighting)
        }
        self.owners = owners
    }
}
