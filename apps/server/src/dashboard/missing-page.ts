/** The page shown when the dashboard was never built, as in a checkout without `npm ci`. */
export function renderMissingDashboard(): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fairlead</title>
<style>
  body {
    max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem;
    font: 1rem/1.6 system-ui, sans-serif; color-scheme: light dark;
  }
</style>
<h1>The dashboard is not built</h1>
<p>
  The API works. To have the dashboard too, run <code>npm run build</code> where Fairlead is installed and load this
  page again.
</p>
</html>
`
}
