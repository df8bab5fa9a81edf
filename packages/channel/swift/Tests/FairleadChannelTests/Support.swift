import FairleadChannel
import FairleadChannelTesting
import XCTest

/// The programs of this package, which are built beside the tests.
func program(_ name: String) -> String {
  let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  for start in [folder, Bundle.main.bundleURL, packageFolder.appendingPathComponent(".build/debug")] {
    var at = start
    for _ in 0..<3 {
      let path = at.appendingPathComponent(name).path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
      at.deleteLastPathComponent()
    }
  }
  return name
}

/// The error that a body throws.
func catchError(_ file: StaticString = #filePath, _ line: UInt = #line, _ body: () throws -> Void) -> XPCError {
  do { try body() } catch {
    if let error = error as? XPCError { return error }
    XCTFail("\(error)", file: file, line: line)
  }
  XCTFail("nothing was thrown", file: file, line: line)
  return XPCError(.protocol, detail: "nothing was thrown")
}

func catchError(
  _ file: StaticString = #filePath, _ line: UInt = #line, _ body: () async throws -> Void
) async -> XPCError {
  do { try await body() } catch {
    if let error = error as? XPCError { return error }
    XCTFail("\(error)", file: file, line: line)
  }
  XCTFail("nothing was thrown", file: file, line: line)
  return XPCError(.protocol, detail: "nothing was thrown")
}

/// An app for the tests of hazards: the one in Swift, or the one in TypeScript on the Node of this repository.
enum HazardApp: CaseIterable {
  case swift, swiftOnChannelThread, node

  var command: (String, [String])? {
    switch self {
    case .swift: return (program("HazardsApp"), [])
    case .swiftOnChannelThread: return (program("HazardsApp"), ["channel"])
    case .node:
      guard let node = HazardApp.nodePath else { return nil }
      return (node, [packageFolder.appendingPathComponent("../test/apps/hazards.ts").standardizedFileURL.path])
    }
  }

  private static let nodePath: String? = {
    if let given = ProcessInfo.processInfo.environment["FAIRLEAD_NODE"] { return given }
    let local = packageFolder.appendingPathComponent("../../../node_modules/.bin/node").standardizedFileURL.path
    return FileManager.default.isExecutableFile(atPath: local) ? local : nil
  }()

  func launch(_ extra: [String] = [], whenTestEnds: TestEnd = .exit) throws -> LaunchedApp {
    guard let (command, arguments) = command else { throw XCTSkip("not run: Node is not there") }
    return try LaunchedApp(command, arguments: arguments + extra, whenTestEnds: whenTestEnds)
  }
}

/// Values that handlers collect, perhaps on another thread.
final class Collected<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var items: [Value] = []

  func append(_ item: Value) { lock.withLock { items.append(item) } }
  var all: [Value] { lock.withLock { items } }
}
