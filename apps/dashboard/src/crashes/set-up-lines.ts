import type { Application, CrashKey } from '@fairlead/contract'

export interface SetUpLines {
  /** The SDK or tool, as its own documentation calls it. */
  name: string
  /** The file or the place in the project where the lines belong. */
  place: string
  code: string
}

type Described = Pick<Application, 'id' | 'alias' | 'platform'>

/** Lists the lines that make an app send its crashes here, one entry for each SDK of its platform. */
export function toSetUpLines({ id, alias, platform }: Described, key: CrashKey, baseUrl: string): SetUpLines[] {
  const { sentryDsn, appCenterLogUrl, acraUrl, key: secret } = key
  const ofScripts: SetUpLines[] = [
    {
      name: 'A CI job that has a report',
      place: 'A step of the job',
      code: [
        `curl --fail-with-body "${baseUrl}/v1/applications/${id}/crashes" \\`,
        `  -H "X-Service-Crash-Key: ${secret}" \\`,
        `  --data-binary @${platform === 'android' ? 'crash.txt' : 'crash.ips'}`,
      ].join('\n'),
    },
    {
      name: 'Symbols by sentry-cli',
      place: 'A step of the job; the token is one of Fairlead, with the role developer',
      code: [
        `sentry-cli --url "${baseUrl}" --auth-token "$FAIRLEAD_TOKEN" \\`,
        platform === 'android'
          ? `  upload-proguard --org any --project ${alias} app/build/outputs/mapping/release/mapping.txt`
          : `  debug-files upload --org any --project ${alias} path/to/dSYMs`,
      ].join('\n'),
    },
    {
      name: 'Symbols of Flutter',
      place: 'After flutter build with --split-debug-info=build/symbols; add the obfuscation map if there is one',
      code: `fairlead symbols upload build/symbols --app ${alias}`,
    },
  ]
  if (platform === 'android') {
    ofScripts.push({
      name: 'Symbols of native libraries',
      place: "After the build; debugSymbolLevel 'FULL' makes the archive",
      code: [
        `fairlead symbols upload --app ${alias} \\`,
        '  app/build/outputs/native-debug-symbols/release/native-debug-symbols.zip',
      ].join('\n'),
    })
    return [
      {
        name: 'Sentry for Android',
        place: 'AndroidManifest.xml, within application',
        code: `<meta-data android:name="io.sentry.dsn" android:value="${sentryDsn}" />`,
      },
      {
        name: 'ACRA',
        place: 'Where the app calls initAcra',
        code: `httpSender {\n    uri = "${acraUrl}"\n    httpMethod = HttpSender.Method.POST\n}`,
      },
      {
        name: 'App Center for Android',
        place: 'Before start; HTTPS only',
        code: [
          `AppCenter.setLogUrl("${appCenterLogUrl}")`,
          `AppCenter.start(application, "${secret}", Crashes::class.java)`,
        ].join('\n'),
      },
      ...toSharedLines(sentryDsn),
      ...ofScripts,
    ]
  }
  return [
    {
      name: 'Sentry for Apple platforms',
      place: 'Where the app starts',
      code: `SentrySDK.start { options in\n    options.dsn = "${sentryDsn}"\n}`,
    },
    {
      name: 'App Center for iOS',
      place: 'Before start; HTTPS only',
      code: [
        `AppCenter.logUrl = "${appCenterLogUrl}"`,
        `AppCenter.start(withAppSecret: "${secret}", services: [Crashes.self])`,
      ].join('\n'),
    },
    ...toSharedLines(sentryDsn),
    ...ofScripts,
  ]
}

function toSharedLines(dsn: string): SetUpLines[] {
  return [
    {
      name: 'Sentry for Flutter',
      place: 'main.dart',
      code: [
        'await SentryFlutter.init(',
        `  (options) => options.dsn = '${dsn}',`,
        '  appRunner: () => runApp(const App()),',
        ');',
      ].join('\n'),
    },
    {
      name: 'Sentry for JavaScript and React Native',
      place: 'Where the app starts',
      code: `Sentry.init({ dsn: '${dsn}' })`,
    },
  ]
}
