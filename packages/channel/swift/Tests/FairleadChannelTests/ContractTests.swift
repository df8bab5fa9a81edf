import FairleadChannel
import XCTest

@testable import FairleadChannelTesting

/// The operations of the contract, written as its tables write them. That this file compiles is most of the test.
final class ContractTests: XCTestCase {
  private struct Item: Codable, Equatable {
    var name: String
  }

  /// The app's side, where `xpcService` is nil unless the app runs under test.
  private func registerHandlers() {
    xpcService?.on("name", decoding: Item.self) { item in _ = item.name }
    xpcService?.on("name", encoding: Item.self) { Item(name: "a") }
    xpcService?.on("name", decoding: Item.self, encoding: Int.self) { $0.name.count }
    xpcService?.on("name", decoding: Item.self) { (item: Item) async in _ = item.name }
    xpcService?.activate(on: .main)
  }

  func testTheOperationsOfTheContractAreWrittenAsItWritesThem() throws {
    registerHandlers()
    XCTAssertNil(xpcService)
    let app = try LaunchedApp(program("EchoApp"))
    let content = Item(name: "rope")
    try app.xpcService.send("echo")
    try app.xpcService.send("echo", content)
    let answer: Item = try app.xpcService.send("echo", content)
    XCTAssertEqual(answer, content)
    XCTAssertEqual(try app.xpcService.send("echo", content, decoding: Item.self), content)
    let done = expectation(description: "the completion")
    done.expectedFulfillmentCount = 2
    app.xpcService.sendAsync("echo", content, decoding: Item.self) { (result: Result<Item, XPCError>) in
      XCTAssertEqual(try? result.get(), content)
      done.fulfill()
    }
    app.xpcService.sendAsync("echo", decoding: Int.self) { result in
      if case .failure(let error) = result { XCTAssertEqual(error.code, .decoding) }
      done.fulfill()
    }
    app.xpcService.on("message", decoding: Item.self) { item in _ = item }
    try app.xpcService.post("echo", content)
    wait(for: [done], timeout: 10)
    app.close()
  }

  func testThePermissionsOfTheContractHaveItsNames() throws {
    let app = try LaunchedApp(program("EchoApp"))
    XCTAssertEqual(app.contactsAuthorizationStatus, .unavailable)
    XCTAssertEqual(app.locationAuthorizationStatus, .unavailable)
    XCTAssertEqual(app.mediaAuthorizationStatus(for: .video), .unavailable)
    XCTAssertEqual(app.eventKitAuthorizationStatus(for: .event), .unavailable)
    XCTAssertEqual(app.userNotificationSettingsAuthorizationStatus, .unavailable)
    XCTAssertEqual(app.photoLibraryAuthorizationStatus(for: .readWrite), .unavailable)
    XCTAssertEqual(app.healthKitAuthorizationStatus(for: .workout), .unavailable)
    app.close()
    guard case .failed(let error) = app.contactsAuthorizationStatus else { return XCTFail("not failed") }
    XCTAssertEqual(error.code, .connectionLost)
  }

  func testAnAppAnswersForItsPermissionsAndOtherAnswersAreRefused() throws {
    let app = try LaunchedApp(program("HazardsApp"), arguments: ["permissions"])
    XCTAssertEqual(app.contactsAuthorizationStatus, .limited)
    XCTAssertEqual(app.locationAuthorizationStatus, .authorizedAlways)
    XCTAssertEqual(app.mediaAuthorizationStatus(for: .video), .authorized)
    XCTAssertEqual(app.mediaAuthorizationStatus(for: .audio), .denied)
    XCTAssertEqual(app.eventKitAuthorizationStatus(for: .reminder), .writeOnly)
    XCTAssertEqual(app.healthKitAuthorizationStatus(for: "stepCount"), .sharingDenied)
    guard case .failed(let error) = app.photoLibraryAuthorizationStatus(for: .addOnly) else {
      return XCTFail("not failed")
    }
    XCTAssertEqual(error.code, .encoding)
    XCTAssertEqual(app.userNotificationSettingsAuthorizationStatus, .unavailable)
    app.close()
  }

  /// Where the contract is at hand, its tables are compared with this file, and code of Swift in it is compiled.
  func testEveryOperationOfTheContractIsInThisFile() throws {
    let variable = ProcessInfo.processInfo.environment["CONTRACT_OF_THE_CHANNEL"]
    guard let path = variable ?? findContract() else { throw XCTSkip("not run: the contract is not there") }
    let contract = try String(contentsOfFile: path, encoding: .utf8)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let section = try XCTUnwrap(contract.components(separatedBy: "### Messaging channel operations").last)
    let table = section.components(separatedBy: "## Authentication")[0].split(separator: "\n")
    let names = table.filter { $0.hasPrefix("| ") }.compactMap { row -> String? in
      let cell = row.split(separator: "|")[0].trimmingCharacters(in: .whitespaces)
      return cell.isEmpty || cell == "Operation" || cell == "Name" || cell.hasPrefix("--") ? nil : cell
    }
    XCTAssertGreaterThanOrEqual(names.count, 11)
    for name in names {
      let call = name.hasSuffix("(for:)") ? "app.\(name.dropLast(2)): ." : "."  + name.prefix { $0.isLetter }
      XCTAssertTrue(source.contains(call), name)
    }
    try compileSnippets(of: contract)
  }

  private func findContract() -> String? {
    var folder = packageFolder
    for _ in 0..<8 {
      let path = folder.appendingPathComponent("shared/contract.md").path
      if FileManager.default.fileExists(atPath: path) { return path }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// Compiles the blocks of Swift that need no SDK of Apple.
  private func compileSnippets(of contract: String) throws {
    let blocks = contract.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    for block in blocks where !block.contains("XCUIApplication") && !block.contains("UIKit") {
      let file = NSTemporaryDirectory() + "snippet-\(UUID().uuidString).swift"
      try "import FairleadChannel\nimport FairleadChannelTesting\n\(block)".write(
        toFile: file, atomically: true, encoding: .utf8)
      defer { try? FileManager.default.removeItem(atPath: file) }
      let modules = packageFolder.appendingPathComponent(".build/debug/Modules").path
      let compiler = try ChildProcess(
        command: "swiftc", arguments: ["-typecheck", "-I", modules, file],
        environment: ProcessInfo.processInfo.environment, folder: nil, descriptors: [0, 1, 2])
      XCTAssertEqual(compiler.wait(milliseconds: 120_000), .code(0), block)
    }
  }
}
