/**
 * Runs the shell steps of every recipe with the variables that its CI service sets, against a real server. Only `npx`
 * is replaced, by a script that starts the command line of this repository, and the programs of Bitrise and Buildkite.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { createClient } from '@fairlead/client'
import { parse } from 'yaml'
import { writeInfoPlist, writeSampleImage } from '../../packages/symbols/test/sample-app.ts'
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
const source = { branch: 'main', commit: 'c0ffee', ciUrl: 'https://ci.example/jobs/99' }

interface Step {
  run?: string
  script?: string
  command?: string
  uses?: string
  with?: Record<string, string | boolean>
}

interface Recipe {
  file: string
  /** Returns the shell step that uploads, from the text of the file. */
  read: (text: string) => string
  env: Record<string, string>
  /** The folder of the project in which the step runs. */
  cwd?: string
  /** A later step, which prints the install link that the upload handed on. */
  later?: string
  ciUrl?: string
}

const readYaml = (text: string) => parse(text) as unknown
const withUpload = (steps: readonly (string | undefined)[]) =>
  steps.find((step) => step?.includes('fairlead builds upload') === true) ?? assert.fail('no step uploads')

const list: Recipe[] = [
  {
    file: 'gitlab-ci.yml',
    read: (text) => withUpload((readYaml(text) as { upload: { script: string[] } }).upload.script),
    env: { GITLAB_CI: 'true', CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: 'c0ffee', CI_JOB_URL: source.ciUrl },
    // GitLab gives the variables of a dotenv report to later jobs.
    later: 'set -a; . ./build.env; echo "$FAIRLEAD_INSTALL_URL"',
  },
  {
    file: 'bitrise.yml',
    read: (text) => {
      const { workflows } = readYaml(text) as {
        workflows: { release: { steps: Record<string, { inputs?: { content?: string }[] }>[] } }
      }
      const steps = workflows.release.steps.flatMap((step) => Object.values(step))
      return withUpload(steps.map(({ inputs }) => inputs?.[0]?.content))
    },
    env: {
      BITRISE_IO: 'true',
      BITRISE_GIT_BRANCH: 'main',
      BITRISE_GIT_COMMIT: 'c0ffee',
      BITRISE_BUILD_URL: source.ciUrl,
      BITRISE_APK_PATH: apk,
    },
    later: 'cat envman-FAIRLEAD_INSTALL_URL',
  },
  {
    file: 'circleci.yml',
    read: (text) => {
      const { jobs } = readYaml(text) as { jobs: { release: { steps: { run?: Step }[] } } }
      return withUpload(jobs.release.steps.map(({ run }) => run?.command))
    },
    env: {
      CIRCLECI: 'true',
      CIRCLE_BRANCH: 'main',
      CIRCLE_SHA1: 'c0ffee',
      CIRCLE_BUILD_URL: source.ciUrl,
      BASH_ENV: 'bash-env',
    },
    later: '. ./bash-env; echo "$FAIRLEAD_INSTALL_URL"',
  },
  {
    file: 'azure-pipelines.yml',
    read: (text) => withUpload((readYaml(text) as { steps: Step[] }).steps.map(({ script }) => script)),
    env: {
      TF_BUILD: 'True',
      BUILD_SOURCEBRANCH: 'refs/heads/main',
      BUILD_SOURCEVERSION: 'c0ffee',
      SYSTEM_COLLECTIONURI: 'https://ci.example/team/',
      SYSTEM_TEAMPROJECT: 'Shop',
      BUILD_BUILDID: '99',
    },
    ciUrl: 'https://ci.example/team/Shop/_build/results?buildId=99',
  },
  {
    file: 'buildkite.yml',
    read: (text) =>
      withUpload((readYaml(text) as { steps: (Step | string)[] }).steps.map((step) => Object(step).command)),
    env: { BUILDKITE: 'true', BUILDKITE_BRANCH: 'main', BUILDKITE_COMMIT: 'c0ffee', BUILDKITE_BUILD_URL: source.ciUrl },
    later: 'buildkite-agent meta-data get fairlead-install-url',
  },
  {
    file: 'Jenkinsfile',
    read: (text) => withUpload([/sh '''([^]*?)'''/.exec(text)?.[1]]),
    env: {
      JENKINS_URL: 'https://ci.example/',
      BRANCH_NAME: 'main',
      GIT_COMMIT: 'c0ffee',
      BUILD_URL: source.ciUrl,
    },
  },
  {
    file: 'Fastfile',
    read: (text) => withUpload([/sh\("([^"]*)"\)/.exec(text)?.[1]]),
    env: { GITLAB_CI: 'true', CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: 'c0ffee', CI_JOB_URL: source.ciUrl },
    cwd: 'fastlane',
  },
  {
    file: 'build.gradle.kts',
    read: (text) => {
      const list_ = /commandLine\(([^)]*)\)/.exec(text)?.[1] ?? ''
      const words = Array.from(list_.matchAll(/"([^"]*)"/g), ([, word = '']) => word.replace('$projectDir', '$PWD/app'))
      return withUpload([
        words
          .map((word) => `"${word}"`)
          .join(' ')
          .replace(/"(--yes|fairlead|builds|upload)"/g, '$1'),
      ])
    },
    env: { GITLAB_CI: 'true', CI_COMMIT_BRANCH: 'main', CI_COMMIT_SHA: 'c0ffee', CI_JOB_URL: source.ciUrl },
  },
  {
    file: 'curl.sh',
    read: (text) => text,
    env: { BRANCH: 'main', COMMIT: 'c0ffee', JOB_URL: source.ciUrl },
  },
]

