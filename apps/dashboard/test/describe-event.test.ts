import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { describeAction, findSubject } from '../src/audit/describe-event.ts'

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
})
