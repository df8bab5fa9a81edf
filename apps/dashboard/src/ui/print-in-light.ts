const attribute = 'data-mantine-color-scheme'

/** Prints pages in light colours: paper is white, and a browser leaves the dark backgrounds out. */
export function printInLight(): void {
  const root = document.documentElement
  let shown: string | null = null
  const begin = () => {
    shown ??= root.getAttribute(attribute)
    root.setAttribute(attribute, 'light')
  }
  const end = () => {
    if (shown !== null) root.setAttribute(attribute, shown)
    shown = null
  }
  // Firefox prints a copy of the page, which changes no longer reach when the media query tells of them.
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', end)
  matchMedia('print').addEventListener('change', ({ matches }) => (matches ? begin() : end()))
}
