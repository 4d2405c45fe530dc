import Enforcement

/// How sure a plate has to be: for all cameras, for one, and for one by night.
extension ConfigurationBuilder {
    /// - Parameters:
    ///   - prefix: before the names of the two keys.
    ///   - usual: what holds where a key isn't set.
    func confidence(at path: String, prefix: String = "", _ usual: RecordingConfidence) -> RecordingConfidence {
        var confidence = usual
        if let any = number("\(path).\(prefix)recording_confidence") { confidence.any = any }
        if let painted = number("\(path).\(prefix)devanagari_confidence") { confidence.devanagari = painted }
        return confidence
    }

    mutating func night(
        _ path: String, _ day: RecordingConfidence, offset: TimeSpan
    ) -> SightingTracker.Settings.Night? {
        let confidence = confidence(at: path, prefix: "night_", day)
        let keys = ["night_recording_confidence", "night_devanagari_confidence"]
        guard let hours = text("\(path).night").flatMap(HoursOfDay.init) else {
            // Hours that are none are a mistake of their own.
            for key in keys where number("\(path).\(key)") != nil && lines["\(path).night"] == nil {
                refuse("\(path).\(key)", "nothing says when it is night", "night = \"18:30-05:30\" beside it")
            }
            return nil
        }
        if !keys.contains(where: { lines["\(path).\($0)"] != nil }) {
            refuse("\(path).night", "nothing differs by night", keys.joined(separator: " or ") + " beside it")
        }
        return .init(hours: hours, offset: offset, recording: confidence)
    }
}
