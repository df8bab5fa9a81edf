import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { type Chromium, skip, startChromium } from './chromium.ts'
import { fillAnalysis } from './filled-analysis.ts'
import { type FilledWorkspace, fillWorkspace, openPage } from './filled-workspace.ts'
import { type FreshServer, startFreshServer } from './first-start.ts'
import { readAnswer } from '../../scripts/read-json.ts'

const hostile = '<img src=x onerror=alert(1)>'

/** A crash as a Sentry SDK sends it, with a message that would be markup if it were not escaped. */
const event = {
  event_id: '0123456789abcdef0123456789abcdef',
  timestamp: new Date().toISOString(),
  platform: 'java',
  level: 'fatal',
  release: 'com.example.pilot@1.2+12',
  user: { id: 'seven', email: 'ada@example.com' },
  contexts: { os: { name: 'Android', version: '14' }, device: { model: 'Pixel 8' } },
  breadcrumbs: [{ category: 'ui', message: `tapped ${hostile} as ada@example.com` }],
  exception: {
    values: [
      {
        type: 'IllegalStateException',
        module: 'java.lang',
        value: `no chart ${hostile}`,
        mechanism: { type: 'UncaughtExceptionHandler', handled: false },
        stacktrace: {
          frames: [
            { module: 'com.example.pilot.MainActivity', function: 'onCreate', lineno: 20, filename: 'MainActivity.kt' },
            { module: 'com.example.pilot.Chart', function: 'render', lineno: 91, filename: 'Chart.kt' },
          ],
        },
      },
    ],
  },
}

