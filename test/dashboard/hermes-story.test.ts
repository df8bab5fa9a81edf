/**
 * A crash of React Native's engine, as its SDK sent it (see `scripts/record-hermes.ts`): bytecode of Hermes threw, and
 * the map is that of Metro and Hermes composed. The dashboard shows the line of the source, with the lines around it.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Crash } from '@fairlead/contract'
import { readAnswer } from '../../scripts/read-json.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

const recorded = join(import.meta.dirname, 'hermes')

describe('a crash of Hermes', { skip, timeout: 900_000 }, () => {
  let dashboard: OpenedDashboard
  before(async () => {
    dashboard = await openDashboard()
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const call = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const json = { 'Content-Type': 'application/json' }
    const init = body && { method: 'POST', headers: json, body: JSON.stringify(body) }
    const answer = await dashboard.callApi(path, init)
    assert.ok(answer.ok, `${path}: ${answer.status}`)
    return await readAnswer<Answer>(answer)
  }

  it('is shown with the line of its source when its map comes after it', async () => {
    const application = { name: 'Shop', alias: 'hermes-shop', platform: 'android' }
    const { id } = await call<{ id: number }>('/v1/applications', application)
    const { key } = await call<{ key: string }>(`/v1/applications/${id}/crashKeys`, { name: 'App' })
    const sent = await fetch(`${dashboard.fresh.baseUrl}/api/${id}/envelope/?sentry_key=${key}`, {
      method: 'POST',
      body: await readFile(join(recorded, 'crash.envelope')),
    })
    assert.equal(sent.status, 200)
    const early = await waitForCrash(id, (crash) => crash.missingSymbols.length > 0)
    assert.deepEqual([early.missingSymbols, early.frames[0]?.column], [['index.android.bundle'], 3951])

    const uploaded = await dashboard.callApi('/v2/symbolsFiles', {
      method: 'POST',
      headers: {
        'X-Service-Application-Alias': 'hermes-shop',
        'X-Service-Package': 'org.tarn.shop',
        'X-Service-Version-Name': '2.4.0',
        'X-Service-Version-Code': '412',
        'X-Service-Bundle-Name': 'index.android.bundle',
      },
      body: gunzipSync(await readFile(join(recorded, 'index.android.bundle.map.gz'))),
    })
    assert.equal(uploaded.status, 201, await uploaded.text())
    const crash = await waitForCrash(id, ({ missingSymbols }) => missingSymbols.length === 0)
    assert.equal(crash.exceptions[0]?.message, "Cannot read property 'cents' of undefined")
    assert.deepEqual(
      crash.frames.slice(0, 4).map((frame) => [frame.function, frame.file?.split('/').at(-1), frame.line, frame.isApp]),
      [
        ['sumPrices', 'cart.ts', 7, true],
        ['Checkout#pay', 'checkout.ts', 11, true],
        ['<global>', 'index.ts', 6, true],
        ['loadModuleImplementation', 'require.js', 285, false],
      ],
    )
    const source = await readFile(join(recorded, 'src/cart.ts'), 'utf8')
    assert.deepEqual(crash.frames[0]?.sourceLines, { firstLine: 3, lines: source.split('\n').slice(2) })

    const page = await dashboard.openPage()
    await page.goto(`/applications/${id}/crash-reports/${crash.id}`)
    await page
      .getByText(/src\/cart\.ts:7:/)
      .first()
      .waitFor()
    const marked = page.locator('li[aria-current=location]')
    assert.equal(await marked.first().textContent(), source.split('\n')[6])
    await page.getByText('Source', { exact: true }).nth(1).click()
    await page.getByText('return `paid ${sumPrices(this.#items)}`').waitFor()
  })

  async function waitForCrash(id: number, isReady: (crash: Crash) => boolean): Promise<Crash> {
    const path = `/v1/applications/${id}`
    for (let attempt = 0; attempt < 200; attempt++) {
      const [group] = await call<{ id: number }[]>(`${path}/crashGroups`)
      const { pendingCount } = await call<{ pendingCount: number }>(`${path}/crashIntake`)
      if (group && pendingCount === 0) {
        // While symbols are read, crashes move to another group.
        const [found] = await call<{ id: number }[]>(`/v1/crashGroups/${group.id}/crashes`)
        const crash = found && Crash.parse(await call(`/v1/crashes/${found.id}`))
        if (crash && isReady(crash)) return crash
      }
      await new Promise((resolve) => void setTimeout(resolve, 200))
    }
    throw new Error('The crash was never read.')
  }
})
