import Enforcement
import Foundation
import Pages
import Ranger
import Storage

extension Action {
    static let lists: [Action] = [
        Action(
            path: "wanted/add", help: "Watch for a plate: an alert when this post records it.",
            fields: "plate (Latin or Devanagari), reason (60 characters at most)"
        ) { console, fields, active in
            try console.ranger.watch(
                forTyped: fields["plate"] ?? "", reason: fields["reason"] ?? "", by: active.user.name)
            return Done(next: "/wanted?said=listed")
        },
        Action(path: "wanted/remove", help: "Watch for a plate no longer.", fields: "plate") { console, fields, _ in
            try console.ranger.stopWatching(forTyped: fields["plate"] ?? "")
            return Done(next: "/wanted?said=unlisted")
        },
        Action(
            path: "exempt/add", help: "A vehicle that raises no alarm: the park's own, an ambulance.",
            fields: "plate, reason", isForTechnician: true
        ) { console, fields, _ in
            try console.ranger.exempt(typed: fields["plate"] ?? "", reason: fields["reason"] ?? "")
            return Done(next: "/exempt?said=listed")
        },
        Action(path: "exempt/remove", help: "End an exemption.", fields: "plate", isForTechnician: true) {
            console, fields, _ in
            try console.ranger.endExemption(typed: fields["plate"] ?? "")
            return Done(next: "/exempt?said=unlisted")
        },
        Action(
            path: "users/add", help: "Let somebody use the console.",
            fields: "name, full_name (optional), role (ranger, technician), password, pin (optional)",
            isForTechnician: true
        ) { console, fields, _ in
            try UserDesk(console: console).add(fields)
            return Done(next: "/users?said=listed")
        },
        Action(
            path: "users/secret",
            help: "Give somebody another password or PIN. It opens a lock and ends their sessions.",
            fields: "name, password, pin (one of both)", isForTechnician: true
        ) { console, fields, _ in
            try UserDesk(console: console).setSecrets(fields)
            return Done(next: "/users?said=changed")
        },
        Action(
            path: "users/remove", help: "Somebody may use the console no longer. What they did keeps their name.",
            fields: "name", isForTechnician: true
        ) { console, fields, active in
            try UserDesk(console: console).remove(fields, by: active.user.name)
            return Done(next: "/users?said=unlisted")
        },
    ]
}
