import './start.ts'
import './fonts.css'
import './mantine-styles.ts'
import './app.css'
import { RequestError } from '@fairlead/client'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/client.ts'
import { router } from './router.ts'
import { theme } from './theme.ts'
import { Notices } from './ui/Notices.tsx'
import { printInLight } from './ui/print-in-light.ts'

const colorSchemeManager = localStorageColorSchemeManager({ key: 'fairlead-color-scheme' })
const root = document.querySelector('#root')
if (!root) throw new Error('The page has no #root')

printInLight()

// The plain lists of `first-look.ts` stay until the page itself can show, so that nothing flickers in between.
void router.load().finally(() => {
  createRoot(root, { onCaughtError: reportCaught }).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={colorSchemeManager}>
        <QueryClientProvider client={queryClient}>
          <Notices />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
})

/** Pages show refusals by the server themselves; only other errors are defects of the dashboard and get logged. */
function reportCaught(error: unknown): void {
  if (!(error instanceof RequestError)) console.error(error)
}
