import type { CrashExplanation, SuspectCommit } from '@fairlead/contract'
import { Stack, Text } from '@mantine/core'
import { CommitLink } from '../applications/CommitLink.tsx'
import { Facts } from '../ui/Facts.tsx'
import { List, ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { When } from '../ui/When.tsx'

interface SuspectsPanelProps extends Pick<CrashExplanation, 'location' | 'owners' | 'suspects' | 'next'> {
  applicationId: number
}

/** Shows where a failure happens and which commits may have caused it, or why none is known. */
export function SuspectsPanel({ applicationId, location, owners, suspects, next }: SuspectsPanelProps) {
  const place = location && `${location.untrusted.path ?? location.untrusted.file ?? ''}:${location.line}`
  const owning = owners.flatMap((file) => file.untrusted.owners)
  return (
    <Panel title="Suspect commits">
      <Stack gap="xs">
        <Facts
          facts={[
            [
              'Where',
              place === null ? null : (
                <code key="place" className="break">
                  {place}
                </code>
              ),
            ],
            ['Owners', owning.length === 0 ? null : owning.join(', ')],
          ]}
        />
        {suspects.length > 0 ? (
          <List label="Suspect commits">
            {suspects.map((suspect) => (
              <Suspect key={suspect.commit} applicationId={applicationId} suspect={suspect} />
            ))}
          </List>
        ) : (
          next.filter(isForPeople).map((sentence) => (
            <Text key={sentence} size="sm" c="dimmed" className="break">
              {sentence}
            </Text>
          ))
        )}
      </Stack>
    </Panel>
  )
}

/** Leaves out what tells an agent which parts of the answer to use; the page shows them. */
function isForPeople(sentence: string): boolean {
  return !/^Open the file of location\b|\bmissingSymbols\b/.test(sentence)
}

function Suspect({ applicationId, suspect }: { applicationId: number; suspect: SuspectCommit }) {
  const { commit, date, reasons, untrusted } = suspect
  const [first] = reasons
  return (
    <ListRow
      title={
        <>
          <CommitLink applicationId={applicationId} commit={commit} />{' '}
          {untrusted.subject !== null && <span className="break">{untrusted.subject}</span>}
        </>
      }
      sub={
        <>
          {first && <span>{words[first.code](first.line)}: </span>}
          <span className="break">{untrusted.paths.join(', ')}</span>
          {untrusted.author !== null && <span>, by {untrusted.author}</span>}
        </>
      }
      side={<When date={date} />}
    />
  )
}

/** The reasons of the API for a suspicion, in words. */
const words: Record<SuspectCommit['reasons'][number]['code'], (line: number | null) => string> = {
  line: (line) => `Changed line ${line ?? ''}`,
  file: () => 'Changed the file',
  fileName: () => 'Changed a file of that name',
  directory: () => 'Changed a file of the same folder',
}
