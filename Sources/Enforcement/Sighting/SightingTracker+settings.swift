extension SightingTracker {
    package struct Settings: Sendable, Equatable {
        /// At or above this confidence a passage is recorded at once.
        package var recordingConfidence = 0.8

        /// Painted Devanagari plates are misread the same way from frame to frame and from post to post, so that voting and
        /// matching don't find it out: they are recorded at once only when they are at least this sure.
        package var devanagariConfidence = 0.97

        /// So many readings make a vote, or so much time since the first one.
        package var readingsToDecide = 3
        package var timeToDecide = TimeSpan.seconds(1.5)

        /// A sighting that is still doubtful after this time is shown to the ranger.
        package var timeToReview = TimeSpan.seconds(5)

        /// Where no plate is seen, after this time: by then writing that stands in the picture is known for what it is.
        package var timeToReviewWriting = TimeSpan.seconds(70)

        /// A plate unseen for longer than this has left.
        package var absence = TimeSpan.seconds(20)

        /// A reading in the place of another vehicle's belongs to it when it follows within this time.
        package var samePlaceWithin = TimeSpan.seconds(2)

        /// What a vehicle that comes towards the camera does, where the camera was told. Then a sure vote waits for the vehicle's course,
        /// but not for longer than `timeToTellCourse`: what is recorded isn't changed any more.
        package var approaching: Travel?
        package var timeToTellCourse = TimeSpan.seconds(3)

        package init() {}
    }
}
