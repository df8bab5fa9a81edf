export interface ReadAppOptions {
  /** Verify the signatures and digests of an APK (v2 and later), which reads the whole file once. Default false. */
  verify?: boolean
}
