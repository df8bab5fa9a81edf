import { lazyPart } from './lazy-part.tsx'
import { useIsIdle } from './when-idle.ts'

const NoticeList = lazyPart(async () => (await import('./NoticeList.tsx')).NoticeList)

/** Shows short notices. Their script is loaded after the first page; earlier notices wait for it. */
export function Notices() {
  return useIsIdle() && <NoticeList />
}
