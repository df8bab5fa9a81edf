import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { describeAction, findName, findSubject, listFacts } from '../src/audit/describe-event.ts'

const server = join(import.meta.dirname, '../../server/src')

describe('an event of the audit log', () => {
  it('has words for every action of the server', () => {
    const files = globSync('**/*routes.ts', { cwd: server })
    const actions = files.flatMap((file) =>
      [...readFileSync(join(server, file), 'utf8').matchAll(/action: '(\w+\.\w+)'/g)].map(([, action = '']) => action),
    )
    assert.ok(actions.length > 50)
    assert.deepEqual(
      actions.filter((action) => describeAction(action) === action),
      [],
    )
    assert.equal(describeAction('build.distribute'), 'distributed a build')
    assert.equal(describeAction('thing.unknown'), 'thing.unknown')
  })

  it('is about what its address names, or about what was created', () => {
    const find = (action: string, target: string, details = {}) => findSubject({ action, target, details })
    assert.deepEqual(find('build.distribute', '/v1/builds/12/distribute'), { kind: 'build', id: 12 })
    assert.deepEqual(find('application.create', '/v1/applications', { id: 3 }), { kind: 'application', id: 3 })
    assert.equal(find('build.delete', '/v1/builds/12'), null)
    assert.equal(find('session.start', '/v1/session'), null)
  })

  it('names and finds crash groups, tests and runs, whose pages belong to an application', () => {
    const details = { id: 12, applicationId: 3, title: 'IllegalStateException', status: 'resolved', assignee: null }
    const target = '/v1/crashGroups/12'
    const subject = { kind: 'crashGroup', id: 12, applicationId: 3 }
    assert.deepEqual(findSubject({ action: 'crashGroup.update', target, details }), subject)
    assert.deepEqual(findSubject({ action: 'crashGroup.comment', target: `${target}/comments`, details }), subject)
    assert.equal(findSubject({ action: 'crashGroup.delete', target, details }), null)
    assert.equal(findSubject({ action: 'crashGroup.update', target, details: { status: 'open' } }), null)
    assert.equal(findName({ details }), 'IllegalStateException')
    assert.deepEqual(listFacts({ details }), ['status: resolved'])
    const run = {
      action: 'testRun.complete',
      target: '/v1/testRuns/31/complete',
      details: { id: 31, applicationId: 3 },
    }
    assert.deepEqual(findSubject(run), { kind: 'testRun', id: 31, applicationId: 3 })
  })

  it('has dates as on every page, and lists without brackets', () => {
    const details = { role: 'viewer', expirationDate: '2026-12-04T13:32:21.202Z', events: ['*', 'x'], includes: [] }
    const [role, expiration, ...rest] = listFacts({ details })
    assert.deepEqual([role, ...rest], ['role: viewer', 'events: *, x'])
    assert.match(expiration ?? '', /^expirationDate: 4 Dec 2026, \d\d:\d\d \S+$/)
  })
})
