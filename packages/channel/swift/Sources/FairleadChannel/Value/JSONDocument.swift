import Foundation

/// The values of a JSON text in the order in which they begin, found in one pass without recursion. A container is
/// followed by its values; `next` is the index of the value after it.
final class JSONDocument {
  enum Kind: UInt8 { case null, yes, no, number, string, array, object }

  struct Node {
    var kind: Kind
    /// The string has escapes, so that its characters are not its bytes.
    var isEscaped = false
    /// First byte of a number or of a string's characters.
    var start: UInt32
    /// The byte after it; for a container the number of its values, keys included.
    var end: UInt32
    var next: UInt32
  }

  /// Pointers instead of arrays, because these are read for every value of every message.
  let bytes: UnsafeMutablePointer<UInt8>
  let nodes: UnsafeMutablePointer<Node>
  let count: Int
  let attachments: [Attachment]
  /// Index of the keys of large objects, made when the first of their keys is looked up.
  private var indexes: [Int: [String: Int]] = [:]
  /// The key after the one that was found last: keys are mostly read in the order in which they were written.
  private var expected = (object: -1, key: -1)

  init(_ body: Body) throws {
    attachments = body.attachments
    let size = body.json.count
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(size, 1))
    self.bytes = bytes
    body.json.withUnsafeBufferPointer { source in
      if let base = source.baseAddress { bytes.update(from: base, count: size) }
    }
    do {
      var scanner = JSONScanner(bytes: UnsafeBufferPointer(start: bytes, count: size))
      (nodes, count) = size == 0 ? (.allocate(capacity: 1), 0) : try scanner.scan()
    } catch {
      bytes.deallocate()
      throw error
    }
  }

  deinit {
    bytes.deallocate()
    nodes.deallocate()
  }

  /// Returns the index of a key's value, or nil. `object` must be an object.
  func find(_ key: String, in object: Int) -> Int? {
    var key = key
    let first = object + 1
    let limit = Int(nodes[object].next)
    if nodes[object].end > 32 { return find(key, inLarge: object) }
    return key.withUTF8 { utf8 in
      var at = expected.object == object ? expected.key : first
      if at >= limit { at = first }
      let begin = at
      while at < limit {
        if matches(at, utf8) { return found(at, in: object) }
        at = Int(nodes[at + 1].next)
      }
      at = first
      while at < begin {
        if matches(at, utf8) { return found(at, in: object) }
        at = Int(nodes[at + 1].next)
      }
      return nil
    }
  }

  private func found(_ key: Int, in object: Int) -> Int {
    expected = (object, Int(nodes[key + 1].next))
    return key + 1
  }

  private func find(_ key: String, inLarge object: Int) -> Int? {
    if indexes[object] == nil {
      var index: [String: Int] = [:]
      for (key, value) in members(of: object) { index[key] = value }
      indexes[object] = index
    }
    return indexes[object]?[key]
  }

  /// The unescaped keys of an object, each with the index of its value.
  func members(of object: Int) -> [(key: String, value: Int)] {
    var found: [(String, Int)] = []
    var at = object + 1
    while at < Int(nodes[object].next) {
      let key = string(at)
      found.append((key.utf8.first == UInt8(ascii: "$") ? String(key.dropFirst()) : key, at + 1))
      at = Int(nodes[at + 1].next)
    }
    return found
  }

  func items(of array: Int) -> [Int] {
    var found: [Int] = []
    var at = array + 1
    while at < Int(nodes[array].next) {
      found.append(at)
      at = Int(nodes[at].next)
    }
    return found
  }

  private func matches(_ node: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let found = nodes[node]
    let isDollar = key.first == UInt8(ascii: "$")
    if found.isEscaped {
      let text = string(node)
      return text.utf8.elementsEqual(isDollar ? [UInt8(ascii: "$")] + Array(key) : Array(key))
    }
    let extra = isDollar ? 1 : 0
    let length = Int(found.end - found.start)
    guard length == key.count + extra else { return false }
    if isDollar && bytes[Int(found.start)] != UInt8(ascii: "$") { return false }
    guard let base = key.baseAddress else { return length == 0 }
    return memcmp(bytes + Int(found.start) + extra, base, key.count) == 0
  }

  /// Index of the array of a tag, `{"$": [kind, …]}`, if the value is one.
  func findTag(_ node: Int) -> Int? {
    guard nodes[node].kind == .object, nodes[node].end == 2 else { return nil }
    let key = nodes[node + 1]
    guard key.end - key.start == 1, bytes[Int(key.start)] == UInt8(ascii: "$") else { return nil }
    let array = node + 2
    guard nodes[array].kind == .array, nodes[array].end > 0, nodes[array + 1].kind == .string else { return nil }
    return array
  }

  func text(ofNumber node: Int) -> String {
    String(decoding: text(of: nodes[node]), as: UTF8.self)
  }

  func string(_ node: Int) -> String {
    let found = nodes[node]
    return found.isEscaped ? unescape(text(of: found)) : String(decoding: text(of: found), as: UTF8.self)
  }

  private func text(of node: Node) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + Int(node.start), count: Int(node.end - node.start))
  }
}

/// Resolves the escapes of a string that the scanner has checked. A lone surrogate has no place in Swift's strings and
/// becomes U+FFFD.
private func unescape(_ text: UnsafeBufferPointer<UInt8>) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.count)
  var at = 0
  func hex(_ at: Int) -> UInt32 {
    text[at..<at + 4].reduce(0) { $0 << 4 | UInt32(hexValue($1) ?? 0) }
  }
  while at < text.count {
    let byte = text[at]
    if byte != UInt8(ascii: "\\") {
      bytes.append(byte)
      at += 1
      continue
    }
    let letter = text[at + 1]
    at += 2
    switch letter {
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "u"):
      var code = hex(at)
      at += 4
      let isHigh = code & 0xFC00 == 0xD800
      if isHigh, at + 6 <= text.count, text[at] == UInt8(ascii: "\\"), text[at + 1] == UInt8(ascii: "u") {
        let low = hex(at + 2)
        if low & 0xFC00 == 0xDC00 {
          code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
          at += 6
        }
      }
      bytes.append(contentsOf: String(Character(Unicode.Scalar(code) ?? "\u{FFFD}")).utf8)
    default: bytes.append(letter)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: return byte - 0x30
  case 0x41...0x46: return byte - 0x37
  case 0x61...0x66: return byte - 0x57
  default: return nil
  }
}
