import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { parsePlist } from '@fairlead/binary'
import type { Build } from '@fairlead/contract'
import { findBinaryFixtures } from '../testing/fixtures.ts'
import { listLinks, openInstallPage } from '../testing/open-install-page.ts'
import { startServer } from '../testing/start-server.ts'

const folder = findBinaryFixtures()

describe('the install page of real builds', { skip: folder === undefined ? 'no fixtures' : false }, async () => {
  const server = await startServer({ FAIRLEAD_BASE_URL: 'https://builds.example.com' })
  after(() => server[Symbol.asyncDispose]())
  let count = 0
  /** Uploads each file to an application of its own, unless its identifier already has one. */
  const upload = async (path: string): Promise<Build | undefined> => {
    const platform = path.endsWith('.ipa') ? 'ios' : 'android'
    const alias = `fixture-${++count}`
    await server.call('POST', '/v1/applications', { json: { name: alias, alias, platform } })
    const headers = { 'X-Service-Application-Alias': alias }
    const answer = await server.call('POST', '/v2/builds', { headers, body: readFileSync(path) })
    assert.ok(answer.status === 201 || answer.status === 422, `${basename(path)}: ${answer.text}`)
    return answer.status === 201 ? answer.json : undefined
  }

  it('renders every fixture on every kind of device, including the malicious ones', async () => {
    const files = globSync(['*.{apk,ipa}', 'malicious/*.{apk,ipa}'], { cwd: folder ?? '' })
    const shown: string[] = []
    for (const file of files) {
      const build = await upload(join(folder ?? '', file))
      if (!build) continue
      shown.push(file)
      for (const agent of ['iphone', 'android', 'mac'] as const) {
        const { status, text, bytes } = await openInstallPage(server, build.installUrl, { agent, language: 'de' })
        assert.equal(status, 200, `${file}: ${text}`)
        assert.ok(bytes.length < 20_000, `${file}: ${bytes.length} bytes`)
        // The secrets and signatures in addresses are 22 random characters of base64url, which may spell "NaN".
        const withoutSecrets = text.replaceAll(/(?<![\w-])[\w-]{22}(?![\w-])/g, '')
        assert.doesNotMatch(withoutSecrets, /<script|undefined|NaN|\[object|(?!\n)\p{Cc}|\p{Bidi_Control}/u, file)
        const [link = ''] = listLinks(text)
        if (build.platform === 'ios' && agent === 'iphone') {
          const manifest = new URL(new URL(link).searchParams.get('url') ?? '')
          const answer = await server.call('GET', manifest.pathname, { token: null })
          assert.equal(answer.status, 200, file)
          assert.ok(parsePlist(answer.bytes), file)
        } else {
          const head = await server.call('HEAD', link, { token: null })
          assert.equal(head.headers.get('content-length'), String(build.size), file)
        }
      }
    }
    assert.ok(shown.length > 60, `${shown.length} of ${files.length} were builds`)
  })

  it('names the known obstacles of some builds', async () => {
    const open = async (file: string, agent: 'iphone' | 'android') => {
      const build = await upload(join(folder ?? '', file))
      assert.ok(build, file)
      return (await openInstallPage(server, build.installUrl, { agent })).text
    }
    const demo = await open('appinfo__android.apk', 'android')
    assert.match(demo, /AppInfoDemo[^]*Version 2\.1\.0 \(10\)[^]*Android\u00A04\.0 or later/)
    assert.doesNotMatch(demo, /class="certain"/)
    assert.match(await open('hsiafan__app-release.apk', 'android'), /This build is not signed/)
  })
})
