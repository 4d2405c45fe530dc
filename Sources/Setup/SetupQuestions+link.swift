import Appliance
import Enforcement
import Foundation

/// Server and modem.
extension SetupQuestions {
    mutating func askServer() throws {
        let stands = answers.sections["server"] ?? [:]
        // A configuration that setup has finished once has a console.
        let isFirst = standing.sections["console"] == nil
        guard try dialogue.confirm("Does this post have a park server?", standard: isFirst || !stands.isEmpty) else {
            answers.sections["server"] = nil
            return try files.remember(answers)
        }
        while true {
            let url = try dialogue.ask(
                "Address of the server, such as https://park.example.org", standard: text("server", "url")
            ) { text in
                let mistake = AddressRule.server.mistake(in: text, login: "account and password at the next questions")
                return mistake.map { "It can't be: \($0.reason). Allowed: \($0.allowed)." }
            }
            try keep("server", "url", .text(url))
            let account = "\(place.code.lowercased())@bnp.local"
            let email = try dialogue.ask("Account of this box", standard: text("server", "email") ?? account) { text in
                text.contains("@") && !text.contains("/") ? nil : "An e-mail address, such as \(account)."
            }
            try keep("server", "email", .text(email))
            let hasSecret = answers.secrets["server"] != nil || text("server", "password_file") != nil
            if let password = try dialogue.secret("Password of the account", stands: hasSecret) {
                answers.secrets["server"] = password.revealed
                try keep("server", "password_file", .text(files.secretPath("server")))
            }
            let key = try dialogue.ask(
                "Its anon key, as checkpost-server keys or a Supabase project shows it (- for none)",
                standard: text("server", "anon_key") ?? "")
            try keep("server", "anon_key", key.isEmpty || key == "-" ? nil : .text(key))
            var alone = answers
            for section in ["sms", "modem", "trigger", "console"] { alone.sections[section] = nil }
            let outcome = try isWell("server", alone)
            // A server that isn't reached may be built later; what it refuses is a slip of the hand.
            if try outcome == .passed || dialogue.confirm("Keep it all the same?", standard: outcome == .outOfReach) {
                return
            }
        }
    }

    mutating func askModem() throws {
        let stands = answers.sections["modem"] != nil
        guard try dialogue.confirm("Does this post have a GSM modem for SMS?", standard: stands) else {
            answers.sections["modem"] = nil
            answers.sections["sms"] = nil
            return try files.remember(answers)
        }
        let number = try dialogue.ask(
            "Number that the server listens on, such as +9779800000000", standard: text("sms", "gateway_number")
        ) { text in
            text.hasPrefix("+") && (8...16).contains(text.count) && text.dropFirst().allSatisfy(\.isNumber)
                ? nil : "A number with its country: + and 7 to 15 digits."
        }
        try keep("sms", "gateway_number", .text(number))
        let phone = try dialogue.ask(
            "Phone number of this box's account (- for none)", standard: text("sms", "ranger_phone") ?? ""
        ) { text in
            text.isEmpty || text == "-" ? nil : PhoneAnswer.problem(text)
        }
        let known = PhoneAnswer.kept(phone)
        if let known, known != phone { dialogue.show("  Taken as \(known): the server has to have the same.") }
        try keep("sms", "ranger_phone", known.map { .text($0) })
        while true {
            let device = try dialogue.ask(
                "Serial port of the modem, such as /dev/serial/by-id/…, or auto", standard: text("modem", "device"))
            try keep("modem", "device", .text(device))
            let hasPIN = text("modem", "pin_file") != nil
            if try dialogue.confirm("Does its SIM ask for a PIN?", standard: hasPIN) {
                if let pin = try dialogue.secret("PIN of the SIM; a wrong one is tried once", stands: hasPIN) {
                    answers.secrets["modem"] = pin.revealed
                    try keep("modem", "pin_file", .text(files.secretPath("modem")))
                }
            } else {
                answers.secrets["modem"] = nil
                try keep("modem", "pin_file", nil)
            }
            guard try dialogue.confirm("Try it now?", standard: true) else { return }
            var alone = answers
            for section in ["server", "trigger", "console"] { alone.sections[section] = nil }
            if try isWell("modem", alone) == .passed { return }
            if try dialogue.confirm("Keep it all the same?", standard: false) { return }
        }
    }
}
