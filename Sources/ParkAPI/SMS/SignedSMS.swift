import Enforcement

/// What a text of version V2 says: passages of one post, a number, and a signature.
///
/// `V2.<post>.<number>.<suffix>.<time>.<passage>.<passage>….<signature>`, for example
/// `V2.BNP-A.1.4321.TOUK16.BA1PA1234c.BA2KHA77b1F.0qtZM6fbLbZJ`. A passage is its compact plate, a letter of its type, a letter of its clock
/// where that isn't synchronised, and the seconds since the passage before it. Numbers have the base 36. ``SignedSMSEncoder`` writes it,
/// ``SignedSMSDecoder`` reads it. Each character stands in the GSM alphabet where ASCII has it, so that no gateway turns it into another;
/// a post's code may have an underscore, as in V1.
package struct SignedSMS: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var compactPlate: String
        package var vehicleType: VehicleType

        /// A text carries whole seconds; the encoder rounds down.
        package var recordedAt: Instant
        package var clock: ClockState

        package init(compactPlate: String, vehicleType: VehicleType, recordedAt: Instant, clock: ClockState) {
            self.compactPlate = compactPlate
            self.vehicleType = vehicleType
            self.recordedAt = recordedAt
            self.clock = clock
        }

        package init(_ passage: Passage) {
            self.init(
                compactPlate: passage.plate.compact, vehicleType: passage.vehicleType, recordedAt: passage.recordedAt,
                clock: passage.clockState)
        }
    }

    package var checkpostCode: String

    /// Each text of a post has the next one, so that the server sees what is missing and what is old.
    package var number: Int64
    package var rangerPhoneSuffix: String
    package var entries: [Entry]

    package init(checkpostCode: String, number: Int64, rangerPhoneSuffix: String, entries: [Entry]) {
        self.checkpostCode = checkpostCode
        self.number = number
        self.rangerPhoneSuffix = rangerPhoneSuffix
        self.entries = entries
    }

    /// The passages as texts of version V1 would tell them: a passage has the id of that text, whichever version carried it.
    package var passages: [SMSPassage] {
        entries.map {
            SMSPassage(
                checkpostCode: checkpostCode, compactPlate: $0.compactPlate, vehicleType: $0.vehicleType,
                recordedAt: $0.recordedAt, rangerPhoneSuffix: rangerPhoneSuffix)
        }
    }
}

extension SignedSMS {
    package static let version = "V2"

    /// In front of every text of this version.
    static let mark = version + "."

    /// Six digits of base 36. A post that sends a thousand texts a day needs thousands of years for them.
    static let numbers: ClosedRange<Int64> = 1...2_176_782_335
    static let longestNumber = 6
}

extension VehicleType {
    /// The letter that stands for it in a text of version V2. Never `s` or `u`, which tell of the clock.
    var smsLetter: Character {
        switch self {
        case .car: "c"
        case .jeepSUV: "j"
        case .minibus: "n"
        case .bus: "b"
        case .truck: "t"
        case .tanker: "k"
        case .motorcycle: "m"
        case .autoRickshaw: "a"
        case .tractor: "r"
        case .other: "o"
        }
    }

    init?(smsLetter: Character) {
        guard let type = Self.allCases.first(where: { $0.smsLetter == smsLetter }) else { return nil }
        self = type
    }
}

extension ClockState {
    /// What stands behind the letter of the type.
    var smsLetter: String {
        switch self {
        case .synchronised: ""
        case .simulated: "s"
        case .untrusted: "u"
        }
    }
}
