import { useSuspenseQuery } from '@tanstack/react-query'
import { useDocumentTitle } from '../ui/document-title.ts'
import { applicationQuery } from './queries.ts'

/** Names what a page of an application shows in the browser's tab: `SIGSEGV in readdir_null · Shop`. */
export function useTitleIn(applicationId: number, title: string): void {
  const { data: application } = useSuspenseQuery(applicationQuery(applicationId))
  useDocumentTitle(`${title} · ${application.name}`)
}
