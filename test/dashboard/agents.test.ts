import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Workspace } from '@fairlead/contract'
import { findBarriers, measureOverflow } from './accessibility.ts'
import { skip } from './chromium.ts'
import { type OpenedDashboard, openDashboard } from './opened-dashboard.ts'
import { readAnswer } from '../../scripts/read-json.ts'

describe('the page about coding agents', { skip, timeout: 900_000 }, () => {
  let opened: OpenedDashboard
  before(async () => {
    opened = await openDashboard()
  })
  after(() => opened?.[Symbol.asyncDispose]())

  it('names the address of this server, and says whether agents may write, as an administrator decides', async () => {
    const { fresh } = opened
    const page = await opened.openPage({ viewport: { width: 390, height: 844 } })
    await page.goto('/agents')
    const claude = page.getByRole('region', { name: 'the lines for Claude Code' })
    assert.match((await claude.textContent()) ?? '', new RegExp(`${fresh.baseUrl}/mcp`))
    for (const agent of ['Cursor', 'VS Code', 'Codex']) {
      const lines = await page.getByRole('region', { name: `the lines for ${agent}` }).textContent()
      assert.match(lines ?? '', new RegExp(`${fresh.baseUrl}/mcp`))
      assert.doesNotMatch(lines ?? '', /fl_/)
    }
    await page.getByText('until an administrator allows it').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await measureOverflow(page), 0)

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('switch', { name: 'Let coding agents write' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings are saved').waitFor()
    const workspace = await readAnswer<Workspace>(await opened.callApi('/v1/workspace'))
    assert.equal(workspace.agentWrites, true)
    await page.goto('/agents')
    await page.getByText('with a token of a developer may set the status').waitFor()
    await page.context().close()
  })
})
