import Enforcement
import Testing

@Suite("Which machine it is", .timeLimit(.minutes(1)))
struct MachineIdentityTests {
    @Test(
        arguments: [
            (nil, ["mac:1"], .changed), (["mac:1"], ["mac:1"], .known), (["mac:1"], ["mac:1", "serial:2"], .changed),
            (["mac:1", "mac:3"], ["mac:3", "mac:4"], .changed), (["mac:1"], ["mac:2"], .other), (["mac:1"], [], .known),
            ([], ["mac:1"], .changed), (nil, [], .known), (["installation:1"], ["mac:1"], .other),
        ] as [([String]?, [String], MachineIdentity.Standing)])
    func `is told by what it has in common with the one on record`(
        recorded: [String]?, now: [String], standing: MachineIdentity.Standing
    ) {
        let known = recorded.map { MachineIdentity(traits: Set($0)) }
        #expect(MachineIdentity(traits: Set(now)).standing(to: known) == standing)
    }
}
