import Foundation

/// Encodes a value to JSON and attachments, without an intermediate tree. Foundation's JSONEncoder is no use here: the
/// keys of dictionaries pass by its key strategy, so those that start with `$` would not be escaped.
///
/// - Throws: `ValueError` with the path of the part that cannot be sent.
package func encodeValue<T: Encodable>(_ value: T, takesTexts: Bool) throws -> Body {
  let writer = ByteWriter(takesTexts: takesTexts)
  try writer.value(value)
  return try writer.finish()
}

extension ByteWriter {
  /// Writes a value. Types that JSON lacks are tagged; all others encode themselves.
  func value<T: Encodable>(_ value: T) throws {
    if T.self == String.self { return string(unsafeBitCast(value, to: String.self)) }
    if T.self == Int.self { return integer(Int64(unsafeBitCast(value, to: Int.self))) }
    if T.self == Double.self { return double(unsafeBitCast(value, to: Double.self)) }
    if T.self == Bool.self { return bool(unsafeBitCast(value, to: Bool.self)) }
    if T.self == Date.self { return date(value as! Date) }
    if T.self == Data.self { return try binary(value as! Data, kind: "Uint8Array") }
    if T.self == URL.self { return tag("URL", (value as! URL).absoluteString) }
    if T.self == Decimal.self { return try decimal(value as! Decimal) }
    if T.self == XPCValue.self { return try (value as! XPCValue).write(to: self) }
    let depth = self.depth
    try StackGuard.check(depth: depth)
    let before = count
    try value.encode(to: ValueEncoder(writer: self, depth: depth))
    close(to: depth)
    if count == before { raw("{}") }
  }

  private func decimal(_ value: Decimal) throws {
    if value.isNaN { return tag("number", "NaN") }
    raw(value.description)
  }
}

private struct ValueEncoder: Encoder {
  let writer: ByteWriter
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    // A class and its superclass ask for a container each, and both write to the same object.
    let serial = writer.findOpen(at: depth, isObject: true) ?? writer.open(isObject: true)
    return KeyedEncodingContainer(KeyedWriter<Key>(writer: writer, depth: depth, serial: serial))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedWriter(writer: writer, depth: depth, serial: writer.open(isObject: false))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleWriter(writer: writer)
  }
}

private struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: ByteWriter
  let depth: Int
  let serial: Int
  var codingPath: [any CodingKey] { [] }

  @inline(__always)
  private func begin(_ key: Key) throws {
    try writer.beginItem(depth: depth, serial: serial)
    writer.key(key.stringValue)
  }

  func encodeNil(forKey key: Key) throws { try begin(key); writer.null() }
  func encode(_ value: Bool, forKey key: Key) throws { try begin(key); writer.bool(value) }
  func encode(_ value: String, forKey key: Key) throws { try begin(key); writer.string(value) }
  func encode(_ value: Double, forKey key: Key) throws { try begin(key); writer.double(value) }
  func encode(_ value: Float, forKey key: Key) throws { try begin(key); writer.float(value) }
  func encode(_ value: Int, forKey key: Key) throws { try begin(key); writer.integer(Int64(value)) }
  func encode(_ value: Int8, forKey key: Key) throws { try begin(key); writer.integer(Int64(value)) }
  func encode(_ value: Int16, forKey key: Key) throws { try begin(key); writer.integer(Int64(value)) }
  func encode(_ value: Int32, forKey key: Key) throws { try begin(key); writer.integer(Int64(value)) }
  func encode(_ value: Int64, forKey key: Key) throws { try begin(key); writer.integer(value) }
  func encode(_ value: UInt, forKey key: Key) throws { try begin(key); writer.unsigned(UInt64(value)) }
  func encode(_ value: UInt8, forKey key: Key) throws { try begin(key); writer.unsigned(UInt64(value)) }
  func encode(_ value: UInt16, forKey key: Key) throws { try begin(key); writer.unsigned(UInt64(value)) }
  func encode(_ value: UInt32, forKey key: Key) throws { try begin(key); writer.unsigned(UInt64(value)) }
  func encode(_ value: UInt64, forKey key: Key) throws { try begin(key); writer.unsigned(value) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try begin(key)
    do { try writer.value(value) } catch { throw ValueError.placed(error, in: key.stringValue) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    let nested = openItem(key, isObject: true)
    return KeyedEncodingContainer(KeyedWriter<Nested>(writer: writer, depth: depth + 1, serial: nested))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    UnkeyedWriter(writer: writer, depth: depth + 1, serial: openItem(key, isObject: false))
  }

  func superEncoder() -> any Encoder { superEncoder(named: "super") }
  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(named: key.stringValue) }

  private func superEncoder(named name: String) -> any Encoder {
    guard (try? writer.beginItem(depth: depth, serial: serial)) != nil else { return RefusingEncoder() }
    writer.key(name)
    return ValueEncoder(writer: writer, depth: depth + 1)
  }

  /// A container that cannot be opened any more gets a serial number that no write accepts.
  private func openItem(_ key: Key, isObject: Bool) -> Int {
    guard (try? begin(key)) != nil else { return -1 }
    return writer.open(isObject: isObject)
  }
}

