import { lazyPart } from './lazy-part.tsx'
import { useIdleScript } from './when-idle.ts'

const loadList = () => import('./NoticeList.tsx')
const NoticeList = lazyPart(async () => (await loadList()).NoticeList)

/** Shows short notices. Their script is loaded after the first page; earlier notices wait for it. */
export function Notices() {
  return useIdleScript(loadList) && <NoticeList />
}
