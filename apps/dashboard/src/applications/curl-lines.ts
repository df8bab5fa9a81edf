import type { Application } from '@fairlead/contract'

type Described = Pick<Application, 'alias' | 'platform' | 'bundleIdentifier' | 'latestBuild'>

/** The requests of a CI job as shell commands. `curl -T` streams the file instead of reading it into memory. */
export function toCurlLines(application: Described, baseUrl: string) {
  const { alias, platform, bundleIdentifier, latestBuild } = application
  const common = ['-H "X-Service-Token: $FAIRLEAD_TOKEN"', `-H "X-Service-Application-Alias: ${alias}"`]
  const isAndroid = platform === 'android'
  return {
    upload: toCommand(`${baseUrl}/v2/builds`, [
      ...common,
      '-H "X-Service-Branch: $(git branch --show-current)"',
      '-H "X-Service-Commit: $(git rev-parse HEAD)"',
      `-T ${isAndroid ? 'app-release.apk' : 'App.ipa'}`,
    ]),
    symbols: toCommand(`${baseUrl}/v2/symbolsFiles`, [
      ...common,
      ...(isAndroid
        ? [
            `-H "X-Service-Package: ${bundleIdentifier ?? 'com.example.app'}"`,
            `-H "X-Service-Version-Name: ${latestBuild?.shortVersion ?? '1.0.0'}"`,
            `-H "X-Service-Version-Code: ${latestBuild?.version ?? '100'}"`,
          ]
        : []),
      `-T ${isAndroid ? 'mapping.txt' : 'dSYMs.zip'}`,
    ]),
    distribute: toCommand(`${baseUrl}/v1/builds/$BUILD_ID/distribute`, [
      '-H "X-Service-Token: $FAIRLEAD_TOKEN"',
      '-H "Content-Type: application/json"',
      `-d '{"distributionGroupNames": ["Beta"], "notifyTesters": true}'`,
    ]),
  }
}

function toCommand(url: string, options: string[]): string {
  return [`curl --fail-with-body -X POST "${url}"`, ...options].join(' \\\n  ')
}
