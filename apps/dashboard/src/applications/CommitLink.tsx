import { useQuery } from '@tanstack/react-query'
import { applicationQuery } from './queries.ts'
import { toShortCommit } from './short-commit.ts'

interface CommitLinkProps {
  applicationId: number
  commit: string
}

/** Shows a commit, with a link to the repository if the settings of the application have its address. */
export function CommitLink({ applicationId, commit }: CommitLinkProps) {
  const { data: application } = useQuery(applicationQuery(applicationId))
  const template = application?.commitUrl ?? null
  const text = <code className="break">{toShortCommit(commit)}</code>
  if (template === null || !/^https?:/.test(template)) return <span title={commit}>{text}</span>
  return (
    <a
      href={template.replace('{commit}', encodeURIComponent(commit))}
      title={commit}
      target="_blank"
      rel="noopener noreferrer"
    >
      {text}
    </a>
  )
}
