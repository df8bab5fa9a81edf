import Foundation

/// Writes JSON straight to bytes. The containers of `ValueEncoder` share one, which closes what they have opened.
final class ByteWriter {
  private struct Level {
    let isObject: Bool
    var isEmpty = true
    let serial: Int
  }

  private var bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
  private var capacity = 256
  private(set) var count = 0
  private var isASCII = true
  private var attachments: [Attachment] = []
  private var levels: [Level] = []
  private var serial = 0
  private var nodes = 0
  let takesTexts: Bool

  init(takesTexts: Bool) {
    self.takesTexts = takesTexts
    // Most values are not deeper, and growing takes longer than one allocation.
    levels.reserveCapacity(8)
  }

  deinit { bytes.deallocate() }

  var depth: Int { levels.count }

  func finish() throws -> Body {
    close(to: 0)
    if count > maxFrameSize { throw tooLong() }
    let json = Array(UnsafeBufferPointer(start: bytes, count: count))
    return Body(json: json, isASCII: isASCII, attachments: attachments)
  }

  /// Opens an object or an array and returns its serial number, by which its container proves that it is still open.
  func open(isObject: Bool) -> Int {
    put(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    serial += 1
    levels.append(Level(isObject: isObject, serial: serial))
    return serial
  }

  /// Serial number of the object or array open at this depth, if the value there has begun as one.
  func findOpen(at depth: Int, isObject: Bool) -> Int? {
    guard depth < levels.count, levels[depth].isObject == isObject else { return nil }
    return levels[depth].serial
  }

  func close(to depth: Int) {
    while levels.count > depth { put(levels.removeLast().isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) }
  }

  /// Makes room for the next item of the container at `depth`, closing what is open inside of it.
  func beginItem(depth: Int, serial: Int) throws {
    guard depth < levels.count, levels[depth].serial == serial else {
      throw ValueError("its containers are written in turns; write one after the other")
    }
    if levels.count > depth + 1 { close(to: depth + 1) }
    nodes += 1
    if nodes > ValueLimit.nodes { throw ValueError("more than \(ValueLimit.nodes) values") }
    if count > maxFrameSize { throw tooLong() }
    if levels[depth].isEmpty { levels[depth].isEmpty = false } else { put(UInt8(ascii: ",")) }
  }

  func key(_ key: String) {
    var key = key
    put(UInt8(ascii: "\""))
    key.withUTF8 { text in
      // A key that starts with `$` is escaped by one more, because a tag is an object with the key `$`.
      if text.first == UInt8(ascii: "$") { put(UInt8(ascii: "$")) }
      escape(text)
    }
    put(UInt8(ascii: "\""))
    put(UInt8(ascii: ":"))
  }

  func string(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      if takesTexts && utf8.count >= ValueLimit.longText && attachments.count < maxAttachments {
        return attach(Attachment(bytes: Array(utf8), isText: true), kind: "String")
      }
      put(UInt8(ascii: "\""))
      escape(utf8)
      put(UInt8(ascii: "\""))
    }
  }

  func binary(_ data: some Collection<UInt8>, kind: String) throws {
    if attachments.count >= maxAttachments { throw ValueError("more than \(maxAttachments) binary values") }
    attach(Attachment(bytes: Array(data), isText: false), kind: kind)
  }

  func bool(_ value: Bool) { raw(value ? "true" : "false") }

  func null() { raw("null") }

  func integer(_ value: Int64) {
    if value.magnitude > UInt64(ValueLimit.safeInteger) { return tag("bigint", String(value)) }
    if value < 0 { put(UInt8(ascii: "-")) }
    digits(value.magnitude)
  }

  func unsigned(_ value: UInt64) {
    if value > UInt64(ValueLimit.safeInteger) { return tag("bigint", String(value)) }
    digits(value)
  }

  func double(_ value: Double) {
    if value.isNaN { return tag("number", "NaN") }
    if value.isInfinite { return tag("number", value > 0 ? "Infinity" : "-Infinity") }
    if value == 0 && value.sign == .minus { return tag("number", "-0") }
    if value.magnitude < 1e15, value == value.rounded(.towardZero) { return integer(Int64(value)) }
    raw(value.description)
  }

  func date(_ value: Date) {
    let time = (value.timeIntervalSince1970 * 1000).rounded()
    // The range of JavaScript's Date.
    if time.magnitude <= 8.64e15 { raw("{\"$\":[\"Date\",\(Int64(time))]}") } else { raw("{\"$\":[\"Date\",null]}") }
  }

  func tag(_ kind: String, _ text: String) {
    raw("{\"$\":[\"")
    raw(kind)
    raw("\",\"")
    var text = text
    text.withUTF8 { escape($0) }
    raw("\"]}")
  }

  /// Writes ASCII that is valid JSON already.
  func raw(_ text: String) {
    var text = text
    text.withUTF8 { put($0) }
  }

  private func attach(_ attachment: Attachment, kind: String) {
    raw("{\"$\":[\"\(kind)\",\(attachments.count)]}")
    attachments.append(attachment)
  }

  private func tooLong() -> ValueError {
    ValueError("more than \(maxFrameSize) bytes")
  }

  private func digits(_ value: UInt64) {
    reserve(20)
    var rest = value
    var length = 1
    while rest >= 10 {
      rest /= 10
      length += 1
    }
    rest = value
    for at in stride(from: count + length - 1, through: count, by: -1) {
      bytes[at] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += length
  }

  /// Writes text between quotes, with the escapes that JSON demands (RFC 8259, section 7).
  private func escape(_ text: UnsafeBufferPointer<UInt8>) {
    var from = 0
    var all: UInt8 = 0
    for at in 0..<text.count {
      let byte = text[at]
      all |= byte
      if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") { continue }
      put(UnsafeBufferPointer(rebasing: text[from..<at]))
      from = at + 1
      escape(byte)
    }
    if all >= 0x80 { isASCII = false }
    put(UnsafeBufferPointer(rebasing: text[from...]))
  }

  private func escape(_ byte: UInt8) {
    put(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(byte)
    case 0x0A: put(UInt8(ascii: "n"))
    case 0x0D: put(UInt8(ascii: "r"))
    case 0x09: put(UInt8(ascii: "t"))
    default: raw(byte < 0x10 ? "u000\(String(byte, radix: 16))" : "u00\(String(byte, radix: 16))")
    }
  }

  @inline(__always)
  private func put(_ byte: UInt8) {
    if count == capacity { reserve(1) }
    bytes[count] = byte
    count += 1
  }

  private func put(_ source: UnsafeBufferPointer<UInt8>) {
    guard let base = source.baseAddress, source.count > 0 else { return }
    reserve(source.count)
    (bytes + count).update(from: base, count: source.count)
    count += source.count
  }

  private func reserve(_ size: Int) {
    if count + size <= capacity { return }
    capacity = max(count + size, capacity * 2)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: bytes, count: count)
    bytes.deallocate()
    bytes = larger
  }
}
