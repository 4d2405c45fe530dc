import Foundation

/// Token buckets, one for each key: a burst of `capacity`, refilled at `perSecond`.
///
/// The number of buckets is bounded. When they are full, those that have refilled wholly are dropped, since a new one would be
/// the same; if none has, everybody new shares one.
///
/// All of its state is guarded by `lock`.
package final class RateLimiter: @unchecked Sendable {
    private struct Bucket {
        var tokens: Double
        var updated: ContinuousClock.Instant
    }

    private let capacity: Double
    private let perSecond: Double
    private let bucketLimit: Int
    private let lock = NSLock()
    private var buckets: [String: Bucket] = [:]

    /// A capacity of zero or less allows everything.
    package init(capacity: Double, perSecond: Double, bucketLimit: Int = 10_000) {
        self.capacity = capacity
        self.perSecond = perSecond
        self.bucketLimit = bucketLimit
    }

    /// Takes a token, or says after how many seconds there will be one.
    package func secondsToWait(_ key: String, now: ContinuousClock.Instant = .now) -> Double? {
        guard capacity > 0 else { return nil }
        return lock.withLock {
            var key = key
            if buckets[key] == nil, buckets.count >= bucketLimit {
                buckets = buckets.filter { refilled($0.value, now) < capacity }
                if buckets.count >= bucketLimit { key = "" }
            }
            var bucket = buckets[key] ?? Bucket(tokens: capacity, updated: now)
            bucket.tokens = refilled(bucket, now)
            bucket.updated = now
            defer { buckets[key] = bucket }
            guard bucket.tokens >= 1 else { return (1 - bucket.tokens) / perSecond }
            bucket.tokens -= 1
            return nil
        }
    }

    private func refilled(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
        min(capacity, bucket.tokens + (now - bucket.updated) / .seconds(1) * perSecond)
    }
}
