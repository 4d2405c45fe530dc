/// What a trigger and the box say to each other, one frame each. The page `trigger-protocol.md` has it for makers of devices.
package enum TriggerFrame: Sendable, Equatable {
    /// A vehicle, so many milliseconds before the frame went out. A speed is in steps of 0.1 km/h.
    case event(
        TriggerEvent.Name, overflow: UInt16, ageMilliseconds: UInt32, lane: UInt8, direction: TriggerEvent.Direction?,
        speedTenths: UInt16?)

    /// The device is there. Its last event had this name.
    case heartbeat(TriggerEvent.Name, overflow: UInt16)

    /// The box has the event on its disk.
    case acknowledged(TriggerEvent.Name)

    /// The box could make nothing of what came.
    case refused(Refusal)

    /// The box asks for a heartbeat.
    case ask

    package enum Refusal: UInt8, Sendable {
        /// The checksum is wrong: what isn't acknowledged is to be sent again.
        case damaged = 1
        /// The checksum is right and the frame makes no sense: sending it again doesn't help.
        case unknown = 2
    }

    static let version: UInt8 = 1
    private static let noSpeed: UInt16 = 0xFFFF

    private var kind: UInt8 {
        switch self {
        case .event: 0x01
        case .heartbeat: 0x02
        case .acknowledged: 0x81
        case .refused: 0x82
        case .ask: 0x83
        }
    }

    /// Between two flags, before stuffing and without the checksum. Numbers have their low byte first.
    package var content: [UInt8] {
        var bytes = [Self.version, kind]
        func add(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
        func add(_ name: TriggerEvent.Name) {
            add(name.boot)
            add(name.number)
        }
        switch self {
        case .event(let name, let overflow, let age, let lane, let direction, let speed):
            add(name)
            add(overflow)
            add(age)
            add(lane)
            add(UInt8(direction.flatMap { TriggerEvent.Direction.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0))
            add(speed ?? Self.noSpeed)
        case .heartbeat(let name, let overflow):
            add(name)
            add(overflow)
        case .acknowledged(let name): add(name)
        case .refused(let reason): add(reason.rawValue)
        case .ask: break
        }
        return bytes
    }

    /// What goes over the line.
    package var bytes: [UInt8] {
        let content = content
        let sum = TriggerChecksum.of(content)
        var bytes = [TriggerDecoder.flag]
        for byte in content + [UInt8(sum & 0xFF), UInt8(sum >> 8)] {
            if byte == TriggerDecoder.flag || byte == TriggerDecoder.escape {
                bytes += [TriggerDecoder.escape, byte ^ TriggerDecoder.stuffing]
            } else {
                bytes.append(byte)
            }
        }
        return bytes + [TriggerDecoder.flag]
    }

    /// Reads a content whose checksum is right. What a later version adds at its end is passed over.
    ///
    /// - Returns: nil when it makes no sense.
    package init?(content: [UInt8]) {
        guard content.count >= 2, content[0] == Self.version else { return nil }
        let body = content[2...]
        func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type) -> Number {
            (0..<MemoryLayout<Number>.size).reduce(0) { $0 | Number(body[2 + offset + $1]) << Number($1 * 8) }
        }
        func name() -> TriggerEvent.Name {
            TriggerEvent.Name(boot: number(0, UInt16.self), number: number(2, UInt16.self))
        }
        switch content[1] {
        case 0x01 where body.count >= 14:
            let way = Int(number(11, UInt8.self))
            guard way <= TriggerEvent.Direction.allCases.count else { return nil }
            let speed = number(12, UInt16.self)
            self = .event(
                name(), overflow: number(4, UInt16.self), ageMilliseconds: number(6, UInt32.self),
                lane: number(10, UInt8.self), direction: way == 0 ? nil : TriggerEvent.Direction.allCases[way - 1],
                speedTenths: speed == Self.noSpeed ? nil : speed)
        case 0x02 where body.count >= 6: self = .heartbeat(name(), overflow: number(4, UInt16.self))
        case 0x81 where body.count >= 4: self = .acknowledged(name())
        case 0x82 where body.count >= 1:
            guard let reason = Refusal(rawValue: number(0, UInt8.self)) else { return nil }
            self = .refused(reason)
        case 0x83: self = .ask
        default: return nil
        }
    }
}
