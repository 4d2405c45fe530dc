import Enforcement
import Pages

extension ReceiptPrinter.News {
    /// What a page says of the printer.
    func model(_ texts: Texts, now: Instant) -> [String: Any] {
        let (text, level): (String?, String) =
            switch self {
            case .none: (nil, "")
            case .printing: (texts["printing"], "")
            case .printed(let at): (texts("printed", ["time": texts.short(at, now: now)]), "")
            case .failed(let at): (texts("print_failed", ["time": texts.short(at, now: now)]), "problem")
            }
        guard let text else { return [:] }
        return ["printerText": text, "printerLevel": level]
    }
}
