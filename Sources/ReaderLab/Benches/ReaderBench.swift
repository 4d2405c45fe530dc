import Enforcement
import Foundation
import Recognition
import Synchronization

/// Measures the reader.
package struct ReaderBench {
    /// What was measured. Times are in milliseconds.
    package struct Report: Encodable {
        package var pictures = 0
        package var unreadable = 0
        package var decodeMs = Percentiles()
        package var findMs = Percentiles()
        package var readMs = Percentiles()
        package var totalMs = Percentiles()

        /// What a frame costs in which nothing changed.
        package var stillMs = Percentiles()
        package var framesPerSecondOnOneCore = 0.0
        package var framesPerSecondOnTwoCores = 0.0
        package var peakMemoryBytes = 0

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

    }

    /// The pictures' files. One is in memory at a time, so that the peak is the reader's own.
    package let files: [String]

    /// The most pictures that are measured: more only take longer.
    package static let maximumPictures = 500

    /// - Parameter paths: pictures, and folders of pictures.
    /// - Throws: `AdvisedError` for what isn't there, and when there is no picture.
    package init(_ paths: [String]) throws {
        var files: [String] = []
        for path in paths {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw AdvisedError("\(path): there is no such file.", hint: "Check the path.")
            }
            guard isFolder.boolValue else {
                files.append(path)
                continue
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            files += names.filter { name in
                ["jpg", "jpeg", "png", "pgm", "ppm", "pnm"].contains((name as NSString).pathExtension.lowercased())
            }.map { path + "/" + $0 }
        }
        guard !files.isEmpty else {
            throw AdvisedError("there is no picture to read.", hint: "Name JPEG, PNG or PNM files, or their folder.")
        }
        self.files = Array(files.prefix(Self.maximumPictures))
    }

    /// - Parameter makeRecognizer: makes the reader of the first pass, and a further one for the second thread of the other.
    package func measure(makeRecognizer: @Sendable () throws -> PlateRecognizer) throws -> Report {
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
