// swift-tools-version: 5.9
import Foundation
import PackageDescription

/// A product with the answers for one permission, so that an app links only the frameworks that it uses.
func responder(_ framework: String) -> Target {
  .target(name: "Fairlead\(framework)", dependencies: ["FairleadChannel"], path: "Sources/Responders/\(framework)")
}

let frameworks = ["Contacts", "Location", "Media", "EventKit", "UserNotifications", "PhotoLibrary", "HealthKit"]

/// A program that the tests run as a process of its own.
func program(_ name: String, _ dependencies: Target.Dependency...) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Tests/Programs/\(name)")
}

let libraries: [Target] = [
  .target(name: "FairleadChannel"),
  .target(name: "FairleadChannelTesting", dependencies: ["FairleadChannel"]),
] + frameworks.map(responder)

/// The npm package brings no tests, and SwiftPM refuses targets without files.
let hasTests = FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Tests")

let tests: [Target] = [
  program("HazardsApp", "FairleadChannel"),
  program("EchoApp", "FairleadChannel"),
  program("TesterProgram", "FairleadChannelTesting"),
  program("BenchProgram", "FairleadChannel", "FairleadChannelTesting"),
  .testTarget(name: "FairleadChannelTests", dependencies: ["FairleadChannel", "FairleadChannelTesting"]),
]

let package = Package(
  name: "FairleadChannel",
  platforms: [.iOS(.v13), .macOS(.v10_15), .tvOS(.v13)],
  products: [
    .library(name: "FairleadChannel", targets: ["FairleadChannel"]),
    .library(name: "FairleadChannelTesting", targets: ["FairleadChannelTesting"]),
  ] + frameworks.map { .library(name: "Fairlead\($0)", targets: ["Fairlead\($0)"]) },
  targets: libraries + (hasTests ? tests : [])
)
