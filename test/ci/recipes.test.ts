/**
 * Runs the shell steps of every recipe with the variables that its CI service sets, against a real server, for Android
 * and iOS. `npx` is replaced by a script that checks the tarball it is told to run and starts the command line of this
 * repository; the programs of Bitrise and Buildkite are replaced, too. One test runs the real npx without a registry.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { text } from 'node:stream/consumers'
import { writeApk, writeIpa } from '@fairlead/binary/fixture'
import { createClient } from '@fairlead/client'
import { parse } from 'yaml'
import { writeInfoPlist, writeSampleImage } from '../../packages/symbols/test/sample-app.ts'
import { readJson } from '../../scripts/read-json.ts'
import { openTemporaryFolder, type ServerProcess, startServerProcess, token } from '../processes/server-process.ts'

// The parser of GitHub imports its schemas without the attribute that Node asks for.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')
const { parseAction } = await import('@actions/workflow-parser/actions/action-parser')

const root = join(import.meta.dirname, '../..')
const recipes = join(root, 'docs/ci')
const apk = 'app/build/outputs/apk/release/app-release.apk'
const mapping = 'app/build/outputs/mapping/release/mapping.txt'
const ipa = 'build/Shop.ipa'
const archive = 'build/Shop.xcarchive'
const commit = 'c0ffee0000000000000000000000000000000000'
const jobUrl = 'https://ci.example/jobs/99'

interface ActionFile {
  inputs: Record<string, { default?: string }>
  runs: { steps: { run: string; env: Record<string, string> }[] }
}

interface Recipe {
  file: string
  env: Record<string, string>
  /** The shell steps that upload, for Android and iOS, if the file is not YAML. */
  read?: (text: string) => string[]
  /** The folder of the project in which the steps run. */
  cwd?: string
  /** A later step, which prints the install link that the upload of the APK handed on. */
  later?: string
  ciUrl?: string
}

const gitlab = { GITLAB_CI: 'true', CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: commit, CI_JOB_URL: jobUrl }

