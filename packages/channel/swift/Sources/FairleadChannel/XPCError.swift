import Foundation

/// The only error of the channel. `code` is for programs and `description` for people.
public struct XPCError: Error, Sendable, Equatable {
  /// The closed set of codes, so that a `switch` over it can be exhaustive.
  public enum Code: String, Sendable, CaseIterable {
    case timeout, encoding, decoding, noHandler, handlerFailed, connectionLost, cancelled, wouldDeadlock
    case unsupported, `protocol`, duplicateHandler, overflow
  }

  public let code: Code
  /// Name of the failed message; nil if the connection itself failed.
  public let messageName: String?
  /// Path in the content or the answer, such as `user.tags[2]`.
  public let path: String?
  /// The error thrown by the handler on the other side.
  public let remote: RemoteError?
  /// The part of the description that the code does not determine: a time, an exit signal, the expected type.
  public let detail: String

  public init(
    _ code: Code, messageName: String? = nil, path: String? = nil, remote: RemoteError? = nil, detail: String = ""
  ) {
    self.code = code
    self.messageName = messageName
    self.path = path
    self.remote = remote
    self.detail = detail
  }
}

extension XPCError: CustomStringConvertible, LocalizedError {
  public var description: String {
    let subject = messageName.map { "message '\($0)'" } ?? "the connection"
    let said = path.map { "\($0): \(detail)" } ?? detail
    switch code {
    case .timeout: return "\(subject) was not answered within \(said)"
    case .encoding: return "\(subject) cannot be written: \(said)"
    case .decoding: return "\(subject) does not have the expected type: \(said)"
    case .noHandler: return "no handler is registered for \(subject)"
    case .handlerFailed: return "the handler of \(subject) failed: \(said)"
    case .connectionLost: return "the connection was lost during \(subject): \(said)"
    case .cancelled: return "\(subject) was cancelled"
    case .wouldDeadlock: return "\(subject) can never be answered: \(said)"
    case .unsupported: return "\(subject) is not possible here: \(said)"
    case .protocol: return "the other side broke the protocol: \(said)"
    case .duplicateHandler: return "a handler is already registered for \(subject)"
    case .overflow: return "\(subject) was not queued: \(said)"
    }
  }

  public var errorDescription: String? { description }
}

/// An error that a handler of the other side threw, as it described itself.
public final class RemoteError: Error, Sendable, Equatable, CustomStringConvertible {
  public let name: String
  public let message: String
  public let stack: String?
  public let cause: RemoteError?
  /// Its own fields, such as `code` of an error of Node.
  public let fields: [String: XPCValue]

  public init(
    name: String, message: String, stack: String? = nil, cause: RemoteError? = nil, fields: [String: XPCValue] = [:]
  ) {
    self.name = name
    self.message = message
    self.stack = stack
    self.cause = cause
    self.fields = fields
  }

  /// Describes an error of Swift or Foundation. Swift's errors carry no stack.
  package convenience init(describing error: any Error, depth: Int = 8) {
    if let error = error as? XPCError {
      let fields = ["code": XPCValue.string(error.code.rawValue)]
      self.init(name: "XPCError", message: error.description, cause: error.remote, fields: fields)
      return
    }
    let name = String(describing: type(of: error))
    let words = (error as? any LocalizedError)?.errorDescription
    let message = words ?? (name == "NSError" ? error.localizedDescription : String(describing: error))
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    let cause = depth > 0 ? underlying.map { RemoteError(describing: $0, depth: depth - 1) } : nil
    self.init(name: name, message: message, cause: cause)
  }

  public var description: String { "\(name): \(message)" }

  public static func == (left: RemoteError, right: RemoteError) -> Bool {
    left === right
      || (left.name == right.name && left.message == right.message && left.stack == right.stack
        && left.cause == right.cause && left.fields == right.fields)
  }
}
