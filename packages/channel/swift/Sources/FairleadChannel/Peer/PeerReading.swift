import Foundation

/// The thread that reads: the channel's own, or one that is blocked in a send.
enum Reader: Equatable {
  case channel
  case waiter(ObjectIdentifier)
}

/// State of the channel's own thread; the peer's lock guards it.
final class ChannelThread {
  private var thread: pthread_t?
  let wake = Condition()
  let greeted = Condition()
  var isReading = false
  /// Counts reads, by which a thread that interrupts one sees whether it has ended.
  var reads = 0
  /// It watches the time of blocked threads, so that these may sleep in a read.
  var isWatching = false
  /// A blocked send has just ended and another may follow, which is then spared the change of readers.
  var isResting = false
  /// Counts blocked sends, by which the thread sees that no other has followed.
  var blocks = 0

  func start() { thread = pthread_self() }

  var isCurrent: Bool { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

  func interrupt() {
    if isReading, Interrupts.areAvailable, let thread { Interrupts.interrupt(thread) }
  }
}

/// While a thread is blocked, its time limit and the other process are looked at this often.
private let watchMilliseconds = 2
private let shortestSleep = 30 * nanosecondsPerMillisecond
/// The time in which the other process is looked for again, in watches.
private let goneInterval = 10

extension Peer {
  // MARK: The channel's thread

  func runChannelThread() {
    lock.lock()
    channel.start()
    while lost == nil {
      if queue.isChannel && waiters.isEmpty && runNextWork() {
        continue
      } else if !waiters.isEmpty || channel.isResting {
        watch()
      } else if reader == nil {
        readStep(.channel, nil, deadline: .max)
      } else {
        channel.wake.wait(lock, milliseconds: watchMilliseconds)
      }
    }
    // Another thread may still be in a read of these descriptors.
    while reader != nil || !waiters.isEmpty {
      for waiter in waiters { wake(waiter) }
      channel.wake.wait(lock, milliseconds: watchMilliseconds)
    }
    pipes.close()
    while queue.isChannel && runNextWork() {}
    lock.unlock()
  }

  /// Leaves reading to a blocked thread, and ends its read when its time is over.
  private func watch() {
    let before = channel.blocks
    channel.isWatching = true
    channel.wake.wait(lock, milliseconds: watchMilliseconds)
    watches += 1
    let now = monotonicNow()
    let mayBeGone = watches % goneInterval == 0 && !waiters.isEmpty && events.isGone()
    for waiter in waiters {
      if mayBeGone || waiter.pendings.last.map({ $0.deadline <= now }) ?? false { wake(waiter) }
    }
    if waiters.isEmpty && channel.blocks == before { channel.isResting = false }
    channel.isWatching = false
    if queue.isChannel && hasRunnableWork && !waiters.contains(where: \.isOnHandlerQueue) {
      // Nobody looks after the time limits of blocked threads during the handler, so they wait in `poll`.
      for waiter in waiters { wake(waiter) }
      runNextWork()
    }
  }

  /// Called when a blocked send has ended.
  func rest() {
    channel.blocks += 1
    if !channel.isCurrent { channel.isResting = true }
  }

  /// Lets the channel's thread read on at once, for the answer to an asynchronous request.
  func wakeChannelThread() {
    channel.isResting = false
    channel.wake.signal()
    if lost != nil || !waiters.isEmpty { interruptChannelThread() }
  }

  /// Ends the read of the channel's thread. A signal that comes just before the read is lost, so another follows.
  func interruptChannelThread() {
    guard channel.isReading else { return }
    channel.interrupt()
    let reads = channel.reads
    Peer.timers.asyncAfter(deadline: .now() + .milliseconds(1)) { [weak self] in
      guard let self else { return }
      self.lock.hold { if self.channel.reads == reads { self.interruptChannelThread() } }
    }
  }

  /// Makes a blocked thread look at its state.
  func wake(_ waiter: Waiter) {
    waiter.condition.signal()
    if waiter.isReading && Interrupts.areAvailable { Interrupts.interrupt(waiter.thread) }
  }

  // MARK: Reading

