import Enforcement
import Foundation

/// Sounds alerts on the box itself, for a post without a browser: with `aplay`, again and again until somebody has touched
/// them.
struct SoundPlayer: Sendable {
    let console: Console

    private static let pause = Duration.seconds(4)

    func run() async {
        guard let device = console.configuration.soundDevice else { return }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("checkpost-sounds-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for finding in RangerAlert.Finding.allCases {
                try AlertSound.wave(finding).write(to: folder.appendingPathComponent(finding.rawValue + ".wav"))
            }
        } catch {
            console.log.error("the alert sounds can't be written", metadata: ["error": "\(error)"])
            return
        }
        var hasFailed = false
        var sounding: RangerAlert?
        var isBlind = false
        while !Task.isCancelled {
            do {
                sounding = try console.alerts.sounding(at: console.now).first
                isBlind = false
            } catch {
                // Nobody knows whether it has been touched meanwhile: what sounded goes on sounding.
                if !isBlind {
                    console.log.error("the alerts can't be read", metadata: ["error": "\(error)"])
                    isBlind = true
                }
            }
            if let alert = sounding {
                let file = folder.appendingPathComponent(alert.finding.rawValue + ".wav")
                let failure = await play(file, on: device)
                if let failure, !hasFailed, !Task.isCancelled {
                    console.log.error("an alert can't be sounded", metadata: ["error": "\(failure)"])
                }
                hasFailed = failure != nil
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// - Returns: why it could not be heard; nil when it could.
    private func play(_ file: URL, on device: String) async -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["aplay", "-q", "-D", device, file.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                process.terminationHandler = { ended in
                    let status = ended.terminationStatus
                    continuation.resume(returning: status == 0 ? nil : "aplay ended with \(status)")
                }
                do {
                    try process.run()
                } catch {
                    process.terminationHandler = nil
                    continuation.resume(returning: error.localizedDescription)
                }
            }
        } onCancel: {
            if process.isRunning { process.terminate() }
        }
    }
}
