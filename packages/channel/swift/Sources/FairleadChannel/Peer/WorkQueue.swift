/// Something to run where handlers run.
enum Work {
  case message(Frame)
  /// The completion of an asynchronous send.
  case call(() -> Void)
}

/// Work in the order in which it came.
struct WorkQueue {
  private var items: [Work] = []
  private var first = 0
  /// Bytes of the messages that wait.
  private(set) var size = 0
  private(set) var calls = 0

  var isEmpty: Bool { first == items.count }

  mutating func append(_ item: Work) {
    items.append(item)
    count(item, 1)
  }

  mutating func removeFirst() -> Work {
    let item = items[first]
    items[first] = .call({})
    first += 1
    if first == items.count {
      items.removeAll(keepingCapacity: items.count <= 1024)
      first = 0
    } else if first >= 1024 && first * 2 >= items.count {
      items.removeFirst(first)
      first = 0
    }
    count(item, -1)
    return item
  }

  /// Takes the first item for which this holds, out of its turn.
  mutating func removeFirst(where isWanted: (Work) -> Bool) -> Work? {
    guard let at = items[first...].firstIndex(where: isWanted) else { return nil }
    let item = items.remove(at: at)
    count(item, -1)
    return item
  }

  func contains(where isWanted: (Work) -> Bool) -> Bool {
    items[first...].contains(where: isWanted)
  }

  private mutating func count(_ item: Work, _ sign: Int) {
    guard case .message(let frame) = item else { return calls += sign }
    size += sign * (200 + frame.body.json.count)
    for attachment in frame.body.attachments { size += sign * attachment.bytes.count }
  }
}
