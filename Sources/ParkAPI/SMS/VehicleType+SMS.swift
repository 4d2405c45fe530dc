import Enforcement

extension VehicleType {
    /// The three letters that stand for it in an SMS.
    package var smsCode: String {
        switch self {
        case .car: "CAR"
        case .jeepSUV: "JSV"
        case .minibus: "MNB"
        case .bus: "BUS"
        case .truck: "TRK"
        case .tanker: "TNK"
        case .motorcycle: "MCY"
        case .autoRickshaw: "ARK"
        case .tractor: "TRC"
        case .other: "OTH"
        }
    }

    /// Codes that earlier posts sent. They are read and never written.
    package static let olderSMSCodes: [String: VehicleType] = [
        "JEP": .jeepSUV, "MOT": .motorcycle, "MTK": .truck, "AUT": .autoRickshaw,
    ]

    /// Reads a current or an older SMS code; nil when it is neither.
    package init?(smsCode: String) {
        guard let type = Self.allCases.first(where: { $0.smsCode == smsCode }) ?? Self.olderSMSCodes[smsCode] else {
            return nil
        }
        self = type
    }
}
