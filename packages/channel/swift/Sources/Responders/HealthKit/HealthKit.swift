#if canImport(HealthKit) && !os(tvOS)
  import FairleadChannel
  import HealthKit

  extension AuthorizationResponder {
    /// Answers for `workout`, and for quantity and category types by their names, such as `stepCount`.
    public static var healthKit: AuthorizationResponder {
      .healthKit { type in
        guard #available(iOS 13, macOS 13, *), HKHealthStore.isHealthDataAvailable(), let type = find(type.rawValue)
        else { return .unavailable }
        return status(HKHealthStore().authorizationStatus(for: type))
      }
    }

    @available(macOS 13, *)
    private static func find(_ name: String) -> HKObjectType? {
      if name == "workout" { return .workoutType() }
      guard let first = name.first else { return nil }
      let suffix = first.uppercased() + name.dropFirst()
      return HKObjectType.quantityType(forIdentifier: .init(rawValue: "HKQuantityTypeIdentifier\(suffix)"))
        ?? HKObjectType.categoryType(forIdentifier: .init(rawValue: "HKCategoryTypeIdentifier\(suffix)"))
    }

    @available(macOS 13, *)
    private static func status(_ status: HKAuthorizationStatus) -> AuthorizationStatus {
      switch status {
      case .notDetermined: return .notDetermined
      case .sharingDenied: return .sharingDenied
      case .sharingAuthorized: return .sharingAuthorized
      @unknown default: return .unavailable
      }
    }
  }
#endif
