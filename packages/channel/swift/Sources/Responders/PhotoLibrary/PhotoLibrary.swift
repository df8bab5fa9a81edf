#if canImport(Photos)
  import FairleadChannel
  import Photos

  extension AuthorizationResponder {
    public static var photoLibrary: AuthorizationResponder {
      .photoLibrary { level in
        guard #available(iOS 14, macOS 11, tvOS 14, *) else { return status(PHPhotoLibrary.authorizationStatus()) }
        return status(PHPhotoLibrary.authorizationStatus(for: level == .addOnly ? .addOnly : .readWrite))
      }
    }

    private static func status(_ status: PHAuthorizationStatus) -> AuthorizationStatus {
      // By number, because `limited` exists since iOS 14 only.
      switch status.rawValue {
      case 0: return .notDetermined
      case 1: return .restricted
      case 2: return .denied
      case 3: return .authorized
      case 4: return .limited
      default: return .unavailable
      }
    }
  }
#endif
