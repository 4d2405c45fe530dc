import Foundation
import Testing

@testable import Appliance

/// What the parts of a box take of the machine, over a long time: memory and descriptors of each process, as the kernel has them.
struct PartFigures {
    struct Sample {
        /// The day of the soak.
        var day: Double
        var kilobytes: Double
        var descriptors: Int

        /// Whether nothing was under way.
        var isQuiet: Bool
    }

    /// By part and process: a part that was started again begins anew.
    private(set) var samples: [String: [Sample]] = [:]

    mutating func look(at box: RunningAppliance, day: Double, isQuiet: Bool = false) {
        let parts = (box.news?.parts ?? []).compactMap { line in line.pid.map { (line.name, $0) } }
        for (name, pid) in [("supervisor", box.pid)] + parts {
            guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
                let kilobytes = Double(line.filter(\.isNumber)),
                let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count
            else { continue }
            samples["\(name) \(pid)", default: []].append(
                Sample(day: day, kilobytes: kilobytes, descriptors: descriptors, isQuiet: isQuiet))
        }
    }

    /// One process, without the time in which it still takes what it needs.
    struct Line: CustomStringConvertible {
        var name: String
        var days: Double
        var firstKilobytes: Double
        var lastKilobytes: Double
        var mostKilobytes: Double

        /// By the straight line through all samples.
        var kilobytesADay: Double
        var quietDescriptors: [Int]
        var mostDescriptors: Int

        var description: String {
            func megabytes(_ kilobytes: Double) -> String { String(format: "%.1f", kilobytes / 1024) }
            return "\(name): \(megabytes(firstKilobytes)) MB, at the end \(megabytes(lastKilobytes)) MB, at most "
                + "\(megabytes(mostKilobytes)) MB, \(String(format: "%+.0f", kilobytesADay)) KB a day; descriptors at rest "
                + "\(quietDescriptors.map(String.init).joined(separator: " ")), at most \(mostDescriptors)"
        }
    }

    /// Those that were there at the end.
    ///
    /// - Parameter day: samples before it don't count.
    func lines(after day: Double) -> [Line] {
        let end = samples.values.compactMap(\.last?.day).max() ?? 0
        return samples.sorted { $0.key < $1.key }.compactMap { name, all in
            let some = all.filter { $0.day >= day }
            guard let first = some.first, let last = some.last, last.day == end, some.count > 3 else { return nil }
            // A tenth at each end, so that no single sample decides.
            let ends = max(1, some.count / 10)
            func mean(_ part: ArraySlice<Sample>) -> Double { part.map(\.kilobytes).reduce(0, +) / Double(part.count) }
            return Line(
                name: name, days: last.day - first.day, firstKilobytes: mean(some.prefix(ends)),
                lastKilobytes: mean(some.suffix(ends)), mostKilobytes: some.map(\.kilobytes).max() ?? 0,
                kilobytesADay: Self.slope(some), quietDescriptors: some.filter(\.isQuiet).map(\.descriptors),
                mostDescriptors: some.map(\.descriptors).max() ?? 0)
        }
    }

    /// Of the line of least squares.
    private static func slope(_ samples: [Sample]) -> Double {
        let count = Double(samples.count)
        let (x, y) = (samples.map(\.day).reduce(0, +) / count, samples.map(\.kilobytes).reduce(0, +) / count)
        let above = samples.map { ($0.day - x) * ($0.kilobytes - y) }.reduce(0, +)
        let below = samples.map { ($0.day - x) * ($0.day - x) }.reduce(0, +)
        return below == 0 ? 0 : above / below
    }
}
