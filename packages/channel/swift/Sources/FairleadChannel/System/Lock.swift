import Foundation

/// Nanoseconds of a clock that nobody sets.
package func monotonicNow() -> UInt64 {
  #if canImport(Darwin)
    return clock_gettime_nsec_np(CLOCK_UPTIME_RAW)
  #else
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  #endif
}

package let nanosecondsPerMillisecond: UInt64 = 1_000_000

/// Adds a time limit in seconds to a time; no limit is `.infinity`.
package func deadline(after seconds: TimeInterval, from now: UInt64 = monotonicNow()) -> UInt64 {
  if seconds >= 1e9 { return .max }
  return now + UInt64(max(seconds, 0) * 1e9)
}

/// A mutex. NSLock would do too, but a condition that waits on a clock that nobody sets needs the real one.
package final class Lock: @unchecked Sendable {
  fileprivate let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  package init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(__always)
  package func lock() { pthread_mutex_lock(mutex) }

  @inline(__always)
  package func unlock() { pthread_mutex_unlock(mutex) }

  package func hold<R>(_ body: () throws -> R) rethrows -> R {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// A condition variable.
package final class Condition: @unchecked Sendable {
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
    condition.initialize(to: pthread_cond_t())
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
  }

  package func signal() { pthread_cond_signal(condition) }

  package func broadcast() { pthread_cond_broadcast(condition) }

  /// Waits for at most so many milliseconds; the lock is released meanwhile.
  package func wait(_ lock: Lock, milliseconds: Int) {
    #if canImport(Darwin)
      var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
      pthread_cond_timedwait_relative_np(condition, lock.mutex, &time)
    #else
      let end = monotonicNow() + UInt64(milliseconds) * nanosecondsPerMillisecond
      var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
      pthread_cond_timedwait(condition, lock.mutex, &time)
    #endif
  }
}
