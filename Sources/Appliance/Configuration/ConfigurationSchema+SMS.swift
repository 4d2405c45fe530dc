/// The keys of [sms] and [modem].
extension ConfigurationSchema {
    static let smsKeys: [ConfigurationKey] = [
        .init(
            "sms", "gateway_number", .text, example: "\"+9779800000000\"",
            "The number that the server listens on. Without it nothing goes by SMS."),
        .init(
            "sms", "ranger_phone", .text, example: "\"+9779841230000\"",
            "The phone of this box's account: its last four digits stand in each message."),
        .init(
            "sms", "after_minutes", .number(0.05...1440), example: "5",
            "How long the server has to be out of reach, and a passage to wait, before it goes by SMS."),
        .init(
            "sms", "max_age_hours", .number(1...720), example: "24",
            "A passage older than this goes by no SMS: it would come too late for a match. It waits for the data link."),
        .init("sms", "hourly_limit", .whole(1...10_000), example: "200", "Messages in any 60 minutes."),
        .init(
            "sms", "daily_limit", .whole(1...100_000), example: "1000",
            "Messages in any 24 hours: what the SIM can pay for."),
        .init(
            "sms", "warning_percent", .whole(1...100), example: "80",
            "The part of the daily limit at which somebody is told to top up the SIM."),
        .init(
            "sms", "repeat_lost", .flag, example: "true",
            "Whether a message is sent once more when the modem's answer to it was lost. Only for a server that recognises "
                + "texts, as checkpost-server does: another one would have the passage twice."),
        .init(
            "modem", "device", .text, required: true, example: "\"/dev/serial/by-id/usb-modem\"",
            "Its serial port: best a link in /dev/serial/by-id, which stays the same when it is plugged in anew; or auto."
        ),
        .init("modem", "speed", .choiceOfNumber(speeds), example: "115200", "Baud."),
        .init(
            "modem", "pin_file", .text, example: "\"/etc/checkpost/modem.password\"",
            "A file with the SIM's PIN in its first line, readable by the box only. A wrong one is tried once."),
        .init("modem", "pin", .text, example: "\"0000\"", "The PIN itself, where no file is wanted."),
        .init(
            "modem", "service_centre", .text, example: "\"+9779800000001\"",
            "The operator's service centre, where the SIM has none."),
        .init(
            "modem", "hardware_flow_control", .flag, example: "false",
            "Whether the cable has RTS and CTS and the modem uses them."),
        .init(
            "modem", "roaming", .flag, example: "false",
            "Whether texts may go over another operator's network, at its price. A SIM made for machines often always roams."
        ),
        .init(
            "modem", "power_cycle", .text, example: "\"/usr/sbin/uhubctl -l 1-1 -p 2 -a cycle\"",
            "A program, with its arguments, that takes the modem's power away for some seconds. It is run when a modem that was reset "
                + "still doesn't answer, before a person is called."),
        .init(
            "modem", "balance_code", .text, example: "\"*400#\"",
            "What is dialled once a day to hear what a prepaid SIM has left. Operators' texts about it are read as well."
        ),
        .init(
            "modem", "balance_low", .number(0...1_000_000), example: "50",
            "So little of it, in the operator's currency, is an alarm."),
    ]

    /// Of a serial line, in baud.
    static let speeds = [9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
}
