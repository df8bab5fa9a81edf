import Foundation

/// The verbs of the channel, which are the same on both sides.
public class XPCService: @unchecked Sendable {
  package let peer: Peer

  package init(peer: Peer) {
    self.peer = peer
  }

  /// A service whose every send fails with this error, where no app can be reached.
  package convenience init(failing error: XPCError) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    self.init(peer: Peer(pipes: Pipes(read: ends[0], write: ends[1]), events: Peer.Events()))
    peer.refuse(error)
  }

  /// Called with what has no caller to be thrown to: a failed handler of a post, or a handler that was not registered.
  /// By default it is written to the standard error output.
  public var onFault: @Sendable (XPCError) -> Void {
    get { peer.lock.hold { peer.onFault } }
    set { peer.lock.hold { peer.onFault = newValue } }
  }

  // MARK: send

  /// Sends a message and blocks until its handler has answered. `timeout` is in seconds.
  ///
  /// - Throws: `XPCError`.
  public func send(_ name: String, timeout: TimeInterval = 10) throws {
    _ = try peer.block(name, .none, timeout: timeout)
  }

  public func send<Content: Encodable>(_ name: String, _ content: Content, timeout: TimeInterval = 10) throws {
    _ = try peer.block(name, try encode(name, content), timeout: timeout)
  }

  public func send<Answer: Decodable>(
    _ name: String, decoding type: Answer.Type = Answer.self, timeout: TimeInterval = 10
  ) throws -> Answer {
    try decode(name, type, try peer.block(name, .none, timeout: timeout))
  }

  public func send<Content: Encodable, Answer: Decodable>(
    _ name: String, _ content: Content, decoding type: Answer.Type = Answer.self, timeout: TimeInterval = 10
  ) throws -> Answer {
    try decode(name, type, try peer.block(name, try encode(name, content), timeout: timeout))
  }

  // MARK: sendAsync with a completion

  /// Sends a message without blocking. The completion is called exactly once, where handlers run.
  public func sendAsync(
    _ name: String, timeout: TimeInterval = 10, completion: @escaping (Result<Void, XPCError>) -> Void
  ) {
    start(name, timeout, { .none }, { _ in }, completion)
  }

  public func sendAsync<Content: Encodable>(
    _ name: String, _ content: Content, timeout: TimeInterval = 10,
    completion: @escaping (Result<Void, XPCError>) -> Void
  ) {
    start(name, timeout, { try self.encode(name, content) }, { _ in }, completion)
  }

  public func sendAsync<Answer: Decodable>(
    _ name: String, decoding type: Answer.Type, timeout: TimeInterval = 10,
    completion: @escaping (Result<Answer, XPCError>) -> Void
  ) {
    start(name, timeout, { .none }, { try self.decode(name, type, $0) }, completion)
  }

  public func sendAsync<Content: Encodable, Answer: Decodable>(
    _ name: String, _ content: Content, decoding type: Answer.Type, timeout: TimeInterval = 10,
    completion: @escaping (Result<Answer, XPCError>) -> Void
  ) {
    start(name, timeout, { try self.encode(name, content) }, { try self.decode(name, type, $0) }, completion)
  }

  // MARK: sendAsync as async

  /// Sends a message and suspends until its handler has answered. If the task is cancelled, the handler's is too.
  public func sendAsync(_ name: String, timeout: TimeInterval = 10) async throws {
    _ = try await ask(name, .none, timeout)
  }

  public func sendAsync<Content: Encodable>(
    _ name: String, _ content: Content, timeout: TimeInterval = 10
  ) async throws {
    _ = try await ask(name, try encode(name, content), timeout)
  }

  public func sendAsync<Answer: Decodable>(
    _ name: String, decoding type: Answer.Type = Answer.self, timeout: TimeInterval = 10
  ) async throws -> Answer {
    try decode(name, type, try await ask(name, .none, timeout))
  }

  public func sendAsync<Content: Encodable, Answer: Decodable>(
    _ name: String, _ content: Content, decoding type: Answer.Type = Answer.self, timeout: TimeInterval = 10
  ) async throws -> Answer {
    try decode(name, type, try await ask(name, try encode(name, content), timeout))
  }

  // MARK: post

  /// Sends a message without waiting for an answer.
  ///
  /// - Throws: `XPCError` with `encoding`, `connectionLost` or `overflow`.
  public func post(_ name: String) throws {
    try peer.post(name, .none)
  }

  public func post<Content: Encodable>(_ name: String, _ content: Content) throws {
    try peer.post(name, try encode(name, content))
  }

  /// Blocks until everything posted so far is written to the pipe.
  public func flush() {
    peer.waitUntilFlushed()
  }

  // MARK: Conversions

  package func encode<Content: Encodable>(_ name: String, _ content: Content) throws -> Body {
    do { return try encodeValue(content, takesTexts: peer.takesTexts) } catch {
      throw Failure.conversion(.encoding, error).error(name)
    }
  }

  private func decode<Answer: Decodable>(_ name: String, _ type: Answer.Type, _ body: Body) throws -> Answer {
    do { return try decodeValue(type, body) } catch { throw Failure.conversion(.decoding, error).error(name) }
  }

  private func start<Answer>(
    _ name: String, _ timeout: TimeInterval, _ content: () throws -> Body,
    _ decode: @escaping (Body) throws -> Answer, _ completion: @escaping (Result<Answer, XPCError>) -> Void
  ) {
    let peer = self.peer
    let complete: (Result<Body, XPCError>) -> Void = { result in
      peer.callBack {
        completion(result.flatMap { body in Result { try decode(body) }.mapError { $0 as! XPCError } })
      }
    }
    do { _ = try peer.start(name, try content(), timeout: timeout, onSettled: complete) } catch {
      peer.lock.hold { complete(.failure(error as! XPCError)) }
    }
  }

  private func ask(_ name: String, _ body: Body, _ timeout: TimeInterval) async throws -> Body {
    let request = CancellableRequest(peer)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Body, any Error>) in
        do {
          let pending = try peer.start(name, body, timeout: timeout) { continuation.resume(with: $0.mapError { $0 }) }
          request.set(pending)
        } catch {
          continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      request.cancel()
    }
  }
}

/// A request whose task may be cancelled before, while and after it is sent.
private final class CancellableRequest: @unchecked Sendable {
  private let peer: Peer
  private let lock = Lock()
  private var pending: Pending?
  private var isCancelled = false

  init(_ peer: Peer) {
    self.peer = peer
  }

  func set(_ pending: Pending) {
    let isLate: Bool = lock.hold {
      self.pending = pending
      return isCancelled
    }
    if isLate { peer.cancel(pending) }
  }

  func cancel() {
    let pending: Pending? = lock.hold {
      isCancelled = true
      return self.pending
    }
    if let pending { peer.cancel(pending) }
  }
}
