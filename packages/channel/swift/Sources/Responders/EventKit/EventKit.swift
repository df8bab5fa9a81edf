#if canImport(EventKit) && !os(tvOS)
  import EventKit
  import FairleadChannel

  extension AuthorizationResponder {
    public static var eventKit: AuthorizationResponder {
      .eventKit { type in status(EKEventStore.authorizationStatus(for: type == .event ? .event : .reminder)) }
    }

    private static func status(_ status: EKAuthorizationStatus) -> AuthorizationStatus {
      // By number: 3 was `authorized` before iOS 17, and is `fullAccess` since.
      switch status.rawValue {
      case 0: return .notDetermined
      case 1: return .restricted
      case 2: return .denied
      case 3: return .fullAccess
      case 4: return .writeOnly
      default: return .unavailable
      }
    }
  }
#endif
