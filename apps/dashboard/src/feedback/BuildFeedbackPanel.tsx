import type { Build } from '@fairlead/contract'
import { useQuery } from '@tanstack/react-query'
import { Panel } from '../ui/Panel.tsx'
import { FeedbackCard } from './FeedbackCard.tsx'
import { buildFeedbackQuery } from './queries.ts'

/** Shows what testers wrote of a build, if anybody did. */
export function BuildFeedbackPanel({ build }: { build: Build }) {
  const { data: feedback } = useQuery(buildFeedbackQuery(build.id))
  if (!feedback || feedback.length === 0) return null
  return (
    <Panel title="Feedback">
      {feedback.map((one) => (
        <FeedbackCard key={one.id} feedback={one} />
      ))}
    </Panel>
  )
}
