import Foundation

/// Why a request failed on the handler's side. It crosses as the JSON of an ERR frame.
package struct Failure: Error {
  package let code: XPCError.Code
  package let detail: String
  package var path: String?
  package var remote: RemoteError?

  static func conversion(_ code: XPCError.Code, _ error: any Error) -> Failure {
    let error = ValueError.converting(error)
    return Failure(code: code, detail: error.detail, path: error.path.isEmpty ? nil : error.path)
  }

  static func handler(_ error: any Error) -> Failure {
    let remote = RemoteError(describing: error)
    return Failure(code: .handlerFailed, detail: remote.message, remote: remote)
  }

  func error(_ name: String) -> XPCError {
    XPCError(code, messageName: name, path: path, remote: remote, detail: detail)
  }

  func body() -> Body {
    var fields: [String: XPCValue] = ["code": .string(code.rawValue), "detail": .string(detail)]
    if let path { fields["path"] = .string(path) }
    if let remote { fields["remote"] = .error(remote) }
    if let body = try? encodeValue(XPCValue.object(fields), takesTexts: false) { return body }
    // A field of the error cannot be sent; its message always can be.
    if let remote { fields["remote"] = .error(RemoteError(name: remote.name, message: remote.message)) }
    return (try? encodeValue(XPCValue.object(fields), takesTexts: false)) ?? .none
  }

  static func read(_ body: Body, _ name: String) -> XPCError {
    guard case .object(let fields)? = try? decodeValue(XPCValue.self, body), case .string(let word)? = fields["code"],
      let code = XPCError.Code(rawValue: word)
    else { return XPCError(.protocol, messageName: name, detail: "an ERR frame is malformed") }
    func text(_ key: String) -> String? {
      if case .string(let text)? = fields[key] { return text }
      return nil
    }
    var remote: RemoteError?
    if case .error(let error)? = fields["remote"] { remote = error }
    return XPCError(code, messageName: name, path: text("path"), remote: remote, detail: text("detail") ?? "")
  }
}

/// A handler together with the conversions of its content and its answer. Its closures throw a `Failure`.
package enum Handler {
  case sync((_ content: Body, _ takesTexts: Bool) throws -> Body)
  /// Reads the content at once, so that the message's bytes need not be kept.
  case async((_ content: Body, _ takesTexts: Bool) throws -> () async throws -> Body)
}

/// Carries a value past the compiler's check for data races, where the channel itself runs one thing after another.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// Names the request that the running code handles, if its sender is blocked on it.
struct Scope: Sendable {
  let peer: ObjectIdentifier
  let id: UInt32

  @TaskLocal static var current: Scope?
}