const list: Recipe[] = [
  {
    file: 'github-actions.yml',
    env: {
      GITHUB_ACTIONS: 'true',
      GITHUB_REF_NAME: 'main',
      GITHUB_SHA: commit,
      GITHUB_SERVER_URL: 'https://ci.example',
      GITHUB_REPOSITORY: 'team/shop',
      GITHUB_RUN_ID: '99',
      DISTRIBUTE: '--group QA --notify',
    },
    ciUrl: 'https://ci.example/team/shop/actions/runs/99',
  },
  {
    file: 'gitlab-ci.yml',
    env: gitlab,
    // GitLab gives the variables of a dotenv report to later jobs.
    later: 'set -a; . ./build.env; echo "$FAIRLEAD_INSTALL_URL"',
  },
  {
    file: 'bitrise.yml',
    env: {
      BITRISE_IO: 'true',
      BITRISE_GIT_BRANCH: 'main',
      BITRISE_GIT_COMMIT: commit,
      BITRISE_BUILD_URL: jobUrl,
      BITRISE_APK_PATH: apk,
      BITRISE_MAPPING_PATH: mapping,
      BITRISE_IPA_PATH: ipa,
      BITRISE_XCARCHIVE_PATH: archive,
    },
    later: 'cat envman-FAIRLEAD_INSTALL_URL',
  },
  {
    file: 'circleci.yml',
    env: {
      CIRCLECI: 'true',
      CIRCLE_BRANCH: 'main',
      CIRCLE_SHA1: commit,
      CIRCLE_BUILD_URL: jobUrl,
      BASH_ENV: 'bash-env',
    },
    later: '. ./bash-env; echo "$FAIRLEAD_INSTALL_URL"',
  },
  {
    file: 'azure-pipelines.yml',
    env: {
      TF_BUILD: 'True',
      BUILD_SOURCEBRANCH: 'refs/heads/main',
      BUILD_SOURCEVERSION: commit,
      SYSTEM_COLLECTIONURI: 'https://ci.example/team/',
      SYSTEM_TEAMPROJECT: 'Shop',
      BUILD_BUILDID: '99',
    },
    ciUrl: 'https://ci.example/team/Shop/_build/results?buildId=99',
  },
  {
    file: 'buildkite.yml',
    // The agent turns $$ into $ before the shell runs.
    read: (text) => listYamlSteps(text).map((step) => step.replaceAll('$$', '$')),
    env: { BUILDKITE: 'true', BUILDKITE_BRANCH: 'main', BUILDKITE_COMMIT: commit, BUILDKITE_BUILD_URL: jobUrl },
    later: 'buildkite-agent meta-data get fairlead-install-url',
  },
  {
    file: 'bitbucket-pipelines.yml',
    env: {
      BITBUCKET_BUILD_NUMBER: '99',
      BITBUCKET_BRANCH: 'main',
      BITBUCKET_COMMIT: commit,
      BITBUCKET_GIT_HTTP_ORIGIN: 'https://ci.example/team/shop',
    },
    ciUrl: 'https://ci.example/team/shop/pipelines/results/99',
  },
  {
    file: 'codemagic.yaml',
    env: { CM_BUILD_ID: '99', CM_PROJECT_ID: '4', CM_BRANCH: 'main', CM_COMMIT: commit },
    ciUrl: 'https://codemagic.io/app/4/build/99',
  },
  {
    file: 'teamcity.kts',
    read: (text) =>
      Array.from(text.matchAll(/scriptContent = """([^]*?)"""/g), ([, step = '']) => step.replaceAll("${'$'}", '$')),
    env: { TEAMCITY_VERSION: '2026.1', BUILD_VCS_NUMBER: commit, BUILD_URL: jobUrl },
  },
  {
    file: 'Jenkinsfile',
    read: (text) => Array.from(text.matchAll(/sh '''([^]*?)'''/g), ([, step = '']) => step),
    env: { JENKINS_URL: 'https://ci.example/', BRANCH_NAME: 'main', GIT_COMMIT: commit, BUILD_URL: jobUrl },
  },
  {
    file: 'Fastfile',
    read: (text) => {
      const program = /^FAIRLEAD = "(.*)"$/m.exec(text)?.[1]?.replaceAll('\\"', '"') ?? assert.fail('no program')
      return Array.from(text.matchAll(/sh\("([^"]*)"\)/g), ([, step = '']) => step.replace('#{FAIRLEAD}', program))
    },
    env: gitlab,
    cwd: 'fastlane',
  },
  {
    file: 'build.gradle.kts',
    read: (text) => {
      const words = /commandLine\(([^]*?)\n {4}\)/.exec(text)?.[1] ?? ''
      const shell = words.replaceAll(/,\s*/g, ' ').replace('${System.getenv("FAIRLEAD_URL")}', '$FAIRLEAD_URL')
      return [shell.replaceAll('$projectDir', '$PWD/app')]
    },
    env: gitlab,
  },
  {
    file: 'xcode-cloud.sh',
    read: (text) => [text],
    env: {
      CI_XCODE_CLOUD: 'TRUE',
      CI_BRANCH: 'main',
      CI_COMMIT: commit,
      CI_BUILD_URL: jobUrl,
      CI_ARCHIVE_PATH: archive,
      CI_AD_HOC_SIGNED_APP_PATH: 'build',
      CI_PRODUCT: 'Shop',
    },
  },
  {
    file: 'curl.sh',
    read: (text) => [`set -- shop ${apk}\n${text}`, `set -- shop-ios ${ipa}\n${text}`],
    env: { BRANCH: 'main', COMMIT: commit, JOB_URL: jobUrl },
  },
]

/** Lists the texts below keys that hold shell commands, in any form of YAML that CI services have. */
function listYamlSteps(text: string): string[] {
  const steps: string[] = []
  const visit = (value: unknown) => {
    if (typeof value === 'string' && value.includes('npx ')) steps.push(value)
    else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) visit(part)
  }
  visit(parse(text))
  return steps
}

/** The variables that a recipe sets itself, and that its service expands. */
const ownVariables = (url: string) => ({ FAIRLEAD_CLI: `${url}/cli/fairlead-0.1.0.tgz` })

