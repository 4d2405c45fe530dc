import Enforcement

/// Where the console listens, and what it may do.
package struct ConsoleConfiguration: Sendable, Equatable {
    /// An address of this machine: loopback unless the post's other devices may come.
    package var address = "127.0.0.1"
    package var port = 8080

    /// Files in PEM; both or none.
    package var certificatePath: String?
    package var keyPath: String?

    /// Whether other devices may come without encryption: passwords then travel in the clear.
    package var lanWithoutTLS = false

    /// The ALSA device for alert sounds on the box itself: `default`; nil for none.
    package var soundDevice: String?

    /// The device file of a receipt printer: `/dev/usb/lp0`; nil for none.
    package var printer: String?

    /// How wide its paper is, in millimetres: 58 or 80.
    package var printerMm = 58

    /// What is proposed for a violation.
    package var fines = FineSchedule()

    /// What the file says of the road's hours: it holds until the server has told the road.
    package var hourLimits = HourLimits()

    /// Two letters of ISO 3166: which plates are typed here every day; nil where that isn't known.
    package var country: String?

    /// How long a browser stays signed in without being used.
    package var sessionHours = 12.0

    /// After how many minutes without a touch the post's own screen asks for the PIN again, of those who have one; 0 for never.
    package var lockMinutes = 30.0

    /// How many days the server's last word on an account counts where it can't be asked.
    package var offlineDays = 14.0

    /// Addresses of other machines that may read `/metrics`; this one always may.
    package var metricsFrom: [String] = []

    var offlineAge: TimeSpan { .hours(offlineDays * 24) }

    package init() {}

    package var isLoopback: Bool { address == "localhost" || address == "::1" || address.hasPrefix("127.") }
    package var hasTLS: Bool { certificatePath != nil }

    /// Where it is reached from this machine.
    package var localURL: String {
        let host = ["0.0.0.0", "::", "localhost"].contains(address) ? "127.0.0.1" : address
        return "\(hasTLS ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// Why the console must not listen like this; nil when it may.
    package var problem: String? {
        if (certificatePath == nil) != (keyPath == nil) { return "a certificate and its key belong together" }
        if !isLoopback, !hasTLS, !lanWithoutTLS {
            return "other devices could read the passwords: \(address) isn't this machine alone"
        }
        return nil
    }
}
