import Enforcement
import Testing

@testable import Appliance

@Suite("Limits in the configuration", .timeLimit(.minutes(5)))
struct LimitConfigurationTests: ReadsConfigurations {
    @Test func `takes limits of vehicle types, and names the line of wrong ones`() throws {
        let limits = { (typed: String) in
            Self.smallest.replacingOccurrences(
                of: "min_speed_kmh = 10", with: "min_speed_kmh = 10\ntype_speeds_kmh = \"\(typed)\"")
        }
        #expect(try read(limits("truck 30, bus 35")).segment.typeSpeeds == TypeSpeeds([.truck: 30, .bus: 35]))
        #expect(try read(limits("")).segment.typeSpeeds == TypeSpeeds())
        for wrong in ["lorry 30", "truck", "truck 10", "truck 1000"] {
            let found = mistakes(limits(wrong))
            #expect(found.map(\.line) == [8] && !found[0].allowed.isEmpty, "\(wrong): \(found)")
            #expect(!found.contains { $0.description.contains("..") }, "\(wrong): \(found)")
        }
    }

    @Test func `takes the data of a month and the hours of photos`() throws {
        let sync = { (text: String) in Self.smallest + "\n[sync]\n" + text }
        let allowance = try read(sync("data_megabytes = 250\nphoto_hours = \"22:00-05:00\"")).sync.photoAllowance
        #expect(allowance == PhotoAllowance(megabytesAMonth: 250, hours: HoursOfDay("22:00-05:00")))
        #expect(try read(sync("data_megabytes = 0")).sync.photoAllowance == PhotoAllowance())
        for wrong in ["data_megabytes = -1", "photo_hours = \"night\""] {
            #expect(mistakes(sync(wrong)).map(\.line) == [13], "\(wrong)")
        }
    }

    @Test func `takes limits by hours, for the console, too, and names the line of wrong ones`() throws {
        let limits = { (typed: String) in
            Self.smallest.replacingOccurrences(
                of: "min_speed_kmh = 10", with: "min_speed_kmh = 10\nhour_limits = \"\(typed)\"")
        }
        let night = try #require(HourLimits(typed: "22:00-05:00 30, 23:00-04:00 bus closed"))
        let configuration = try read(
            limits("22:00-05:00 30, 23:00-04:00 bus closed") + "\n[console]\naddress = \"127.0.0.1\"")
        #expect(configuration.segment.hourLimits == night && configuration.console?.hourLimits == night)
        #expect(try read(limits("")).segment.hourLimits.isEmpty)
        for wrong in ["22:00-05:00", "22:00-05:00 lorry 30", "22:00-05:00 10", "22:00-05:00 1000"] {
            let found = mistakes(limits(wrong))
            #expect(found.map(\.line) == [8] && !found[0].allowed.isEmpty, "\(wrong): \(found)")
        }
    }
}
