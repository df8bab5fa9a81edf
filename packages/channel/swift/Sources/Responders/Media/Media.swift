#if canImport(AVFoundation) && !os(tvOS)
  import AVFoundation
  import FairleadChannel

  extension AuthorizationResponder {
    public static var media: AuthorizationResponder {
      .media { type in
        guard #available(macOS 10.14, *) else { return .unavailable }
        return status(AVCaptureDevice.authorizationStatus(for: type == .video ? .video : .audio))
      }
    }

    private static func status(_ status: AVAuthorizationStatus) -> AuthorizationStatus {
      switch status {
      case .notDetermined: return .notDetermined
      case .restricted: return .restricted
      case .denied: return .denied
      case .authorized: return .authorized
      @unknown default: return .unavailable
      }
    }
  }
#endif
