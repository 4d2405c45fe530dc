import Enforcement

/// [trigger].
extension ConfigurationSchema {
    static let triggerKeys: [ConfigurationKey] = [
        .init(
            "trigger", "device", .text, required: true, example: "\"/dev/serial/by-id/usb-loop\"",
            "Its serial port: best a link in /dev/serial/by-id, which stays the same when it is plugged in anew."),
        .init("trigger", "speed", .choiceOfNumber(speeds), example: "9600", "Baud."),
        .init(
            "trigger", "camera", .text, example: "\"gate\"",
            "The camera before which its vehicles pass. Without it all cameras."),
        .init(
            "trigger", "window_seconds", .number(1...600), example: "15",
            "So long before or after its event a vehicle may be before the camera. An event without one counts as a vehicle without a plate."
        ),
        .init(
            "trigger", "silent_after_seconds", .number(0...86400), example: "60",
            "The time without any frame of it that is an alarm; 0 for never. It has to say every 10 seconds that it is there."
        ),
    ]
}

extension ConfigurationBuilder {
    mutating func trigger() -> Configuration.Trigger? {
        guard let device = required("trigger.device", with: "trigger") else { return nil }
        if !device.hasPrefix("/") {
            refuse("trigger.device", "\"\(device)\" is no port", "a path such as /dev/serial/by-id/usb-loop")
        }
        // Two programs on one line hear half of what comes each.
        if device == text("modem.device") {
            refuse("trigger.device", "this is the port of the modem", "a port of its own")
        }
        var trigger = Configuration.Trigger(device: device)
        trigger.speed = whole("trigger.speed") ?? trigger.speed
        if let camera = text("trigger.camera"), !camera.isEmpty {
            trigger.camera = camera
            if !(0..<cameraCount).contains(where: { text("camera[\($0)].name") == camera }) {
                refuse("trigger.camera", "no camera is called \"\(camera)\"", "the name of a camera of this file")
            }
        }
        if let window = number("trigger.window_seconds") { trigger.window = .seconds(window) }
        if let silence = number("trigger.silent_after_seconds") {
            trigger.silentAfter = silence == 0 ? nil : .seconds(silence)
        }
        return trigger
    }
}