describe('the recipe for', { timeout: 120_000 }, () => {
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
    await putProgram('npx', `shift 2; exec "${process.execPath}" "${join(root, 'apps/cli/src/bin.ts')}" "$@"`)
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
  const writeNextApk = () => put(apk, writeApk({ packageName: 'com.example.shop', versionCode: ++versionCode }))
  const findNewest = async () => {
    const [build] = await client().builds.list(1)
    assert.equal(build?.version, String(versionCode))
    return build
  }

  for (const { file, read, env, cwd, later, ciUrl = source.ciUrl } of list) {
    it(`${file} uploads and says where the build comes from`, async () => {
      await writeNextApk()
      const output = await run(read(await readFile(join(recipes, file), 'utf8')), env, cwd)
      const build = await findNewest()
      assert.deepEqual(build.source, { ...source, ciUrl }, output)
      if (file !== 'curl.sh')
        assert.deepEqual(
          build.distributionGroups.map(({ name }) => name),
          ['QA'],
        )
      if (later !== undefined) assert.equal((await run(later, env)).trim(), build.installUrl)
      if (file === 'azure-pipelines.yml') {
        assert.match(output, /##vso\[task\.setvariable variable=FAIRLEAD_INSTALL_URL;isOutput=true\]http/)
      }
    })
  }

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
    const { inputs, runs } = readYaml(action) as {
      inputs: Record<string, { default?: string }>
      runs: { steps: { run: string; env: Record<string, string> }[] }
    }
    const { jobs } = readYaml(workflow) as { jobs: { release: { steps: Step[] } } }
    const given: Record<string, string | boolean | undefined> = {
      ...jobs.release.steps.find(({ uses }) => uses?.includes('actions/upload'))?.with,
      server: server.url,
      token,
    }
    const [step] = runs.steps
    const resolved = Object.entries(step?.env ?? {}).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? assert.fail(value)
      return [name, String(given[input] ?? inputs[input]?.default ?? '')] as const
    })
    const github = {
      GITHUB_ACTIONS: 'true',
      GITHUB_REF_NAME: 'main',
      GITHUB_SHA: 'c0ffee',
      GITHUB_SERVER_URL: 'https://ci.example',
      GITHUB_REPOSITORY: 'team/shop',
      GITHUB_RUN_ID: '99',
      GITHUB_OUTPUT: 'github-output',
    }
    await writeNextApk()
    await run(step?.run ?? '', { ...github, ...Object.fromEntries(resolved) })
    const build = await findNewest()
    assert.deepEqual(
      build.distributionGroups.map(({ name }) => name),
      ['QA'],
    )
    assert.match(await readFile(join(folder, 'github-output'), 'utf8'), new RegExp(`install-url=${build.installUrl}\n`))

    const report = '<testsuite><testcase classname="Cart" name="adds"/></testsuite>'
    await put(
      'gradlew',
      `#!/bin/bash\nmkdir -p app/build/test-results\necho '${report}' > app/build/test-results/TEST-cart.xml`,
    )
    await chmod(join(folder, 'gradlew'), 0o755)
    await run(jobs.release.steps.find((one) => one.run?.includes('fairlead tests run'))?.run ?? '', github)
    const { items } = await client().tests.listRuns(1, { limit: 1 })
    assert.deepEqual([items[0]?.key, items[0]?.state, items[0]?.counts.passed], ['github-99', 'complete', 1])
  })

  it('an Xcode build phase uploads the dSYMs of an archived build, and of no other', async () => {
    const script = await readFile(join(recipes, 'xcode-build-phase.sh'), 'utf8')
    const bundle = 'DerivedData/Shop.app.dSYM/Contents'
    await put(`${bundle}/Info.plist`, writeInfoPlist('com.apple.xcode.dsym.com.example.shop', '3.2', '47'))
    await put(`${bundle}/Resources/DWARF/Shop`, writeSampleImage())
    const env = { DWARF_DSYM_FOLDER_PATH: join(folder, 'DerivedData') }
    await run(script, { ...env, ACTION: 'build' })
    assert.deepEqual(await client().symbols.list(2), [])
    await run(script, { ...env, ACTION: 'install' })
    assert.equal((await client().symbols.list(2)).length, 1)
  })

  it('the quick start of the README does what it says', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8')
    const block = /```sh\n(export FAIRLEAD_URL=[^]*?)```/.exec(readme)?.[1] ?? assert.fail('the quick start is gone')
    await using data = await openTemporaryFolder()
    await using fresh = await startServerProcess({ dataDir: data.path })
    await put('app.apk', writeApk({ packageName: 'com.example.shop', versionName: '1.2', versionCode: 34 }))
    await put('NOTES.md', 'Faster start')
    await put('mapping.txt', 'com.example.Cart -> a.b:\n    1:1:int total():12:12 -> c\n')
    await put('crash.txt', 'java.lang.IllegalStateException\n\tat a.b.c(SourceFile:1)\n')
    // Without --yes, `npx` has one word less before the arguments.
    await putProgram('npx', `shift; exec "${process.execPath}" "${join(root, 'apps/cli/src/bin.ts')}" "$@"`)
    const commands = block.replace('http://localhost:8080', fresh.url)
    const output = await run(commands, { FAIRLEAD_INITIAL_API_TOKEN: token, FAIRLEAD_CONFIG_DIR: folder })
    assert.match(output, /Install +http/)
    assert.match(output, /com\.example\.Cart\.total/)
  })

  it('npx runs the command line in a clone', async () => {
    const child = spawn('npx', ['fairlead', '--version'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (text: Buffer) => (output += text.toString()))
    await once(child, 'close')
    assert.match(output, /^\d+\.\d+\.\d+\n$/)
  })
})
