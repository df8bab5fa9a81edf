import type { AuditEvent } from '@fairlead/contract'
import { useQuery } from '@tanstack/react-query'
import { applicationsQuery } from '../applications/queries.ts'
import { groupsQuery } from '../groups/queries.ts'
import { AnchorLink } from '../ui/links.tsx'
import { findName, findSubject } from './describe-event.ts'

/** A title of a list has links in the color of its text, and here not every row has one. */
const look = { inherit: true, c: 'var(--mantine-color-anchor)' } as const

/** Names and links what an event of the audit log is about, if it has a page. */
export function SubjectLink({ event }: { event: AuditEvent }) {
  const { data: applications } = useQuery(applicationsQuery)
  const { data: groups } = useQuery(groupsQuery)
  const subject = findSubject(event)
  const name = findName(event)
  if (subject === null) return name
  const { kind, id } = subject
  if (kind === 'application') {
    const shown = applications?.find((one) => one.id === id)?.name
    return shown === undefined ? (
      name
    ) : (
      <AnchorLink {...look} to="/applications/$applicationId" params={{ applicationId: id }}>
        {shown}
      </AnchorLink>
    )
  }
  if (kind === 'group') {
    const shown = groups?.find((one) => one.id === id)?.name
    return shown === undefined ? (
      name
    ) : (
      <AnchorLink {...look} to="/groups/$groupId" params={{ groupId: id }}>
        {shown}
      </AnchorLink>
    )
  }
  if (kind === 'hook') {
    return (
      <AnchorLink {...look} to="/hooks/$hookId" params={{ hookId: id }}>
        {name ?? `Hook ${id}`}
      </AnchorLink>
    )
  }
  if (kind === 'crashGroup') {
    const { applicationId } = subject
    return (
      <AnchorLink
        {...look}
        to="/applications/$applicationId/crashes/$crashGroupId"
        params={{ applicationId, crashGroupId: id }}
      >
        {name ?? `Crash group ${id}`}
      </AnchorLink>
    )
  }
  if (kind === 'test') {
    return (
      <AnchorLink
        {...look}
        to="/applications/$applicationId/tests/$testId"
        params={{ applicationId: subject.applicationId, testId: id }}
      >
        {name ?? `Test ${id}`}
      </AnchorLink>
    )
  }
  if (kind === 'testRun') {
    const { applicationId } = subject
    return (
      <AnchorLink
        {...look}
        to="/applications/$applicationId/tests/runs/$testRunId"
        params={{ applicationId, testRunId: id }}
      >
        Run {id}
      </AnchorLink>
    )
  }
  return (
    <AnchorLink {...look} to="/builds/$buildId" params={{ buildId: id }}>
      {name ?? `Build ${id}`}
    </AnchorLink>
  )
}
