/**
 * Starts the server, uploads a first build and uses each feature once under the conditions of each file in `deploy/`:
 * its user, a root file system that is read-only, no capabilities, its filter of system calls, the variables that the
 * platform sets, and its limit of memory. It needs root, because it mounts; elsewhere it is left out. The pod of the
 * Helm chart has its test beside the other tests of the chart.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readCompose, readPodFile, readUnit } from './processes/conditions.ts'
import { findObstacle, useConfinedServer } from './processes/confined-server.ts'

const files = [
  { name: 'systemd/fairlead.service', read: readUnit },
  { name: 'docker/compose.yaml', read: readCompose },
  { name: 'kubernetes/fairlead.yaml', read: readPodFile },
]

describe('the server as the files in deploy/ run it', { skip: findObstacle() }, () => {
  for (const { name, read } of files) {
    it(`starts, takes a build and reads symbols and a crash, and all else works: ${name}`, () =>
      useConfinedServer(read()))
  }

  it('does so, too, where the filter of systemd refuses a lower priority, as an older one did', () => {
    const unit = readUnit()
    const { allowed } = unit.filter ?? assert.fail('the unit has no filter')
    assert.ok(allowed.includes('setpriority'))
    return useConfinedServer({
      ...unit,
      filter: { allowed: allowed.filter((call) => call !== 'setpriority'), refusal: 'errno' },
    })
  })
})
