/** Counts the clicks that the tasks of every day take, so that no redesign makes them longer. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSigner, writeApk } from '@fairlead/binary/fixture'
import type { Page } from 'playwright-core'
import { skip } from './chromium.ts'
import { fillAnalysis } from './filled-analysis.ts'
import { openPage } from './filled-workspace.ts'
import { openDashboard, type OpenedDashboard } from './opened-dashboard.ts'

interface Task {
  name: string
  clicks: number
  /** The page on which it starts. */
  from: 'applications' | 'overview'
  act: (page: Page) => Promise<void>
}

const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

const tasks: Task[] = [
  {
    name: 'copies the link to the newest build',
    clicks: 2,
    from: 'applications',
    act: async (page) => {
      await openApplication(page)
      await page.getByRole('button', { name: 'Copy install link' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.match(await copied(page), /\/install\//)
    },
  },
  {
    name: 'copies a latest link',
    clicks: 2,
    from: 'applications',
    act: async (page) => {
      await openApplication(page)
      await page.getByRole('button', { name: 'Copy the latest link Beta' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.match(await copied(page), /\/latest\//)
    },
  },
  {
    name: 'uploads a build',
    clicks: 2,
    from: 'applications',
    act: async (page) => {
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'From a file' }).click()
      const apk = writeApk({ label: 'Pilot', versionCode: 900, versionName: '9.0', signers: [createSigner()] })
      const file = { name: 'pilot.apk', mimeType: 'application/octet-stream', buffer: apk }
      await (await choosing).setFiles(file)
      await page.getByRole('region', { name: 'Uploads' }).getByText('9.0 (900)').waitFor()
    },
  },
  {
    name: 'writes the notes of the newest build',
    clicks: 2,
    from: 'overview',
    act: async (page) => {
      await page.getByRole('button', { name: 'Notes and groups' }).click()
      // The field is reached by the keyboard.
      await page.getByRole('textbox', { name: 'Release notes' }).focus()
      await page.keyboard.type('Charts')
      await page.getByRole('button', { name: 'Save the notes' }).click()
      await page.getByText('The release notes are saved').waitFor()
    },
  },
  {
    name: 'distributes the newest build',
    clicks: 3,
    from: 'overview',
    act: async (page) => {
      await page.getByRole('button', { name: 'Notes and groups' }).click()
      await page.getByRole('checkbox', { name: 'Beta' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Distribute' }).click()
      await page.getByText(/^Distributed/).waitFor()
    },
  },
  {
    name: 'adds a tester',
    clicks: 3,
    from: 'applications',
    act: async (page) => {
      await page.getByRole('link', { name: 'Testers' }).click()
      await page.getByRole('button', { name: 'Add testers' }).click()
      await page.getByRole('textbox', { name: 'Mail addresses' }).and(page.locator(':focus')).waitFor()
      await page.keyboard.type('new@example.com')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
      await page.getByRole('list', { name: 'Testers' }).getByText('new@example.com').waitFor()
    },
  },
  {
    name: 'opens the worst new crash',
    clicks: 2,
    from: 'applications',
    act: async (page) => {
      await openApplication(page)
      await page
        .getByRole('link', { name: /no chart|IllegalStateException/ })
        .first()
        .click()
      await page.getByText('com.example.pilot.MainActivity.onCreate').first().waitFor()
    },
  },
  {
    name: 'opens a failing test',
    clicks: 2,
    from: 'applications',
    act: async (page) => {
      await openApplication(page)
      await page.getByRole('link', { name: 'checks out' }).click()
      await page.getByText('cart is empty').first().waitFor()
    },
  },
  {
    name: 'makes a token and copies it',
    clicks: 4,
    from: 'applications',
    act: async (page) => {
      await page.getByRole('link', { name: 'API tokens' }).click()
      await page.getByRole('button', { name: 'New token' }).click()
      await page.getByRole('textbox', { name: 'Name' }).and(page.locator(':focus')).waitFor()
      await page.keyboard.type('CI')
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('button', { name: 'Copy API token' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      assert.match(await copied(page), /^fl_/)
    },
  },
]

async function openApplication(page: Page): Promise<void> {
  await page
    .getByRole('list', { name: 'Applications' })
    .getByRole('link', { name: 'Pilot', exact: true })
    .first()
    .click()
}

describe('a task of every day', { skip, timeout: 900_000 }, () => {
  let dashboard: OpenedDashboard

  before(async () => {
    dashboard = await openDashboard()
    await fillAnalysis(dashboard.fresh.baseUrl, dashboard.workspace)
    // The names of applications tell them apart.
    for (const [id, name] of [
      [dashboard.workspace.iosApplicationId, 'Pilot for iOS'],
      [dashboard.workspace.emptyApplicationId, 'Empty'],
    ] as const) {
      const answer = await dashboard.callApi(`/v1/applications/${id}`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name }),
      })
      assert.equal(answer.status, 200)
    }
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  for (const { name, clicks, from, act } of tasks) {
    it(`${name} with ${clicks} clicks`, async () => {
      const page = await dashboard.openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
      await page.addInitScript(`
        globalThis.presses = 0
        addEventListener('pointerdown', ({ isTrusted }) => { if (isTrusted) globalThis.presses++ }, true)
      `)
      const { applicationId } = dashboard.workspace
      await openPage(page, from === 'overview' ? `/applications/${applicationId}` : '/applications')
      await act(page)
      const counted = await page.evaluate<number>('globalThis.presses')
      assert.ok(counted > 0 && counted <= clicks, `it took ${counted} clicks`)
      dashboard.chromium.checkComplaints()
      await page.context().close()
    })
  }
})
