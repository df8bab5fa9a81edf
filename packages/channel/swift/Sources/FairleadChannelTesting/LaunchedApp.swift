import FairleadChannel
import Foundation

#if os(macOS) || os(Linux)
  /// An app that this process has launched, with the channel open.
  ///
  ///     let app = try LaunchedApp("/path/to/app", arguments: ["--fresh"])
  ///     let count: Int = try app.xpcService.send("cartCount")
  public final class LaunchedApp: TestedApp, @unchecked Sendable {
    /// Seconds that an app gets to exit by itself, and then after SIGTERM.
    private static let exitTime = 1.0
    private static let graceTime = 5.0

    public let xpcService: XPCService
    private let process: ChildProcess
    private let peer: Peer
    private let whenTestEnds: TestEnd

    /// Launches an app; returns when it has touched `xpcService` for the first time.
    ///
    /// - Parameters:
    ///   - environment: replaces this process's environment for the app.
    ///   - output: a descriptor for the app's output; by default it shares that of this process.
    ///   - register: registers handlers for messages that the app sends during its launch.
    /// - Throws: `XPCError` with `connectionLost` if the app ends before, `timeout` if it never connects, or `protocol`.
    public init(
      _ command: String, arguments: [String] = [], environment: [String: String]? = nil, folder: String? = nil,
      output: Int32? = nil, timeout: TimeInterval = 30, whenTestEnds: TestEnd = .exit,
      handlersOn queue: HandlerQueue = .main, register: (XPCService) -> Void = { _ in }
    ) throws {
      let fifos = try FifoFolder()
      defer { fifos.remove() }
      let ends = try FifoEnds(fifos)
      let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
      defer { closeDescriptor(nothing) }
      do {
        var environment = environment ?? ProcessInfo.processInfo.environment
        environment[environmentVariable] = "fd:3,4"
        process = try ChildProcess(
          command: command, arguments: arguments, environment: environment, folder: folder,
          descriptors: [nothing, output ?? 1, output ?? 2, ends.appReads, ends.appWrites])
      } catch {
        ends.closeAll()
        throw error
      }
      ends.closeAppEnds()
      self.whenTestEnds = whenTestEnds
      let process = self.process
      LaunchedApp.killAtExit(process)
      var events = Peer.Events()
      events.isGone = { process.currentExit != nil }
      events.describeEnd = {
        // A process closes its pipes a moment before its exit becomes visible.
        let exit = process.wait(milliseconds: 80)
        let words = "the app (pid \(process.pid)) \(exit?.description ?? "is gone")"
        if case .signal? = exit { return (words, true) }
        return (words, false)
      }
      (peer, xpcService) = openTestPeer(
        ends, whenTestEnds: whenTestEnds, events: events, handlersOn: queue, register: register)
      do { try peer.waitForHello(timeout: timeout, detail: "the app has not opened the channel") } catch {
        process.kill(SIGKILL)
        throw error
      }
      let peer = self.peer
      let watcher = Thread {
        _ = process.wait(milliseconds: .max / 2_000_000)
        peer.lookForEnd()
      }
      watcher.start()
    }

    deinit {
      peer.close()
      process.kill(SIGKILL)
    }

    public var pid: Int32 { process.pid }

    /// How the app ended; nil while it runs.
    public var exit: Exit? { process.currentExit }

    /// Waits for the end of the app; returns nil if it still runs then.
    public func waitForExit(timeout: TimeInterval = 10) -> Exit? {
      process.wait(milliseconds: Int(timeout * 1000))
    }

    /// Ends the connection and the app, and waits for its exit. An app that does not end by itself is killed.
    @discardableResult
    public func close() -> Exit? {
      peer.close()
      if whenTestEnds == .exit, let exit = waitForExit(timeout: LaunchedApp.exitTime) { return exit }
      process.kill(SIGTERM)
      if let exit = waitForExit(timeout: LaunchedApp.graceTime) { return exit }
      process.kill(SIGKILL)
      return waitForExit()
    }

    private static let children = Children()

    /// No app outlives a test process that exits.
    private static func killAtExit(_ process: ChildProcess) {
      let isFirst = children.add(process)
      if isFirst { atexit { LaunchedApp.children.killAll() } }
    }

    private final class Children: @unchecked Sendable {
      private let lock = Lock()
      private var processes: [ChildProcess] = []
      private var hasBegun = false

      func add(_ process: ChildProcess) -> Bool {
        lock.hold {
          processes.removeAll { $0.currentExit != nil }
          processes.append(process)
          defer { hasBegun = true }
          return !hasBegun
        }
      }

      func killAll() {
        for process in lock.hold({ processes }) { process.kill(SIGKILL) }
      }
    }
  }
#endif
