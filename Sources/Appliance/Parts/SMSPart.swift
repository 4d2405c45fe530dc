import ServiceLifecycle

/// Watches the SMS beside it: how it is, and that it answers.
///
/// What sends is an actor, and answers only between two turns of its work: one that hangs does not.
struct SMSPart: Service {
    let sms: SMSFallback
    let desk: PartDesk

    private static let interval = Duration.seconds(2)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let report = await sms.report
                desk.beat(PartNews(sms: report))
                desk.fault.strike(.work)
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
