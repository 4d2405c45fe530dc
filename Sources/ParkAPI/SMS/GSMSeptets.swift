/// How much room a text takes in an SMS: the 7-bit alphabet of 3GPP TS 23.038.
///
/// Only the count lives here. Turning a text into septets is the modem's business, and the domain doesn't know the modem.
package enum GSMSeptets {
    /// The septets that `text` takes, or nil when a character is not in the alphabet. `V1|A` takes 5.
    package static func count(of text: String) -> Int? {
        var total = 0
        for scalar in text.unicodeScalars {
            guard let septets = count(of: scalar) else { return nil }
            total += septets
        }
        return total
    }

    /// 1 for a character of the basic table, 2 for one of the extension table (its escape counts), nil for others.
    package static func count(of scalar: Unicode.Scalar) -> Int? {
        if basic.contains(scalar) { return 1 }
        return extended.contains(scalar) ? 2 : nil
    }

    private static let basic: Set<Unicode.Scalar> = {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        let signs = "@£$¥_!\"#¤%&'()*+,-./:;<=>?¡¿§ \n\r"
        let accented = "èéùìòÇØøÅåÆæßÉÄÖÑÜäöñüà"
        let greek = "ΔΦΓΛΩΠΨΣΘΞ"
        return Set((letters + signs + accented + greek).unicodeScalars)
    }()

    private static let extended = Set("^{}\\[~]|€\u{0C}".unicodeScalars)
}
