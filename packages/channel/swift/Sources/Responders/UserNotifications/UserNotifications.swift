#if canImport(UserNotifications)
  import FairleadChannel
  import UserNotifications

  extension AuthorizationResponder {
    public static var userNotificationSettings: AuthorizationResponder {
      .userNotificationSettings {
        let status = await withCheckedContinuation { continuation in
          UNUserNotificationCenter.current().getNotificationSettings {
            continuation.resume(returning: $0.authorizationStatus)
          }
        }
        return self.status(status)
      }
    }

    private static func status(_ status: UNAuthorizationStatus) -> AuthorizationStatus {
      // By number, because macOS and tvOS lack `ephemeral`.
      switch status.rawValue {
      case 0: return .notDetermined
      case 1: return .denied
      case 2: return .authorized
      case 3: return .provisional
      case 4: return .ephemeral
      default: return .unavailable
      }
    }
  }
#endif
