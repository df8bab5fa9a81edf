import type { CrashSummary } from '@fairlead/contract'
import { useState } from 'react'
import { List } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { ShowMore } from '../ui/ShowMore.tsx'
import { When } from '../ui/When.tsx'
import { CrashRow } from './CrashRow.tsx'
import { describeSystem } from './describe-system.ts'

/** The panel shows this many rows at first, because fifty make the page of a tablet several screens longer. */
const shownFirst = 10

interface NewestCrashesProps {
  applicationId: number
  crashes: readonly CrashSummary[]
  pages: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}

/** Lists the crashes of a group, newest first: few at first, then all that were requested, then page by page. */
export function NewestCrashes({ applicationId, crashes, pages }: NewestCrashesProps) {
  const [isShort, setIsShort] = useState(crashes.length > shownFirst)
  const shown = isShort ? crashes.slice(0, shownFirst) : crashes
  return (
    <Panel title="Newest crashes">
      <List label="Newest crashes">
        {shown.map((crash) => (
          <CrashRow
            key={crash.id}
            applicationId={applicationId}
            crash={crash}
            sub={[crash.deviceModel, describeSystem(crash)].filter(Boolean).join(' · ')}
            side={<When date={crash.occurredDate} />}
          />
        ))}
      </List>
      <ShowMore
        hasMore={isShort || pages.hasNextPage}
        isLoading={pages.isFetchingNextPage}
        onMore={() => (isShort ? setIsShort(false) : void pages.fetchNextPage())}
      />
    </Panel>
  )
}
