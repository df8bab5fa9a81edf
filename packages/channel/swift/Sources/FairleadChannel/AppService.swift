import Foundation

/// The service of an app under test; nil unless the environment says that a test is running.
///
///     xpcService?.on("login", decoding: Credentials.self) { session.logIn($0) }
///     xpcService?.activate(on: .main)
public let xpcService: AppService? = AppService.open()

/// The app's end of the channel: the verbs of both sides, and those that only an app has.
public final class AppService: XPCService, @unchecked Sendable {
  /// When the app ends, it waits at most this many seconds for its posts to be read.
  private static let exitWait: TimeInterval = 5

  override init(peer: Peer) {
    super.init(peer: peer)
    for kind in AuthorizationKind.allCases {
      registerDefault(kind.message, .sync { _, takesTexts in try Self.encode("unavailable", takesTexts) })
    }
  }

  /// Starts handling messages, beginning with those that have waited; call it when the handlers are registered.
  public func activate(on queue: HandlerQueue = .main) {
    peer.becomeReady(on: queue)
  }

  /// Replaces the answers for permission statuses, which are `unavailable` otherwise.
  public func answerAuthorization(_ responders: AuthorizationResponder...) {
    for responder in responders { registerDefault(responder.kind.message, responder.handler) }
  }

  fileprivate static func open() -> AppService? {
    guard let address = Address.take() else { return nil }
    #if os(iOS) && !targetEnvironment(simulator)
      complain("a test on a device cannot reach its app: they share no folder; run it in the Simulator")
      return nil
    #else
      guard let pipes = address.open() else { return nil }
      return AppService(pipes, address)
    #endif
  }

  private convenience init(_ pipes: Pipes, _ address: Address) {
    let wish = EndWish()
    var events = Peer.Events()
    events.endsWithBye = true
    events.onHello = { wish.exits = $0["whenTestEnds"] == .string("exit") }
    events.describeEnd = { ("the test process is gone", false) }
    events.onLost = { error in
      if error.code == .protocol { AppService.complain(error.description) }
      if wish.exits { exit(0) }
    }
    let peer = Peer(pipes: pipes, events: events)
    self.init(peer: peer)
    var greeting: [String: XPCValue] = ["pid": .number(Double(getpid())), "runtime": .string("swift")]
    if case .folder(_, let token) = address { greeting["token"] = .string(token) }
    peer.open(greeting: greeting)
    AppService.exitingPeer.value = peer
    atexit { AppService.exitingPeer.value?.drainAtExit(seconds: AppService.exitWait) }
  }

  private final class EndWish: @unchecked Sendable {
    var exits = false
  }

  private final class PeerBox: @unchecked Sendable {
    var value: Peer?
  }

  private static let exitingPeer = PeerBox()

  fileprivate static func complain(_ words: String) {
    FileHandle.standardError.write(Data("fairlead: \(words)\n".utf8))
  }
}

/// What the environment says about the test, `fd:R,W` or `path:T:F`; docs/PROTOCOL.md has the forms.
private enum Address {
  case descriptors(read: Int32, write: Int32)
  case folder(path: String, token: String)

  /// Takes the address out of the environment, so that processes started by the app do not find it.
  static func take() -> Address? {
    guard let text = getenv(environmentVariable).map({ String(cString: $0) }) else { return nil }
    unsetenv(environmentVariable)
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    if parts.count == 2, parts[0] == "fd" {
      let numbers = parts[1].split(separator: ",").compactMap { Int32($0) }
      if numbers.count == 2 { return .descriptors(read: numbers[0], write: numbers[1]) }
    }
    if parts.count == 3, parts[0] == "path", parts[1].count == 64, !parts[2].isEmpty {
      return .folder(path: String(parts[2]), token: String(parts[1]))
    }
    AppService.complain("\(environmentVariable) is not a valid address: \(text.prefix(20))…")
    return nil
  }

  func open() -> Pipes? {
    switch self {
    case .descriptors(let read, let write):
      // A launcher in between may have closed them, so the numbers may refer to other files.
      if isFIFO(read) && isFIFO(write) { return Pipes(read: read, write: write) }
      AppService.complain("the app runs under test but did not inherit its pipes; launch it through a Session")
      return nil
    case .folder(let path, _):
      return Address.claim(path)
    }
  }

  /// Opens the FIFOs in a folder. The first app to rename the entry claims it; a later one is not under test.
  private static func claim(_ path: String) -> Pipes? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid == getuid(), status.st_mode & 0o077 == 0 else { return nil }
    let claimed = "\(path)/claimed"
    guard rename("\(path)/to-app", claimed) == 0 else { return nil }
    defer { try? FileManager.default.removeItem(atPath: path) }
    let read = systemOpen(claimed, O_RDONLY | O_NONBLOCK)
    if read < 0 { return nil }
    let write = systemOpen("\(path)/to-test", O_WRONLY | O_NONBLOCK)
    if write < 0 {
      close(read)
      return nil
    }
    return Pipes(read: read, write: write)
  }
}

/// The variable by which an app finds its test.
package let environmentVariable = "FAIRLEAD_XPC"

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
  open(path, flags | O_CLOEXEC)
}
