import Enforcement
import Foundation
import Modem
import ServiceLifecycle
import Synchronization

/// A GSM modem at the server, so that texts of the posts need no provider: whatever arrives is put on the disk, then into the database.
package struct TextModem: Service {
    private let gateway: Gateway
    private let modem: Settings.TextModem
    private let spool: TextSpool

    private static let interval = Duration.seconds(1)
    private static let patience = Duration.seconds(30)
    private static let askInterval = Duration.seconds(3)
    /// So many in one go.
    private static let batch = 100

    /// Nil where the server has none.
    package init?(_ gateway: Gateway) {
        guard let modem = gateway.settings.textModem else { return nil }
        (self.gateway, self.modem) = (gateway, modem)
        spool = TextSpool(folder: modem.folder + "/waiting")
    }

    package func run() async throws {
        let driver: ModemDriver
        do { driver = try makeDriver() } catch {
            // The server goes on without it.
            gateway.log.error("the modem can't be used", metadata: ["error": "\(error)"])
            return await wait()
        }
        gateway.modemHealth.now = driver.health
        driver.start()
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown {
                await withTaskGroup { group in
                    group.addTask {
                        while (try? await Task.sleep(for: await drain() ? Self.interval : Self.patience)) != nil {}
                    }
                    group.addTask { while (try? await Task.sleep(for: Self.askInterval)) != nil { await ask(driver) } }
                }
            }
        } onGracefulShutdown: {
            driver.stop()
        }
        driver.stop()
    }

    private func wait() async {
        await cancelWhenGracefulShutdown { while (try? await Task.sleep(for: .seconds(86_400))) != nil {} }
    }

    private func makeDriver() throws -> ModemDriver {
        var port = SerialPort.Settings()
        port.speed = modem.speed
        var settings = GSMModem.Settings()
        settings.pin = modem.pin?.revealed
        settings.wantsReports = false
        try FileManager.default.createDirectory(atPath: modem.folder, withIntermediateDirectories: true)
        let (log, spool, health) = (gateway.log, spool, gateway.modemHealth)
        return try ModemDriver(
            source: PortSource(setting: modem.device), port: port, settings: settings,
            pinMemory: PINMemoryFile(path: modem.folder + "/modem.pin"),
            portMemory: PortMemoryFile(path: modem.folder + "/modem.port")
        ) { event in
            switch event {
            case .health(let now): health.now = now
            case .message(let message):
                guard let body = message.text else {
                    return log.warning("a text that can't be read came to the modem")
                }
                let stamp = Int64(Date().timeIntervalSince1970 * 1000)
                let id = String(format: "%014ld-", stamp) + UUID().uuidString.prefix(8).lowercased()
                if !spool.keep(.init(id: id, sender: message.sender?.description, body: body)) {
                    log.error(
                        "a text can't be written: the disk is full, or the folder is read-only; it waits in memory for the database",
                        metadata: ["folder": "\(spool.folder)"])
                }
            case .portTrouble(let reason): log.warning("modem", metadata: ["port": "\(reason)"])
            case .alarm(let alarm): log.error("modem", metadata: ["alarm": "\(alarm)"])
            case .cleared(let alarm): log.notice("modem", metadata: ["over": "\(alarm)"])
            case .report, .balance, .powerCycleWanted, .lateResult: break
            }
        }
    }

    private struct Question: Decodable {
        var id: Int64
        var phone: String
        var body: String
    }

    /// Sends what the office asks a post, if something waits.
    private func ask(_ driver: ModemDriver) async {
        guard driver.health.stage == .ready else { return }
        do {
            let said = try await gateway.ownTransaction { connection in
                try connection.run("select checkpost.question_to_send()").scalar
            }
            guard let said else { return }
            let question = try JSONDecoder().decode(Question.self, from: Data(said.utf8))
            guard let problem = await problem(of: question, driver) else {
                return gateway.log.info("a question went to a post", metadata: ["question": "\(question.id)"])
            }
            gateway.log.warning("a question to a post was not sent", metadata: ["reason": "\(problem)"])
            try await gateway.ownTransaction { connection in
                _ = try connection.run(
                    "select checkpost.question_unsent($1::bigint, $2)", [String(question.id), problem])
            }
        } catch {
            gateway.log.warning(
                "what the office asks is not sent now", metadata: ["error": "\(LogText.of("\(error)", limit: 300))"])
        }
    }

    /// Why it could not be sent; nil where it went, or may have.
    private func problem(of question: Question, _ driver: ModemDriver) async -> String? {
        guard let number = PhoneNumber(question.phone) else { return "\(question.phone) is no number" }
        switch await driver.send(to: number, text: question.body).result {
        case .accepted, .ambiguous: return nil
        case .refused(let failure): return "\(failure)"
        case .unsendable(let error): return "\(error)"
        }
    }

    /// Brings what waits into the database.
    ///
    /// - Returns: false when the database doesn't take it now.
    private func drain() async -> Bool {
        for id in spool.waiting(limit: Self.batch) {
            guard let text = spool.text(id) else {
                let name = spool.setAside(id)
                gateway.log.error("a text on the disk can't be read; it is set aside", metadata: ["file": "\(name)"])
                continue
            }
            do {
                _ = try await TextInbox(gateway: gateway).receive(text.body, from: text.sender, id: id, by: "modem")
                spool.remove(id)
            } catch {
                gateway.log.warning(
                    "a text waits on the disk", metadata: ["error": "\(LogText.of("\(error)", limit: 300))"])
                return false
            }
        }
        return true
    }
}

extension TextModem: CustomStringConvertible, CustomReflectable {
    package var description: String { "TextModem" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