private struct UnkeyedWriter: UnkeyedEncodingContainer {
  let writer: ByteWriter
  let depth: Int
  let serial: Int
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(writer: ByteWriter, depth: Int, serial: Int) {
    self.writer = writer
    self.depth = depth
    self.serial = serial
  }

  private mutating func begin() throws {
    try writer.beginItem(depth: depth, serial: serial)
    count += 1
  }

  mutating func encodeNil() throws { try begin(); writer.null() }
  mutating func encode(_ value: Bool) throws { try begin(); writer.bool(value) }
  mutating func encode(_ value: String) throws { try begin(); writer.string(value) }
  mutating func encode(_ value: Double) throws { try begin(); writer.double(value) }
  mutating func encode(_ value: Float) throws { try begin(); writer.float(value) }
  mutating func encode(_ value: Int) throws { try begin(); writer.integer(Int64(value)) }
  mutating func encode(_ value: Int8) throws { try begin(); writer.integer(Int64(value)) }
  mutating func encode(_ value: Int16) throws { try begin(); writer.integer(Int64(value)) }
  mutating func encode(_ value: Int32) throws { try begin(); writer.integer(Int64(value)) }
  mutating func encode(_ value: Int64) throws { try begin(); writer.integer(value) }
  mutating func encode(_ value: UInt) throws { try begin(); writer.unsigned(UInt64(value)) }
  mutating func encode(_ value: UInt8) throws { try begin(); writer.unsigned(UInt64(value)) }
  mutating func encode(_ value: UInt16) throws { try begin(); writer.unsigned(UInt64(value)) }
  mutating func encode(_ value: UInt32) throws { try begin(); writer.unsigned(UInt64(value)) }
  mutating func encode(_ value: UInt64) throws { try begin(); writer.unsigned(value) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    try begin()
    do { try writer.value(value) } catch { throw ValueError.placed(error, at: count - 1) }
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(KeyedWriter<Nested>(writer: writer, depth: depth + 1, serial: openItem(isObject: true)))
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedWriter(writer: writer, depth: depth + 1, serial: openItem(isObject: false))
  }

  mutating func superEncoder() -> any Encoder {
    (try? begin()) == nil ? RefusingEncoder() : ValueEncoder(writer: writer, depth: depth + 1)
  }

  private mutating func openItem(isObject: Bool) -> Int {
    (try? begin()) == nil ? -1 : writer.open(isObject: isObject)
  }
}

private struct SingleWriter: SingleValueEncodingContainer {
  let writer: ByteWriter
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { writer.null() }
  func encode(_ value: Bool) { writer.bool(value) }
  func encode(_ value: String) { writer.string(value) }
  func encode(_ value: Double) { writer.double(value) }
  func encode(_ value: Float) { writer.float(value) }
  func encode(_ value: Int) { writer.integer(Int64(value)) }
  func encode(_ value: Int8) { writer.integer(Int64(value)) }
  func encode(_ value: Int16) { writer.integer(Int64(value)) }
  func encode(_ value: Int32) { writer.integer(Int64(value)) }
  func encode(_ value: Int64) { writer.integer(value) }
  func encode(_ value: UInt) { writer.unsigned(UInt64(value)) }
  func encode(_ value: UInt8) { writer.unsigned(UInt64(value)) }
  func encode(_ value: UInt16) { writer.unsigned(UInt64(value)) }
  func encode(_ value: UInt32) { writer.unsigned(UInt64(value)) }
  func encode(_ value: UInt64) { writer.unsigned(value) }
  func encode<T: Encodable>(_ value: T) throws { try writer.value(value) }
}

extension ByteWriter {
  /// Writes the shortest decimal that reads back as the same Float, which is shorter than that of its Double.
  fileprivate func float(_ value: Float) {
    if value.isFinite && value.magnitude >= 1e-4 && value.magnitude < 1e15 && value != value.rounded(.towardZero) {
      raw(value.description)
    } else {
      double(Double(value))
    }
  }
}

/// Stands in where a protocol of the standard library lets no error through; every write to it throws.
private struct RefusingEncoder: Encoder {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  private let writer = ByteWriter(takesTexts: false)

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedWriter<Key>(writer: writer, depth: 0, serial: -1))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedWriter(writer: writer, depth: 0, serial: -1) }
  func singleValueContainer() -> any SingleValueEncodingContainer { RefusingContainer() }
}

private struct RefusingContainer: SingleValueEncodingContainer {
  var codingPath: [any CodingKey] { [] }
  func encodeNil() throws { throw ValueError("its containers are written in turns; write one after the other") }
  func encode<T: Encodable>(_ value: T) throws { try encodeNil() }
}
