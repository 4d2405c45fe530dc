/// A vehicle that is known to have passed: what a replay is measured against.
package struct TrueVehicle: Sendable, Equatable {
    /// The code of the checkpost; nil where only one is meant.
    package var post: String?

    /// Nil for one whose plate nobody can read, or that has none.
    package var plate: Plate?

    /// When it was in the picture.
    package var span: ClosedRange<Instant>

    package init(post: String? = nil, plate: Plate?, span: ClosedRange<Instant>) {
        (self.post, self.plate, self.span) = (post, plate, span)
    }
}

/// A passage, or a sighting that waits for a ranger.
package struct SeenVehicle: Sendable, Equatable {
    package var post: String

    /// Nil for a plate that was seen and not read.
    package var plate: Plate?
    package var at: Instant
    package var isRecorded: Bool

    package init(post: String, plate: Plate?, at time: Instant, isRecorded: Bool) {
        (self.post, self.plate, self.at, self.isRecorded) = (post, plate, time, isRecorded)
    }
}

/// What became of the vehicles that are known to have passed, and what was seen besides.
///
/// Each thing seen belongs to one vehicle that was there then, the one whose plate is most like it; the first of a vehicle is its answer, and
/// the others have doubled it.
package struct TrackScore: Sendable, Equatable {
    package enum End: Sendable, Equatable {
        /// Recorded with its plate; look-alikes that fonts draw alike (O and 0, I and 1) count as the same.
        case right
        /// Recorded with another one.
        case wrong(Plate)
        /// A ranger is asked; nil where the plate could not be read.
        case waiting(Plate?)
        case missed
        /// It shows no plate, and nothing was recorded of it.
        case unrecorded
    }

    package struct Row: Sendable, Equatable {
        package let vehicle: TrueVehicle
        package fileprivate(set) var end: End

        /// So many passages more than one were recorded of it.
        package fileprivate(set) var doubled = 0
    }

    package private(set) var rows: [Row]

    /// What no vehicle passed for: passages, and sightings for a ranger.
    package private(set) var others: [SeenVehicle] = []

    /// A vehicle is seen a moment before and after somebody would say that it is there.
    static let slack = TimeSpan.seconds(2)

    /// So many equally like vehicles are looked at for one thing seen.
    private static let mostAlike = 100

    package init(_ vehicles: [TrueVehicle], seen: [SeenVehicle]) {
        rows = vehicles.map { Row(vehicle: $0, end: $0.plate == nil ? .unrecorded : .missed) }
        var open = Set(seen.indices)
        var free = Set(vehicles.indices)
        // Only the likest vehicles: what doubles one is no other one's answer.
        let pairs = seen.indices.flatMap { seenIndex in
            let all = Self.candidates(seen[seenIndex], vehicles)
            let least = all.map(\.away).min() ?? 0
            return all.filter { $0.away == least }.prefix(Self.mostAlike).map {
                (seen: seenIndex, vehicle: $0.index, away: $0.away)
            }
        }.sorted { first, second in
            func rank(_ pair: (seen: Int, vehicle: Int, away: Double)) -> (Double, Int, Int) {
                (pair.away, seen[pair.seen].isRecorded ? 0 : 1, pair.seen)
            }
            return rank(first) < rank(second)
        }
        for pair in pairs where open.contains(pair.seen) && free.contains(pair.vehicle) {
            open.remove(pair.seen)
            free.remove(pair.vehicle)
            rows[pair.vehicle].end = Self.end(seen[pair.seen], of: vehicles[pair.vehicle])
        }
        let best = Dictionary(pairs.map { ($0.seen, $0) }) { first, _ in first }
        for index in open.sorted() {
            guard let best = best[index] else {
                others.append(seen[index])
                continue
            }
            // A second sighting that waits is a question more, and no vehicle more.
            guard seen[index].isRecorded else { continue }
            if case .waiting = rows[best.vehicle].end {
                rows[best.vehicle].end = Self.end(seen[index], of: vehicles[best.vehicle])
            } else {
                rows[best.vehicle].doubled += 1
            }
        }
    }

    private static func candidates(_ seen: SeenVehicle, _ vehicles: [TrueVehicle]) -> [(index: Int, away: Double)] {
        vehicles.indices.filter { index in
            let (span, post) = (vehicles[index].span, vehicles[index].post)
            return (post ?? seen.post) == seen.post
                && (span.lowerBound - slack...span.upperBound + slack).contains(seen.at)
        }.map { ($0, distance(seen.plate, vehicles[$0].plate)) }
    }

    /// 0 for the same plate, 1 and more where nothing says that it is the same.
    private static func distance(_ seen: Plate?, _ plate: Plate?) -> Double {
        guard let seen, let plate else { return seen == plate ? 1 : 2 }
        let (left, right) = (LookAlike.folded(seen.compact), LookAlike.folded(plate.compact))
        return Double(editDistance(left, right)) / Double(max(left.count, right.count, 1))
    }

    private static func end(_ seen: SeenVehicle, of vehicle: TrueVehicle) -> End {
        guard seen.isRecorded, let plate = seen.plate else { return .waiting(seen.plate) }
        return distance(plate, vehicle.plate) == 0 ? .right : .wrong(plate)
    }
}

extension TrackScore {
    /// How many ended so.
    package struct Counts: Sendable, Equatable {
        /// Vehicles with a plate.
        package var vehicles = 0
        package var right = 0
        package var wrong = 0
        package var waiting = 0
        package var missed = 0
        package var doubled = 0

        /// Vehicles without a plate, and of these such as nothing was recorded of.
        package var withoutPlate = 0
        package var unrecorded = 0

        /// Passages, and sightings for a ranger, where no vehicle was.
        package var recordedOfNone = 0
        package var waitingOfNone = 0
    }

    package var counts: Counts {
        var counts = Counts()
        for row in rows {
            counts.doubled += row.doubled
            guard row.vehicle.plate != nil else {
                counts.withoutPlate += 1
                switch row.end {
                case .right, .wrong: break
                case .waiting, .missed, .unrecorded: counts.unrecorded += 1
                }
                continue
            }
            counts.vehicles += 1
            switch row.end {
            case .right: counts.right += 1
            case .wrong: counts.wrong += 1
            case .waiting: counts.waiting += 1
            case .missed, .unrecorded: counts.missed += 1
            }
        }
        counts.recordedOfNone = others.count(where: \.isRecorded)
        counts.waitingOfNone = others.count - counts.recordedOfNone
        return counts
    }
}
