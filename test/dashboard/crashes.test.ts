import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers } from './accessibility.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'

const ips = `{"bug_type":"309","app_version":"1.2","build_version":"34","name":"Pilot"}
${JSON.stringify({
  modelCode: 'iPhone15,4',
  procName: 'Pilot',
  osVersion: { train: 'iPhone OS 18.5', build: '22F76' },
  bundleInfo: {
    CFBundleShortVersionString: '1.2',
    CFBundleVersion: '34',
    CFBundleIdentifier: 'com.example.pilot',
  },
  exception: { type: 'EXC_CRASH', signal: 'SIGABRT', codes: '0x0, 0x0' },
  asi: { 'libsystem_c.dylib': ['chart is null'] },
  faultingThread: 0,
  threads: [
    {
      triggered: true,
      frames: [
        { imageIndex: 1, imageOffset: 39_452, symbol: '__pthread_kill', symbolLocation: 8 },
        { imageIndex: 0, imageOffset: 16_392 },
      ],
    },
  ],
  usedImages: [
    {
      base: 4_362_076_160,
      size: 65_536,
      uuid: '0b1ad4cc-0000-3000-8000-0000000000aa',
      arch: 'arm64',
      name: 'Pilot',
      path: '/private/var/containers/Bundle/Application/1/Pilot.app/Pilot',
    },
    {
      base: 7_311_925_248,
      size: 229_376,
      uuid: '0b1ad4cc-0000-3000-8000-0000000000bb',
      arch: 'arm64e',
      name: 'UIKitCore',
      path: '/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore',
    },
  ],
})}`

describe('the crash page of the dashboard', { skip, timeout: 900_000 }, () => {
  let dashboard: OpenedDashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    page = await dashboard.openPage()
  })

  after(() => dashboard?.[Symbol.asyncDispose]())

  async function readCrash(applicationId: number, text: string): Promise<void> {
    await page.goto(`/applications/${applicationId}/crash`)
    await page.getByLabel('Crash report').fill(text)
    await page.getByRole('button', { name: 'Read the crash' }).click()
  }

  it('shows the exception, the device, the system and the version of the app', async () => {
    await readCrash(dashboard.workspace.iosApplicationId, ips)
    await page.getByRole('heading', { name: 'EXC_CRASH (SIGABRT)' }).waitFor()
    const result = page.getByRole('region', { name: 'The crash, read' })
    for (const text of ['chart is null', 'iPhone15,4', 'iPhone OS 18.5 (22F76)', 'com.example.pilot 1.2 (34)']) {
      await result.getByText(text, { exact: true }).first().waitFor()
    }
    assert.deepEqual(await findBarriers(page), [])
  })

  it('lists no system image as missing symbols, and dims system frames', async () => {
    await readCrash(dashboard.workspace.iosApplicationId, ips)
    const missing = page.getByRole('list', { name: 'Images without symbols' })
    await missing.getByText('Pilot', { exact: true }).waitFor()
    assert.equal(await missing.getByText('UIKitCore').count(), 0)
    const [system, own] = await page
      .locator('li[data-origin]')
      .evaluateAll((frames) => frames.map((frame) => frame.getAttribute('data-origin')))
    assert.deepEqual([system, own], ['system', 'app'])
    await page.getByText('0 of 1 frame of the app').waitFor()
  })

  it('shows the exception of an Android crash, and emphasises frames of the app', async () => {
    const trace =
      'java.lang.IllegalStateException: no chart\n' +
      '\tat a.a.a(SourceFile:1)\n\tat android.os.Looper.loop(Looper.java:1)\n'
    await readCrash(dashboard.workspace.applicationId, trace)
    await page.getByRole('heading', { name: 'java.lang.IllegalStateException' }).waitFor()
    await page.getByText('no chart', { exact: true }).waitFor()
    const weights = await page.locator('li[data-origin] code:first-child').evaluateAll((names) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- runs in a page; the types of Node lack the DOM
      const scope = globalThis as unknown as { getComputedStyle(of: unknown): { fontWeight: string } }
      return names.map((name) => scope.getComputedStyle(name).fontWeight)
    })
    assert.deepEqual(weights.slice(0, 2), ['600', '400'])
  })

  it('says that a text contains no crash', async () => {
    await readCrash(dashboard.workspace.applicationId, 'Dear team,\nthe charts look nice.')
    await page.getByRole('heading', { name: 'No crash was found in this text' }).waitFor()
    assert.equal(await page.getByRole('region', { name: 'The crash, read' }).count(), 0)
  })
})
