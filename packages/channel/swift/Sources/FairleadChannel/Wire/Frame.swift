/// A frame is one step of a conversation; ../../../../docs/PROTOCOL.md specifies its bytes.
package enum FrameKind: UInt8, Sendable {
  case hello = 1
  case request, response, error, post, cancel, ready, bye
}

package enum BodyEncoding {
  package static let none: UInt8 = 0
  package static let json: UInt8 = 1
  package static let asciiJSON: UInt8 = 2
  package static let attachments: UInt8 = 3
  package static let texts: UInt8 = 4
}

package let blockedFlag: UInt8 = 0x80
/// Bytes of a frame after its length: kind, encoding, name length, id, parent.
package let frameHeaderSize = 12
/// A longer frame ends the connection before anything is allocated.
package let maxFrameSize = 64 * 1024 * 1024
package let maxNameSize = 1024
package let maxAttachments = 65_536
/// Set in the length of an attachment that is a text in UTF-8.
package let textFlag: UInt32 = 0x8000_0000

/// A part of a body beside its JSON: bytes, or a long text in UTF-8.
package struct Attachment: Sendable, Equatable {
  package var bytes: [UInt8]
  package var isText: Bool

  package init(bytes: [UInt8], isText: Bool) {
    self.bytes = bytes
    self.isText = isText
  }
}

/// JSON, empty if there is no body, and what it refers to by index.
package struct Body: Sendable, Equatable {
  package var json: [UInt8]
  package var isASCII: Bool
  package var attachments: [Attachment]

  package init(json: [UInt8] = [], isASCII: Bool = true, attachments: [Attachment] = []) {
    self.json = json
    self.isASCII = isASCII
    self.attachments = attachments
  }

  package init(ascii text: String) {
    self.init(json: Array(text.utf8))
  }

  package static let none = Body()
}

package struct Frame: Sendable, Equatable {
  package var kind: FrameKind
  package var isBlocked = false
  package var id: UInt32 = 0
  package var parent: UInt32 = 0
  package var name = ""
  package var body = Body.none

  package init(
    _ kind: FrameKind, isBlocked: Bool = false, id: UInt32 = 0, parent: UInt32 = 0, name: String = "",
    body: Body = .none
  ) {
    self.kind = kind
    self.isBlocked = isBlocked
    self.id = id
    self.parent = parent
    self.name = name
    self.body = body
  }
}

/// The other side sent bytes that the protocol does not allow.
package struct ProtocolViolation: Error {
  package let detail: String

  init(_ detail: String) {
    self.detail = detail
  }
}
