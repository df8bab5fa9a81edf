import { Stack, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { CrashThread } from '../symbols/CrashThread.tsx'
import { CodeName } from '../ui/CodeName.tsx'
import { Panel } from '../ui/Panel.tsx'
import { MissingBanner } from './MissingBanner.tsx'
import { crashQuery } from './queries.ts'

/** Shows the exceptions and the frames of a crash, as far as they could be read. */
export function CrashStack({ crashId }: { crashId: number }) {
  const { data: crash } = useSuspenseQuery(crashQuery(crashId))
  const { exceptions, frames, isFatal, missingSymbols } = crash
  const systemFrames = new Set<unknown>(frames.filter(({ isApp }) => !isApp))
  return (
    <Panel title="Stack">
      <Stack>
        {missingSymbols.length > 0 && <MissingBanner crash={crash} />}
        {exceptions.map(({ type, message }, place) => (
          <div key={`${place} ${type}`}>
            <Text fw={580} className="break">
              <CodeName>{type}</CodeName>
            </Text>
            {message !== null && (
              <Text size="sm" className="break">
                <CodeName>{message}</CodeName>
              </Text>
            )}
          </div>
        ))}
        {frames.length > 0 && (
          <CrashThread
            thread={{ name: null, crashed: isFatal, frames }}
            number={0}
            isOnly
            isOfSystem={(frame) => systemFrames.has(frame)}
          />
        )}
      </Stack>
    </Panel>
  )
}
