/// Number of leading bytes that are ASCII; it looks at eight bytes at a time.
func countASCII(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
  var at = 0
  let raw = UnsafeRawPointer(bytes)
  while at + 8 <= count, raw.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 { at += 8 }
  while at < count, bytes[at] < 0x80 { at += 1 }
  return at
}

/// True for well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF (RFC 3629, section 4).
func isUTF8(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
  var at = 0
  while true {
    at += countASCII(bytes + at, count - at)
    if at == count { return true }
    let lead = bytes[at]
    let (size, lowest, highest): (Int, UInt8, UInt8)
    switch lead {
    case 0xC2...0xDF: (size, lowest, highest) = (2, 0x80, 0xBF)
    case 0xE0: (size, lowest, highest) = (3, 0xA0, 0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: (size, lowest, highest) = (3, 0x80, 0xBF)
    case 0xED: (size, lowest, highest) = (3, 0x80, 0x9F)
    case 0xF0: (size, lowest, highest) = (4, 0x90, 0xBF)
    case 0xF1...0xF3: (size, lowest, highest) = (4, 0x80, 0xBF)
    case 0xF4: (size, lowest, highest) = (4, 0x80, 0x8F)
    default: return false
    }
    if at + size > count || bytes[at + 1] < lowest || bytes[at + 1] > highest { return false }
    for next in 2..<max(size, 2) where bytes[at + next] & 0xC0 != 0x80 { return false }
    at += size
  }
}
