import Console
import Enforcement
import Foundation

extension ConfigurationBuilder {
    /// The page's settings; nil without the section.
    mutating func console() -> ConsoleConfiguration? {
        guard lines["console"] != nil else { return nil }
        var console = ConsoleConfiguration()
        console.address = text("console.address") ?? console.address
        console.port = whole("console.port") ?? console.port
        console.certificatePath = text("console.certificate_file").map(absolute)
        console.keyPath = text("console.key_file").map(absolute)
        console.lanWithoutTLS = flag("console.lan_without_tls") ?? false
        console.soundDevice = text("console.sound_device").flatMap { $0.isEmpty ? nil : $0 }
        console.printer = text("console.printer").flatMap { $0.isEmpty ? nil : $0 }
        console.printerMm = whole("console.printer_mm") ?? console.printerMm
        console.fines = FineSchedule(
            speeding: text("fines.speeding").flatMap(FineSchedule.List.init),
            overstay: text("fines.overstay").flatMap(FineSchedule.List.init))
        console.sessionHours = number("console.session_hours") ?? console.sessionHours
        console.offlineDays = number("console.offline_days") ?? console.offlineDays
        console.lockMinutes = number("console.lock_minutes") ?? console.lockMinutes
        console.metricsFrom = (text("console.metrics_from") ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        if let stranger = console.metricsFrom.first(where: { !Self.isAddress($0) }) {
            refuse(
                "console.metrics_from", "\"\(stranger)\" is no address", "addresses such as \"192.168.1.20, fd00::20\"")
        }
        if let problem = console.problem {
            refuse(
                "console", problem,
                "\"certificate_file\" with \"key_file\", or address = \"127.0.0.1\", or lan_without_tls = true if everybody "
                    + "on the network is trusted")
        }
        return console
    }

    /// Of IPv4 or IPv6, in figures.
    private static func isAddress(_ text: String) -> Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    }
}
