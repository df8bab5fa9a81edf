import type { AuditEvent } from '@fairlead/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { applicationsQuery } from '../applications/queries.ts'
import { groupsQuery } from '../groups/queries.ts'
import { findName, findSubject } from './describe-event.ts'

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
      <Link to="/applications/$applicationId" params={{ applicationId: id }}>
        {shown}
      </Link>
    )
  }
  if (kind === 'group') {
    const shown = groups?.find((one) => one.id === id)?.name
    return shown === undefined ? (
      name
    ) : (
      <Link to="/groups/$groupId" params={{ groupId: id }}>
        {shown}
      </Link>
    )
  }
  if (kind === 'hook') {
    return (
      <Link to="/hooks/$hookId" params={{ hookId: id }}>
        {name ?? `Hook ${id}`}
      </Link>
    )
  }
  if (kind === 'crashGroup') {
    const { applicationId } = subject
    return (
      <Link to="/applications/$applicationId/crashes/$crashGroupId" params={{ applicationId, crashGroupId: id }}>
        {name ?? `Crash group ${id}`}
      </Link>
    )
  }
  if (kind === 'test') {
    return (
      <Link
        to="/applications/$applicationId/tests/$testId"
        params={{ applicationId: subject.applicationId, testId: id }}
      >
        {name ?? `Test ${id}`}
      </Link>
    )
  }
  if (kind === 'testRun') {
    const { applicationId } = subject
    return (
      <Link to="/applications/$applicationId/tests/runs/$testRunId" params={{ applicationId, testRunId: id }}>
        Run {id}
      </Link>
    )
  }
  return (
    <Link to="/builds/$buildId" params={{ buildId: id }}>
      {name ?? `Build ${id}`}
    </Link>
  )
}
