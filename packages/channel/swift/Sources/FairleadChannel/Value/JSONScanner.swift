/// Checks JSON by the grammar of RFC 8259 and lists its values.
struct JSONScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0
  private var nodes: UnsafeMutablePointer<Node>
  private var capacity: Int
  private var count = 0

  init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    capacity = min(bytes.count / 6 + 4, 4096)
    nodes = .allocate(capacity: capacity)
  }

  /// Returns the values and their number; the caller deallocates them.
  mutating func scan() throws -> (UnsafeMutablePointer<Node>, Int) {
    do { try scanAll() } catch {
      nodes.deallocate()
      throw error
    }
    return (nodes, count)
  }

  typealias Node = JSONDocument.Node

  /// Tags nest deeper than the values that they stand for.
  private static let maxDepth = 4 * ValueLimit.depth

  private mutating func scanAll() throws {
    /// The containers that are open, outermost first.
    var open: [Int] = []
    open.reserveCapacity(8)
    skipSpace()
    while true {
      // A value begins here.
      if count >= ValueLimit.nodes { throw ValueError("more than \(ValueLimit.nodes) values") }
      let byte = peek()
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        let isObject = byte == UInt8(ascii: "{")
        if open.count >= JSONScanner.maxDepth { throw ValueError("deeper than \(ValueLimit.depth) levels") }
        open.append(count)
        append(Node(kind: isObject ? .object : .array, start: UInt32(at), end: 0, next: 0))
        at += 1
        skipSpace()
        if peek() != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          if isObject { try scanKey() }
          continue
        }
      } else {
        try scanScalar()
      }
      // A value has ended here, and with it perhaps the containers around it.
      while true {
        skipSpace()
        guard let container = open.last else {
          if at < bytes.count { throw notJSON() }
          return
        }
        let isObject = nodes[container].kind == .object
        let isAfterItem = container != count - 1
        if isAfterItem && peek() == UInt8(ascii: ",") {
          at += 1
          skipSpace()
          nodes[container].end += isObject ? 2 : 1
          if isObject { try scanKey() }
          break
        }
        guard peek() == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { throw notJSON() }
        at += 1
        if isAfterItem { nodes[container].end += isObject ? 2 : 1 }
        nodes[container].next = UInt32(count)
        open.removeLast()
      }
    }
  }

  /// The byte here, or 0 at the end, which no JSON has.
  @inline(__always)
  private func peek() -> UInt8 { at < bytes.count ? bytes[at] : 0 }

  @inline(__always)
  private mutating func skipSpace() {
    while at < bytes.count, bytes[at] <= 0x20 {
      let byte = bytes[at]
      if byte != 0x20 && byte != 0x0A && byte != 0x0D && byte != 0x09 { return }
      at += 1
    }
  }

  private mutating func scanKey() throws {
    guard peek() == UInt8(ascii: "\"") else { throw notJSON() }
    try scanString()
    skipSpace()
    guard peek() == UInt8(ascii: ":") else { throw notJSON() }
    at += 1
    skipSpace()
  }

  private mutating func scanScalar() throws {
    switch peek() {
    case UInt8(ascii: "\""): try scanString()
    case UInt8(ascii: "t"): try scanWord("true", .yes)
    case UInt8(ascii: "f"): try scanWord("false", .no)
    case UInt8(ascii: "n"): try scanWord("null", .null)
    default: try scanNumber()
    }
  }

  private mutating func scanWord(_ word: StaticString, _ kind: JSONDocument.Kind) throws {
    let from = at
    for index in 0..<word.utf8CodeUnitCount {
      if peek() != word.utf8Start[index] { throw notJSON() }
      at += 1
    }
    append(kind, from, at)
  }

  private mutating func scanNumber() throws {
    let from = at
    if peek() == UInt8(ascii: "-") { at += 1 }
    if peek() == UInt8(ascii: "0") { at += 1 } else { try scanDigits() }
    if peek() == UInt8(ascii: ".") {
      at += 1
      try scanDigits()
    }
    if peek() | 0x20 == UInt8(ascii: "e") {
      at += 1
      if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { at += 1 }
      try scanDigits()
    }
    append(.number, from, at)
  }

  private mutating func scanDigits() throws {
    let from = at
    while at < bytes.count, bytes[at] &- 0x30 < 10 { at += 1 }
    if at == from { throw notJSON() }
  }

  private mutating func scanString() throws {
    at += 1
    let from = at
    var isEscaped = false
    while at < bytes.count {
      let byte = bytes[at]
      if byte == UInt8(ascii: "\"") {
        append(.string, from, at, isEscaped: isEscaped)
        at += 1
        return
      }
      if byte < 0x20 { throw notJSON() }
      at += 1
      if byte != UInt8(ascii: "\\") { continue }
      isEscaped = true
      let letter = peek()
      at += 1
      if letter == UInt8(ascii: "u") {
        for _ in 0..<4 {
          if hexValue(peek()) == nil { throw notJSON() }
          at += 1
        }
      } else if !"\"\\/bfnrt".utf8.contains(letter) {
        throw notJSON()
      }
    }
    throw notJSON()
  }

  @inline(__always)
  private mutating func append(_ kind: JSONDocument.Kind, _ from: Int, _ to: Int, isEscaped: Bool = false) {
    let next = UInt32(count + 1)
    append(Node(kind: kind, isEscaped: isEscaped, start: UInt32(from), end: UInt32(to), next: next))
  }

  @inline(__always)
  private mutating func append(_ node: Node) {
    if count == capacity { grow() }
    (nodes + count).initialize(to: node)
    count += 1
  }

  private mutating func grow() {
    capacity *= 2
    let larger = UnsafeMutablePointer<Node>.allocate(capacity: capacity)
    larger.update(from: nodes, count: count)
    nodes.deallocate()
    nodes = larger
  }

  private func notJSON() -> ValueError {
    ValueError("the body is not JSON")
  }
}
