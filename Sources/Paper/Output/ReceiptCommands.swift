/// What a receipt printer is told (ESC/POS, which nearly all of them understand): no text of theirs, which knows no Devanagari, but
/// dots.
package enum ReceiptCommands {
    /// Rows in one command: printers hold little at a time.
    private static let rowsInBand = 128

    /// The bytes that print the dots, move the paper to where it is torn, and cut it where there is a knife.
    package static func bytes(of raster: PaperRaster) -> [UInt8] {
        // ESC @: whatever somebody set before is forgotten.
        var bytes: [UInt8] = [0x1B, 0x40]
        for from in stride(from: 0, to: raster.height, by: rowsInBand) {
            let count = min(rowsInBand, raster.height - from)
            // GS v 0: bytes in a row, rows, both with the low byte first, then the dots.
            bytes += [0x1D, 0x76, 0x30, 0]
            bytes += [UInt8(raster.bytesPerRow & 0xFF), UInt8(raster.bytesPerRow >> 8)]
            bytes += [UInt8(count & 0xFF), UInt8(count >> 8)]
            bytes += raster.rows[from * raster.bytesPerRow..<(from + count) * raster.bytesPerRow]
        }
        // ESC d: lines of paper. GS V B 0: cut; without a knife nothing happens.
        return bytes + [0x1B, 0x64, 4, 0x1D, 0x56, 0x42, 0]
    }
}
