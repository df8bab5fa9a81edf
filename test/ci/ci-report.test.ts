import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { writeApk } from '@fairlead/binary/fixture'
import { createCheckout } from '../cli/git-checkout.ts'
import { type Desk, openDesk, runHere } from '../cli/fairlead.ts'
import { token } from '../processes/server-process.ts'
import { commit, type DialectName, dialects, forgeToken } from './forge-dialects.ts'
import { type CheckRun, type ForgeServer, startForgeServer } from './forge-server.ts'

/** The jobs that write at once. */
const jobs = 50

/** A check run of this application before, which says something else. */
const otherCheck: CheckRun = {
  name: 'fairlead/shop report',
  head_sha: commit,
  status: 'completed',
  conclusion: 'success',
  output: { title: 'Tests passed', summary: 'Tests passed', annotations: [] },
}

/** The variables that each CI service sets in a job for pull request 17. */
const variables: Record<DialectName, (url: string) => Record<string, string>> = {
  github: (url) => ({
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: url,
    GITHUB_REPOSITORY: 'team/shop',
    GITHUB_REF: 'refs/pull/17/merge',
    GITHUB_HEAD_REF: 'cart',
    GITHUB_BASE_REF: 'main',
    GITHUB_SHA: commit,
    GITHUB_TOKEN: forgeToken,
    GITHUB_STEP_SUMMARY: 'summary.md',
  }),
  gitea: (url) => ({
    ...variables.github(url),
    GITEA_ACTIONS: 'true',
    GITHUB_API_URL: `${url}/api/v1`,
  }),
  gitlab: (url) => ({
    GITLAB_CI: 'true',
    CI_API_V4_URL: `${url}/api/v4`,
    CI_PROJECT_ID: '5',
    CI_MERGE_REQUEST_IID: '17',
    CI_COMMIT_SHA: commit,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    GITLAB_TOKEN: forgeToken,
  }),
  bitbucket: (url) => ({
    BITBUCKET_BUILD_NUMBER: '3',
    BITBUCKET_API_URL: `${url}/2.0`,
    BITBUCKET_REPO_FULL_NAME: 'team/shop',
    BITBUCKET_PR_ID: '17',
    BITBUCKET_COMMIT: commit,
    BITBUCKET_TOKEN: forgeToken,
  }),
  azure: (url) => ({
    TF_BUILD: 'True',
    SYSTEM_COLLECTIONURI: `${url}/team/`,
    SYSTEM_TEAMPROJECT: 'The Shop',
    BUILD_REPOSITORY_ID: 'r1',
    BUILD_REPOSITORY_PROVIDER: 'TfsGit',
    SYSTEM_PULLREQUEST_PULLREQUESTID: '17',
    BUILD_SOURCEVERSION: commit,
    SYSTEM_ACCESSTOKEN: forgeToken,
  }),
}

