import Enforcement
import Foundation
import ParkAPI
import Recognition

extension Configuration {
    /// A mask for a clock, a sign or another road leaves most of the picture, in percent.
    private static let muchHidden = 60

    /// What may be meant and is worth a look before the box is left alone: the appliance starts with it, and goes on trying.
    package var advice: [String] {
        var advice: [String] = []
        for camera in cameras {
            let hidden = Int((camera.mask.hiddenPart * 100).rounded())
            if hidden >= Self.muchHidden {
                advice.append(
                    "The mask of the camera \(camera.name) leaves out \(hidden) % of its picture: vehicles there are not read."
                )
            }
            if case .v4l2(let device, _) = camera.kind, Presence.of(device) == .absent {
                advice.append("The camera \(camera.name) is not there: no \(device).")
            }
            guard case .folder(let path) = camera.kind else { continue }
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            if isThere, !isFolder.boolValue {
                advice.append("The camera \(camera.name) reads from a folder, and \(path) is a file.")
            } else if !isThere {
                advice.append("The camera \(camera.name) has no folder yet: \(path) is not there.")
            } else if camera.answered == .remove {
                advice.append(
                    "Pictures in \(path), also those that are there already, are removed \(Wording.span(retention.folderPictures)) "
                        + "after they were answered for. With pictures = \"keep\" or \"move\" at the camera \(camera.name) they stay."
                )
            }
        }
        do {
            _ = try ModelFolder.folder(of: ModelFolder.latinModel, given: reader.models)
            _ = try ModelFolder.parameters(given: reader.models)
        } catch {
            advice.append("Plates can't be read: \(String(sentence: error))")
        }
        if let file = console?.unreadableFile {
            advice.append("The ranger's page can't be served: \(file) can't be read.")
        }
        if let printer = console?.printer, Presence.of(printer) == .absent {
            advice.append("Notices can't be printed: \(printer) is not there.")
        }
        if let server, server.url.lowercased().hasPrefix("http://"),
            URLComponents(string: server.url)?.isLoopback != true
        {
            advice.append("The address of the server is not https: passwords and records travel in the open.")
        }
        // Its last four digits do, so a box that was set up with it goes on.
        if let phone = sms.rangerPhone, (try? AccountPhone(phone))?.description != phone {
            advice.append(
                "ranger_phone in [sms] is without its country. Write it, here and at the server's account, as +9779841230000: texts from a "
                    + "number whose country is not known count for no post.")
        }
        let reason = SMSReport.off(self)?.reason
        if let reason, modem != nil || sms.gatewayNumber != nil { advice.append("Nothing goes by SMS: \(reason).") }
        if reason == nil, server == nil {
            advice.append(
                "There is [sms] but no [server]: every passage that waits \(Wording.span(sms.after)) goes by SMS.")
        }
        return advice
    }
}

extension URLComponents {
    /// Whether it leads to this machine.
    var isLoopback: Bool {
        guard let host = host?.lowercased() else { return false }
        return host == "localhost" || host == "[::1]" || host == "::1" || host.hasPrefix("127.")
    }
}
