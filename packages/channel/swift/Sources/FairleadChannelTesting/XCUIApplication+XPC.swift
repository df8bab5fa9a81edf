#if canImport(XCTest) && !os(Linux)
  import FairleadChannel
  import Foundation
  import ObjectiveC
  import XCTest

  /// An XCUITest reaches its app through these. The session is made before the app is launched:
  ///
  ///     let app = XCUIApplication()
  ///     app.prepareXPC()
  ///     app.launch()
  ///     try app.xpcService.send("reset")
  extension XCUIApplication {
    /// Gives the next launch a channel of its own. Call it before every `launch()`.
    ///
    /// If that is not possible, such as on a device, `xpcService` says why in the error of every send.
    public func prepareXPC(handlersOn queue: HandlerQueue = .main, register: (XPCService) -> Void = { _ in }) {
      box.session?.close()
      do {
        let session = try Session(handlersOn: queue, register: register)
        launchEnvironment.merge(session.environment) { _, new in new }
        box.session = session
        box.service = session.xpcService
      } catch {
        box.session = nil
        let error = error as? XPCError ?? XPCError(.unsupported, detail: "\(error)")
        box.service = XPCService(failing: error)
      }
    }

    public var xpcService: XPCService {
      if box.service == nil {
        if state == .notRunning || state == .unknown {
          prepareXPC()
        } else {
          box.service = XPCService(failing: XPCError(.connectionLost, detail: "call prepareXPC() before launch()"))
        }
      }
      return box.service!
    }

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

    private var box: Box {
      if let known = objc_getAssociatedObject(self, boxKey) as? Box { return known }
      let new = Box()
      objc_setAssociatedObject(self, boxKey, new, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
      return new
    }
  }

  private final class Box {
    var session: Session?
    var service: XPCService?
  }

  /// The address of this string is the key of the associated object.
  private let boxKey = UnsafeRawPointer(StaticString("fairlead.session").utf8Start)
#endif
