/// How long a network keeps trying to deliver, in the relative form (3GPP TS 23.040, 9.2.3.12.1).
package struct ValidityPeriod: Hashable, Sendable {
    package let octet: UInt8

    /// The shortest period that the coding knows and that is at least `minutes` long, from 5 minutes to 63 weeks.
    ///
    /// Worked example: 24 hours are octet 167 (143 + 24 half hours past 12 hours).
    package init(minutes: Int) {
        let minutes = max(5, minutes)
        func steps(past: Int, of step: Int) -> Int { (minutes - past + step - 1) / step }
        octet =
            switch minutes {
            case ...720: UInt8(steps(past: 0, of: 5) - 1)
            case ...1440: UInt8(143 + steps(past: 720, of: 30))
            case ...43_200: UInt8(max(166 + steps(past: 0, of: 1440), 167))
            default: UInt8(min(192 + steps(past: 0, of: 10_080), 255))
            }
    }

    package static let day = ValidityPeriod(minutes: 1440)

    package var minutes: Int {
        let value = Int(octet)
        return switch value {
        case ...143: (value + 1) * 5
        case ...167: 720 + (value - 143) * 30
        case ...196: (value - 166) * 1440
        default: (value - 192) * 10_080
        }
    }
}
