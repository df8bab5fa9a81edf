/**
 * Runs the commands of `fairlead` in the blocks of its README and of the pages in `docs/`, in their order, against a
 * real server. Numbers on the pages stand for ids that nobody knows before, and are replaced by those of this server.
 */
import assert from 'node:assert/strict'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk, writeIpa } from '@fairlead/binary/fixture'
import { type Client, createClient } from '@fairlead/client'
import { type HookReceiver, startHookReceiver } from '../../apps/server/src/testing/hook-receiver.ts'
import { sampleUuid, textAddress, writeInfoPlist, writeSampleImage } from '../../packages/symbols/test/sample-app.ts'
import { type Desk, openDesk, runHere } from '../cli/fairlead.ts'
import { toReport } from '../cli/test-report.ts'
import { token } from '../processes/server-process.ts'
import { listCommands } from './read-pages.ts'

const root = join(import.meta.dirname, '../..')
const pages = ['apps/cli/README.md', 'docs/alerts.md', 'docs/javascript.md']

/** Commands that need what no test of a page has, each with the test that runs it instead. */
const elsewhere: [beginning: string, file: string][] = [
  ['login https://builds.example.com', 'test/cli/login.test.ts'],
  ['symbols upload build/symbols', 'test/cli/native-symbols.test.ts'],
  ['events', 'test/cli/events.test.ts'],
  ['devices register', 'test/cli/devices.test.ts'],
]

const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REF_NAME: 'main',
  GITHUB_SHA: 'c0ffee0000000000000000000000000000000000',
  GITHUB_SERVER_URL: 'https://ci.example',
  GITHUB_REPOSITORY: 'team/shop',
}

