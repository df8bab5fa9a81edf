/// Queued frames in one growing buffer, and the credit to write them. A packet's header overwrites the bytes before it,
/// which are already sent or belong to the headroom.
package final class Outbox {
  /// Room before the first frame for an acknowledgement and a packet header.
  private static let headroom = Packet.ackSize + Packet.headerSize
  private static let initialCapacity = 64 * 1024
  /// Waits for more credit rather than write a smaller piece of a longer queue, which would waste a packet.
  private static let smallestPiece = 4096

  private var bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: Outbox.initialCapacity)
  private var capacity = Outbox.initialCapacity
  private var start = Outbox.headroom
  private var end = Outbox.headroom
  /// End of a partly written packet; nothing else may be written before its rest.
  private var packetEnd = 0
  private var written: UInt64 = 0
  private var acknowledged: UInt64 = 0
  /// Number of received bytes that was last acknowledged to the other side.
  private var told: UInt64 = 0
  private let window: Int
  /// Writes bytes and returns the number written; 0 if there is no room now.
  private let write: (UnsafePointer<UInt8>, Int) -> Int

  package init(window: Int = Packet.window, write: @escaping (UnsafePointer<UInt8>, Int) -> Int) {
    self.window = window
    self.write = write
  }

  deinit { bytes.deallocate() }

  /// Number of frame bytes not yet written.
  package var queued: Int { end - start }

  private var underWay: Int { Int(written - acknowledged) }

  /// Takes an acknowledgement: the other side has parsed this many bytes.
  package func acknowledge(_ received: UInt64) throws {
    if received < acknowledged || received > written {
      throw ProtocolViolation("\(received) bytes acknowledged of \(written)")
    }
    acknowledged = received
  }

  /// Queues one frame.
  ///
  /// - Throws: `XPCError` with `encoding` if it is too long, or `overflow` if too much is queued.
  package func append(_ frame: Frame) throws {
    let body = frame.body
    var name = frame.name
    let nameSize = name.utf8.count
    if nameSize > maxNameSize {
      let shown = String(name.prefix(40))
      throw XPCError(.encoding, messageName: shown, detail: "the name has over \(maxNameSize) bytes")
    }
    var size = frameHeaderSize + nameSize + body.json.count
    if !body.attachments.isEmpty {
      size += 4 + 4 * body.attachments.count
      for attachment in body.attachments { size += attachment.bytes.count }
    }
    try admit(4 + size, name)
    reserve(4 + size)
    let at = bytes + end
    writeU32(at, 0, UInt32(size))
    at[4] = frame.kind.rawValue
    at[5] = encoding(of: body) | (frame.isBlocked ? blockedFlag : 0)
    at[6] = UInt8(truncatingIfNeeded: nameSize)
    at[7] = UInt8(truncatingIfNeeded: nameSize >> 8)
    writeU32(at, 8, frame.id)
    writeU32(at, 12, frame.parent)
    end += 4 + frameHeaderSize
    if nameSize > 0 { name.withUTF8 { put($0) } }
    if !body.attachments.isEmpty { putAttachments(body.attachments) }
    body.json.withUnsafeBufferPointer { put($0) }
  }

  /// Writes as much as the credit allows. `received` is what our own reader has parsed; its acknowledgement may ride.
  package func flush(received: UInt64) {
    if packetEnd > 0 && !finishPacket() { return }
    while end > start {
      let credit = min(window - underWay - Outbox.headroom, Packet.maxSize)
      let waiting = end - start
      if credit < waiting && credit < Outbox.smallestPiece { return }
      let size = min(waiting, credit)
      let rides = received - told >= Packet.ackRideThreshold
      let from = start
      writeU32(bytes, from - Packet.headerSize, UInt32(size))
      if rides { putAck(from - Outbox.headroom, received) }
      packetEnd = from + size
      start = from - (rides ? Outbox.headroom : Packet.headerSize)
      if !finishPacket() { return }
    }
    rewind()
  }

  /// Writes an acknowledgement if it is due and no packet carried it.
  package func acknowledgeIfDue(_ received: UInt64) {
    if received - told < UInt64(Packet.ackThreshold) { return }
    if packetEnd > 0 && !finishPacket() { return }
    // The eight bytes before the queue are free, because they were sent or belong to the headroom.
    let from = start - Packet.ackSize
    putAck(from, received)
    packetEnd = start
    start = from
    if finishPacket() { rewind() }
  }

  private func encoding(of body: Body) -> UInt8 {
    if !body.attachments.isEmpty {
      return body.attachments.contains { $0.isText } ? BodyEncoding.texts : BodyEncoding.attachments
    }
    if body.json.isEmpty { return BodyEncoding.none }
    return body.isASCII ? BodyEncoding.asciiJSON : BodyEncoding.json
  }

  private func put(_ source: UnsafeBufferPointer<UInt8>) {
    guard let base = source.baseAddress else { return }
    (bytes + end).update(from: base, count: source.count)
    end += source.count
  }

  private func putAttachments(_ attachments: [Attachment]) {
    writeU32(bytes, end, UInt32(attachments.count))
    end += 4
    for attachment in attachments {
      writeU32(bytes, end, UInt32(attachment.bytes.count) + (attachment.isText ? textFlag : 0))
      end += 4
    }
    for attachment in attachments { attachment.bytes.withUnsafeBufferPointer { put($0) } }
  }

  private func putAck(_ at: Int, _ received: UInt64) {
    writeU32(bytes, at, Packet.ackFlag | UInt32(received >> 32))
    writeU32(bytes, at + 4, UInt32(truncatingIfNeeded: received))
    told = received
  }

  /// Writes the rest of the packet; false if there was no room for all of it.
  private func finishPacket() -> Bool {
    while start < packetEnd {
      let count = write(bytes + start, packetEnd - start)
      if count <= 0 { return false }
      start += count
      written += UInt64(count)
    }
    packetEnd = 0
    return true
  }

  private func rewind() {
    if end > start { return }
    start = Outbox.headroom
    end = Outbox.headroom
    if capacity > 16 * Outbox.initialCapacity { resize(to: Outbox.initialCapacity, keeping: 0..<0) }
  }

  private func admit(_ size: Int, _ name: String) throws {
    if size - 4 > maxFrameSize {
      throw XPCError(.encoding, messageName: name, detail: "\(size) bytes; the limit is \(maxFrameSize)")
    }
    if queued > 0 && queued + size > Packet.maxQueued {
      throw XPCError(.overflow, messageName: name, detail: "\(queued) bytes wait to be read by the other side")
    }
  }

  private func reserve(_ size: Int) {
    if end + size <= capacity { return }
    let kept = max(start - Outbox.headroom, 0)
    let needed = end - kept + size
    if needed > capacity || kept < capacity / 2 {
      resize(to: max(needed, min(capacity * 2, needed * 2)), keeping: kept..<end)
    } else {
      bytes.update(from: bytes + kept, count: end - kept)
    }
    start -= kept
    end -= kept
    if packetEnd > 0 { packetEnd -= kept }
  }

  private func resize(to size: Int, keeping range: Range<Int>) {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    larger.update(from: bytes + range.lowerBound, count: range.count)
    bytes.deallocate()
    bytes = larger
    capacity = size
  }
}
