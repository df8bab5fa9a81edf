import Foundation

/// Decodes what `encodeValue` of any implementation wrote.
///
/// - Throws: `ValueError` with the path of the part that does not have the expected type.
package func decodeValue<T: Decodable>(_ type: T.Type, _ body: Body) throws -> T {
  let document = try JSONDocument(body)
  // No body is JavaScript's `undefined`.
  if document.count == 0 {
    if T.self == XPCValue.self { return XPCValue.undefined as! T }
    if let type = T.self as? any OptionalType.Type { return type.none as! T }
    throw ValueError("expected \(T.self), got nothing")
  }
  return try document.value(T.self, 0, depth: 0)
}

private protocol OptionalType {
  static var none: Self { get }
}

extension Optional: OptionalType {}

extension JSONDocument {
  func value<T: Decodable>(_ type: T.Type, _ node: Int, depth: Int) throws -> T {
    if T.self == String.self { return unsafeBitCast(try string(at: node), to: T.self) }
    if T.self == Int.self { return unsafeBitCast(try integer(Int.self, at: node), to: T.self) }
    if T.self == Double.self { return unsafeBitCast(try double(at: node), to: T.self) }
    if T.self == Bool.self { return unsafeBitCast(try bool(at: node), to: T.self) }
    if T.self == Date.self { return try date(at: node) as! T }
    if T.self == Data.self { return try data(at: node) as! T }
    if T.self == URL.self { return try url(at: node) as! T }
    if T.self == Decimal.self { return try decimal(at: node) as! T }
    if T.self == XPCValue.self { return try anyValue(at: node, depth: depth) as! T }
    try StackGuard.check(depth: depth)
    return try T(from: ValueDecoder(document: self, node: node, depth: depth))
  }

  func isNil(_ node: Int) -> Bool {
    nodes[node].kind == .null || tagKind(node) == "undefined"
  }

  func tagKind(_ node: Int) -> String? {
    findTag(node).map { string($0 + 1) }
  }

  /// The first argument of a tag of one of these kinds, or nil.
  private func argument(_ node: Int, _ isKind: (String) -> Bool) -> Int? {
    guard let array = findTag(node), nodes[array].end >= 2, isKind(string(array + 1)) else { return nil }
    return array + 2
  }

  func bool(at node: Int) throws -> Bool {
    switch nodes[node].kind {
    case .yes: return true
    case .no: return false
    default: throw mismatch("Bool", node)
    }
  }

  func string(at node: Int) throws -> String {
    if nodes[node].kind == .string { return string(node) }
    if let text = try attachment(node, isText: true, { $0 == "String" }) { return String(decoding: text, as: UTF8.self) }
    throw mismatch("String", node)
  }

  func double(at node: Int) throws -> Double {
    if nodes[node].kind == .number {
      let found = nodes[node]
      if let plain = plainDecimal(found) { return plain }
      if let number = Double(text(ofNumber: node)) { return number }
    }
    if let array = findTag(node), nodes[array].end >= 2, nodes[array + 2].kind == .string {
      let text = string(array + 2)
      switch (string(array + 1), text) {
      case ("number", "NaN"): return .nan
      case ("number", "Infinity"): return .infinity
      case ("number", "-Infinity"): return -.infinity
      case ("number", "-0"): return -0.0
      default: break
      }
    }
    throw mismatch("Double", node)
  }

  func integer<I: FixedWidthInteger>(_ type: I.Type, at node: Int) throws -> I {
    let found = nodes[node]
    if found.kind == .number {
      if let whole = plainInteger(found) {
        if let fits = I(exactly: whole) { return fits }
        throw ValueError("\(whole) does not fit into \(I.self)")
      }
      let text = text(ofNumber: node)
      if let exact = I(text) { return exact }
      if let number = Double(text), let exact = I(exactly: number) { return exact }
      throw ValueError("\(text) does not fit into \(I.self)")
    }
    if let text = argument(node, { $0 == "bigint" }), nodes[text].kind == .string {
      guard let exact = I(string(text)) else { throw ValueError("\(string(text)) does not fit into \(I.self)") }
      return exact
    }
    throw mismatch("\(I.self)", node)
  }

  /// The value of up to 18 digits without a fraction or an exponent.
  private func plainInteger(_ found: Node) -> Int64? {
    guard found.end - found.start <= 18 else { return nil }
    var at = Int(found.start)
    let isNegative = bytes[at] == UInt8(ascii: "-")
    if isNegative { at += 1 }
    var value: Int64 = 0
    while at < Int(found.end) {
      let digit = bytes[at] &- 0x30
      if digit > 9 { return nil }
      value = value &* 10 &+ Int64(digit)
      at += 1
    }
    return isNegative ? -value : value
  }

