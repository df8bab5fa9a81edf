import XCTest

@testable import FairleadChannel

/// The vectors of docs/PROTOCOL.md, which every implementation runs.
final class VectorTests: XCTestCase {
  private func vectors(_ kind: String) throws -> [[String]] {
    let text = try String(contentsOf: packageFolder.appendingPathComponent("../docs/PROTOCOL.md"), encoding: .utf8)
    let block = try XCTUnwrap(text.components(separatedBy: "```vectors\n").last?.components(separatedBy: "```").first)
    return block.split(separator: "\n").map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { $0[0] == kind }
  }

  func testEveryFrameBecomesItsBytesAndTheOtherWayRound() throws {
    let frames = try vectors("frame")
    XCTAssertEqual(frames.count, 14)
    for fields in frames {
      let bytes = unhex(fields[2])
      let numbers = fields[3].split(separator: " ").map { UInt32($0)! }
      let attachments = fields[6].split(separator: " ").map { part -> Attachment in
        let isText = part.hasPrefix("\"")
        return Attachment(bytes: part == "-" ? [] : unhex(String(isText ? part.dropFirst() : part)), isText: isText)
      }
      let json = Array(fields[5].utf8)
      let body = Body(json: json, isASCII: json.allSatisfy { $0 < 0x80 }, attachments: attachments)
      let frame = Frame(
        FrameKind(rawValue: UInt8(numbers[0]))!, isBlocked: numbers[1] == 1, id: numbers[2], parent: numbers[3],
        name: fields[4], body: body)
      XCTAssertEqual(try write([frame]).dropFirst(4).map { $0 }, bytes, fields[1])
      XCTAssertEqual(try read(le32(UInt32(bytes.count)) + bytes).frames, [frame], fields[1])
      // The values survive being read and written again.
      if json.isEmpty { continue }
      let value = try decodeValue(XPCValue.self, body)
      XCTAssertEqual(try decodeValue(XPCValue.self, try encodeValue(value, takesTexts: true)), value, fields[1])
    }
  }

  func testEveryStreamHasItsFramesAndAcknowledgements() throws {
    let streams = try vectors("stream")
    XCTAssertEqual(streams.count, 4)
    for fields in streams {
      let bytes = unhex(fields[2])
      for step in [bytes.count, 1, 3] {
        let found = try read(bytes, step: step)
        let kinds = found.frames.map { String($0.kind.rawValue) }.joined(separator: " ")
        XCTAssertEqual(kinds, fields[3], fields[1])
        XCTAssertEqual(found.acknowledged.map(String.init).joined(separator: " "), fields.count > 4 ? fields[4] : "")
      }
    }
  }

  func testEveryBadStreamEndsTheConnection() throws {
    let bad = try vectors("bad")
    XCTAssertEqual(bad.count, 22)
    for fields in bad {
      for step in [unhex(fields[2]).count, 1] {
        XCTAssertThrowsError(try read(unhex(fields[2]), step: step), fields[1]) { error in
          XCTAssertTrue(error is ProtocolViolation, "\(fields[1]): \(error)")
        }
      }
    }
  }

  func testAWriterKeepsItsBytesUnderWayWithinTheWindow() throws {
    var written: [UInt8] = []
    let outbox = Outbox { bytes, count in
      written.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
      return count
    }
    let frames = (0..<200).map { Frame(.post, name: "note", body: Body(ascii: "\"\(String(repeating: "x", count: $0 * 20))\"")) }
    for frame in frames { try outbox.append(frame) }
    var acknowledged = 0
    for _ in 0..<1000 where outbox.queued > 0 {
      outbox.flush(received: 0)
      XCTAssertLessThanOrEqual(written.count - acknowledged, Packet.window)
      acknowledged = min(acknowledged + 5000, written.count)
      try outbox.acknowledge(UInt64(acknowledged))
    }
    XCTAssertEqual(try read(written, step: 4096).frames, frames)
    XCTAssertThrowsError(try outbox.acknowledge(UInt64(written.count) + 1))
    XCTAssertThrowsError(try outbox.acknowledge(0))
  }

  private func write(_ frames: [Frame]) throws -> [UInt8] {
    var written: [UInt8] = []
    let outbox = Outbox { bytes, count in
      written.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
      return count
    }
    for frame in frames { try outbox.append(frame) }
    outbox.flush(received: 0)
    return written
  }

  private func read(_ bytes: [UInt8], step: Int = .max) throws -> (frames: [Frame], acknowledged: [UInt64]) {
    var acknowledged: [UInt64] = []
    let inbox = Inbox { acknowledged.append($0) }
    var frames: [Frame] = []
    var at = 0
    while at < bytes.count {
      let count = min(step, bytes.count - at, Inbox.chunkSize)
      for index in 0..<count { inbox.chunk[index] = bytes[at + index] }
      inbox.feed(count)
      at += count
      while let frame = try inbox.next() { frames.append(frame) }
    }
    return (frames, acknowledged)
  }

  private func le32(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  private func unhex(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count, by: 2).map { hexValue(digits[$0])! << 4 | hexValue(digits[$0 + 1])! }
  }
}

/// The folder `packages/channel/swift`.
let packageFolder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL
