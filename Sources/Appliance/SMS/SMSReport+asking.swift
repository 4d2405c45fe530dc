extension SMSReport {
    /// What the modem itself says, while no appliance has it.
    package static func asked(_ configuration: Configuration) async throws -> SMSReport {
        guard let modem = configuration.modem else { return SMSReport(state: .off) }
        let session = try ModemSession(modem, dataFolder: configuration.dataFolder)
        defer { session.stop() }
        let health = await session.becomeReady()
        let shown = SMSReport.Modem(device: modem.device, health: health, trouble: session.trouble)
        if let off = SMSReport.off(configuration) {
            return SMSReport(state: .off, reason: off.reason, modem: shown)
        }
        return health.stage == .ready
            ? SMSReport(state: .ready, modem: shown)
            : SMSReport(state: .waiting, reason: shown.waitingFor, modem: shown)
    }
}
