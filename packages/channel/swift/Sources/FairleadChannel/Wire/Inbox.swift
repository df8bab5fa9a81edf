/// Parses received bytes into frames, one at a time, because a handler that runs between two frames may itself read on.
/// Lengths are checked before anything is allocated, and at most twice the received size is allocated.
package final class Inbox {
  static let chunkSize = 64 * 1024
  /// Reads go here; `feed` says how many bytes came.
  package let chunk = UnsafeMutablePointer<UInt8>.allocate(capacity: Inbox.chunkSize)
  private var start = 0
  private var end = 0
  private var fed: UInt64 = 0
  /// Number of bytes of the current data packet that are still to come.
  private var packetLeft = 0
  /// A partly received packet header or acknowledgement.
  private let header = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
  private var headerLength = 0
  private var partial: [UInt8] = []
  private let onAck: (UInt64) throws -> Void

  package init(onAck: @escaping (UInt64) throws -> Void) {
    self.onAck = onAck
  }

  deinit {
    chunk.deallocate()
    header.deallocate()
  }

  /// Number of bytes received and parsed so far, which is what acknowledgements report.
  package var received: UInt64 { fed - UInt64(end - start) }

  /// True in the middle of a packet or a frame; data is lost if the stream ends here.
  package var isIncomplete: Bool { packetLeft > 0 || headerLength > 0 || !partial.isEmpty }

  /// True if no byte waits to be parsed.
  package var isDrained: Bool { start == end }

  /// Takes the bytes in `chunk`. It may be called only after `next` returned nil.
  package func feed(_ length: Int) {
    start = 0
    end = length
    fed += UInt64(length)
  }

  /// Returns the next whole frame, or nil if more bytes are needed.
  package func next() throws -> Frame? {
    while true {
      if packetLeft == 0, try !openPacket() { return nil }
      let available = min(packetLeft, end - start)
      if available == 0 { return nil }
      if partial.isEmpty && available >= 4 {
        let size = 4 + (try checkFrameLength(readU32(chunk, start)))
        if size <= available {
          let from = start
          start += size
          packetLeft -= size
          return try parseFrame(chunk + from + 4, size - 4)
        }
      }
      if let frame = try collect(available) { return frame }
    }
  }

  /// Reads packet headers and acknowledgements up to the next data packet; false if more bytes are needed.
  private func openPacket() throws -> Bool {
    while start < end {
      header[headerLength] = chunk[start]
      headerLength += 1
      start += 1
      if headerLength < 4 { continue }
      let word = readU32(header, 0)
      if word < Packet.ackFlag {
        headerLength = 0
        if word == 0 || word > Packet.maxSize { throw ProtocolViolation("a packet of \(word) bytes") }
        packetLeft = Int(word)
        return true
      }
      if headerLength < 8 { continue }
      headerLength = 0
      try onAck(UInt64(word - Packet.ackFlag) << 32 | UInt64(readU32(header, 4)))
    }
    return false
  }

  /// Appends to the partial frame and returns it once complete.
  private func collect(_ available: Int) throws -> Frame? {
    var wanted = 4 - partial.count
    if wanted <= 0 { wanted = 4 + partial.withUnsafeBufferPointer { Int(readU32($0.baseAddress!, 0)) } - partial.count }
    let taken = min(wanted, available)
    partial.append(contentsOf: UnsafeBufferPointer(start: chunk + start, count: taken))
    start += taken
    packetLeft -= taken
    if partial.count < 4 { return nil }
    let size = 4 + (try checkFrameLength(partial.withUnsafeBufferPointer { readU32($0.baseAddress!, 0) }))
    if partial.count < size { return nil }
    defer { partial.removeAll(keepingCapacity: size <= Packet.maxSize * 16) }
    return try partial.withUnsafeBufferPointer { try parseFrame($0.baseAddress! + 4, size - 4) }
  }

  private func checkFrameLength(_ length: UInt32) throws -> Int {
    if length < frameHeaderSize { throw ProtocolViolation("a frame of \(length) bytes") }
    if length > maxFrameSize { throw ProtocolViolation("a frame of \(length) bytes; the limit is \(maxFrameSize)") }
    return Int(length)
  }
}

