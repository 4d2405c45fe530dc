import Enforcement
import Logging
import Modem
import ParkAPI
import Storage

extension SMSFallback {
    /// The fallback that the configuration asks for; nil without a modem and a direct link.
    init?(
        _ configuration: Configuration, store: Store, link: any DataLink, alarms: AlarmBoard, log: Logger
    ) throws {
        guard let modem = configuration.modem else {
            Self.forgetAlarms(alarms)
            guard configuration.textsGoToPairedBox else { return nil }
            var settings = Settings(configuration)
            // It costs nothing; the other box has bounds of its own.
            settings.policy.repeatsFreely = true
            (settings.policy.hourlyLimit, settings.policy.dailyLimit) = (
                KeptTextTable.mostOfOne, KeptTextTable.mostOfOne
            )
            try self.init(
                settings: settings, store: store, link: link, alarms: alarms, log: log,
                makeModem: { _ in PairedBoxTexts(otherPost: configuration.otherPostCode, store: store) })
            return
        }
        try self.init(
            settings: Settings(configuration, modem), store: store, link: link, alarms: alarms, log: log,
            makeModem: { try modem.makeDriver(dataFolder: configuration.dataFolder, onEvent: $0) })
    }
}

extension SMSFallback.Settings {
    init(_ configuration: Configuration, _ modem: Configuration.Modem? = nil) {
        let sms = configuration.sms
        self.init(
            checkpostCode: configuration.post.code, gatewayNumber: sms.gatewayNumber.flatMap { PhoneNumber($0) })
        if let modem {
            (device, powerCycle) = (modem.device, modem.powerCycle)
            lowBalance = modem.balanceCode == nil ? 0 : modem.lowBalance
        }
        if let phone = sms.rangerPhone { phoneSuffix = SMSPassage.phoneSuffix(of: phone) }
        policy.outageBeforeSMS = sms.after
        policy.minimumAge = sms.after
        policy.maximumAge = sms.longestAge
        policy.serverRecognisesTexts = sms.repeatsLost
        policy.hourlyLimit = sms.hourlyLimit
        policy.dailyLimit = sms.dailyLimit
        policy.warningShare = Double(sms.warningPercent) / 100
    }
}

extension Configuration {
    /// Without a modem, a paired box takes what would go by SMS. Without a server there is nothing that it could hand it to.
    package var textsGoToPairedBox: Bool { modem == nil && peer?.relays == true && server != nil }

    /// Whether passages go any other way than over the data link.
    var hasTexts: Bool { modem != nil || textsGoToPairedBox }
}

extension Configuration.Modem {
    /// A driver for the configured modem, not started.
    ///
    /// - Parameter takesMessages: whether messages of others are read and deleted.
    func makeDriver(
        dataFolder: String, takesMessages: Bool = true, onEvent: @escaping @Sendable (ModemEvent) -> Void
    ) throws(SerialPortError) -> ModemDriver {
        var port = SerialPort.Settings()
        port.speed = speed
        port.usesHardwareFlowControl = usesHardwareFlowControl
        var settings = GSMModem.Settings()
        settings.pin = pin?.revealed
        settings.takesMessages = takesMessages
        settings.serviceCentre = serviceCentre.flatMap { PhoneNumber($0) }
        settings.allowsRoaming = allowsRoaming
        settings.canCyclePower = !powerCycle.isEmpty
        settings.balanceCode = balanceCode
        return try ModemDriver(
            source: PortSource(setting: device), port: port, settings: settings,
            pinMemory: PINMemoryFile(path: dataFolder + "/modem.pin"),
            portMemory: PortMemoryFile(path: dataFolder + "/modem.port"), onEvent: onEvent)
    }
}
