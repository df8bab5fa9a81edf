import type { Application, Build } from '@fairlead/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { toShortCommit } from '../applications/short-commit.ts'
import { formatCount } from '../ui/format.ts'
import { toTestName, toTestPlace } from '../test-runs/test-name.ts'
import type { Found } from './found.ts'

/** How many of each kind are shown for an application. */
const limit = 5

export const foundKinds = ['Builds', 'Crashes', 'Tests'] as const
type FoundKind = (typeof foundKinds)[number]

/** Searches one kind of things of an application by the list that its page shows, too. */
export const foundQuery = (kind: FoundKind, application: Application, q: string) =>
  queryOptions({
    queryKey: ['applications', application.id, 'found', kind, q],
    queryFn: () => searches[kind](application, q),
  })

const searches: Record<FoundKind, (application: Application, q: string) => Promise<Found[]>> = {
  async Builds({ id: applicationId, name }, q) {
    const { items } = await client.builds.listPage(applicationId, { q, limit })
    // Whoever types a version wants it before the builds of a release branch that is named after it.
    const isOfVersion = ({ shortVersion }: Build) => shortVersion.startsWith(q)
    const ordered = [...items.filter(isOfVersion), ...items.filter((build) => !isOfVersion(build))]
    const found: Found[] = ordered.map((build) => ({
      key: `build ${build.id}`,
      title: `${build.shortVersion} (${build.version})`,
      detail: toDetail(
        name,
        `#${build.number}`,
        build.source?.branch,
        build.source?.commit && toShortCommit(build.source.commit),
      ),
      target: { to: '/builds/$buildId', params: { buildId: build.id } },
    }))
    const to = '/applications/$applicationId/builds'
    return withAll(found, { key: `builds ${applicationId}`, title: `All builds with “${q}”`, detail: name }, () => ({
      to,
      params: { applicationId },
      search: { q },
    }))
  },
  async Crashes({ id: applicationId, name }, q) {
    const groups = await client.crashes.listGroups(applicationId, { q, limit })
    const found: Found[] = groups.map(({ id, title, culprit, crashCount }) => ({
      key: `crash ${id}`,
      title,
      detail: toDetail(name, formatCount(crashCount, 'crash', 'crashes'), culprit),
      target: { to: '/applications/$applicationId/crashes/$crashGroupId', params: { applicationId, crashGroupId: id } },
    }))
    const to = '/applications/$applicationId/crashes'
    return withAll(found, { key: `crashes ${applicationId}`, title: `All crashes with “${q}”`, detail: name }, () => ({
      to,
      params: { applicationId },
      search: { q, status: 'all' },
    }))
  },
  async Tests({ id: applicationId, name }, q) {
    const { items } = await client.tests.list(applicationId, { q, limit })
    const found: Found[] = items.map((test) => ({
      key: `test ${test.id}`,
      title: toTestName(test),
      detail: toDetail(name, toTestPlace(test)),
      target: { to: '/applications/$applicationId/tests/$testId', params: { applicationId, testId: test.id } },
    }))
    const to = '/applications/$applicationId/tests/all'
    return withAll(found, { key: `tests ${applicationId}`, title: `All tests with “${q}”`, detail: name }, () => ({
      to,
      params: { applicationId },
      search: { q },
    }))
  },
}

/** Adds a way to the whole list where not everything may be shown. */
function withAll(found: Found[], all: Omit<Found, 'target'>, toTarget: () => Found['target']): Found[] {
  return found.length < limit ? found : [...found, { ...all, target: toTarget() }]
}

function toDetail(...parts: (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(' · ')
}
