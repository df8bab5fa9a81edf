import Foundation

/// Status of a permission of the app, in Apple's terms.
public enum AuthorizationStatus: Sendable, Equatable {
  case notDetermined, restricted, denied, authorized, limited
  case authorizedAlways, authorizedWhenInUse
  case fullAccess, writeOnly
  case provisional, ephemeral
  case sharingDenied, sharingAuthorized
  /// The platform has no such permission, or the app does not answer for it.
  case unavailable
  /// The app could not be asked. A property cannot throw, and an assertion on the status shows why.
  case failed(XPCError)

  package init?(name: String) {
    guard let status = AuthorizationStatus.names.first(where: { $0.value == name })?.key else { return nil }
    self = status
  }

  package var name: String { AuthorizationStatus.names[self] ?? "unavailable" }

  private static let names: [AuthorizationStatus: String] = [
    .notDetermined: "notDetermined", .restricted: "restricted", .denied: "denied", .authorized: "authorized",
    .limited: "limited", .authorizedAlways: "authorizedAlways", .authorizedWhenInUse: "authorizedWhenInUse",
    .fullAccess: "fullAccess", .writeOnly: "writeOnly", .provisional: "provisional", .ephemeral: "ephemeral",
    .sharingDenied: "sharingDenied", .sharingAuthorized: "sharingAuthorized", .unavailable: "unavailable",
  ]
}

extension AuthorizationStatus: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(String(describing: self))
  }
}

/// The permissions, with the reserved message by which each is asked for and the statuses that it may have.
package enum AuthorizationKind: String, CaseIterable, Sendable {
  case contacts, location, media, eventKit, userNotificationSettings, photoLibrary, healthKit

  package var message: String { "$auth.\(rawValue)" }

  package var statuses: Set<AuthorizationStatus> {
    switch self {
    case .contacts, .photoLibrary:
      return [.notDetermined, .restricted, .denied, .authorized, .limited, .unavailable]
    case .location:
      return [.notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse, .unavailable]
    case .media: return [.notDetermined, .restricted, .denied, .authorized, .unavailable]
    case .eventKit: return [.notDetermined, .restricted, .denied, .fullAccess, .writeOnly, .unavailable]
    case .userNotificationSettings:
      return [.notDetermined, .denied, .authorized, .provisional, .ephemeral, .unavailable]
    case .healthKit: return [.notDetermined, .sharingDenied, .sharingAuthorized, .unavailable]
    }
  }

  package func check(_ name: String) throws -> AuthorizationStatus {
    if let status = AuthorizationStatus(name: name), statuses.contains(status) { return status }
    let known = statuses.map(\.name).sorted().joined(separator: ", ")
    throw ValueError("'\(name.prefix(40))' is not a status of \(rawValue): \(known)")
  }
}

public enum MediaType: String, Sendable { case video, audio }
public enum EntityType: String, Sendable { case event, reminder }
public enum PhotoAccessLevel: String, Sendable { case readWrite, addOnly }

/// HealthKit's name of a data type without its prefix, such as `workout` or `stepCount`.
public struct HealthDataType: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral value: String) { rawValue = value }

  public static let workout: HealthDataType = "workout"
}

/// An app's answer for one permission. The products `FairleadContacts` and so on have those of Apple's frameworks.
public struct AuthorizationResponder {
  let kind: AuthorizationKind
  let handler: Handler

  public static func contacts(_ status: @escaping () async -> AuthorizationStatus) -> AuthorizationResponder {
    AuthorizationResponder(.contacts) { (_: XPCValue) in await status() }
  }

  public static func location(_ status: @escaping () async -> AuthorizationStatus) -> AuthorizationResponder {
    AuthorizationResponder(.location) { (_: XPCValue) in await status() }
  }

  public static func media(_ status: @escaping (MediaType) async -> AuthorizationStatus) -> AuthorizationResponder {
    AuthorizationResponder(.media) { (subject: String) in try await status(known(subject)) }
  }

  public static func eventKit(
    _ status: @escaping (EntityType) async -> AuthorizationStatus
  ) -> AuthorizationResponder {
    AuthorizationResponder(.eventKit) { (subject: String) in try await status(known(subject)) }
  }

  public static func userNotificationSettings(
    _ status: @escaping () async -> AuthorizationStatus
  ) -> AuthorizationResponder {
    AuthorizationResponder(.userNotificationSettings) { (_: XPCValue) in await status() }
  }

  public static func photoLibrary(
    _ status: @escaping (PhotoAccessLevel) async -> AuthorizationStatus
  ) -> AuthorizationResponder {
    AuthorizationResponder(.photoLibrary) { (subject: String) in try await status(known(subject)) }
  }

  public static func healthKit(
    _ status: @escaping (HealthDataType) async -> AuthorizationStatus
  ) -> AuthorizationResponder {
    AuthorizationResponder(.healthKit) { (subject: String) in await status(HealthDataType(rawValue: subject)) }
  }

  private init<Subject: Decodable>(
    _ kind: AuthorizationKind, _ ask: @escaping (Subject) async throws -> AuthorizationStatus
  ) {
    self.kind = kind
    handler = .async { body, takesTexts in
      let subject = try XPCService.decode(Subject.self, body)
      return {
        let status: AuthorizationStatus
        do { status = try await ask(subject) } catch { throw Failure.conversion(.decoding, error) }
        if !kind.statuses.contains(status) {
          throw Failure.conversion(.encoding, ValueError("\(status) is not a status of \(kind.rawValue)"))
        }
        return try XPCService.encode(status.name, takesTexts)
      }
    }
  }

  private static func known<Subject: RawRepresentable<String>>(_ name: String) throws -> Subject {
    guard let subject = Subject(rawValue: name) else {
      throw ValueError("'\(name.prefix(40))' is not a \(Subject.self)")
    }
    return subject
  }
}
