import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CommitsBetween } from '../explanations/CommitsBetween.tsx'
import { FailureSuspects } from '../explanations/FailureSuspects.tsx'
import { commitsOfFailureQuery, failureExplanationQuery } from '../explanations/queries.ts'
import { After } from '../ui/After.tsx'
import { FailureView } from './FailureView.tsx'
import { LastPassed } from './LastPassed.tsx'
import { attachmentsQuery, failureQuery, testRunQuery, timelineQuery } from './queries.ts'
import { Recording } from './Recording.tsx'
import recording from './recording.module.css'

interface FailurePanelsProps {
  applicationId: number
  testId: number
  failureId: number
  /** How much later than said the entries of the log are shown, in milliseconds. */
  shiftMs: number
  onShift: (shiftMs: number) => void
  /** The other parts of the page, which stand below the failure. */
  children: ReactNode
}

/** Shows a failure with what was recorded, the last passed run and the commits between. */
export function FailurePanels({ applicationId, testId, failureId, shiftMs, onShift, children }: FailurePanelsProps) {
  const failure = useQuery(failureQuery(failureId))
  const timeline = useQuery(timelineQuery(failureId))
  const explanation = useQuery(failureExplanationQuery(failureId))
  const commits = useQuery(commitsOfFailureQuery(explanation.data))
  const passedRunId = explanation.data?.range.lastPassed?.testRunId
  const isPassedKnown = { enabled: passedRunId !== undefined }
  const passed = useQuery({ ...testRunQuery(passedRunId ?? 0), ...isPassedKnown })
  const passedAttachments = useQuery({ ...attachmentsQuery(passedRunId ?? 0, testId), ...isPassedKnown })
  return (
    <After queries={[failure]}>
      <FailureView failureId={failureId} applicationId={applicationId} />
      <After queries={[timeline, explanation, commits, passed, passedAttachments]}>
        <div className={recording['beside']}>
          <Recording failureId={failureId} shiftMs={shiftMs} onShift={onShift} />
          <LastPassed applicationId={applicationId} failureId={failureId} testId={testId} />
        </div>
        <FailureSuspects failureId={failureId} applicationId={applicationId} />
        <CommitsBetween failureId={failureId} applicationId={applicationId} />
        {children}
      </After>
    </After>
  )
}
