import type { Application } from '@fairlead/contract'
import { toCliCommand } from '../api/cli-command.ts'

export interface UploadTarget {
  application: Pick<Application, 'alias' | 'platform'>
  baseUrl: string
  /** The packed command line that the server offers; null if it offers none. */
  cliUrl: string | null
  /** Null until a token is made, because the server shows it once. */
  token: string | null
}

/** A way to upload from, with what it needs to know and the lines that upload. */
export interface UploadWay {
  name: string
  /** Commands that store address and token where the way looks for them. */
  secrets: string
  file: string
  lines: string
}

/** Returns the ways to upload builds, ready to be pasted. */
export function listUploadWays({ application, baseUrl, cliUrl, token }: UploadTarget): UploadWay[] {
  const { alias, platform } = application
  const isAndroid = platform === 'android'
  const app = isAndroid ? 'app/build/outputs/apk/release/app-release.apk' : 'build/App.ipa'
  const build = isAndroid ? './gradlew assembleRelease' : 'xcodebuild -exportArchive …'
  const given = token ?? 'YOUR_TOKEN'
  const cli = toCliCommand(cliUrl)
  const lane = isAndroid
    ? 'gradle(task: "assemble", build_type: "Release")'
    : 'build_app(output_directory: "build", output_name: "App")'
  const upload = (file: string) => `${cli} builds upload ${file} --app ${alias}`
  const environment = `export FAIRLEAD_URL=${baseUrl}\nexport FAIRLEAD_TOKEN=${given}`
  return [
    {
      name: 'Command line',
      secrets: environment,
      file: 'Terminal',
      lines: upload(isAndroid ? 'app-release.apk' : 'App.ipa'),
    },
    {
      name: 'GitHub',
      secrets: `gh variable set FAIRLEAD_URL --body ${baseUrl}\ngh secret set FAIRLEAD_TOKEN --body ${given}`,
      file: '.github/workflows/release.yml',
      lines: `on:
  push:
    branches: [main]
jobs:
  release:
    runs-on: ${isAndroid ? 'ubuntu-latest' : 'macos-latest'}
    env:
      FAIRLEAD_URL: \${{ vars.FAIRLEAD_URL }}
      FAIRLEAD_TOKEN: \${{ secrets.FAIRLEAD_TOKEN }}
    steps:
      - uses: actions/checkout@v4
      - run: ${build}
      - run: ${upload(app)}`,
    },
    {
      name: 'GitLab',
      secrets: `glab variable set FAIRLEAD_URL ${baseUrl}\nglab variable set --masked FAIRLEAD_TOKEN ${given}`,
      file: '.gitlab-ci.yml',
      lines: `release:
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - ${build}
    - ${upload(app)}`,
    },
    {
      name: 'fastlane',
      secrets: environment,
      file: 'fastlane/Fastfile',
      lines: `lane :release do
  ${lane}
  sh("${upload(`../${app}`)}")
end`,
    },
    {
      name: 'Gradle',
      secrets: environment,
      file: 'app/build.gradle.kts',
      lines: `tasks.register<Exec>("uploadToFairlead") {
    dependsOn("assembleRelease")
    commandLine(
        ${[...cli.split(' '), 'builds', 'upload'].map((word) => `"${word}"`).join(', ')},
        "$projectDir/build/outputs/apk/release/app-release.apk", "--app", "${alias}",
    )
}`,
    },
  ].filter(({ name }) => isAndroid || name !== 'Gradle')
}
