import Enforcement
import Modem

/// [sms] and [modem].
extension ConfigurationBuilder {
    mutating func sms() -> Configuration.SMS {
        var sms = Configuration.SMS()
        sms.gatewayNumber = phone("sms.gateway_number")
        sms.rangerPhone = phone("sms.ranger_phone")
        if let phone = sms.rangerPhone, phone.filter(\.isNumber).count < Self.shortestPhone {
            refuse("sms.ranger_phone", "\"\(phone)\" is no whole number", "a number such as +9779841230000")
        }
        if text("sms.gateway_number") == "" {
            refuse("sms.gateway_number", "it is empty", "a number such as +9779800000000")
        }
        if let minutes = number("sms.after_minutes") { sms.after = .minutes(minutes) }
        if let hours = number("sms.max_age_hours") { sms.longestAge = .minutes(hours * 60) }
        sms.hourlyLimit = whole("sms.hourly_limit") ?? sms.hourlyLimit
        sms.dailyLimit = whole("sms.daily_limit") ?? sms.dailyLimit
        if sms.hourlyLimit > sms.dailyLimit, whole("sms.hourly_limit") != nil {
            refuse("sms.hourly_limit", "it is above the daily limit of \(sms.dailyLimit)", "at most daily_limit")
        }
        sms.warningPercent = whole("sms.warning_percent") ?? sms.warningPercent
        sms.repeatsLost = flag("sms.repeat_lost") ?? sms.repeatsLost
        return sms
    }

    /// A subscriber's number with its area is nowhere shorter.
    private static let shortestPhone = 6

    mutating func modem() -> Configuration.Modem? {
        guard let device = required("modem.device", with: "modem") else { return nil }
        if device != "auto", !device.hasPrefix("/") {
            refuse("modem.device", "\"\(device)\" is no port", "a path such as /dev/serial/by-id/usb-modem, or auto")
        }
        var modem = Configuration.Modem(device: device)
        modem.speed = whole("modem.speed") ?? modem.speed
        modem.serviceCentre = phone("modem.service_centre")
        modem.usesHardwareFlowControl = flag("modem.hardware_flow_control") ?? false
        modem.pin = pin()
        modem.allowsRoaming = flag("modem.roaming") ?? modem.allowsRoaming
        modem.powerCycle = powerCycle()
        modem.balanceCode = balanceCode()
        modem.lowBalance = number("modem.balance_low") ?? modem.lowBalance
        return modem
    }

    private mutating func powerCycle() -> [String] {
        guard let line = text("modem.power_cycle"), !line.isEmpty else { return [] }
        let words = line.split(separator: " ").map(String.init)
        if words.first?.hasPrefix("/") != true {
            refuse(
                "modem.power_cycle", "\"\(line)\" doesn't begin with a program's path",
                "a program and its arguments, such as /usr/sbin/uhubctl -l 1-1 -p 2 -a cycle")
        }
        return words
    }

    private mutating func balanceCode() -> String? {
        guard let code = text("modem.balance_code"), !code.isEmpty else { return nil }
        guard code.count <= 20, code.hasSuffix("#"), code.allSatisfy({ "0123456789*#".contains($0) }) else {
            refuse("modem.balance_code", "\"\(code)\" is no code that can be dialled", "a code such as *400#")
            return nil
        }
        return code
    }

    private mutating func pin() -> Secret? {
        let key = text("modem.pin_file") == nil ? "modem.pin" : "modem.pin_file"
        if text("modem.pin") != nil, text("modem.pin_file") != nil {
            refuse("modem.pin", "the PIN is given twice", "either \"pin\" or \"pin_file\"")
        }
        let given = text("modem.pin_file") == nil ? text("modem.pin").map { Secret($0) } : secret("modem.pin_file")
        guard let pin = given else { return nil }
        let digits = pin.revealed.utf8
        guard (4...8).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            // The PIN itself is not repeated.
            refuse(key, "this is no PIN", "4 to 8 digits")
            return nil
        }
        return pin
    }

    private mutating func phone(_ key: String) -> String? {
        guard let text = text(key), !text.isEmpty else { return nil }
        guard let number = PhoneNumber(text), number.digits.count >= 3 else {
            refuse(key, "\"\(text)\" is no telephone number", "a number such as +9779800000000")
            return nil
        }
        return number.description
    }
}
