extension GSMModem {
    package struct Settings: Hashable, Sendable {
        /// 4 to 8 digits; nil when the SIM wants none.
        package var pin: String?

        /// nil: the SIM's own.
        package var serviceCentre: PhoneNumber?

        package var validity: ValidityPeriod? = .day
        package var wantsReports = true
        package var timing = Timing()

        package init() {}

        var hasUsablePIN: Bool {
            guard let pin else { return false }
            return (4...8).contains(pin.utf8.count) && pin.allSatisfy(\.isASCIIDigit)
        }
    }

    /// Waits, as field experience with modems sets them. Tests shorten them.
    package struct Timing: Hashable, Sendable {
        package var answer = Duration.seconds(8)
        package var slowAnswer = Duration.seconds(30)
        package var grace = Duration.seconds(2)
        package var prompt = Duration.seconds(10)

        /// Networks take up to a minute to accept a message; 3GPP's own timers end after two.
        package var submit = Duration.seconds(120)

        /// Late answers to a command that was given up are over after this.
        package var settle = Duration.seconds(3)
        package var simRetry = Duration.seconds(2)
        package var simRecheck = Duration.seconds(60)
        package var registrationPoll = Duration.seconds(5)

        /// Without a network for so long: an alarm, and a restart of the radio.
        package var registrationAlarm = Duration.seconds(120)
        package var registrationPatience = Duration.seconds(900)
        package var radioRestart = Duration.seconds(20)
        package var reopen = Duration.seconds(5)
        package var portAlarm = Duration.seconds(60)

        /// The first and the longest wait on the last rung.
        package var lastRung = Duration.seconds(60)
        package var longestLastRung = Duration.seconds(900)
        package var watchInterval = Duration.seconds(60)
        package var listInterval = Duration.seconds(600)
        package var goodTimeToForget = Duration.seconds(600)

        package init() {}
    }

    /// A text on its way, part by part.
    struct Sending: Hashable, Sendable {
        var id: UInt64
        var number: PhoneNumber
        var text: String
        var parts: [SMSSubmit.Part]

        /// One for each part that was accepted; nil when the modem gave none.
        var references: [UInt8?] = []
    }
}
