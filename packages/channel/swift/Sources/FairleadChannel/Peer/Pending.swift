import Foundation

/// A sent request until its answer, its error or its deadline arrives. Its peer's lock guards it.
final class Pending {
  let id: UInt32
  let name: String
  let timeout: TimeInterval
  let deadline: UInt64
  private(set) var result: Result<Body, XPCError>?
  /// The thread that is blocked until then.
  var waiter: Waiter?
  /// Called once when the request is settled, with the lock held, so it may only hand the result on.
  var onSettled: ((Result<Body, XPCError>) -> Void)?

  init(id: UInt32, name: String, timeout: TimeInterval) {
    self.id = id
    self.name = name
    self.timeout = timeout
    deadline = FairleadChannel.deadline(after: timeout)
  }

  func settle(_ result: Result<Body, XPCError>) {
    if self.result != nil { return }
    self.result = result
    waiter?.condition.signal()
    onSettled?(result)
    onSettled = nil
  }
}

/// A thread that is blocked in one or more sends, one within the handler of another. Its peer's lock guards it.
final class Waiter {
  let thread = pthread_self()
  /// On Linux this takes two system calls, so it is asked once.
  let isMainThread = Thread.isMainThread
  let condition = Condition()
  /// The requests that it is blocked on, outermost first.
  var pendings: [Pending] = []
  /// True if handlers belong to this thread, so that it runs them while it waits.
  var isOnHandlerQueue = false
  /// True between the release of the lock for a read and the read's return; only then may the read be interrupted.
  var isReading = false

  var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }
}

/// The requests that wait for their answers. Usually there is only one, which needs no dictionary.
struct PendingRequests {
  private var latest: Pending?
  private var earlier: [UInt32: Pending] = [:]

  mutating func add(_ pending: Pending) {
    if let latest { earlier[latest.id] = latest }
    latest = pending
  }

  func find(_ id: UInt32) -> Pending? { latest?.id == id ? latest : earlier[id] }

  mutating func remove(_ pending: Pending) {
    if latest === pending { latest = nil } else { earlier[pending.id] = nil }
  }

  var all: [Pending] { (earlier.values + [latest].compactMap { $0 }).sorted { $0.id < $1.id } }
}
