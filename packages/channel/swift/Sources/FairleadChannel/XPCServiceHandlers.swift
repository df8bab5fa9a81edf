import Foundation

/// A registered handler.
public struct XPCRegistration: Sendable {
  /// Why the handler was not registered: `duplicateHandler`, or `unsupported` for a name of the channel's own.
  public let error: XPCError?
  private let removal: @Sendable () -> Void

  init(error: XPCError?, removal: @escaping @Sendable () -> Void) {
    self.error = error
    self.removal = removal
  }

  /// Removes the handler.
  public func remove() { removal() }
}

/// Handlers run one after another on the queue that the side has chosen. A closure that is written where the main actor
/// is, such as in an app delegate, may use its state if handlers run on `.main`.
extension XPCService {
  // MARK: Handlers that return at once

  /// Registers the handler of a message without content.
  ///
  /// A second handler for a name is refused: see `XPCRegistration.error`; `onFault` is told too.
  @discardableResult
  public func on(_ name: String, handler: @escaping () throws -> Void) -> XPCRegistration {
    register(name, .sync { _, _ in try Self.call(handler) })
  }

  /// Registers the handler of a message with content.
  @discardableResult
  public func on<Content: Decodable>(
    _ name: String, decoding type: Content.Type, handler: @escaping (Content) throws -> Void
  ) -> XPCRegistration {
    register(name, .sync { body, _ in
      let content = try Self.decode(type, body)
      return try Self.call { try handler(content) }
    })
  }

  /// Registers a handler whose return value is sent back.
  @discardableResult
  public func on<Answer: Encodable>(
    _ name: String, encoding type: Answer.Type, handler: @escaping () throws -> Answer
  ) -> XPCRegistration {
    register(name, .sync { _, takesTexts in try Self.encode(try Self.run(handler), takesTexts) })
  }

  /// Registers the handler of a message with content, whose return value is sent back.
  @discardableResult
  public func on<Content: Decodable, Answer: Encodable>(
    _ name: String, decoding type: Content.Type, encoding answer: Answer.Type,
    handler: @escaping (Content) throws -> Answer
  ) -> XPCRegistration {
    register(name, .sync { body, takesTexts in
      let content = try Self.decode(type, body)
      return try Self.encode(try Self.run { try handler(content) }, takesTexts)
    })
  }

  // MARK: Handlers that suspend; when nobody waits for the answer any more, their task is cancelled

  @discardableResult
  public func on(_ name: String, handler: @escaping () async throws -> Void) -> XPCRegistration {
    register(name, .async { _, _ in { try await Self.call(handler) } })
  }

  @discardableResult
  public func on<Content: Decodable>(
    _ name: String, decoding type: Content.Type, handler: @escaping (Content) async throws -> Void
  ) -> XPCRegistration {
    register(name, .async { body, _ in
      let content = try Self.decode(type, body)
      return { try await Self.call { try await handler(content) } }
    })
  }

  @discardableResult
  public func on<Answer: Encodable>(
    _ name: String, encoding type: Answer.Type, handler: @escaping () async throws -> Answer
  ) -> XPCRegistration {
    register(name, .async { _, takesTexts in { try Self.encode(try await Self.run(handler), takesTexts) } })
  }

  @discardableResult
  public func on<Content: Decodable, Answer: Encodable>(
    _ name: String, decoding type: Content.Type, encoding answer: Answer.Type,
    handler: @escaping (Content) async throws -> Answer
  ) -> XPCRegistration {
    register(name, .async { body, takesTexts in
      let content = try Self.decode(type, body)
      return { try Self.encode(try await Self.run { try await handler(content) }, takesTexts) }
    })
  }

  /// Names whose messages a test leaves out of its transcript, because their content is secret.
  public func keepSecret(_ names: String...) throws {
    try peer.post("$secret", encode("$secret", names))
  }

  // MARK: Registration

  func register(_ name: String, _ handler: Handler) -> XPCRegistration {
    let peer = self.peer
    let error: XPCError? = peer.lock.hold {
      if name.hasPrefix("$") {
        return XPCError(.unsupported, messageName: name, detail: "names that start with $ belong to the channel")
      }
      if peer.handlers[name] != nil { return XPCError(.duplicateHandler, messageName: name) }
      peer.handlers[name] = handler
      return nil
    }
    if let error { peer.lock.hold { peer.report(error) } }
    return XPCRegistration(error: error) {
      if error == nil { peer.lock.hold { _ = peer.handlers.removeValue(forKey: name) } }
    }
  }

  /// Registers the handler that is used if no other is; a second call replaces it.
  func registerDefault(_ name: String, _ handler: Handler) {
    peer.lock.hold { peer.defaultHandlers[name] = handler }
  }

  // MARK: Conversions, whose failures are told apart

  static func decode<T: Decodable>(_ type: T.Type, _ body: Body) throws -> T {
    do { return try decodeValue(type, body) } catch { throw Failure.conversion(.decoding, error) }
  }

  static func encode<T: Encodable>(_ value: T, _ takesTexts: Bool) throws -> Body {
    do { return try encodeValue(value, takesTexts: takesTexts) } catch { throw Failure.conversion(.encoding, error) }
  }

  private static func run<R>(_ handler: () throws -> R) throws -> R {
    do { return try handler() } catch { throw Failure.handler(error) }
  }

  private static func call(_ handler: () throws -> Void) throws -> Body {
    try run(handler)
    return .none
  }

  private static func run<R>(_ handler: () async throws -> R) async throws -> R {
    do { return try await handler() } catch { throw Failure.handler(error) }
  }

  private static func call(_ handler: () async throws -> Void) async throws -> Body {
    try await run(handler)
    return .none
  }
}
