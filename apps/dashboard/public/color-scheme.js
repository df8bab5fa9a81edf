// This runs before the first paint, so that a dark page does not flash white.
{
  let choice = null
  try {
    choice = localStorage.getItem('fairlead-color-scheme')
  } catch {
    // The browser may refuse access to the storage; then the system's setting decides.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
}
