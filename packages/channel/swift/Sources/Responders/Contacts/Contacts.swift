#if canImport(Contacts)
  import Contacts
  import FairleadChannel

  extension AuthorizationResponder {
    public static var contacts: AuthorizationResponder {
      .contacts { status(CNContactStore.authorizationStatus(for: .contacts)) }
    }

    private static func status(_ status: CNAuthorizationStatus) -> AuthorizationStatus {
      switch status {
      case .notDetermined: return .notDetermined
      case .restricted: return .restricted
      case .denied: return .denied
      case .authorized: return .authorized
      // `limited` exists since iOS 18 and has no case on other systems.
      default: return status.rawValue == 4 ? .limited : .unavailable
      }
    }
  }
#endif
