// Runs before the first paint, so that a dark page never flashes white.
{
  let choice = null
  try {
    choice = localStorage.getItem('fairlead-color-scheme')
  } catch {
    // Storage may be closed to us; then the system decides.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
}
