/// What a park asks for a violation, by how far it was past the limit and by the kind of vehicle. It proposes; the ranger decides.
package struct FineSchedule: Sendable, Equatable {
    /// One kind of violation: rules, of which the one that names the vehicle counts before the one for all others.
    package struct List: Sendable, Equatable {
        fileprivate struct Rule: Sendable, Equatable {
            /// Empty for every vehicle that no other rule names.
            var types: Set<VehicleType>

            /// From how far past the limit on, and how many rupees; the nearest first.
            var bands: [(from: Double, rupees: Double)]

            static func == (left: Rule, right: Rule) -> Bool {
                left.types == right.types && left.bands.elementsEqual(right.bands) { $0 == $1 }
            }
        }

        fileprivate let rules: [Rule]

        /// A list as it is written: `0: 500, 10: 1000, 20: 2000; bus truck 0: 1000, 20: 3000`. Before a colon stands from how far past the
        /// limit on, after it the rupees; after a semicolon the same for the vehicles named there.
        ///
        /// - Returns: nil for anything else, and where two rules are for the same vehicle.
        package init?(_ text: String) {
            guard text.utf8.count <= 2000 else { return nil }
            var rules: [Rule] = []
            for part in text.split(separator: ";", omittingEmptySubsequences: false) {
                guard let rule = Self.rule(part) else { return nil }
                let isTwice = rules.contains { !$0.types.isDisjoint(with: rule.types) || $0.types == rule.types }
                guard !isTwice else { return nil }
                rules.append(rule)
            }
            self.rules = rules
        }

        private static func rule(_ text: Substring) -> Rule? {
            let words = text.split { $0 == " " || $0 == "\t" }
            let named = words.prefix { $0.first?.isLetter == true }
            let types = named.compactMap { VehicleType(rawValue: String($0)) }
            guard types.count == named.count else { return nil }
            var rule = Rule(types: Set(types), bands: [])
            for band in words.dropFirst(named.count).joined().split(separator: ",", omittingEmptySubsequences: false) {
                let numbers = band.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
                guard numbers.count == 2, let from = numbers[0], let rupees = numbers[1], (0...1000).contains(from),
                    rupees > 0, rupees <= RupeeAmount.largest, rule.bands.allSatisfy({ $0.from < from })
                else { return nil }
                rule.bands.append((from, rupees))
            }
            return rule
        }

        /// - Parameter past: how far past the limit, in the list's unit.
        fileprivate func rupees(past: Double, _ type: VehicleType) -> Double? {
            let rule = rules.first { $0.types.contains(type) } ?? rules.first { $0.types.isEmpty }
            return rule?.bands.last { $0.from <= past }?.rupees
        }
    }

    /// By km/h past the highest lawful speed, without the tolerance; nil where the park has none.
    package var speeding: List?

    /// By minutes past the longest lawful time.
    package var overstay: List?

    package init(speeding: List? = nil, overstay: List? = nil) {
        self.speeding = speeding
        self.overstay = overstay
    }

    /// What is to be proposed, in rupees; nil where the schedule says nothing, and for a speed that hardly can be: a person looks first.
    package func fine(for violation: Violation) -> Double? {
        guard !violation.isImplausible else { return nil }
        switch violation.kind {
        case .speeding:
            guard let speed = violation.calculatedSpeedKmh else { return nil }
            return speeding?.rupees(past: speed - violation.speedLimitKmh, violation.vehicleType)
        case .overstay:
            let longest = violation.distanceKm / violation.speedLimitKmh * 60
            return overstay?.rupees(past: violation.travelTime.minutes - longest, violation.vehicleType)
        }
    }
}
