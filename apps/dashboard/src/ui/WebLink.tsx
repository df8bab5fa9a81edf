import { Anchor } from '@mantine/core'

/** Links to another site. Only web addresses become links, because the uploader may send any text. */
export function WebLink({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return url
  return (
    <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm">
      {url}
    </Anchor>
  )
}