describe('the recipe for', { timeout: 900_000 }, () => {
  const opened = new AsyncDisposableStack()
  let folder: string
  let server: ServerProcess
  let versionCode = 0

  const client = () => createClient({ baseUrl: server.url, token })
  const put = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  const putProgram = async (name: string, lines: string) => {
    await put(`bin/${name}`, `#!/bin/bash\n${lines}\n`)
    await chmod(join(folder, 'bin', name), 0o755)
  }

  before(async () => {
    folder = opened.use(await openTemporaryFolder()).path
    server = opened.use(await startServerProcess({ dataDir: opened.use(await openTemporaryFolder()).path }))
    await client().applications.create({ name: 'Shop', alias: 'shop', platform: 'android' })
    await client().applications.create({ name: 'Shop', alias: 'shop-ios', platform: 'ios' })
    await client().groups.create({ name: 'QA' })
    await mkdir(join(folder, 'fastlane'))
    const bundle = `${archive}/dSYMs/Shop.app.dSYM/Contents`
    await put(`${bundle}/Info.plist`, writeInfoPlist('com.apple.xcode.dsym.com.example.shop', '3.2', '47'))
    await put(`${bundle}/Resources/DWARF/Shop`, writeSampleImage())
    // A recipe may run nothing but the tarball that the server offers in this version.
    await putProgram(
      'npx',
      [
        'words="$1 $2 $3 $4 $5"',
        `if [ "$words" != "--yes --package ${server.url}/cli/fairlead-0.1.0.tgz -- fairlead" ]; then`,
        '  echo "npx was called with $words" >&2; exit 1',
        'fi',
        `shift 5; exec "${process.execPath}" "${join(root, 'apps/cli/src/bin.ts')}" "$@"`,
      ].join('\n'),
    )
    await putProgram('envman', 'echo "$5" > "envman-$3"')
    await putProgram('buildkite-agent', 'if [ "$2" = set ]; then echo "$4" > "meta-$3"; else cat "meta-$3"; fi')
  })
  after(() => opened.disposeAsync())

  /** Runs a step as CI does, with a new build at the path of the project's own, and returns the output. */
  const run = async (script: string, env: Record<string, string>, cwd = '.'): Promise<string> => {
    const child = spawn('bash', ['-eu', '-o', 'pipefail', '-c', script], {
      cwd: join(folder, cwd),
      env: {
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        HOME: folder,
        FAIRLEAD_URL: server.url,
        FAIRLEAD_TOKEN: token,
        FAIRLEAD_CONFIG_DIR: join(folder, '.config'),
        FAIRLEAD_CACHE_DIR: join(folder, '.cache'),
        ...ownVariables(server.url),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
    await once(child, 'close')
    assert.equal(child.exitCode, 0, output)
    return output
  }
  const writeApps = async () => {
    const version = String(++versionCode)
    await put(apk, writeApk({ packageName: 'com.example.shop', versionCode }))
    await put(mapping, `com.example.Cart -> a.b:\n    1:1:int total():${version}:12 -> c\n`)
    await put(ipa, writeIpa({ bundleIdentifier: 'com.example.shop', version }))
    return version
  }

  for (const { file, read = listYamlSteps, env, cwd, later, ciUrl = jobUrl } of list) {
    it(`${file} uploads the apps with their symbols, and says where they come from`, async () => {
      const version = await writeApps()
      const steps = read(await readFile(join(recipes, file), 'utf8'))
      const uploads = steps.filter((step) => /fairlead"? "?builds"? "?upload|v2\/builds/.test(step))
      const isAppleOnly = file.startsWith('xcode')
      assert.equal(uploads.length, file === 'build.gradle.kts' || isAppleOnly ? 1 : 2)
      let output = ''
      for (const step of uploads) {
        output += await run(step, env, cwd)
        const applicationId = /shop-ios/.test(step) ? 2 : 1
        const [build] = await client().builds.list(applicationId)
        assert.equal(build?.version, version, output)
        const branch = file === 'teamcity.kts' ? null : 'main'
        assert.deepEqual(build.source, { branch, commit, ciUrl }, output)
        if (file === 'curl.sh') continue
        assert.deepEqual(
          build.distributionGroups.map(({ name }) => name),
          ['QA'],
        )
        const symbols = await client().symbols.list(applicationId)
        assert.ok(applicationId === 2 ? symbols.length > 0 : symbols.some((one) => one.version === version), output)
        if (later !== undefined && applicationId === 1) assert.equal((await run(later, env)).trim(), build.installUrl)
      }
      if (file === 'azure-pipelines.yml') {
        assert.match(output, /##vso\[task\.setvariable variable=FAIRLEAD_INSTALL_URL;isOutput=true\]http/)
      }
    })
  }

  it('a CI job that runs again makes no second build of the same file', async () => {
    const version = await writeApps()
    const [upload = ''] = listYamlSteps(await readFile(join(recipes, 'gitlab-ci.yml'), 'utf8'))
    for (const job of ['99', '100']) {
      await run(upload, {
        ...gitlab,
        CI_PIPELINE_ID: '7',
        CI_JOB_NAME: 'upload',
        CI_JOB_URL: `https://ci.example/${job}`,
      })
    }
    const builds = await client().builds.list(1)
    assert.equal(builds.filter((build) => build.version === version).length, 1)
  })

  it('a job of GitLab that needs another one has its rules, or a pipeline without that one is refused', async () => {
    const text = await readFile(join(recipes, 'gitlab-ci.yml'), 'utf8')
    const jobs: Record<string, { needs?: string[]; extends?: string }> = parse(text)
    const withNeeds = Object.entries(jobs).filter(([, job]) => Array.isArray(job.needs))
    assert.ok(withNeeds.length >= 3)
    for (const [name, { needs = [], extends: rules }] of withNeeds) {
      assert.ok(rules !== undefined, name)
      for (const needed of needs) assert.equal(jobs[needed]?.extends, rules, `${name} and ${needed}`)
    }
  })

  it('every file of the folder is tested here, and runs nothing but the tarball of the server', async () => {
    const files = (await readdir(recipes)).filter((name) => name !== 'README.md')
    const tested = [...list.map(({ file }) => file), 'xcode-build-phase.sh']
    assert.deepEqual(files.toSorted(), tested.toSorted())
    for (const file of files) {
      const recipe = await readFile(join(recipes, file), 'utf8')
      for (const [line] of recipe.matchAll(/^.*npx.*$/gm))
        assert.match(line, /--package|"--yes", "--package"|command -v npx/)
    }
  })

  it('npx runs the tarball that the server offers, without a registry', async () => {
    const env = {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      npm_config_cache: join(folder, 'npm-cache'),
      npm_config_registry: 'http://127.0.0.1:1',
      FAIRLEAD_URL: server.url,
      FAIRLEAD_TOKEN: token,
    }
    const tarball = `${server.url}/cli/fairlead-0.1.0.tgz`
    const words = ['--yes', '--package', tarball, '--', 'fairlead', 'apps', 'list', '--json']
    const child = spawn('npx', words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [output, faults] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    assert.equal(child.exitCode, 0, faults)
    assert.equal(readJson<unknown[]>(output).length, 2)
  })

  it('GitHub Actions fits the schema of GitHub, and its action uploads and outputs the install link', async () => {
    const action = await readFile(join(root, 'actions/upload/action.yml'), 'utf8')
    const workflow = await readFile(join(recipes, 'github-actions.yml'), 'utf8')
    const trace = new NoOperationTraceWriter()
    for (const { context } of [
      parseAction({ name: 'action.yml', content: action }, trace),
      parseWorkflow({ name: 'github-actions.yml', content: workflow }, trace),
    ]) {
      assert.deepEqual(context.errors.getErrors().map(String), [])
    }
    const broken = parseAction({ name: 'action.yml', content: action.replace('using:', 'use:') }, trace)
    assert.notDeepEqual(broken.context.errors.getErrors(), [])
    for (const [line] of workflow.matchAll(/^ *- uses:.*$/gm)) assert.match(line, /@[0-9a-f]{40} # v/)
    const { inputs, runs }: ActionFile = parse(action)
    const given: Record<string, string> = { server: server.url, token, file: apk, app: 'shop', groups: 'QA\n', mapping }
    const [step] = runs.steps
    const resolved = Object.entries(step?.env ?? {}).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? assert.fail(value)
      return [name, given[input] ?? inputs[input]?.default ?? '']
    })
    const { env: github } = list[0] ?? assert.fail('no recipe')
    const version = await writeApps()
    await run(step?.run ?? '', { ...github, GITHUB_OUTPUT: 'github-output', ...Object.fromEntries(resolved) })
    const [build] = await client().builds.list(1)
    assert.equal(build?.version, version)
    assert.match(await readFile(join(folder, 'github-output'), 'utf8'), new RegExp(`install-url=${build.installUrl}\n`))

    const report = '<testsuite><testcase classname="Cart" name="adds"/></testsuite>'
    await put(
      'gradlew',
      `#!/bin/bash\nmkdir -p app/build/test-results\necho '${report}' > app/build/test-results/TEST-cart.xml`,
    )
    await chmod(join(folder, 'gradlew'), 0o755)
    await run(listYamlSteps(workflow).find((one) => one.includes('fairlead tests run')) ?? '', github)
    const { items } = await client().tests.listRuns(1, { limit: 1 })
    assert.deepEqual([items[0]?.key, items[0]?.state, items[0]?.counts.passed], ['github-99', 'complete', 1])
  })

  it('an Xcode build phase uploads the dSYMs of an archived build, and of no other', async () => {
    const recipe = await readFile(join(recipes, 'xcode-build-phase.sh'), 'utf8')
    await client().applications.create({ name: 'Shop', alias: 'shop-beta', platform: 'ios' })
    const script = recipe.replace('shop-ios', 'shop-beta')
    const bundle = 'DerivedData/Shop.app.dSYM/Contents'
    await put(`${bundle}/Info.plist`, writeInfoPlist('com.apple.xcode.dsym.com.example.shop', '3.2', '47'))
    await put(`${bundle}/Resources/DWARF/Shop`, writeSampleImage())
    const env = { DWARF_DSYM_FOLDER_PATH: join(folder, 'DerivedData') }
    await run(script, { ...env, ACTION: 'build' })
    const before = await client().symbols.list(3)
    assert.deepEqual(before, [])
    await assert.rejects(run(script, { ...env, ACTION: 'install', ENABLE_USER_SCRIPT_SANDBOXING: 'YES' }), /SANDBOXING/)
    await run(script, { ...env, ACTION: 'install' })
    assert.equal((await client().symbols.list(3)).length, 1)
  })

  it('npx runs the command line in a clone', async () => {
    const child = spawn('npx', ['fairlead', '--version'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (text: Buffer) => (output += text.toString()))
    await once(child, 'close')
    assert.match(output, /^\d+\.\d+\.\d+\n$/)
  })
})
