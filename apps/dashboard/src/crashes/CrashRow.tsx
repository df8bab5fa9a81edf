import type { CrashSummary } from '@fairlead/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ListRow, rowLink } from '../ui/ListRow.tsx'
import { toReleaseText } from './release-text.ts'

interface CrashRowProps {
  applicationId: number
  crash: CrashSummary
  sub: string
  side?: ReactNode
}

/** A crash in a list of its group, which leads to its report. */
export function CrashRow({ applicationId, crash, sub, side }: CrashRowProps) {
  const title = (
    <Link
      to="/applications/$applicationId/crash-reports/$crashId"
      params={{ applicationId, crashId: crash.id }}
      className={rowLink}
    >
      {toReleaseText(crash)}
    </Link>
  )
  return <ListRow title={title} sub={sub} side={side} />
}