describe('fairlead ci report', { timeout: 300_000 }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
    await writeFile(join(desk.folder, 'base.apk'), writeApk({ packageName: 'com.example.shop', versionCode: 1 }))
    await desk.json('builds', 'upload', 'base.apk', '--app', 'shop', '--branch', 'main', '--commit', 'ba5e')
    await writeFile(join(desk.folder, 'app.apk'), writeApk({ packageName: 'com.example.shop', versionCode: 2 }))
    await desk.json('builds', 'upload', 'app.apk', '--app', 'shop', '--branch', 'cart', '--commit', commit)
    await sendReport('run', ['adds'], ['re`moves <img> @team'])
    await desk.json('tests', 'complete', '--app', 'shop', '--run-key', 'run')
    createCheckout(desk.folder).commit('Add the cart', { 'app/src/Cart.kt': '', 'app/src/Menu.kt': '' })
  })
  after(() => desk[Symbol.asyncDispose]())

  const sendReport = async (key: string, passed: string[], failed: string[]) => {
    const suite = 'Cart'
    const xml = (name: string) =>
      name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
    const cases = [
      ...passed.map((name) => `<testcase classname="shop.${suite}" name="${xml(name)}"/>`),
      ...failed.map(
        (name) =>
          `<testcase classname="shop.${suite}" name="${xml(name)}"><failure message="was 0">` +
          `java.lang.AssertionError: was 0\n\tat shop.${suite}.run(${suite}.kt:31)</failure></testcase>`,
      ),
    ]
    const path = join(desk.folder, `${key}.xml`)
    await writeFile(path, `<testsuite>${cases.join('')}</testsuite>`)
    const source = ['--branch', 'cart', '--commit', commit]
    await desk.json('tests', 'upload', path, '--app', 'shop', '--run-key', key, ...source)
  }

  /** Runs the command line in this process, because fifty processes would measure the machine. */
  const report = async (name: DialectName, forge: ForgeServer, key = 'run', env: Record<string, string> = {}) => {
    return await runHere(['ci', 'report', '--app', 'shop', '--run-key', key], {
      cwd: desk.folder,
      env: {
        PATH: process.env.PATH ?? '',
        FAIRLEAD_URL: desk.server.url,
        FAIRLEAD_TOKEN: token,
        ...variables[name](forge.url),
        ...env,
      },
    })
  }

  it('tells verdict, new failures with their lines, size and install link, without markup from outside', async () => {
    await using forge = await startForgeServer('github')
    const { code, stdout, stderr } = await report('github', forge)
    assert.equal(code, 0, stderr)
    const [comment = ''] = forge.comments.values()
    assert.match(comment, /^\[\/\/\]: # \(fairlead shop\)\n/)
    assert.ok(comment.includes("- `shop.Cart.re'moves <img> @team` at `Cart.kt:31`: `was 0`"), comment)
    assert.match(comment, /\*\*Build 2\*\*.* against build 1\).*\[Install\]\(http/)
    assert.match(comment, /[▀▄█]{5}/)
    assert.equal(comment.trim(), stdout.trim())
    assert.ok((await readFile(join(desk.folder, 'summary.md'), 'utf8')).includes(comment))
    assert.equal(forge.statuses.get('fairlead/shop'), 'failure')
    assert.ok(!JSON.stringify([...forge.comments]).includes(token))
  })

  it('makes a check run on GitHub with the report, and an annotation on the line that failed', async () => {
    await using forge = await startForgeServer('github')
    for (let index = 0; index < 120; index++) forge.checks.push({ ...otherCheck, external_id: String(index) })
    for (let time = 0; time < 2; time++) {
      const { code, stderr } = await report('github', forge)
      assert.deepEqual([code, forge.faults], [0, []], stderr)
    }
    const [check, ...more] = forge.checks.slice(120)
    assert.deepEqual(more, [], 'what is said already is not said again')
    assert.equal(check?.conclusion, 'failure')
    assert.match(check.output.title, /^Tests failed: 1 passed, 1 failed$/)
    assert.ok([...forge.comments.values()].includes(check.output.summary))
    assert.deepEqual(check.output.annotations, [
      {
        path: 'app/src/Cart.kt',
        start_line: 31,
        end_line: 31,
        annotation_level: 'failure',
        title: 'shop.Cart.re`moves <img> @team',
        message: 'was 0',
      },
    ])
  })

  it('warns where the token may not write check runs, and still sets status and comment', async () => {
    await using forge = await startForgeServer('github')
    forge.refuseChecksWith = 403
    const { code, stderr } = await report('github', forge)
    assert.equal(code, 0, stderr)
    assert.match(stderr, /GitHub does not let this job's token write.*check-runs/)
    assert.deepEqual([forge.statuses.size, forge.comments.size, forge.checks.length], [1, 1, 0])
  })

  for (const name of Object.keys(dialects).filter((one): one is DialectName => one in dialects)) {
    it(`leaves one comment with the last state on ${name}, although ${jobs} jobs write it at once`, async () => {
      await using forge = await startForgeServer(name)
      // Another comment stays, and pushes ours to a later page.
      for (let id = 1; id <= 120; id++) forge.comments.set(id, 'Looks good')
      await sendReport(name, ['adds'], ['removes'])
      const running = Array.from({ length: jobs }, async (_, job) => {
        await setTimeout(Math.random() * 500)
        if (job === jobs / 2) await desk.json('tests', 'complete', '--app', 'shop', '--run-key', name)
        return await report(name, forge, name)
      })
      const ended = await Promise.all(running)
      assert.deepEqual(forge.faults, [])
      for (const { code, stderr } of ended) assert.equal(code, 0, stderr)
      const ours = [...forge.comments.values()].filter((one) => one.includes('fairlead shop'))
      assert.equal(ours.length, 1)
      assert.equal(forge.comments.size, 121)
      assert.match(ours[0] ?? '', /### Tests failed/)
      assert.match([...forge.statuses].join(), /^fairlead\/shop,fail/i)
      const newest = forge.checks.at(-1)
      assert.equal(newest?.output.summary, name === 'github' ? ours[0] : undefined)
      assert.equal(newest?.conclusion, name === 'github' ? 'failure' : undefined)
    })
  }

  it('warns where the token may only read, and does not fail the job of a fork', async () => {
    await using forge = await startForgeServer('github')
    forge.refuseWith = 403
    const { code, stderr } = await report('github', forge)
    assert.equal(code, 0, stderr)
    assert.match(stderr, /does not let this job's token write/)
    const withoutToken = await report('github', forge, 'run', { GITHUB_TOKEN: '' })
    assert.equal(withoutToken.code, 0)
    assert.match(withoutToken.stderr, /GITHUB_TOKEN is not set/)
  })

  it('fails when there is neither a run nor a build of the commit', async () => {
    await using forge = await startForgeServer('github')
    const path = join(desk.folder, 'empty')
    const { code, stderr } = await desk.fairlead([
      'ci',
      'report',
      '--app',
      'shop',
      '--commit',
      'f00d',
      '--run-key',
      'no',
    ])
    assert.equal(code, 5, stderr + path)
    assert.equal(forge.comments.size, 0)
  })
})