/// Parses the `count` bytes of a frame after its length.
private func parseFrame(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws -> Frame {
  guard let kind = FrameKind(rawValue: bytes[0]) else { throw ProtocolViolation("a frame of unknown kind \(bytes[0])") }
  let flags = bytes[1]
  let nameSize = Int(bytes[2]) | Int(bytes[3]) << 8
  let bodyStart = frameHeaderSize + nameSize
  if nameSize > maxNameSize { throw ProtocolViolation("a name of \(nameSize) bytes") }
  if bodyStart > count { throw ProtocolViolation("a name that runs past its frame") }
  var frame = Frame(kind, isBlocked: flags & blockedFlag != 0, id: readU32(bytes, 4), parent: readU32(bytes, 8))
  if nameSize > 0 {
    let name = bytes + frameHeaderSize
    try requireUTF8(name, nameSize)
    frame.name = String(decoding: UnsafeBufferPointer(start: name, count: nameSize), as: UTF8.self)
  }
  try readBody(&frame.body, flags & ~blockedFlag, bytes + bodyStart, count - bodyStart)
  return frame
}

private func readBody(_ body: inout Body, _ encoding: UInt8, _ bytes: UnsafePointer<UInt8>, _ count: Int) throws {
  switch encoding {
  case BodyEncoding.none:
    if count != 0 { throw ProtocolViolation("a body whose encoding says that there is none") }
  case BodyEncoding.asciiJSON:
    if count == 0 || countASCII(bytes, count) != count {
      throw ProtocolViolation("a body declared as ASCII is not ASCII")
    }
    body.json = Array(UnsafeBufferPointer(start: bytes, count: count))
  case BodyEncoding.json:
    if count == 0 { throw ProtocolViolation("an empty JSON body") }
    try readText(&body, bytes, count)
  case BodyEncoding.attachments, BodyEncoding.texts:
    try readAttachments(&body, mayBeTexts: encoding == BodyEncoding.texts, bytes, count)
  default:
    throw ProtocolViolation("unknown body encoding \(encoding)")
  }
}

private func readAttachments(
  _ body: inout Body, mayBeTexts: Bool, _ bytes: UnsafePointer<UInt8>, _ count: Int
) throws {
  if count < 4 { throw ProtocolViolation("attachments without a count") }
  let number = Int(readU32(bytes, 0))
  var at = 4 + 4 * number
  if number > maxAttachments || at > count { throw ProtocolViolation("\(number) attachments in \(count) bytes") }
  body.attachments.reserveCapacity(number)
  for index in 0..<number {
    let length = readU32(bytes, 4 + 4 * index)
    let isText = mayBeTexts && length >= textFlag
    let size = Int(isText ? length - textFlag : length)
    if size > count - at { throw ProtocolViolation("an attachment that runs past its frame") }
    if isText { try requireUTF8(bytes + at, size) }
    let copy = Array(UnsafeBufferPointer(start: bytes + at, count: size))
    body.attachments.append(Attachment(bytes: copy, isText: isText))
    at += size
  }
  if at == count { throw ProtocolViolation("attachments without JSON") }
  try readText(&body, bytes + at, count - at)
}

private func readText(_ body: inout Body, _ bytes: UnsafePointer<UInt8>, _ count: Int) throws {
  body.isASCII = countASCII(bytes, count) == count
  if !body.isASCII { try requireUTF8(bytes, count) }
  body.json = Array(UnsafeBufferPointer(start: bytes, count: count))
}

private func requireUTF8(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws {
  if !isUTF8(bytes, count) { throw ProtocolViolation("text that is not UTF-8") }
}
