extension PictureCondition {
    /// What a technician changes where it takes plates.
    package var advice: String {
        switch self {
        case .day: "As the pictures are."
        case .dusk: "More light on the plate, or a longer shutter where vehicles are slow."
        case .infrared: "White light for red plates: under infrared their paint is nearly as bright as the letters."
        case .headlights:
            "A camera beside the lane, not in front of the lamps, with light of its own: then the picture may be darker."
        case .burntOut: "Set the exposure by hand, on a plate."
        case .rain: "A roof over the lens, and a view as short as can be."
        case .dust: "A shorter view: less dust is between. Wet the road where vehicles brake."
        case .halfShadow: "Move the camera or the barrier until no roof or tree throws a shadow where plates are read."
        case .motion: "A shorter shutter, and light for it; a bump before the camera."
        }
    }
}