describe('the commands on pages for people', { timeout: 300_000 }, () => {
  let desk: Desk
  let receiver: HookReceiver
  let client: Client
  before(async () => {
    receiver = await startHookReceiver()
    desk = await openDesk({ FAIRLEAD_HOOKS_ALLOW: receiver.host })
    client = createClient({ baseUrl: desk.server.url, token })
    const { id } = await client.groups.create({ name: 'QA' })
    await client.groups.addTesters(id, ['ada@example.com'])
    await addMember('ada@example.com')
    await writeFiles()
  })
  after(async () => {
    await desk?.[Symbol.asyncDispose]()
    await receiver?.[Symbol.asyncDispose]()
  })

  const post = async (url: string, body: object | FormData) => {
    const isForm = body instanceof FormData
    const headers = { 'X-Service-Token': token, Accept: 'application/json' }
    const answer = await fetch(url, {
      method: 'POST',
      headers: isForm ? headers : { ...headers, 'Content-Type': 'application/json' },
      body: isForm ? body : JSON.stringify(body),
    })
    assert.ok(answer.ok, `${url}: ${answer.status} ${await answer.clone().text()}`)
  }

  const addMember = async (email: string) => {
    const { inviteUrl } = await client.members.invite({ email, role: 'viewer' })
    const invitation = new URL(inviteUrl ?? '').searchParams.get('token')
    await post(`${desk.server.url}/v1/invitations/accept`, {
      token: invitation,
      name: 'Ada',
      password: 'correct horse battery',
    })
  }

  const put = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(desk.folder, path)), { recursive: true })
    await writeFile(join(desk.folder, path), content)
  }

  /** The files that the commands name. */
  const writeFiles = async () => {
    const shop = { packageName: 'com.example.shop', versionName: '1.2', versionCode: 34 }
    const mapping = 'com.example.Cart -> a.b:\n    1:1:int total():12:12 -> c\n'
    await put('app.apk', writeApk(shop))
    await put('old.apk', writeApk(shop))
    await put('new.apk', writeApk({ ...shop, versionCode: 35 }))
    await put('CHANGELOG.md', 'Faster start')
    await put('app/build/outputs/mapping/paidRelease/mapping.txt', `# variant: paid\n${mapping}`)
    const metadata = {
      applicationId: 'com.example.shop',
      variantName: 'paidRelease',
      elements: [{ versionCode: 34, versionName: '1.2' }],
    }
    await put('app/build/outputs/apk/paid/release/output-metadata.json', JSON.stringify(metadata))
    await put('mapping.txt', mapping)
    await put('crash.txt', 'java.lang.IllegalStateException\n\tat a.b.c(SourceFile:1)\n')
    await put('app/build/test-results/TEST-cart.xml', toReport(['adds'], ['removes', 'expected 1']))
    const report = toReport(['adds'])
    await put(
      'gradlew',
      `#!/bin/sh\nmkdir -p app/build/test-results\necho '${report}' > app/build/test-results/TEST-a.xml\n`,
    )
    await chmod(join(desk.folder, 'gradlew'), 0o755)
    for (const name of ['a', 'b', 'c', 'd']) await put(`tests/${name}.spec.ts`, '')
    await put('rules.json', findExample('apps/cli/README.md', /`(\{"isEnabled": true, [^`]*)`/))
    await put('testers.csv', 'email,name\nbob@example.com,Bob\n')
    await put('dist/app.js.map', '{"version":3,"sources":["a.js"],"names":[],"mappings":"AAAA"}')
    await put('index.android.bundle.map', '{"version":3,"sources":["b.js"],"names":[],"mappings":"AAAA"}')
    const image = [{ name: 'Payload/Sample.app/Frameworks/Shop.framework/Shop', data: writeSampleImage() }]
    await put('Shop.ipa', writeIpa({ bundleIdentifier: 'com.example.shop', files: image }))
    await put('app.ipa', writeIpa({ bundleIdentifier: 'com.example.shop' }))
    const uuid = sampleUuid.replaceAll('-', '').toLowerCase()
    const crash = [
      'Identifier:          com.example.shop',
      'Hardware Model:      iPhone15,2',
      'OS Version:          iPhone OS 17.0 (21A329)',
      'Report Version:      104',
      '',
      'Thread 0 Crashed:',
      `0   Shop  0x0000000100000130 0x${textAddress.toString(16)} + 304`,
      '',
      'Binary Images:',
      `0x100000000 - 0x1000002ff Shop arm64 <${uuid}> /Shop`,
    ]
    await put('crash.ips', `${crash.join('\n')}\n`)
  }

  /** Uploading the symbols of a folder would take those of iOS too, so they come when they are asked for. */
  const putArchive = async () => {
    const bundle = 'Shop.xcarchive/dSYMs/Shop.app.dSYM/Contents'
    await put(`${bundle}/Info.plist`, writeInfoPlist('com.apple.xcode.dsym.com.example.shop', '3.2', '47'))
    await put(`${bundle}/Resources/DWARF/Shop`, writeSampleImage())
  }

  /** What a number on a page stands for, by the noun of its command. Things that a page deleted are made again. */
  const ids: Record<string, () => Promise<number | undefined>> = {
    build: async () => (await client.builds.list(1))[0]?.id,
    retention: async () => (await client.retention.listRuns(1))[0]?.id,
    async hooks() {
      const [hook] = await client.hooks.list()
      if (hook) return hook.id
      return (await client.hooks.create({ name: 'CI', url: receiver.url, events: ['build.uploaded'] })).id
    },
    delivery: async () => (await client.hooks.listDeliveries((await ids.hooks?.()) ?? 0, { limit: 1 })).items[0]?.id,
    alerts: async () => (await client.alerts.listRules(1)).at(-1)?.id,
    links: async () => (await client.latestLinks.list(1)).at(-1)?.id,
    async feedback() {
      const [build] = await client.builds.list(1)
      const form = new FormData()
      form.append('text', 'The chart is empty')
      await post(`${build?.installUrl}/feedback`, form)
      return (await client.feedback.list(1))[0]?.id
    },
  }

  const findId = async (words: readonly string[], at: number): Promise<string> => {
    const [noun = '', verb = ''] = words
    const flag = words[at - 1] ?? ''
    const isBuild = ['--build', '--missing-in'].includes(flag) || ['builds', 'testers'].includes(noun)
    const isDelivery = verb === 'redeliver' && !words.includes('--since')
    const kind = flag === '--hook' ? 'hooks' : isBuild ? 'build' : isDelivery ? 'delivery' : noun
    return String((await ids[kind]?.()) ?? assert.fail(`${words.join(' ')}: nothing is known for ${kind}`))
  }

  /** Replaces ids and addresses of the page. Limits and dates stay. */
  const toReal = async (words: readonly string[]): Promise<string[]> => {
    const real: string[] = []
    for (const [at, word] of words.entries()) {
      const isOfFlag = (words[at - 1] ?? '').startsWith('--')
      const isId = /^\d+$/.test(word) && (!isOfFlag || /^--(build|hook|missing-in)$/.test(words[at - 1] ?? ''))
      real.push(isId ? await findId(words, at) : word.replace('https://ci.example.com/fairlead', receiver.url))
    }
    return real
  }

  for (const page of pages) {
    it(`${page} run, and end as it says`, async () => {
      const commands = listCommands(page).filter(({ words, isWhole }) => words[0] === 'fairlead' && isWhole)
      assert.ok(commands.length > 0)
      let count = 0
      for (const { words } of commands) {
        const line = words.slice(1).join(' ')
        const other = elsewhere.find(([beginning]) => line.startsWith(beginning))
        if (other) {
          assert.ok(existsSync(join(root, other[1])), other[1])
          continue
        }
        if (line.includes('.xcarchive')) await putArchive()
        const options = {
          cwd: desk.folder,
          input: line.startsWith('retrace') ? '\tat a.b.c(SourceFile:1)\n' : '',
          env: {
            ...github,
            // A run that is complete takes no further reports, so the one of `tests run` is not that of the others.
            GITHUB_RUN_ID: line.startsWith('tests run') ? '98' : '99',
            PATH: process.env.PATH ?? '',
            FAIRLEAD_URL: desk.server.url,
            FAIRLEAD_TOKEN: token,
            FAIRLEAD_CONFIG_DIR: join(desk.folder, '.config'),
            FAIRLEAD_CACHE_DIR: join(desk.folder, '.cache'),
            SLACK_URL: receiver.url,
          },
        }
        const args = await toReal(words.slice(1))
        let ended = await runHere(args, options)
        // A person at a terminal is asked here.
        if (ended.stderr.includes('Say --yes')) ended = await runHere([...args, '--yes'], options)
        const { code, stderr } = ended
        // One test of the report fails, which is what this command tells.
        const expected = line.startsWith('tests verdict') ? 1 : 0
        assert.equal(code, expected, `fairlead ${line}: ${stderr}`)
        count++
      }
      assert.ok(count > 0, page)
    })
  }
})

function findExample(page: string, pattern: RegExp): string {
  const text = readFileSync(join(root, page), 'utf8')
  return pattern.exec(text)?.[1]?.replaceAll(/\s+/g, ' ') ?? assert.fail(`${page} has no ${pattern}`)
}
