import Foundation
import Recognition
import Synchronization

/// Measures the reader.
struct ReaderBench {
    /// What was measured. Times are in milliseconds.
    struct Report: Encodable {
        var pictures = 0
        var unreadable = 0
        var decodeMs = Percentiles()
        var findMs = Percentiles()
        var readMs = Percentiles()
        var totalMs = Percentiles()

        /// What a frame costs in which nothing changed.
        var stillMs = Percentiles()
        var framesPerSecondOnOneCore = 0.0
        var framesPerSecondOnTwoCores = 0.0
        var peakMemoryBytes = 0

        enum CodingKeys: String, CodingKey {
            case pictures, unreadable
            case decodeMs = "decode_ms"
            case findMs = "find_ms"
            case readMs = "read_ms"
            case totalMs = "total_ms"
            case stillMs = "still_ms"
            case framesPerSecondOnOneCore = "frames_per_second_one_core"
            case framesPerSecondOnTwoCores = "frames_per_second_two_cores"
            case peakMemoryBytes = "peak_memory_bytes"
        }

        var text: String {
            var table = TextTable([("", .left), ("median ms", .right), ("95 % ms", .right)])
            for (name, times) in [
                ("decode", decodeMs), ("find", findMs), ("read", readMs), ("all", totalMs), ("still scene", stillMs),
            ] {
                table.add([name, Output.decimal(times.median), Output.decimal(times.percentile95)])
            }
            let failed = unreadable > 0 ? ", \(unreadable) of them unreadable" : ""
            let share = totalMs.median > 0 ? 100 * stillMs.median / totalMs.median : 0
            return """
                \(pictures) pictures\(failed)
                \(table.text)
                a still scene costs \(Output.decimal(share, 0)) % of a busy one
                frames a second: \(Output.decimal(framesPerSecondOnOneCore)) on one core, \
                \(Output.decimal(framesPerSecondOnTwoCores)) on two
                peak memory: \(Output.bytes(peakMemoryBytes))
                """
        }
    }

    /// The pictures' files. One is in memory at a time, so that the peak is the reader's own.
    let files: [String]

    /// - Parameter makeRecognizer: makes the reader of the first pass, and a further one for the second thread of the other.
    func measure(makeRecognizer: @Sendable () throws -> PlateRecognizer) throws -> Report {
        var report = Report()
        report.pictures = files.count
        let recognizer = try makeRecognizer()
        measureOnOneCore(recognizer, into: &report)
        for picture in files.lazy.compactMap(Self.picture) {
            let start = ContinuousClock.now
            if (try? ImageDecoder.thumbnail(of: picture)) != nil {
                report.stillMs.add((ContinuousClock.now - start).milliseconds)
            }
        }
        report.framesPerSecondOnTwoCores = onTwoCores(recognizer, makeRecognizer)
        report.peakMemoryBytes = Self.peakMemoryBytes
        return report
    }

    private static func picture(_ file: String) -> Data? { try? PictureFile.read(file) }

    private func measureOnOneCore(_ recognizer: PlateRecognizer, into report: inout Report) {
        // The first picture fills the caches and the buffers.
        _ = files.first.flatMap(Self.picture).map { try? recognizer.recognize($0) }
        let start = ContinuousClock.now
        for file in files {
            guard let picture = Self.picture(file), let times = try? recognizer.recognize(picture).times else {
                report.unreadable += 1
                continue
            }
            report.decodeMs.add(times.decodeMs)
            report.findMs.add(times.findMs)
            report.readMs.add(times.readMs)
            report.totalMs.add(times.totalMs)
        }
        report.framesPerSecondOnOneCore = perSecond(files.count, ContinuousClock.now - start)
    }

    private func onTwoCores(
        _ first: PlateRecognizer, _ makeRecognizer: @Sendable () throws -> PlateRecognizer
    ) -> Double {
        // Only the first of the two threads touches it, and this one waits meanwhile.
        nonisolated(unsafe) let first = first
        let next = Mutex(0)
        let elapsed = Mutex(Duration.zero)
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            guard let recognizer = thread == 0 ? first : try? makeRecognizer() else { return }
            _ = files.first.flatMap(Self.picture).map { try? recognizer.recognize($0) }
            let clock = ContinuousClock()
            let start = clock.now
            while true {
                let index = next.withLock { next in
                    next += 1
                    return next - 1
                }
                guard index < files.count else { break }
                _ = Self.picture(files[index]).map { try? recognizer.recognize($0) }
            }
            let time = clock.now - start
            elapsed.withLock { $0 = max($0, time) }
        }
        return perSecond(files.count, elapsed.withLock { $0 })
    }

    private func perSecond(_ count: Int, _ duration: Duration) -> Double {
        duration > .zero ? (Double(count) / duration.milliseconds * 100_000).rounded() / 100 : 0
    }

    private static var peakMemoryBytes: Int {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        return Int(usage.ru_maxrss) * 1024
    }
}
