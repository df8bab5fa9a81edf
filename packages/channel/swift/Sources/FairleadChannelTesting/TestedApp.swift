import FairleadChannel
import Foundation

/// An app under test, which can be asked for its permissions.
public protocol TestedApp {
  var xpcService: XPCService { get }
}

extension TestedApp {
  public var contactsAuthorizationStatus: AuthorizationStatus { xpcService.status(.contacts) }
  public var locationAuthorizationStatus: AuthorizationStatus { xpcService.status(.location) }

  public func mediaAuthorizationStatus(for type: MediaType) -> AuthorizationStatus {
    xpcService.status(.media, type.rawValue)
  }

  public func eventKitAuthorizationStatus(for type: EntityType) -> AuthorizationStatus {
    xpcService.status(.eventKit, type.rawValue)
  }

  public var userNotificationSettingsAuthorizationStatus: AuthorizationStatus {
    xpcService.status(.userNotificationSettings)
  }

  public func photoLibraryAuthorizationStatus(for level: PhotoAccessLevel) -> AuthorizationStatus {
    xpcService.status(.photoLibrary, level.rawValue)
  }

  public func healthKitAuthorizationStatus(for type: HealthDataType) -> AuthorizationStatus {
    xpcService.status(.healthKit, type.rawValue)
  }
}

extension XPCService {
  /// Asks for a status. A property cannot throw, so a failure is a status of its own.
  func status(_ kind: AuthorizationKind, _ subject: String? = nil) -> AuthorizationStatus {
    do {
      let name: String
      if let subject { name = try send(kind.message, subject) } else { name = try send(kind.message) }
      do { return try kind.check(name) } catch {
        return .failed(XPCError(.decoding, messageName: kind.message, detail: "\((error as? ValueError)?.detail ?? "")"))
      }
    } catch {
      return .failed(error as? XPCError ?? XPCError(.protocol, detail: "\(error)"))
    }
  }
}

/// What becomes of an app when its test process is gone.
public enum TestEnd: String, Sendable {
  case exit, `continue`
}

/// The service that connects when it is used: the peer is opened over the test's ends of the FIFOs.
func openTestPeer(_ ends: FifoEnds, whenTestEnds: TestEnd, events: Peer.Events, handlersOn queue: HandlerQueue,
  register: (XPCService) -> Void
) -> (peer: Peer, service: XPCService) {
  let peer = Peer(pipes: Pipes(read: ends.testReads, write: ends.testWrites), events: events)
  let service = XPCService(peer: peer)
  register(service)
  let greeting: [String: XPCValue] = [
    "pid": .number(Double(getpid())), "whenTestEnds": .string(whenTestEnds.rawValue),
  ]
  peer.open(greeting: greeting)
  peer.becomeReady(on: queue)
  return (peer, service)
}
