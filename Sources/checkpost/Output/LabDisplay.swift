import ReaderLab

/// Shows on the standard error how far work in the reader's lab is.
final class LabDisplay {
    private var progress: Progress?

    func show(_ event: LabEvent) {
        switch event {
        case .begun(let label, let total): progress = Progress(label, total: total)
        case .advanced(let detail): progress?.advance(detail)
        case .finished: progress?.finish()
        case .noted(let text): Output.note(text)
        }
    }
}
