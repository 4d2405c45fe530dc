import Enforcement

/// What an SMS of version V1 says about one passage.
///
/// `V1|<checkpost_code>|<plate_number>|<vehicle_type_code>|<timestamp_epoch>|<ranger_phone_suffix>`, for example
/// `V1|BNP-A|BA1PA1234|CAR|1795255530|4321`. ``SMSEncoder`` writes it, ``SMSDecoder`` reads it.
package struct SMSPassage: Hashable, Sendable {
    /// The code of the recording checkpost, as on the server.
    package var checkpostCode: String

    /// The plate in compact form: upper-case Latin letters and digits, no spaces.
    package var compactPlate: String

    package var vehicleType: VehicleType

    /// When the vehicle was recorded. An SMS carries whole seconds; the encoder rounds down.
    package var recordedAt: Instant

    /// The last four digits of the phone of the box's account.
    package var rangerPhoneSuffix: String

    package init(
        checkpostCode: String, compactPlate: String, vehicleType: VehicleType, recordedAt: Instant,
        rangerPhoneSuffix: String
    ) {
        self.checkpostCode = checkpostCode
        self.compactPlate = compactPlate
        self.vehicleType = vehicleType
        self.recordedAt = recordedAt
        self.rangerPhoneSuffix = rangerPhoneSuffix
    }

    /// Stands in for the suffix when the account has no phone: a passage must not stay behind for want of one.
    package static let missingPhoneSuffix = "0000"

    /// The last four digits of a phone number written in any way (`+977 98-5802 4321` gives `4321`).
    ///
    /// - Returns: ``missingPhoneSuffix`` when there are fewer than four digits.
    package static func phoneSuffix(of phone: String) -> String {
        let digits = phone.unicodeScalars.filter(\.isASCIIDigit).suffix(4)
        return digits.count == 4 ? String(String.UnicodeScalarView(digits)) : missingPhoneSuffix
    }
}

/// The six fields of a V1 text, in order.
package enum SMSField: String, Sendable, CaseIterable {
    case version
    case checkpostCode = "checkpost code"
    case plate
    case vehicleType = "vehicle type"
    case time
    case phoneSuffix = "phone suffix"
}

/// Why a passage can't be written as an SMS, or a text can't be read as one.
package enum SMSFormatError: Error, Equatable, Sendable {
    case unknownVersion(String)
    case wrongFieldCount(Int)
    case emptyField(SMSField)
    case forbiddenCharacter(String, in: SMSField)
    case wrongLength(Int, of: SMSField)
    case unknownVehicleCode(String)
    case timeOutOfRange(String)
    case tooLong(septets: Int)

    /// Of V2: the number of the text, one of its passages, or its signature.
    case wrongNumber(String)
    case wrongPassage(String)
    case wrongSignature
}

extension SMSFormatError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownVersion(let version):
            "the text starts with “\(version)”, not with V1: it is no passage, or comes from a newer box"
        case .wrongFieldCount(let count): "the text has \(count) fields between its pipes, not 6"
        case .emptyField(let field): "the \(field.rawValue) is empty"
        case .forbiddenCharacter(let character, let field):
            "the \(field.rawValue) has the character “\(character)”, which can't stand there"
        case .wrongLength(let count, let field):
            "the \(field.rawValue) has \(count) characters, where there are \(field.lengths.lowerBound) to \(field.lengths.upperBound)"
        case .unknownVehicleCode(let code): "“\(code)” is no code of a vehicle type"
        case .timeOutOfRange(let text): "“\(text)” is no time in seconds since 1970"
        case .wrongNumber(let text): "“\(text)” is no number of a text"
        case .wrongPassage(let text): "“\(text)” is no passage"
        case .wrongSignature: "no key of the post has made the signature"
        case .tooLong(let septets):
            "the text takes \(septets) of the \(SMSEncoder.maximumSeptets) septets of one SMS; shorten the checkpost code"
        }
    }
}

extension Unicode.Scalar {
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
    var isASCIIUppercase: Bool { ("A"..."Z").contains(self) }
}
