import Foundation

/// One end of a conversation, which works the same on both sides. It numbers requests and matches their answers, runs
/// handlers in the order of the messages, and keeps deadlines.
///
/// One thread reads at a time. That is the channel's own thread, until another one blocks in a send: then that one
/// reads its answer itself, because waking a thread takes longer than the rest of a round trip, and the channel's
/// thread looks after the time limit meanwhile. `lock` guards everything; it is released only to read, to wait and to
/// run handlers.
package final class Peer: @unchecked Sendable {
  package struct Events: Sendable {
    /// Checks the other side's HELLO; throws if it is not acceptable.
    package var onHello: @Sendable ([String: XPCValue]) throws -> Void = { _ in }
    /// A side whose other side has said BYE has nothing left to do; a test still wants to know how its app ended.
    package var endsWithBye = false
    package var onLost: @Sendable (XPCError) -> Void = { _ in }
    /// Says how the other process ended, once the stream has; it may wait for that a moment.
    package var describeEnd: @Sendable () -> (words: String, wasKilled: Bool) = { ("the other process is gone", false) }
    /// True if the other process has ended, even if another process still holds its end of the pipe.
    package var isGone: @Sendable () -> Bool = { false }

    package init() {}
  }

  let lock = Lock()
  let pipes: Pipes
  let events: Events
  let outbox: Outbox
  let inbox: Inbox
  var queue = HandlerQueue.main
  var handlers: [String: Handler] = [:]
  var defaultHandlers: [String: Handler] = [:]
  var onFault: @Sendable (XPCError) -> Void = { FileHandle.standardError.write(Data("fairlead: \($0)\n".utf8)) }

  var requests = PendingRequests()
  private var lastId: UInt32 = 0
  var running: [UInt32: Task<Void, Never>] = [:]
  var work = WorkQueue()
  var isDrainScheduled = false
  /// Counts the asynchronous handlers that were started.
  var asyncStarts = 0

  private var isOpen = false
  private(set) var isGreeted = false
  private var otherTakesTexts = false
  var isReady = false
  private(set) var lost: XPCError?
  /// At the end of the process frames are read for their acknowledgements only.
  var isExiting = false

  var waiters: [Waiter] = []
  private var spareWaiter: Waiter?
  /// The thread that reads now; nil if none does.
  var reader: Reader?
  let channel = ChannelThread()
  var watches = 0
  /// Posts are being collected to be written together.
  private var isBatching = false
  private var nextDeadline = UInt64.max

  package init(pipes: Pipes, events: Events) {
    self.pipes = pipes
    self.events = events
    let descriptor = pipes.write
    let outbox = Outbox { bytes, count in
      #if canImport(Darwin)
        return Darwin.write(descriptor, bytes, count)
      #else
        return Glibc.write(descriptor, bytes, count)
      #endif
    }
    self.outbox = outbox
    inbox = Inbox { try outbox.acknowledge($0) }
  }

  // MARK: The conversation

  /// Starts the conversation with this side's HELLO, and the channel's thread.
  package func open(greeting: [String: XPCValue]) {
    var fields = greeting
    fields["version"] = .number(1)
    fields["texts"] = .bool(true)
    lock.hold {
      isOpen = true
      transmit(Frame(.hello, body: (try? encodeValue(XPCValue.object(fields), takesTexts: false)) ?? .none))
      if isReady { transmit(Frame(.ready)) }
    }
    let thread = Thread { self.runChannelThread() }
    thread.name = "fairlead-channel"
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Waits until the other side's HELLO has come.
  package func waitForHello(timeout: TimeInterval, detail: String) throws {
    let end = deadline(after: timeout)
    try lock.hold {
      while !isGreeted && lost == nil && monotonicNow() < end { channel.greeted.wait(lock, milliseconds: 20) }
      if let lost { throw lost }
      if isGreeted { return }
      lose(.connectionLost, "the app did not connect")
      throw XPCError(.timeout, detail: "\(milliseconds(timeout)): \(detail)")
    }
  }

  /// Starts handling messages, beginning with those that waited.
  package func becomeReady(on queue: HandlerQueue) {
    lock.hold {
      if isReady { return }
      self.queue = queue
      isReady = true
      if lost == nil && isOpen { transmit(Frame(.ready)) }
      schedule()
      wakeChannelThread()
    }
  }

  /// Sends BYE and ends the connection.
  package func close() {
    lock.hold {
      if lost != nil { return }
      transmit(Frame(.bye))
      lose(.connectionLost, "the connection was closed")
    }
  }

  var takesTextsLocked: Bool { otherTakesTexts }
  package var takesTexts: Bool { lock.hold { otherTakesTexts } }

  /// Ends a conversation that was never opened.
  package func refuse(_ error: XPCError) {
    lock.hold {
      lose(error.code, error.detail)
      pipes.close()
    }
  }

  /// Called when the other process has ended, perhaps while another process holds its end of the pipe.
  package func lookForEnd() {
    lock.hold {
      for waiter in waiters { wake(waiter) }
      interruptChannelThread()
    }
  }

  // MARK: Sending

  /// Sends a request and blocks until its answer has come; meanwhile it handles messages if they belong to this thread.
  package func block(_ name: String, _ body: Body, timeout: TimeInterval) throws -> Body {
    lock.lock()
    defer { lock.unlock() }
    let pending = try ask(name, body, timeout, isBlocked: true)
    let waiter = enter(pending)
    waitUntilSettled(pending, waiter)
    leave(waiter)
    if pending.result == nil { giveUp(pending, .timeout) }
    return try pending.result!.get()
  }

  /// Sends a request; `onSettled` is called once, from any thread, and may only hand the result on.
  func start(
    _ name: String, _ body: Body, timeout: TimeInterval, onSettled: @escaping (Result<Body, XPCError>) -> Void
  ) throws -> Pending {
    lock.lock()
    defer { lock.unlock() }
    let pending = try ask(name, body, timeout, isBlocked: false)
    pending.onSettled = onSettled
    expire(at: pending.deadline)
    wakeChannelThread()
    return pending
  }

  func cancel(_ pending: Pending) {
    lock.hold { giveUp(pending, .cancelled) }
  }

  package func post(_ name: String, _ body: Body) throws {
    lock.lock()
    defer { lock.unlock() }
    try requireOpen(name)
    try outbox.append(Frame(.post, parent: parentId(), name: name, body: body))
    if !isBatching {
      isBatching = true
      outbox.flush(received: inbox.received)
      scheduleBatch()
    } else if outbox.queued >= 16 * 1024 {
      outbox.flush(received: inbox.received)
    }
  }

  /// Calls back when everything queued so far is written, or the connection is lost.
  package func waitUntilFlushed() {
    while true {
      let isDone: Bool = lock.hold {
        outbox.flush(received: inbox.received)
        wakeChannelThread()
        return outbox.queued == 0 || lost != nil
      }
      if isDone { return }
      usleep(200)
    }
  }

  private func ask(_ name: String, _ body: Body, _ timeout: TimeInterval, isBlocked: Bool) throws -> Pending {
    try requireOpen(name)
    lastId = lastId == .max ? 1 : lastId + 1
    let frame = Frame(.request, isBlocked: isBlocked, id: lastId, parent: parentId(), name: name, body: body)
    try outbox.append(frame)
    let pending = Pending(id: lastId, name: name, timeout: timeout)
    requests.add(pending)
    outbox.flush(received: inbox.received)
    return pending
  }

  private func requireOpen(_ name: String) throws {
    if let lost { throw XPCError(lost.code, messageName: name, detail: lost.detail) }
  }

  private func parentId() -> UInt32 {
    guard let scope = Scope.current, scope.peer == ObjectIdentifier(self) else { return 0 }
    return scope.id
  }

  /// Queues a frame of the channel's own and writes it. If the queue is full, the other side does not read any more,
  /// so it would not read this frame either.
  func transmit(_ frame: Frame) {
    try? outbox.append(frame)
    outbox.flush(received: inbox.received)
  }

  /// Posts that follow the first within a quarter of a millisecond are written together.
  private func scheduleBatch() {
    Peer.timers.asyncAfter(deadline: .now() + .microseconds(250)) { [weak self] in
      self?.writeBatch()
    }
  }

  private func writeBatch() {
    lock.lock()
    defer { lock.unlock() }
    isBatching = outbox.queued > 0 && lost == nil
    if !isBatching { return }
    outbox.flush(received: inbox.received)
    scheduleBatch()
  }

  // MARK: Deadlines

  static let timers = DispatchQueue(label: "fairlead.timers", qos: .userInitiated)

  private func expire(at deadline: UInt64) {
    if deadline >= nextDeadline { return }
    nextDeadline = deadline
    Peer.timers.asyncAfter(deadline: .now() + .nanoseconds(Int(deadline - min(monotonicNow(), deadline)))) {
      [weak self] in
      self?.lock.hold { self?.expireRequests() }
    }
  }

  private func expireRequests() {
    let now = monotonicNow()
    var next = UInt64.max
    nextDeadline = .max
    for pending in requests.all where pending.waiter == nil {
      if pending.deadline <= now { giveUp(pending, .timeout) } else { next = min(next, pending.deadline) }
    }
    if next < .max && lost == nil { expire(at: next) }
  }

  /// Stops waiting for an answer and tells the other side.
  func giveUp(_ pending: Pending, _ code: XPCError.Code) {
    if pending.result != nil { return }
    settle(pending, .failure(XPCError(code, messageName: pending.name, detail: milliseconds(pending.timeout))))
    if lost == nil { transmit(Frame(.cancel, id: pending.id)) }
  }

  private func milliseconds(_ seconds: TimeInterval) -> String {
    "\((seconds * 1000).formatted()) ms"
  }

  func settle(_ pending: Pending, _ result: Result<Body, XPCError>) {
    requests.remove(pending)
    pending.settle(result)
  }

  // MARK: Blocked threads

  private func enter(_ pending: Pending) -> Waiter {
    let waiter: Waiter
    if let known = waiters.last(where: { $0.isCurrent }) {
      waiter = known
    } else {
      if let spare = spareWaiter, spare.isCurrent { waiter = spare } else { waiter = Waiter() }
      spareWaiter = nil
      waiter.isOnHandlerQueue = queue.isChannel ? channel.isCurrent : queue.isCurrent(on: waiter)
      waiters.append(waiter)
    }
    waiter.pendings.append(pending)
    pending.waiter = waiter
    return waiter
  }

  private func leave(_ waiter: Waiter) {
    waiter.pendings.removeLast()
    if !waiter.pendings.isEmpty { return }
    waiters.removeAll { $0 === waiter }
    spareWaiter = waiter
    rest()
    if !waiters.isEmpty { waiters.forEach { $0.condition.signal() } }
    if !work.isEmpty { schedule() }
  }

  // MARK: Receiving

  /// Takes a frame, with the lock held.
  func receive(_ frame: Frame) {
    if lost != nil || isExiting { return }
    if !isGreeted { return greet(frame) }
    switch frame.kind {
    case .request, .post:
      work.append(.message(frame))
      if work.size > Packet.maxQueued && !isReady {
        return lose(.protocol, "over \(Packet.maxQueued) bytes sent before READY")
      }
      schedule()
    case .response:
      if let pending = requests.find(frame.id) { settle(pending, .success(frame.body)) }
    case .error:
      if let pending = requests.find(frame.id) { settle(pending, .failure(Failure.read(frame.body, pending.name))) }
    case .cancel:
      running[frame.id]?.cancel()
    case .bye: if events.endsWithBye { lose(.connectionLost, "the test ended the connection") }
    case .hello: lose(.protocol, "a second HELLO")
    case .ready: break
    }
  }

  private func greet(_ frame: Frame) {
    guard frame.kind == .hello else { return lose(.protocol, "a frame before HELLO") }
    guard let value = try? decodeValue(XPCValue.self, frame.body) else {
      return lose(.protocol, "a HELLO that is not JSON")
    }
    guard case .object(let greeting) = value else { return lose(.protocol, "a HELLO that is not an object") }
    guard greeting["version"] == .number(1) else {
      let version = greeting["version"].map(Peer.describe) ?? "undefined"
      return lose(.protocol, "it speaks version \(version), this side version 1")
    }
    do { try events.onHello(greeting) } catch { return lose(.protocol, "\(error)") }
    isGreeted = true
    otherTakesTexts = greeting["texts"] == .bool(true)
    channel.greeted.broadcast()
  }

  private static func describe(_ value: XPCValue) -> String {
    switch value {
    case .number(let number): return number.formatted()
    case .string(let text): return String(text.prefix(40))
    default: return "of another type"
    }
  }

  /// Ends the conversation: pending requests fail, running handlers are cancelled.
  func lose(_ code: XPCError.Code, _ detail: String) {
    if lost != nil { return }
    let error = XPCError(code, detail: detail)
    lost = error
    for task in running.values { task.cancel() }
    running.removeAll()
    for pending in requests.all {
      settle(pending, .failure(XPCError(code, messageName: pending.name, detail: detail)))
    }
    for waiter in waiters { wake(waiter) }
    wakeChannelThread()
    channel.greeted.broadcast()
    let onLost = events.onLost
    DispatchQueue.global().async { onLost(error) }
  }
}

extension Double {
  /// Without a fraction where there is none.
  fileprivate func formatted() -> String {
    self == rounded() && magnitude < 1e15 ? String(Int64(self)) : String(self)
  }
}
