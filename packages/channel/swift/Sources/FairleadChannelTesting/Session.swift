import FairleadChannel
import Foundation

/// A rendezvous at which one app finds this test, whoever launches it: XCUITest, `simctl` or a script.
///
///     let session = try Session()
///     launch(with: session.environment)
///     let app = try session.connect()
public final class Session: TestedApp, @unchecked Sendable {
  /// Variables to add to the environment of the app.
  public let environment: [String: String]
  public let xpcService: XPCService
  private let peer: Peer
  private let rendezvous: Rendezvous

  /// Creates a pair of FIFOs in a folder that only this user can enter.
  ///
  /// - Parameter folder: where the folder is made; the app must be able to open it.
  /// - Throws: `XPCError` with `unsupported` on a device, where the test and its app have no folder in common.
  public init(
    in folder: String = NSTemporaryDirectory(), whenTestEnds: TestEnd = .continue,
    handlersOn queue: HandlerQueue = .main, register: (XPCService) -> Void = { _ in }
  ) throws {
    #if (os(iOS) || os(tvOS)) && !targetEnvironment(simulator)
      let detail = "on a device the test and its app share no folder; run the test in the Simulator"
      throw XPCError(.unsupported, detail: detail)
    #else
      let fifos = try FifoFolder(in: folder)
      let ends: FifoEnds
      do { ends = try FifoEnds(fifos) } catch {
        fifos.remove()
        throw error
      }
      var random = SystemRandomNumberGenerator()
      let token = (0..<32).map { _ in
        let byte = UInt8.random(in: 0...255, using: &random)
        return (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
      environment = [environmentVariable: "path:\(token):\(fifos.path)"]
      let rendezvous = Rendezvous(fifos, ends)
      self.rendezvous = rendezvous
      var events = Peer.Events()
      events.onHello = { greeting in
        rendezvous.release()
        guard case .string(let shown)? = greeting["token"], isSame(shown, token) else {
          throw ValueDescription("its HELLO does not have the token of this session")
        }
        if case .number(let pid)? = greeting["pid"], pid > 0, pid < 0x7fff_ffff { rendezvous.pid = Int32(pid) }
      }
      events.isGone = { rendezvous.isGone }
      events.describeEnd = { ("the app (pid \(rendezvous.pid)) is gone", false) }
      events.onLost = { _ in rendezvous.release() }
      (peer, xpcService) = openTestPeer(
        ends, whenTestEnds: whenTestEnds, events: events, handlersOn: queue, register: register)
    #endif
  }

  deinit { close() }

  /// Waits until the app has connected. Sends before that wait too, within their own time limits.
  ///
  /// - Throws: `XPCError` with `timeout`, `connectionLost` or `protocol`.
  @discardableResult
  public func connect(timeout: TimeInterval = 30) throws -> Session {
    defer { rendezvous.release() }
    try peer.waitForHello(timeout: timeout, detail: "the app has not opened the channel")
    return self
  }

  /// The app's process number, once it has connected.
  public var pid: Int32 { rendezvous.pid }

  /// Ends the connection. The launcher ends the app.
  public func close() {
    peer.close()
    rendezvous.release()
  }
}

private struct ValueDescription: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Compares in a time that does not tell where the first difference is.
private func isSame(_ left: String, _ right: String) -> Bool {
  let (left, right) = (Array(left.utf8), Array(right.utf8))
  return left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
}

/// What there is until the app has connected: the folder, and the app's ends, because a FIFO without them reads as
/// ended.
private final class Rendezvous: @unchecked Sendable {
  private let lock = Lock()
  private var held: (fifos: FifoFolder, ends: FifoEnds)?
  private var knownPid: Int32 = 0

  init(_ fifos: FifoFolder, _ ends: FifoEnds) {
    held = (fifos, ends)
  }

  var pid: Int32 {
    get { lock.hold { knownPid } }
    set { lock.hold { knownPid = newValue } }
  }

  var isGone: Bool {
    let pid = self.pid
    return pid > 0 && kill(pid, 0) != 0 && errno == ESRCH
  }

  func release() {
    lock.hold {
      held?.ends.closeAppEnds()
      held?.fifos.remove()
      held = nil
    }
  }
}
