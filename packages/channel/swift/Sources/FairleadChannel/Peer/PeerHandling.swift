import Foundation

extension Peer {
  /// Sees to it that the work that waits is run, by the blocked thread to which handlers belong, or on their queue.
  func schedule() {
    if let waiter = waiters.first(where: { $0.isOnHandlerQueue }) {
      if !waiter.isCurrent { wake(waiter) }
      return
    }
    if queue.isChannel {
      if !channel.isCurrent && hasRunnableWork {
        channel.wake.signal()
        interruptChannelThread()
      }
      return
    }
    guard !isDrainScheduled, hasRunnableWork, let queue = queue.dispatchQueue else { return }
    isDrainScheduled = true
    queue.async { self.drain() }
  }

  var hasRunnableWork: Bool {
    if isReady { return !work.isEmpty }
    return work.calls > 0 || (!waiters.isEmpty && work.contains(where: isUrgent))
  }

  private func drain() {
    lock.lock()
    isDrainScheduled = false
    let started = asyncStarts
    while asyncStarts == started && runNextWork() {}
    // An asynchronous handler that has just been started on the main actor runs before the rest.
    schedule()
    lock.unlock()
  }

  /// Runs one piece of work, with the lock released meanwhile; false if there is none that may run now.
  @discardableResult
  func runNextWork() -> Bool {
    if isExiting || !hasRunnableWork { return false }
    let next = isReady ? work.removeFirst() : work.removeFirst(where: isUrgent)
    switch next {
    case .message(let frame):
      handle(frame)
      return true
    case .call(let call):
      lock.unlock()
      call()
      lock.lock()
      return true
    case nil: return false
    }
  }

  /// Work that does not wait until this side is ready.
  private func isUrgent(_ item: Work) -> Bool {
    guard case .message(let frame) = item else { return true }
    return isAwaited(frame)
  }

  /// True if the sender of the frame, or a blocked request of this side, cannot continue before it is handled.
  private func isAwaited(_ frame: Frame) -> Bool {
    if waiters.isEmpty { return false }
    return frame.isBlocked || waiters.contains { $0.pendings.contains { $0.id == frame.parent } }
  }

  private func handle(_ frame: Frame) {
    guard let handler = handlers[frame.name] ?? defaultHandlers[frame.name] else {
      return fail(frame, Failure(code: .noHandler, detail: ""))
    }
    let takesTexts = self.takesTextsLocked
    let scope = frame.isBlocked ? Scope(peer: ObjectIdentifier(self), id: frame.id) : nil
    switch handler {
    case .sync(let run):
      lock.unlock()
      let result = Result { try Peer.inScope(scope) { try run(frame.body, takesTexts) } }
      lock.lock()
      finish(frame, result)
    case .async(let prepare):
      let blocked = waiters.first { $0.isOnHandlerQueue }?.pendings.last
      if let blocked, frame.kind == .request, isAwaited(frame), !queue.isChannel {
        let detail = "its handler is asynchronous, and its side is blocked in the send of '\(blocked.name)'"
        return fail(frame, Failure(code: .wouldDeadlock, detail: detail))
      }
      lock.unlock()
      let prepared = Result { try prepare(frame.body, takesTexts) }
      lock.lock()
      switch prepared {
      case .success(let run): start(frame, scope, run)
      case .failure(let error): finish(frame, .failure(error))
      }
    }
  }

  /// Starts the task of an asynchronous handler before any handler that follows. The runtime may then still move the
  /// handler to another thread, so its first line may run beside theirs.
  private func start(_ frame: Frame, _ scope: Scope?, _ run: @escaping () async throws -> Body) {
    if lost != nil { return }
    let body = Unchecked(run)
    let isMain = queue.dispatchQueue === DispatchQueue.main
    let begun = isMain ? nil : DispatchSemaphore(value: 0)
    let work: @Sendable () async -> Void = {
      begun?.signal()
      let result: Result<Body, any Error>
      do { result = .success(try await Scope.$current.withValue(scope) { try await body.value() }) } catch {
        result = .failure(error)
      }
      self.finishAsync(frame, result)
    }
    let task = isMain ? Task { @MainActor in await work() } : Task.detached { await work() }
    if frame.kind == .request { running[frame.id] = task }
    asyncStarts += 1
    guard let begun else { return }
    lock.unlock()
    // All threads of the runtime may be busy; then order is worth less than the messages that follow.
    _ = begun.wait(timeout: .now() + .milliseconds(100))
    lock.lock()
  }

  /// After the end of the conversation no answer is awaited.
  private func finishAsync(_ frame: Frame, _ result: Result<Body, any Error>) {
    lock.hold {
      if frame.kind == .request && running.removeValue(forKey: frame.id) == nil { return }
      finish(frame, result)
    }
  }

  private static func inScope<R>(_ scope: Scope?, _ body: () throws -> R) rethrows -> R {
    if scope == nil && Scope.current == nil { return try body() }
    return try Scope.$current.withValue(scope, operation: body)
  }

  private func finish(_ frame: Frame, _ result: Result<Body, any Error>) {
    switch result {
    case .success(let body):
      if frame.kind == .post || lost != nil || isExiting { return }
      do { try outbox.append(Frame(.response, id: frame.id, body: body)) } catch {
        let detail = (error as? XPCError)?.detail ?? "\(error)"
        return fail(frame, Failure(code: .encoding, detail: detail))
      }
      outbox.flush(received: inbox.received)
    case .failure(let error):
      fail(frame, error as? Failure ?? .handler(error))
    }
  }

  /// A post has no caller to report to, so a failure of its handler goes to `onFault`.
  private func fail(_ frame: Frame, _ failure: Failure) {
    if frame.kind == .request {
      if lost == nil { transmit(Frame(.error, id: frame.id, body: failure.body())) }
    } else if failure.code != .noHandler {
      report(failure.error(frame.name))
    }
  }

  func report(_ error: XPCError) {
    let onFault = self.onFault
    DispatchQueue.global().async { onFault(error) }
  }

  /// Runs a completion where handlers run, in its turn among the messages.
  func callBack(_ call: @escaping () -> Void) {
    work.append(.call(call))
    schedule()
  }
}
