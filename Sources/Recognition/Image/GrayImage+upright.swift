extension GrayImage {
    /// The picture upright, given Exif's orientation: 3 lies on its head, 6 and 8 on their sides, even ones to 4 and odd ones
    /// from 5 are mirrored as well.
    func upright(from orientation: Int) -> GrayImage {
        guard (2...8).contains(orientation) else { return self }
        let swapsSides = orientation >= 5
        let newWidth = swapsSides ? height : width
        let newHeight = swapsSides ? width : height
        let result = [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
            pixels.withUnsafeBufferPointer { source in
                for y in 0..<newHeight {
                    for x in 0..<newWidth {
                        let (column, row) =
                            switch orientation {
                            case 2: (width - 1 - x, y)
                            case 3: (width - 1 - x, height - 1 - y)
                            case 4: (x, height - 1 - y)
                            case 5: (y, x)
                            case 6: (y, height - 1 - x)
                            case 7: (width - 1 - y, height - 1 - x)
                            default: (width - 1 - y, x)
                            }
                        target[y * newWidth + x] = source[row * width + column]
                    }
                }
            }
            count = width * height
        }
        return GrayImage(width: newWidth, height: newHeight, pixels: result)
    }
}
