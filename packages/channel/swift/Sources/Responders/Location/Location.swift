#if canImport(CoreLocation)
  import CoreLocation
  import FairleadChannel

  extension AuthorizationResponder {
    public static var location: AuthorizationResponder {
      .location { status(currentStatus()) }
    }

    private static func currentStatus() -> CLAuthorizationStatus {
      if #available(iOS 14, macOS 11, tvOS 14, *) { return CLLocationManager().authorizationStatus }
      return CLLocationManager.authorizationStatus()
    }

    private static func status(_ status: CLAuthorizationStatus) -> AuthorizationStatus {
      // By number, because macOS and tvOS lack some of the names.
      switch status.rawValue {
      case 0: return .notDetermined
      case 1: return .restricted
      case 2: return .denied
      case 3: return .authorizedAlways
      case 4: return .authorizedWhenInUse
      default: return .unavailable
      }
    }
  }
#endif
