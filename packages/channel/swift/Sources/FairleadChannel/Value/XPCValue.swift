import Foundation

/// Any value that the channel carries, for handlers that do not know its type in advance. It keeps what Swift's own
/// types cannot tell apart, such as JavaScript's `undefined` and `null`.
public indirect enum XPCValue: Sendable, Equatable {
  case undefined, null
  case bool(Bool)
  case number(Double)
  /// The digits of an integer of any size.
  case bigint(String)
  case string(String)
  case date(Date)
  /// JavaScript's `Date` that is not a date.
  case invalidDate
  case url(String)
  case regExp(source: String, flags: String)
  case error(RemoteError)
  /// `kind` is the type in JavaScript: `Uint8Array`, `ArrayBuffer`, `Float32Array` and so on, little endian.
  case bytes(Data, kind: String)
  case array([XPCValue])
  case set([XPCValue])
  case map([(key: XPCValue, value: XPCValue)])
  case object([String: XPCValue])

  static let binaryKinds: Set<String> = [
    "Uint8Array", "Uint8ClampedArray", "Int8Array", "Uint16Array", "Int16Array", "Uint32Array", "Int32Array",
    "Float16Array", "Float32Array", "Float64Array", "BigUint64Array", "BigInt64Array", "DataView", "ArrayBuffer",
  ]

  public static func == (left: XPCValue, right: XPCValue) -> Bool {
    switch (left, right) {
    case (.undefined, .undefined), (.null, .null), (.invalidDate, .invalidDate): return true
    case let (.bool(a), .bool(b)): return a == b
    case let (.number(a), .number(b)): return a == b && a.sign == b.sign || a.isNaN && b.isNaN
    case let (.bigint(a), .bigint(b)), let (.string(a), .string(b)), let (.url(a), .url(b)): return a == b
    case let (.date(a), .date(b)): return a == b
    case let (.regExp(a, f), .regExp(b, g)): return a == b && f == g
    case let (.error(a), .error(b)): return a == b
    case let (.bytes(a, k), .bytes(b, l)): return a == b && k == l
    case let (.array(a), .array(b)), let (.set(a), .set(b)): return a == b
    case let (.map(a), .map(b)): return a.count == b.count && zip(a, b).allSatisfy { $0 == $1 }
    case let (.object(a), .object(b)): return a == b
    default: return false
    }
  }
}

extension XPCValue: Codable {
  /// Only the channel's own coder carries every case.
  public init(from decoder: any Decoder) throws {
    let words = "XPCValue is decoded by the channel only"
    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: words))
  }

  public func encode(to encoder: any Encoder) throws {
    let words = "XPCValue is encoded by the channel only"
    throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: words))
  }
}

extension XPCValue {
  func write(to writer: ByteWriter) throws {
    switch self {
    case .undefined: writer.raw("{\"$\":[\"undefined\"]}")
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .number(let value): writer.double(value)
    case .bigint(let digits):
      let isNumber = !digits.isEmpty && digits.drop { $0 == "-" }.allSatisfy { $0.isASCII && $0.isNumber }
      if !isNumber { throw ValueError("'\(digits.prefix(40))' is not an integer") }
      writer.tag("bigint", digits)
    case .string(let value): writer.string(value)
    case .date(let value): writer.date(value)
    case .invalidDate: writer.raw("{\"$\":[\"Date\",null]}")
    case .url(let text): writer.tag("URL", text)
    case .regExp(let source, let flags):
      try writeTag("RegExp", to: writer) { try writer.items([.string(source), .string(flags)], $0) }
    case .error(let error):
      try writeTag("Error", to: writer) { try writer.items([.object(XPCValue.fields(of: error))], $0) }
    case .bytes(let data, let kind):
      if !XPCValue.binaryKinds.contains(kind) { throw ValueError("'\(kind.prefix(40))' is not a binary kind") }
      try writer.binary(data, kind: kind)
    case .array(let items): try writer.array(items)
    case .set(let items): try writeTag("Set", to: writer) { try writer.items([.array(items)], $0) }
    case .map(let entries):
      let pairs = entries.map { XPCValue.array([$0.key, $0.value]) }
      try writeTag("Map", to: writer) { try writer.items([.array(pairs)], $0) }
    case .object(let members): try writer.object(members)
    }
  }

  private func writeTag(_ kind: String, to writer: ByteWriter, _ arguments: (Int) throws -> Void) throws {
    let depth = writer.depth
    try StackGuard.check(depth: depth)
    writer.raw("{\"$\":")
    let serial = writer.open(isObject: false)
    try writer.beginItem(depth: depth, serial: serial)
    writer.string(kind)
    try arguments(serial)
    writer.close(to: depth)
    writer.raw("}")
  }

