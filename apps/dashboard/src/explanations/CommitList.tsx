import type { BuildComparison, ComparedCommit } from '@fairlead/contract'
import { Text } from '@mantine/core'
import { CommitLink } from '../applications/CommitLink.tsx'
import { List, ListRow } from '../ui/ListRow.tsx'
import { When } from '../ui/When.tsx'

interface CommitListProps {
  applicationId: number
  commits: BuildComparison['commits']
  suspects: ReadonlySet<string>
}

/** Lists commits, newest first, and marks those that are suspect. */
export function CommitList({ applicationId, commits, suspects }: CommitListProps) {
  return (
    <>
      <List label="Commits since it passed">
        {commits.items.map((commit) => (
          <CommitRow
            key={commit.commit}
            applicationId={applicationId}
            commit={commit}
            isSuspect={suspects.has(commit.commit)}
          />
        ))}
      </List>
      {commits.count > commits.items.length && (
        <Text size="sm" c="dimmed" mt="xs">
          The newest {commits.items.length} of {commits.count}.
        </Text>
      )}
    </>
  )
}

interface CommitRowProps {
  applicationId: number
  commit: ComparedCommit
  isSuspect: boolean
}

function CommitRow({ applicationId, commit: { commit, date, untrusted }, isSuspect }: CommitRowProps) {
  const { subject, author, paths } = untrusted
  const sub = [isSuspect && 'suspect', author, paths.join(', ')].filter((part) => part !== false && part !== null)
  return (
    <ListRow
      title={
        <>
          <CommitLink applicationId={applicationId} commit={commit} /> {subject}
        </>
      }
      sub={sub.filter((part) => part !== '').join(' · ')}
      side={<When date={date} />}
    />
  )
}
