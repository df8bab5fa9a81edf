import '@fontsource-variable/inter/index.css'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './app.css'
import { RequestError } from '@fairlead/client'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/client.ts'
import { router } from './router.ts'
import { theme } from './theme.ts'

const colorSchemeManager = localStorageColorSchemeManager({ key: 'fairlead-color-scheme' })
const root = document.querySelector('#root')
if (!root) throw new Error('The page has no #root')

createRoot(root, { onCaughtError: reportCaught }).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={colorSchemeManager}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-center" limit={3} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)

/** Pages show refusals by the server themselves; only other errors are defects of the dashboard and get logged. */
function reportCaught(error: unknown): void {
  if (!(error instanceof RequestError)) console.error(error)
}
