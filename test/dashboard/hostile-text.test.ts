import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip, startChromium } from './chromium.ts'
import { fillWorkspace, listPages, type Names, openPage } from './filled-workspace.ts'
import { startFreshServer } from './first-start.ts'

const script = '<img src=x onerror="globalThis.broken=1"><script>globalThis.broken=1</script>'

const hostile: Names = {
  application: `App ${script}`,
  group: `Group ${script}`,
  notes: [
    script,
    '[link](javascript:globalThis.broken=1)',
    '![picture](https://evil.example/track.png)',
    '<a href="javascript:globalThis.broken=1">html</a>',
    '<iframe srcdoc="<script>parent.broken=1</script>"></iframe>',
  ].join('\n\n'),
  branch: `branch ${script}`,
  token: `Token ${script}`,
  fileName: `${script}.apk`.replaceAll('/', '-'),
}

describe('hostile text in the dashboard', { skip, timeout: 900_000 }, () => {
  it('is shown as text on every page, and neither loads nor runs anything', async () => {
    await using fresh = await startFreshServer()
    const workspace = await fillWorkspace(fresh, hostile)
    await using chromium = await startChromium()
    const page = await chromium.openPage({ baseURL: fresh.baseUrl })
    await page.context().addCookies([workspace.cookie])
    for (const path of listPages(workspace)) {
      await openPage(page, path)
      assert.equal(await page.evaluate('globalThis.broken'), undefined, path)
      assert.equal(await page.locator('[onerror], iframe, a[href^="javascript"]').count(), 0, path)
    }
    await page.goto(`/builds/${workspace.buildId}`)
    await page.getByRole('link', { name: 'picture' }).waitFor()
    await page.getByText('[link](javascript:globalThis.broken=1)').waitFor()
    assert.equal(await page.evaluate('globalThis.broken'), undefined)
    chromium.checkComplaints()
  })

  it('redirects to no other site after the sign-in', async () => {
    await using fresh = await startFreshServer()
    await fillWorkspace(fresh)
    await using chromium = await startChromium()
    for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example/', 'javascript:alert(1)']) {
      const page = await chromium.openPage({ baseURL: fresh.baseUrl })
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
      await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.com')
      await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Applications' }).waitFor()
      assert.equal(new URL(page.url()).origin, fresh.baseUrl)
      await page.context().close()
    }
  })
})