  static func fields(of error: RemoteError) -> [String: XPCValue] {
    var fields = error.fields
    fields["name"] = .string(error.name)
    fields["message"] = .string(error.message)
    if let stack = error.stack { fields["stack"] = .string(stack) }
    if let cause = error.cause { fields["cause"] = .error(cause) }
    return fields
  }
}

extension ByteWriter {
  fileprivate func array(_ items: [XPCValue]) throws {
    let depth = self.depth
    try StackGuard.check(depth: depth)
    try self.items(items, open(isObject: false))
    close(to: depth)
  }

  /// Writes items into the array that was opened last.
  fileprivate func items(_ items: [XPCValue], _ serial: Int) throws {
    let depth = self.depth - 1
    for (index, item) in items.enumerated() {
      try beginItem(depth: depth, serial: serial)
      do { try item.write(to: self) } catch { throw ValueError.placed(error, at: index) }
    }
  }

  fileprivate func object(_ members: [String: XPCValue]) throws {
    let depth = self.depth
    try StackGuard.check(depth: depth)
    let serial = open(isObject: true)
    for (key, value) in members {
      try beginItem(depth: depth, serial: serial)
      self.key(key)
      do { try value.write(to: self) } catch { throw ValueError.placed(error, in: key) }
    }
    close(to: depth)
  }
}

extension JSONDocument {
  func anyValue(at node: Int, depth: Int) throws -> XPCValue {
    switch nodes[node].kind {
    case .null: return .null
    case .yes: return .bool(true)
    case .no: return .bool(false)
    case .number: return .number(try double(at: node))
    case .string: return .string(string(node))
    case .array: return .array(try anyItems(node, depth))
    case .object: break
    }
    try StackGuard.check(depth: depth)
    if let array = findTag(node) { return try anyTagged(node, array, depth) }
    var members: [String: XPCValue] = [:]
    for (key, value) in self.members(of: node) {
      do { members[key] = try anyValue(at: value, depth: depth + 1) } catch { throw ValueError.placed(error, in: key) }
    }
    return .object(members)
  }

  private func anyItems(_ array: Int, _ depth: Int) throws -> [XPCValue] {
    try StackGuard.check(depth: depth)
    return try items(of: array).enumerated().map { index, item in
      do { return try anyValue(at: item, depth: depth + 1) } catch { throw ValueError.placed(error, at: index) }
    }
  }

  private func anyTagged(_ node: Int, _ array: Int, _ depth: Int) throws -> XPCValue {
    let kind = string(array + 1)
    let arguments = items(of: array).dropFirst()
    func text(_ at: Int) throws -> String {
      guard arguments.count > at, nodes[arguments[1 + at]].kind == .string else { throw ValueError("not a \(kind)") }
      return string(arguments[1 + at])
    }
    func list() throws -> Int {
      guard let first = arguments.first, nodes[first].kind == .array else { throw ValueError("not a \(kind)") }
      return first
    }
    switch kind {
    case "undefined": return .undefined
    case "number": return .number(try double(at: node))
    case "bigint": return .bigint(try text(0))
    case "Date":
      if let first = arguments.first, nodes[first].kind == .null { return .invalidDate }
      return .date(try date(at: node))
    case "URL": return .url(try text(0))
    case "RegExp": return .regExp(source: try text(0), flags: try text(1))
    case "String": return .string(try string(at: node))
    case "Set": return .set(try anyItems(try list(), depth + 1))
    case "Map":
      return .map(
        try anyItems(try list(), depth + 1).map {
          guard case .array(let pair) = $0, pair.count == 2 else { throw ValueError("not a Map") }
          return (pair[0], pair[1])
        })
    case "Error":
      guard let first = arguments.first else { throw ValueError("not an Error") }
      guard case .object(let fields) = try anyValue(at: first, depth: depth + 1) else {
        throw ValueError("not an Error")
      }
      return .error(RemoteError(fields))
    default:
      if XPCValue.binaryKinds.contains(kind) { return .bytes(try data(at: node), kind: kind) }
      throw ValueError("an unknown tag '\(kind.prefix(40))'")
    }
  }
}

extension RemoteError {
  /// Creates an error from the fields of its tag.
  convenience init(_ fields: [String: XPCValue]) {
    var own = fields
    func take(_ key: String) -> String? {
      guard case .string(let text)? = own.removeValue(forKey: key) else { return nil }
      return text
    }
    let (name, message, stack) = (take("name") ?? "Error", take("message") ?? "", take("stack"))
    var cause: RemoteError?
    switch own.removeValue(forKey: "cause") {
    case .error(let error)?: cause = error
    case .undefined?, nil: break
    case let other?: own["cause"] = other
    }
    self.init(name: name, message: message, stack: stack, cause: cause, fields: own)
  }
}
