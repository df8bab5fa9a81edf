import Foundation

/// A value that cannot be sent, or does not have the expected type, with its path. Paths are built only after an error,
/// while it passes the containers, so that valid values cost nothing.
package struct ValueError: Error {
  package private(set) var path = ""
  package let detail: String

  package init(_ detail: String) {
    self.detail = detail
  }

  private init(path: String, detail: String) {
    self.path = path
    self.detail = detail
  }

  static func placed(_ error: any Error, in key: String) -> ValueError {
    let inner = ValueError.converting(error)
    return ValueError(path: join(name(key), inner.path), detail: inner.detail)
  }

  static func placed(_ error: any Error, at index: Int) -> ValueError {
    let inner = ValueError.converting(error)
    return ValueError(path: join("[\(index)]", inner.path), detail: inner.detail)
  }

  /// Keeps the words of errors that a type's own `init(from:)` or `encode(to:)` throws.
  package static func converting(_ error: any Error) -> ValueError {
    switch error {
    case let error as ValueError: return error
    case let DecodingError.dataCorrupted(context): return ValueError(context)
    case let DecodingError.typeMismatch(type, context): return ValueError(context, "expected \(type)")
    case let DecodingError.valueNotFound(type, context): return ValueError(context, "expected \(type), got null")
    case let DecodingError.keyNotFound(key, context):
      return ValueError(path: join(path(of: context), name(key.stringValue)), detail: "is missing")
    case let EncodingError.invalidValue(_, context): return ValueError(context)
    default: return ValueError(RemoteError(describing: error).message)
    }
  }

  private init(_ context: DecodingError.Context, _ words: String? = nil) {
    let said = context.debugDescription
    self.init(path: ValueError.path(of: context), detail: said.isEmpty ? words ?? "not valid" : said)
  }

  private init(_ context: EncodingError.Context) {
    self.init(path: context.codingPath.reduce("") { ValueError.join($0, ValueError.name(of: $1)) },
      detail: context.debugDescription)
  }

  private static func path(of context: DecodingError.Context) -> String {
    context.codingPath.reduce("") { join($0, name(of: $1)) }
  }

  private static func name(of key: any CodingKey) -> String {
    key.intValue.map { "[\($0)]" } ?? name(key.stringValue)
  }

  /// A key that is not an identifier is quoted.
  private static func name(_ key: String) -> String {
    let isIdentifier = !key.isEmpty && !key.first!.isNumber
      && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    return isIdentifier ? key : "[\"\(key.replacingOccurrences(of: "\"", with: "\\\""))\"]"
  }

  private static func join(_ outer: String, _ inner: String) -> String {
    if outer.isEmpty || inner.isEmpty || inner.hasPrefix("[") { return outer + inner }
    return "\(outer).\(inner)"
  }
}

/// Limits for values, in both directions.
package enum ValueLimit {
  package static let depth = 1000
  package static let nodes = 20_000_000
  /// A text of this many UTF-8 bytes goes beside the JSON to a side that takes texts.
  package static let longText = 1024
  /// An integer beyond 2^53 - 1 is no longer exact in JavaScript, so it is sent as a bigint.
  package static let safeInteger: Int64 = 9_007_199_254_740_991
}
