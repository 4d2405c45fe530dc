import Plates

/// Which limit holds for a vehicle, by its type and by the hours that it was on the road.
extension Segment {
    /// The highest lawful speed of a type at a moment, without the tolerance: the lowest of the limits that hold then.
    package func highestSpeedKmh(of type: VehicleType, at instant: Instant) -> Double {
        let time = CivilTime(instant, offset: CivilTime.nepalOffset)
        return highestSpeedKmh(of: type, minute: time.hour * 60 + time.minute)
    }

    private func highestSpeedKmh(of type: VehicleType, minute: Int) -> Double {
        let always = typeSpeeds.kmh[type] ?? maxSpeedKmh
        return min(always, hourLimits.kmh(of: type, minute: minute) ?? always)
    }

    /// The highest lawful speed of a drive. Where another limit held on the way, the highest counts, in the driver's favour.
    package func highestSpeedKmh(of type: VehicleType, from: Instant, until: Instant) -> Double {
        rises(of: type, after: from).filter { from + $0.after <= until }.map(\.kmh).reduce(
            highestSpeedKmh(of: type, at: from), max)
    }

    /// The highest lawful speed of a trip. Where the two posts saw another type, the higher one counts, in the driver's favour.
    package func highestSpeedKmh(of match: Match) -> Double {
        let (from, until) = (match.entry.recordedAt, match.exit.recordedAt + match.exit.timeSlack)
        return max(
            highestSpeedKmh(of: match.entry.vehicleType, from: from, until: until),
            highestSpeedKmh(of: match.exit.vehicleType, from: from, until: until))
    }

    /// How long after a moment another limit begins to hold: where hours end, since hours only lower a limit. The soonest first.
    private func rises(of type: VehicleType, after instant: Instant) -> [(after: TimeSpan, kmh: Double)] {
        let day: Int64 = 86_400_000
        let local = (instant + CivilTime.nepalOffset).milliseconds % day
        let inDay = local < 0 ? local + day : local
        return hourLimits.all.filter { $0.isFor(type) && $0.kmh != nil }.map { limit in
            let ahead = Int64(limit.hours.until) * 60_000 - inDay
            return (
                .milliseconds(ahead > 0 ? ahead : ahead + day), highestSpeedKmh(of: type, minute: limit.hours.until)
            )
        }.sorted { $0.after < $1.after }
    }

    /// Before this moment a vehicle can't come out lawfully, as far as the limits go.
    ///
    /// Example: 45 km at 30 km/h until 05:00 and at 40 after it. Who enters at 04:00 may be out at 05:07:30, as if it had been 40 all the way.
    package func earliestLawfulExit(of type: VehicleType, from entry: Instant) -> Instant {
        var kmh = highestSpeedKmh(of: type, at: entry)
        var shortest = shortestTravelTime(at: kmh)
        for rise in rises(of: type, after: entry) where rise.after < shortest {
            kmh = max(kmh, rise.kmh)
            shortest = max(rise.after, shortestTravelTime(at: kmh))
        }
        return entry + shortest
    }
}
