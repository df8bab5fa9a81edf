import { useEffect } from 'react'

/** Sets the title of the browser tab; null leaves it to a part of the page that knows it better. */
export function useDocumentTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · Fairlead`
  }, [title])
}