  /// The value of up to 15 digits without an exponent. Both the digits and the power of ten are exact as Doubles, so one
  /// division rounds as reading the text does (W. Clinger, How to Read Floating Point Numbers Accurately, 1990).
  private func plainDecimal(_ found: Node) -> Double? {
    guard found.end - found.start <= 15 else { return nil }
    var at = Int(found.start)
    let isNegative = bytes[at] == UInt8(ascii: "-")
    if isNegative { at += 1 }
    var digits: Int64 = 0
    var divisor = 1.0
    var isFraction = false
    while at < Int(found.end) {
      let byte = bytes[at]
      at += 1
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      let digit = byte &- 0x30
      if digit > 9 { return nil }
      digits = digits &* 10 &+ Int64(digit)
      if isFraction { divisor *= 10 }
    }
    if !isFraction { return Double(isNegative ? -digits : digits) }
    let value = Double(digits) / divisor
    return isNegative ? -value : value
  }

  func date(at node: Int) throws -> Date {
    if let time = argument(node, { $0 == "Date" }), nodes[time].kind == .number {
      return Date(timeIntervalSince1970: try double(at: time) / 1000)
    }
    throw mismatch("Date", node)
  }

  func data(at node: Int) throws -> Data {
    if let bytes = try attachment(node, isText: false, { XPCValue.binaryKinds.contains($0) }) { return Data(bytes) }
    throw mismatch("Data", node)
  }

  func url(at node: Int) throws -> URL {
    let text = argument(node, { $0 == "URL" }) ?? node
    if nodes[text].kind == .string, let url = URL(string: string(text)) { return url }
    throw mismatch("URL", node)
  }

  private func decimal(at node: Int) throws -> Decimal {
    if nodes[node].kind == .number, let number = Decimal(string: text(ofNumber: node)) { return number }
    if let text = argument(node, { $0 == "bigint" }), let number = Decimal(string: string(text)) { return number }
    if try double(at: node).isNaN { return .nan }
    throw mismatch("Decimal", node)
  }

  func attachment(_ node: Int, isText: Bool, _ isKind: (String) -> Bool) throws -> [UInt8]? {
    guard let index = argument(node, isKind) else { return nil }
    guard nodes[index].kind == .number, let number = plainInteger(nodes[index]), number >= 0,
      number < attachments.count, attachments[Int(number)].isText == isText
    else { throw ValueError("refers to an attachment that is not there") }
    return attachments[Int(number)].bytes
  }

  /// The array of the items of an array or a Set, or of the entries of a Map.
  func array(at node: Int, orTag kind: String? = nil) -> Int? {
    if nodes[node].kind == .array { return node }
    guard let kind, let items = argument(node, { $0 == kind }), nodes[items].kind == .array else { return nil }
    return items
  }

  func mismatch(_ expected: String, _ node: Int) -> ValueError {
    ValueError("expected \(expected), got \(describe(node))")
  }

  private func describe(_ node: Int) -> String {
    if let kind = tagKind(node) { return kind == "String" ? "string" : kind }
    switch nodes[node].kind {
    case .null: return "null"
    case .yes, .no: return "boolean"
    case .number: return "number"
    case .string: return "string"
    case .array: return "array"
    case .object: return "object"
    }
  }
}

private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let document: JSONDocument
  let node: Int
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if let entries = document.array(at: node, orTag: "Map"), entries != node {
      return KeyedDecodingContainer(try MapReader<Key>(document: document, entries: entries, depth: depth + 1))
    }
    guard document.nodes[node].kind == .object, document.findTag(node) == nil else {
      throw document.mismatch("an object", node)
    }
    return KeyedDecodingContainer(KeyedReader<Key>(document: document, object: node, depth: depth + 1))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let array = document.array(at: node, orTag: "Set") else { throw document.mismatch("an array", node) }
    return UnkeyedReader(document: document, array: array, depth: depth + 1)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { document.isNil(node) }
  func decode(_ type: Bool.Type) throws -> Bool { try document.bool(at: node) }
  func decode(_ type: String.Type) throws -> String { try document.string(at: node) }
  func decode(_ type: Double.Type) throws -> Double { try document.double(at: node) }
  func decode(_ type: Float.Type) throws -> Float { Float(try document.double(at: node)) }
  func decode(_ type: Int.Type) throws -> Int { try document.integer(type, at: node) }
  func decode(_ type: Int8.Type) throws -> Int8 { try document.integer(type, at: node) }
  func decode(_ type: Int16.Type) throws -> Int16 { try document.integer(type, at: node) }
  func decode(_ type: Int32.Type) throws -> Int32 { try document.integer(type, at: node) }
  func decode(_ type: Int64.Type) throws -> Int64 { try document.integer(type, at: node) }
  func decode(_ type: UInt.Type) throws -> UInt { try document.integer(type, at: node) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try document.integer(type, at: node) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try document.integer(type, at: node) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try document.integer(type, at: node) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try document.integer(type, at: node) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try document.value(type, node, depth: depth + 1) }
}

