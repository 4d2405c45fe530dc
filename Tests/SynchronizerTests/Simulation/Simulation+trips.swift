import Enforcement

/// The vehicles of a day.
extension Simulation {
    func addTrips() {
        guard isBusy else {
            for number in 0..<8 {
                trips.append(
                    Trip(
                        plate: "BA \(number) PA 2000", isFromA: chance.happens(0.5),
                        start: .seconds(chance.share() * length.seconds), lasts: chance.span(600...1600)))
            }
            return
        }
        let count = road == .brief ? Int.random(in: 1...3, using: &chance) : Int.random(in: 5...20, using: &chance)
        for number in 0..<count {
            // Plates that look alike tempt the matcher.
            let digits = chance.happens(0.3) ? 1000 + number % 3 : 2000 + number
            let lasts = travelTime()
            let lane = ["PA", "PHA", "BA"].randomElement(using: &chance) ?? "PA"
            let plate = "BA \(number) \(lane) \(digits)"
            var trip = Trip(
                plate: plate, isFromA: chance.happens(0.5), start: .seconds(chance.share() * length.seconds),
                lasts: lasts, isHalf: chance.happens(0.15),
                correctedAfter: park.isExtended && chance.happens(0.15) ? chance.span(20...1500) : nil)
            if !trip.isHalf, chance.happens(road == .brief ? 0.1 : 0.4) {
                trip.back = (chance.span(30...900), travelTime())
            }
            trips.append(trip)
        }
        if let refusedPlate {
            trips.append(
                Trip(plate: refusedPlate, isFromA: true, start: .minutes(5), lasts: .minutes(10), isHalf: true))
        }
    }

    private func travelTime() -> TimeSpan {
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: chance.span(60...400)
        case 1: .seconds(405)
        case 2: chance.span(406...(road == .brief ? 700 : 1600))
        default: chance.span(road == .brief ? 1630...1700 : 1630...2000)
        }
    }

    func passages() -> [Happening] {
        trips.flatMap { trip -> [Happening] in
            func happening(_ at: TimeSpan, isAtA: Bool, _ plate: String) -> Happening {
                Happening(at: at) { [unowned self] in try record(plate, isAtA: isAtA) }
            }
            var happenings: [Happening] = []
            if let after = trip.correctedAfter {
                happenings.append(happening(trip.start, isAtA: trip.isFromA, trip.misread))
                happenings.append(
                    Happening(at: trip.start.adding(after)) { [unowned self] in
                        try post(trip.isFromA).correct(trip.misread, to: trip.plate)
                    })
            } else {
                happenings.append(happening(trip.start, isAtA: trip.isFromA, trip.plate))
            }
            let out = trip.start.adding(trip.lasts)
            if !trip.isHalf { happenings.append(happening(out, isAtA: !trip.isFromA, trip.plate)) }
            if let back = trip.back {
                let start = out.adding(back.after)
                happenings.append(happening(start, isAtA: !trip.isFromA, trip.plate))
                happenings.append(happening(start.adding(back.lasts), isAtA: trip.isFromA, trip.plate))
            }
            return happenings
        }
    }
}