  /// Reads on behalf of a blocked thread until its request is settled or its time is over.
  func waitUntilSettled(_ pending: Pending, _ waiter: Waiter) {
    let me = Reader.waiter(ObjectIdentifier(waiter))
    while pending.result == nil && lost == nil {
      if waiter.isOnHandlerQueue, runNextWork() { continue }
      if reader == nil {
        readStep(me, waiter, deadline: pending.deadline)
        if isOver(pending) { return }
        continue
      }
      if reader == .channel { channel.interrupt() }
      waiter.condition.wait(lock, milliseconds: 1)
      if isOver(pending) { return }
    }
  }

  /// Reads the clock only if no answer has come.
  private func isOver(_ pending: Pending) -> Bool {
    pending.result == nil && pending.deadline != .max && inbox.isDrained && monotonicNow() >= pending.deadline
  }

  /// Takes one frame, or reads once. The lock is released during the read.
  func readStep(_ me: Reader, _ waiter: Waiter?, deadline: UInt64) {
    do {
      if let frame = try inbox.next() { return receive(frame) }
    } catch {
      return lose(.protocol, (error as? ProtocolViolation)?.detail ?? "\(error)")
    }
    outbox.acknowledgeIfDue(inbox.received)
    if outbox.queued > 0 { outbox.flush(received: inbox.received) }
    if me == .channel && (!waiters.isEmpty || lost != nil) && !isExiting { return }
    reader = me
    let isAsleep = waiter == nil ? Interrupts.areAvailable && !isExiting : maySleep(until: deadline)
    if let waiter { waiter.isReading = isAsleep } else { channel.isReading = isAsleep }
    if waiter == nil { channel.reads += 1 }
    let (pipes, inbox) = (pipes, inbox)
    lock.unlock()
    var count = 0
    var error: Int32 = EAGAIN
    if isAsleep || pipes.isReadable(within: patience(until: deadline, waiter)) {
      count = systemRead(pipes.read, inbox.chunk, Inbox.chunkSize)
      error = errno
    } else {
      count = -1
    }
    lock.lock()
    reader = nil
    if let waiter { waiter.isReading = false } else { channel.isReading = false }
    if me == .channel { for waiter in waiters { waiter.condition.signal() } }
    if count > 0 { return inbox.feed(count) }
    if count == 0 || (error != EINTR && error != EAGAIN) { return endOfStream() }
    if events.isGone() && !pipes.isReadable(within: 0) { endOfStream() }
  }

  /// Short time limits are kept by `poll`, and so are those that the channel's thread cannot watch.
  private func maySleep(until deadline: UInt64) -> Bool {
    guard Interrupts.areAvailable && channel.isWatching && !isExiting else { return false }
    return deadline == .max || deadline > monotonicNow() + shortestSleep
  }

  private func patience(until deadline: UInt64, _ waiter: Waiter?) -> Int32 {
    let longest = UInt64(waiter == nil && !isExiting ? watchMilliseconds : 10)
    let now = monotonicNow()
    if deadline <= now { return 0 }
    return Int32(min(longest, (deadline - now) / nanosecondsPerMillisecond + 1))
  }

  private func endOfStream() {
    if lost != nil { return }
    let isIncomplete = inbox.isIncomplete
    let describeEnd = events.describeEnd
    lock.unlock()
    let (words, wasKilled) = describeEnd()
    lock.lock()
    if isIncomplete && !wasKilled { return lose(.protocol, "the stream ended in the middle of a frame") }
    lose(.connectionLost, words)
  }

  /// Writes what is queued at the end of the process, reading acknowledgements meanwhile.
  package func drainAtExit(seconds: TimeInterval) {
    let end = FairleadChannel.deadline(after: seconds)
    lock.lock()
    isExiting = true
    while lost == nil && monotonicNow() < end {
      outbox.flush(received: inbox.received)
      if outbox.queued == 0 { break }
      if reader == nil || channel.isCurrent {
        readStep(.channel, nil, deadline: end)
      } else {
        channel.wake.wait(lock, milliseconds: 1)
      }
    }
    lock.unlock()
  }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
