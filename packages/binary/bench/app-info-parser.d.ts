/** Types for the parts of app-info-parser that the bench uses; the package has no types of its own. */
declare module 'app-info-parser' {
  interface ApkInfo {
    package?: string
    versionCode?: number
    versionName?: string
    usesSdk?: { minSdkVersion?: number | string; targetSdkVersion?: number | string }
    application?: { label?: string[] | string; debuggable?: boolean }
  }

  export default class AppInfoParser {
    constructor(path: string)
    parse(): Promise<ApkInfo>
  }
}