/// Reads the keys of an object, or, where its subclass says so, of a Map with strings as keys.
private struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let document: JSONDocument
  let object: Int
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { document.members(of: object).compactMap { Key(stringValue: $0.key) } }

  func contains(_ key: Key) -> Bool { document.find(key.stringValue, in: object) != nil }

  @inline(__always)
  private func read<V>(_ key: Key, _ body: (Int) throws -> V) throws -> V {
    let name = key.stringValue
    guard let node = document.find(name, in: object) else {
      throw ValueError.placed(ValueError("expected \(V.self), got nothing"), in: name)
    }
    do { return try body(node) } catch { throw ValueError.placed(error, in: name) }
  }

  func decodeNil(forKey key: Key) throws -> Bool { try read(key) { document.isNil($0) } }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) { try document.bool(at: $0) } }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) { try document.string(at: $0) } }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) { try document.double(at: $0) } }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try read(key) { Float(try document.double(at: $0)) }
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }

  private func integer<I: FixedWidthInteger>(_ type: I.Type, _ key: Key) throws -> I {
    try read(key) { try document.integer(type, at: $0) }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try read(key) { try document.value(type, $0, depth: depth) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try read(key) { try ValueDecoder(document: document, node: $0, depth: depth).container(keyedBy: type) }
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try read(key) { try ValueDecoder(document: document, node: $0, depth: depth).unkeyedContainer() }
  }

  func superDecoder() throws -> any Decoder {
    guard let node = document.find("super", in: object) else { throw ValueError("expected 'super', got nothing") }
    return ValueDecoder(document: document, node: node, depth: depth)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try read(key) { ValueDecoder(document: document, node: $0, depth: depth) }
  }
}

/// Reads a JavaScript Map whose keys are strings as a keyed container, so that it decodes as a dictionary.
private struct MapReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let document: JSONDocument
  private let depth: Int
  private var values: [String: Int] = [:]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { values.keys.compactMap { Key(stringValue: $0) } }

  init(document: JSONDocument, entries: Int, depth: Int) throws {
    self.document = document
    self.depth = depth
    for entry in document.items(of: entries) {
      guard document.nodes[entry].kind == .array, document.nodes[entry].end == 2 else {
        throw ValueError("not a Map")
      }
      let key = entry + 1
      values[try document.string(at: key)] = Int(document.nodes[key].next)
    }
  }

  private func node(_ key: Key) throws -> Int {
    guard let node = values[key.stringValue] else {
      throw ValueError.placed(ValueError("is missing"), in: key.stringValue)
    }
    return node
  }

  func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { document.isNil(try node(key)) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let node = try node(key)
    do { return try document.value(type, node, depth: depth) } catch {
      throw ValueError.placed(error, in: key.stringValue)
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { throw ValueError("a Map has no superclass") }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: Key) throws -> ValueDecoder {
    ValueDecoder(document: document, node: try node(key), depth: depth)
  }
}

private struct UnkeyedReader: UnkeyedDecodingContainer {
  private let document: JSONDocument
  private let depth: Int
  private let length: Int
  private var node: Int
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var count: Int? { length }
  var isAtEnd: Bool { currentIndex == length }

  init(document: JSONDocument, array: Int, depth: Int) {
    self.document = document
    self.depth = depth
    length = Int(document.nodes[array].end)
    node = array + 1
  }

  private mutating func read<V>(_ body: (Int) throws -> V) throws -> V {
    if isAtEnd { throw ValueError.placed(ValueError("expected \(V.self), got nothing"), at: currentIndex) }
    do {
      let value = try body(node)
      node = Int(document.nodes[node].next)
      currentIndex += 1
      return value
    } catch {
      throw ValueError.placed(error, at: currentIndex)
    }
  }

  mutating func decodeNil() throws -> Bool {
    if isAtEnd || !document.isNil(node) { return false }
    return try read { _ in true }
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let (document, depth) = (document, depth)
    return try read { try document.value(type, $0, depth: depth) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let (document, depth) = (document, depth)
    return try read { try ValueDecoder(document: document, node: $0, depth: depth).container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let (document, depth) = (document, depth)
    return try read { try ValueDecoder(document: document, node: $0, depth: depth).unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    let (document, depth) = (document, depth)
    return try read { ValueDecoder(document: document, node: $0, depth: depth) }
  }
}
