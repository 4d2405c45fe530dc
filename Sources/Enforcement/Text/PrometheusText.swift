/// Figures in the text format that Prometheus reads (version 0.0.4).
package struct PrometheusText: Sendable, CustomStringConvertible {
    /// Labels by their names, and the value.
    package typealias Sample = ([String: String], Double)

    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var description = ""

    package init() {}

    /// What goes up and down. Without samples nothing is written.
    package mutating func gauge(_ name: String, _ help: String, _ samples: [Sample]) {
        write(name, help, "gauge", samples)
    }

    /// What there is one of.
    package mutating func gauge(_ name: String, _ help: String, _ value: Double?) {
        write(name, help, "gauge", value.map { [([:], $0)] } ?? [])
    }

    /// What only grows, since the program's start.
    package mutating func counter(_ name: String, _ help: String, _ samples: [Sample]) {
        write(name, help, "counter", samples)
    }

    private mutating func write(_ name: String, _ help: String, _ kind: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        description += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
        for (labels, value) in samples {
            let said = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
            let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
            description += name + (said.isEmpty ? "" : "{\(said.joined(separator: ","))}") + " \(number)\n"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
