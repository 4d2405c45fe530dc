import Enforcement
import Foundation
import Pages

extension Action {
    static let technician: [Action] = [
        Action(
            path: "queue/retry",
            help: "Put failed and refused queue entries back in line: one, or all, with the photos that failed.",
            fields: "id (optional)", isForTechnician: true
        ) { console, fields, _ in
            let id = fields["id"].flatMap(Int64.init)
            guard id != nil || fields["id"] == nil else { throw ConsoleError.input }
            var count = try console.store.queue.retryFailed(id: id, at: console.now)
            if id == nil { count += try console.store.photos.reviveFailed(refusedToo: true) }
            return Done(answer: ["retried": "\(count)"], next: "/technician?said=retried")
        },
        Action(
            path: "aim/mask",
            help:
                "Leave parts of a camera's pictures out, or read in parts alone, instead of what the configuration says; it counts at once.",
            fields:
                "camera, mask (as in the configuration; empty for nothing), configured (optional, 1: as configured again)",
            isForTechnician: true
        ) { console, fields, active in
            let camera = try fields.text("camera", most: 100, or: .notFound)
            guard await console.host.status().cameras.contains(where: { $0.name == camera }) else {
                throw ConsoleError.notFound
            }
            var mask: PictureMask?
            if !fields.isSet("configured") {
                guard let drawn = PictureMask(drawn: fields["mask"] ?? "") else {
                    throw ConsoleError(.unprocessableContent, "error_mask")
                }
                mask = drawn
            }
            try console.store.cameraMasks.set(mask, of: camera, by: active.user.name, at: console.now)
            console.log.notice(
                "a camera's mask was changed",
                metadata: [
                    "camera": "\(camera)", "mask": "\(mask?.text ?? "as configured")", "by": "\(active.user.name)",
                ])
            return Done(next: "/aim?said=" + (mask == nil ? "mask_back" : "mask") + "&camera=" + camera.escapedForQuery)
        },
        Action(path: "sync", help: "Start a synchronization now.", fields: "", isForTechnician: true) {
            console, _, _ in
            let hasBegun = await console.host.synchroniseNow()
            return Done(
                answer: ["started": "\(hasBegun)"], next: "/technician?said=" + (hasBegun ? "sync" : "no_sync"))
        },
        Action(
            path: "sms", help: "Send a test message by SMS.", fields: "number (optional: that of the server otherwise)",
            isForTechnician: true
        ) { console, fields, _ in
            guard (fields["number"] ?? "").count <= 20 else {
                throw ConsoleError(.unprocessableContent, "error_number")
            }
            switch await console.host.sendTestSMS(to: fields["number"]) {
            case .noModem: return Done(answer: ["answer": "No modem is set up."], next: "/technician?said=no_sms")
            case .badNumber: throw ConsoleError(.unprocessableContent, "error_number")
            case .enough: throw ConsoleError(.conflict, "error_sms_enough")
            case .refused(let reason): throw ConsoleError(.serviceUnavailable, "error_internal", detail: reason)
            case .inLine(let answer): return Done(answer: ["answer": answer], next: "/technician?said=sms")
            }
        },
    ]
}
