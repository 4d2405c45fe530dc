extension SightingTracker {
    package struct Settings: Sendable, Equatable {
        package var recording = RecordingConfidence()

        /// What holds by night in its place, where the camera was told.
        package var night: Night?

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

        package struct Night: Sendable, Equatable {
            package var hours: HoursOfDay

            /// Of the post's clocks from UTC.
            package var offset: TimeSpan
            package var recording: RecordingConfidence

            package init(hours: HoursOfDay, offset: TimeSpan, recording: RecordingConfidence) {
                (self.hours, self.offset, self.recording) = (hours, offset, recording)
            }
        }

        /// How sure a vehicle's plate has to be that came at this time.
        func recording(at instant: Instant) -> RecordingConfidence {
            guard let night, night.hours.contains(instant, offset: night.offset) else { return recording }
            return night.recording
        }
    }
}
