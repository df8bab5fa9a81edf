import { toShortCommit } from './test-name.ts'

interface CommitLinkProps {
  applicationId: number
  commit: string
}

export function CommitLink({ commit }: CommitLinkProps) {
  return (
    <code className="break" title={commit}>
      {toShortCommit(commit)}
    </code>
  )
}
