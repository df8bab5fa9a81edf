import { lazyPart } from './lazy-part.tsx'
import { useIsIdle } from './when-idle.ts'

const NoticeList = lazyPart(async () => (await import('./NoticeList.tsx')).NoticeList)

/** Short notices about what was done. The first page does not wait for their script; what is said earlier is kept. */
export function Notices() {
  return useIsIdle() && <NoticeList />
}
