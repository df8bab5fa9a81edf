import Foundation

/// Where handlers run: one after another, in the order of their messages.
public struct HandlerQueue: Sendable {
  enum Kind: Sendable {
    case main, channel
    case queue(DispatchQueue)
  }

  let kind: Kind
  private let key = Unchecked(DispatchSpecificKey<Bool>())

  /// The main thread, where most of an app's state belongs.
  public static let main = HandlerQueue(.main)

  /// The thread that reads the messages. It is the fastest, because no other thread has to wake.
  public static var channel: HandlerQueue { HandlerQueue(.channel) }

  /// A serial queue of the app.
  public static func queue(_ queue: DispatchQueue) -> HandlerQueue { HandlerQueue(.queue(queue)) }

  private init(_ kind: Kind) {
    self.kind = kind
    dispatchQueue?.setSpecific(key: key.value, value: true)
  }

  var dispatchQueue: DispatchQueue? {
    switch kind {
    case .main: return .main
    case .queue(let queue): return queue
    case .channel: return nil
    }
  }

  var isChannel: Bool {
    if case .channel = kind { return true }
    return false
  }

  /// True if this thread, which is the waiter's, runs the work of the queue now.
  func isCurrent(on waiter: Waiter) -> Bool {
    if case .main = kind, waiter.isMainThread { return true }
    return DispatchQueue.getSpecific(key: key.value) == true
  }
}