describe('the pages of crashes', { skip, timeout: 900_000 }, () => {
  let fresh: FreshServer
  let chromium: Chromium
  let workspace: FilledWorkspace

  before(async () => {
    fresh = await startFreshServer()
    workspace = await fillWorkspace(fresh)
    chromium = await startChromium()
  })

  after(async () => {
    await chromium?.[Symbol.asyncDispose]()
    await fresh?.[Symbol.asyncDispose]()
  })

  it('lead from a new crash key to a crash, its source line and its resolution', async () => {
    const page = await chromium.openPage({ baseURL: fresh.baseUrl, viewport: { width: 400, height: 800 } })
    await page.context().addCookies([workspace.cookie])
    const root = `/applications/${workspace.applicationId}`
    const check = async () => {
      assert.deepEqual(await findBarriers(page), [])
      assert.ok((await measureOverflow(page)) <= 0)
    }

    await openPage(page, `${root}/crashes`)
    await page.getByText('No crashes').first().waitFor()
    await check()
    await page.getByRole('link', { name: 'Set the app up' }).click()
    const newKey = page.getByRole('button', { name: 'New crash key' })
    const dialog = page.getByRole('dialog')
    await newKey.focus()
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Name').waitFor()
    await check()
    await page.keyboard.press('Escape')
    await newKey.and(page.locator(':focus')).waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Sentry: the DSN' }).count(), 0)
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Name').fill('Play Store')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The crash key is ready').waitFor()
    await newKey.and(page.locator(':focus')).waitFor()
    await page.getByText('Play Store', { exact: true }).waitFor()
    const dsn = await page.getByRole('textbox', { name: 'Sentry: the DSN' }).inputValue()
    await check()

    const { username: key } = new URL(dsn)
    const url = `${fresh.baseUrl}/api/${workspace.applicationId}/store/?sentry_key=${key}`
    const sent = await fetch(url, { method: 'POST', body: JSON.stringify(event) })
    assert.equal(sent.status, 200)
    // A crash is read by a job soon after it is acknowledged.
    const group = page.getByRole('link', { name: 'java.lang.IllegalStateException' })
    for (let tries = 0; tries < 50 && !(await group.isVisible()); tries++) {
      await openPage(page, `${root}/crashes`)
    }
    await check()
    await group.click()
    await page.getByText('com.example.pilot.Chart.render').first().waitFor()
    await page.getByText('Chart.kt:91').first().waitFor()
    await page.getByText(`no chart ${hostile}`).waitFor()
    await page.getByRole('heading', { name: 'Why these crashes are one group' }).waitFor()
    await page.getByRole('heading', { name: 'Suspect commits' }).waitFor()
    await page.getByText('No build of the first version that fails is here').waitFor()
    await check()

    await page.getByRole('link', { name: '1.2 (12)', exact: true }).click()
    await page.getByText(`ui: tapped ${hostile} as <email>`).waitFor()
    await check()
    await page.goBack()
    await page.getByRole('button', { name: 'Resolve' }).click()
    await page.getByRole('textbox', { name: 'Resolved in version' }).fill('1.3')
    await check()
    await page.getByRole('button', { name: 'Resolve it' }).click()
    await page.getByText('The group is resolved').waitFor()
    await openPage(page, `${root}/crashes?status=resolved`)
    await group.waitFor()

    await openPage(page, `${root}/stability`)
    await page.getByText('No sessions', { exact: true }).first().waitFor()
    const tab = page.getByRole('navigation', { name: 'Pilot' }).getByRole('link', { name: 'Crashes', exact: true })
    assert.equal(await tab.getAttribute('aria-current'), 'page', 'the page belongs to the crashes')
    await check()
    const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
    for (const [part, name] of [
      ['stability', 'Stability'],
      ['crash-rules', 'Grouping rules'],
      ['crash-set-up', 'Set-up of crashes'],
    ] as const) {
      await openPage(page, `${root}/${part}`)
      assert.equal(await breadcrumb.locator('[aria-current]').innerText(), name)
      await breadcrumb.getByRole('link', { name: 'Crashes' }).click()
      await page.waitForURL(`**${root}/crashes`)
    }
    chromium.checkComplaints()
    await page.context().close()
  })

  it('say which mapping is missing where the frames are, with dates on a phone and times to the second', async () => {
    const { crashGroupId, crashId } = await fillAnalysis(fresh.baseUrl, workspace)
    const page = await chromium.openPage({
      baseURL: fresh.baseUrl,
      viewport: { width: 390, height: 800 },
      timezoneId: 'UTC',
    })
    await page.context().addCookies([workspace.cookie])
    const root = `/applications/${workspace.applicationId}`
    await openPage(page, `${root}/crashes/${crashGroupId}`)
    await page.getByText('The mapping of 2.3.0 (20230) is missing: 1 crash of this group').waitFor()
    await page.getByText('--version-name 2.3.0').waitFor()
    await page.getByText(/17/).first().waitFor()
    assert.match(await page.getByRole('region', { name: 'Stack' }).innerText(), /:17|line 17, as reported/)
    assert.match(await page.title(), /^java\.lang\.IllegalStateException.* · Pilot · Fairlead$/)
    await page.setViewportSize({ width: 240, height: 800 })
    // The text as it is copied, and the lines of its parts: none is broken within.
    const { copied, lines } = await page.evaluate<{ copied: string; lines: number[] }>(`(() => {
      const heading = document.querySelector('h2')
      getSelection().selectAllChildren(heading)
      const lines = [...heading.childNodes].filter(({ data }) => data).map((text) => {
        const range = document.createRange()
        range.selectNodeContents(text)
        return range.getClientRects().length
      })
      return { copied: getSelection().toString(), lines }
    })()`)
    assert.equal(copied.trim(), 'java.lang.IllegalStateException')
    assert.deepEqual(lines, [1, 1, 1])
    const accessibility = await page.context().newCDPSession(page)
    const { nodes } = await accessibility.send('Accessibility.getFullAXTree')
    const headings = nodes.flatMap(({ role, name }) => (role?.value === 'heading' ? [String(name?.value)] : []))
    assert.ok(headings.includes('java.lang.IllegalStateException'), headings.join())
    await page.setViewportSize({ width: 390, height: 800 })
    const newest = page.getByRole('list', { name: 'Newest crashes' })
    assert.equal(await newest.locator('time').first().isVisible(), true)
    assert.deepEqual(await findBarriers(page), [])
    assert.ok((await measureOverflow(page)) <= 0)
    await page.getByRole('button', { name: 'Upload symbols' }).click()
    assert.equal(await page.getByRole('dialog').getByLabel('Version name').inputValue(), '2.3.0')
    await page.keyboard.press('Escape')

    await openPage(page, `${root}/crash-reports/${crashId}`)
    await page.getByText('6 May 2026, 07:08:09 UTC').waitFor()
    await page.goto(`/applications/${workspace.emptyApplicationId}/crashes/${crashGroupId}`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()

    await openPage(page, `${root}/crash-set-up`)
    await page.getByRole('button', { name: 'Rename' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Play Store release')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByText('Play Store release').waitFor()
    await page.context().close()
  })

  it('assign, ignore, split and merge groups, keep rules, and show the crashes of a build', async () => {
    const page = await chromium.openPage({ baseURL: fresh.baseUrl, viewport: { width: 1280, height: 900 } })
    await page.context().addCookies([workspace.cookie])
    const root = `/applications/${workspace.applicationId}`
    const call = async (path: string, body: unknown) => {
      const answer = await fetch(fresh.baseUrl + path, {
        method: 'POST',
        headers: { 'X-Service-Token': workspace.apiToken, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      return readAnswer<{ key: string }>(answer)
    }
    const commit = {
      id: 'c0ffee'.padEnd(40, '0'),
      date: '2026-11-20T10:00:00Z',
      subject: `Draw ${hostile}`,
      files: [{ path: 'app/src/main/kotlin/com/example/pilot/Canvas.kt', status: 'M', hunks: [[2, 1]] }],
    }
    const sent = await fetch(`${fresh.baseUrl}/v1/builds/${workspace.buildId}/commits`, {
      method: 'PUT',
      headers: { 'X-Service-Token': workspace.apiToken, 'Content-Type': 'application/json' },
      body: JSON.stringify({ base: null, head: commit.id, commits: [commit] }),
    })
    assert.equal(sent.status, 200)
    const { key } = await call(`/v1${root}/crashKeys`, { name: 'Apps' })
    // The two methods make two groups, and their callers two stacks in the first group. The release is the one of the
    // newest build.
    for (const [place, [method, caller]] of [
      ['draw', 'first'],
      ['draw', 'second'],
      ['fill', 'first'],
    ].entries()) {
      await call(`/api/${workspace.applicationId}/store/?sentry_key=${key}`, {
        ...event,
        event_id: String(place).repeat(32),
        release: 'com.example.pilot@1.0+2',
        exception: {
          values: [
            {
              type: 'IllegalArgumentException',
              module: 'java.lang',
              stacktrace: {
                frames: [
                  { module: 'com.example.pilot.Main', function: caller, lineno: 1 },
                  { module: 'com.example.pilot.Canvas', function: method, lineno: 2 },
                ],
              },
            },
          ],
        },
      })
    }
    const groups = page.getByRole('link', { name: 'java.lang.IllegalArgumentException' })
    const waitForGroups = async (count: number) => {
      for (let tries = 0; tries < 50 && (await groups.count()) !== count; tries++) {
        await openPage(page, `${root}/crashes?q=canvas`)
      }
      assert.equal(await groups.count(), count)
    }
    await waitForGroups(2)

    await page.getByRole('listitem').filter({ hasText: 'Canvas.draw' }).getByRole('link').click()
    const suspects = page.getByRole('list', { name: 'Suspect commits' })
    await suspects.getByText(`Draw ${hostile}`).waitFor()
    await suspects.getByText('Changed line 2').waitFor()
    const assignee = page.getByRole('button', { name: /^Assignee:/ })
    await assignee.press('Enter')
    await page.getByRole('menuitemradio', { name: 'Nobody', checked: true }).and(page.locator(':focus')).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('ArrowUp')
    await page.getByRole('menuitemradio', { name: 'Ada Lovelace' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Assignee: nobody' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemradio', { name: 'Ada Lovelace' }).click()
    await page.getByText('Ada Lovelace is the assignee').waitFor()
    await page.getByRole('button', { name: 'Assignee: Ada Lovelace' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('link', { name: '1.0 (2)' }).first().waitFor()
    await page.getByRole('checkbox', { name: 'Stack 1' }).check()
    await page.getByRole('button', { name: 'Split off 1 stack' }).click()
    await page.getByText('1 stack moved into a new group').waitFor()
    await page.getByRole('heading', { name: '2 stacks' }).waitFor({ state: 'detached' })
    assert.deepEqual(await findBarriers(page), [])

    await page.getByRole('button', { name: 'Merge others into it' }).click()
    await page.getByRole('textbox', { name: 'Search groups' }).fill('canvas')
    await page.getByRole('checkbox', { name: 'java.lang.IllegalArgumentException' }).nth(1).waitFor()
    for (const box of await page.getByRole('checkbox', { name: 'java.lang.IllegalArgumentException' }).all()) {
      await box.check()
    }
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Merge 2 groups' }).click()
    await page.getByText('2 groups merged').waitFor()
    await page.getByText('3 crashes').first().waitFor()
    await page.getByRole('button', { name: 'Ignore' }).click()
    await page.getByRole('button', { name: 'Ignore it' }).click()
    await page.getByText('The group is ignored').waitFor()
    await page.getByRole('button', { name: 'Open again' }).click()
    await page.getByText('The group is open').waitFor()
    await waitForGroups(1)

    await openPage(page, `${root}/crash-rules`)
    await page.getByRole('textbox', { name: 'Frames like' }).fill('com.example.pilot.Canvas.*')
    await page.getByRole('combobox', { name: 'What these frames are' }).selectOption('are passed over')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: 'Save the rules' }).click()
    await page.getByText('all stacks are grouped again').waitFor()
    assert.deepEqual(await findBarriers(page), [])

    await openPage(page, `/builds/${workspace.buildId}`)
    const ofBuild = page.getByRole('list', { name: 'Crashes of this release' })
    await ofBuild.getByText('new in this release').waitFor()
    await page.getByRole('link', { name: 'All crashes of this release' }).click()
    await page.getByText('Only crashes of one release.').waitFor()
    await groups.first().waitFor()

    await openPage(page, `${root}/crash-set-up`)
    const sdk = page.getByRole('combobox', { name: 'SDK' }).first()
    await sdk.selectOption('ACRA')
    await page.getByText(`uri = "`).first().waitFor()
    assert.deepEqual(await findBarriers(page), [])
    chromium.checkComplaints()
    await page.context().close()
  })
})
