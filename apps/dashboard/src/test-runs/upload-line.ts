import type { Application } from '@fairlead/contract'
import { toCliCommand } from '../api/cli-command.ts'

/** Writes the command that runs the tests of a project and sends their reports. */
export function toRunLine(
  { alias, platform }: Pick<Application, 'alias' | 'platform'>,
  baseUrl: string,
  cliUrl: string | null,
): string {
  const command = platform === 'android' ? './gradlew testDebugUnitTest' : 'bundle exec fastlane test'
  return [`export FAIRLEAD_URL=${baseUrl}`, `${toCliCommand(cliUrl)} tests run --app ${alias} -- ${command}`].join('\n')
}

/** Writes the request of a CI job that sends test reports, as a shell command. */
export function toReportLine({ alias, platform }: Pick<Application, 'alias' | 'platform'>, baseUrl: string): string {
  const isAndroid = platform === 'android'
  const pack = isAndroid
    ? "find . -name 'TEST-*.xml' | tar czf reports.tgz -T -"
    : 'xcrun xcresulttool get test-results tests --path Tests.xcresult > tests.json'
  const options = [
    '-H "X-Service-Token: $FAIRLEAD_TOKEN"',
    `-H "X-Service-Application-Alias: ${alias}"`,
    '-H "X-Service-Branch: $(git branch --show-current)"',
    '-H "X-Service-Commit: $(git rev-parse HEAD)"',
    '-H "X-Service-Run-Key: $CI_JOB_ID"',
    `-T ${isAndroid ? 'reports.tgz' : 'tests.json'}`,
  ]
  return [pack, [`curl --fail-with-body -X POST "${baseUrl}/v1/testReports"`, ...options].join(' \\\n  ')].join('\n')
}

/** Writes the request that says that no more reports of a run will come. */
export function toCompleteLine(baseUrl: string): string {
  return [
    `curl --fail-with-body -X POST "${baseUrl}/v1/testRuns/$RUN_ID/complete"`,
    '-H "X-Service-Token: $FAIRLEAD_TOKEN"',
  ].join(' \\\n  ')
}
