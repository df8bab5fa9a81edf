import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createApplication, uploadApk, uploadIpa } from '../../apps/server/src/testing/upload.ts'
import { hasFields, startWalk, type Walk } from './walk.ts'

const runFields = `id applicationId trigger state candidateCount trashedCount sparedCount trashedBytes restoredCount
  startedDate finishedDate undoUntilDate`
const linkFields = `id applicationId name url distributionGroup branch follows hasPassword isRevoked expirationDate
  build createdDate createdBy`

describe('The API of retention and latest links', () => {
  let walk: Walk
  let application: { id: number }
  before(async () => {
    walk = await startWalk()
    application = await createApplication(walk.server, 'shop')
  })
  after(() => walk?.[Symbol.asyncDispose]())

  it('keeps rules, tries them, and runs them', async () => {
    const { ask, answer, developer, viewer } = walk
    const path = `/v1/applications/${application.id}/retention`
    const none = await ask(`GET ${path}`, 200, { token: viewer })
    hasFields(none, 'isEnabled rules keepDistributedDays quietBranchDays nextRunDate source')
    assert.deepEqual([none.source, none.keepDistributedDays, none.nextRunDate], ['none', 90, null])
    const rules = [
      { branches: ['main', 'release/*'], maxAgeDays: 30, keepNewest: 5 },
      { branches: ['*'], maxAgeDays: null, keepNewest: 1 },
    ]
    const json = { isEnabled: true, rules, keepDistributedDays: 0, quietBranchDays: 7 }
    await ask(`PUT ${path}`, 403, { json, token: developer })
    const saved = await ask(`PUT ${path}`, 200, { json })
    hasFields(saved, 'isEnabled rules keepDistributedDays quietBranchDays nextRunDate source')
    assert.deepEqual([saved.rules, saved.source], [rules, 'application'])
    assert.ok(Date.parse(saved.nextRunDate) >= Date.now() + 23.9 * 3_600_000)
    for (const wrong of [{ maxAgeDays: 0 }, { maxAgeDays: 3651 }, { keepNewest: 0 }, { keepNewest: 10_001 }]) {
      await ask(`PUT ${path}`, 400, { json: { ...json, rules: [{ ...rules[0], ...wrong }] } })
    }
    await ask(`PUT ${path}`, 400, { json: { ...json, keepDistributedDays: 3651 } })
    await ask(`PUT ${path}`, 400, { json: { ...json, quietBranchDays: 0 } })
    for (let version = 1; version <= 3; version++) {
      await uploadApk(walk.server, { alias: 'shop', apk: { versionCode: version } })
    }
    await ask(`POST ${path}/preview`, 403, { token: viewer })
    const preview = await ask(`POST ${path}/preview`, 200, { token: developer })
    hasFields(preview, 'evaluatedDate candidateCount candidateBytes freedBytes builds isCut kept')
    assert.deepEqual(preview.kept, { pinned: 0, recent: 2, newestOfBranch: 0, latest: 0, distributed: 0 })
    assert.ok(Math.abs(Date.parse(preview.evaluatedDate) - Date.now()) < 60_000)
    const without = await ask(`POST ${path}/preview`, 200, { json: { ...json, rules: [] } })
    assert.deepEqual([without.candidateCount, without.kept.recent, without.builds, without.isCut], [0, 0, [], false])
    await ask(`POST ${path}/runs`, 403, { token: developer })
    const run = await ask(`POST ${path}/runs`, 202)
    hasFields(run, runFields)
    assert.deepEqual([run.trigger, run.applicationId], ['hand', application.id])
    let done = run
    while (done.state === 'running') done = await ask(`GET /v1/retentionRuns/${run.id}`, 200)
    assert.deepEqual([done.state, done.trashedCount], ['done', 0])
    assert.equal((await ask(`GET ${path}/runs`, 200))[0].id, run.id)
    const undone = await ask(`POST /v1/retentionRuns/${run.id}/undo`, 200)
    hasFields(undone, runFields)
    assert.equal(undone.state, 'undone')
    const missing = await ask('GET /v1/retentionRuns/999', 404)
    assert.equal(missing.detail, 'The retention run with the given ID does not exist')
    assert.deepEqual(await ask(`GET /v1/applications/${application.id}/trash`, 200), [])
    await ask(`POST /v1/applications/${application.id}/trash/empty`, 403, { token: developer })
    await answer(`POST /v1/applications/${application.id}/trash/empty`, 202)
    const [build] = await ask(`GET /v1/applications/${application.id}/builds`, 200)
    assert.equal(build.isPinned, false)
    await answer(`PUT /v1/builds/${build.id}/pin`, 204, { token: developer })
    assert.equal((await ask(`GET /v1/builds/${build.id}`, 200)).isPinned, true)
    await answer(`DELETE /v1/builds/${build.id}/pin`, 204, { token: developer })
    await ask(`PUT /v1/builds/${build.id}/pin`, 403, { token: viewer })
    assert.equal((await walk.server.call('POST', '/v1/builds/999/restore')).status, 404)
  })

  it('has latest links, which show, name and give out the newest build', async () => {
    const { ask, answer, developer, viewer } = walk
    await createApplication(walk.server, 'phone', 'ios')
    const phone = (await ask('GET /v1/applications', 200)).find((one: { alias: string }) => one.alias === 'phone')
    const group = await ask('POST /v1/distributionGroups', 201, { json: { name: 'QA' } })
    const path = `/v1/applications/${phone.id}/latestLinks`
    const link = await ask(`POST ${path}`, 201, {
      token: developer,
      json: { name: 'Wall', distributionGroupId: group.id },
    })
    hasFields(link, linkFields)
    assert.match(link.url, /\/latest\/[\w-]{22}$/)
    assert.deepEqual(
      [link.distributionGroup, link.build, link.follows],
      [{ id: group.id, name: 'QA' }, null, 'distributed'],
    )
    await ask(`POST ${path}`, 403, { json: { name: 'x' }, token: viewer })
    assert.equal((await ask(`GET ${path}`, 200, { token: viewer }))[0].url, link.url)
    const place = new URL(link.url).pathname
    const visit = (of: string, status: number, headers = {}) =>
      answer(`GET ${place}${of}`, status, { token: null, headers })
    await visit('', 404)
    await visit('/build.json', 404)
    const build = await uploadIpa(walk.server, { alias: 'phone' })
    await answer(`POST /v1/builds/${build.id}/distribute`, 201, { json: { distributionGroupIds: [group.id] } })
    const page = await visit('', 200)
    assert.match(page.text, new RegExp(`<main[^>]* data-build-id="${build.id}"`))
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const facts = (await visit('/build.json', 200)).json
    hasFields(
      facts,
      `id platform bundleIdentifier shortVersion version uploadedDate size sha256 releaseNotes pageUrl downloadUrl
       manifestUrl`,
    )
    assert.equal(facts.id, build.id)
    const given = (await visit('/binary', 302)).headers.get('location') ?? ''
    const { pathname, search } = new URL(given, link.url)
    assert.equal((await visit('/qr.svg', 200)).headers.get('content-type')?.split(';')[0], 'image/svg+xml')
    const badge = await visit('/badge.svg', 200)
    assert.equal(badge.headers.get('cache-control'), 'public, max-age=300')
    await visit('/badge.svg', 304, { 'if-none-match': badge.headers.get('etag') ?? '' })
    await answer(`GET ${pathname}${search}`, 200, { token: null })
    const shown = await ask(`GET /v1/latestLinks/${link.id}`, 200)
    hasFields(shown.build, 'id shortVersion version uploadedDate')
    const locked = await ask(`PATCH /v1/latestLinks/${link.id}`, 200, { json: { password: 'harbor' } })
    assert.equal(locked.hasPassword, true)
    await answer(`GET ${pathname}${search}`, 410, { token: null })
    await visit('/build.json', 401)
    await visit('/badge.svg', 404)
    const basic = { authorization: `Basic ${Buffer.from('any:harbor').toString('base64')}` }
    await visit('/build.json', 200, basic)
    await visit('/build.json', 401, { authorization: `Basic ${Buffer.from('any:wrong').toString('base64')}` })
    const renewed = await ask(`POST /v1/latestLinks/${link.id}/renew`, 200, { token: developer })
    assert.notEqual(renewed.url, link.url)
    await visit('', 404)
    const next = new URL(renewed.url).pathname
    await ask(`PATCH /v1/latestLinks/${link.id}`, 200, { json: { password: null, isRevoked: true } })
    await answer(`GET ${next}`, 410, { token: null })
    await answer(`GET ${next}/build.json`, 410, { token: null })
    const expirationDate = new Date(Date.now() + 1500).toISOString()
    const ending = await ask(`PATCH /v1/latestLinks/${link.id}`, 200, { json: { isRevoked: false, expirationDate } })
    assert.deepEqual([ending.isRevoked, ending.expirationDate], [false, expirationDate])
    while (Date.now() <= Date.parse(expirationDate)) await new Promise((resolve) => setTimeout(resolve, 50))
    await answer(`GET ${next}`, 410, { token: null })
    await answer(`DELETE /v1/latestLinks/${link.id}`, 204, { token: developer })
    const gone = await ask(`GET /v1/latestLinks/${link.id}`, 404)
    assert.equal(gone.detail, 'The latest link with the given ID does not exist')
  })
})
