import ParkAPI

/// The telephone number of the box's account, as somebody types it in setup.
package enum PhoneAnswer {
    /// What is wrong with it, in words; nil when it can be kept.
    package static func problem(_ text: String) -> String? {
        do {
            _ = try AccountPhone(text)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// With its country; nil when it can't be kept.
    package static func kept(_ text: String) -> String? { (try? AccountPhone(text))?.description }
}
