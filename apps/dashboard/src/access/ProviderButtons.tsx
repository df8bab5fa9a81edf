import type { SignInOptions } from '@fairlead/contract'
import { Button, Stack } from '@mantine/core'

interface ProviderButtonsProps {
  options: SignInOptions | undefined
  /** The path of the page that the sign-in ends at. */
  returnTo: string
}

/** One link for each provider, because the way there leaves the dashboard. */
export function ProviderButtons({ options, returnTo }: ProviderButtonsProps) {
  if (!options || options.providers.length === 0) return null
  return (
    <Stack gap="xs">
      {options.providers.map(({ key, name, startUrl }) => (
        <Button
          key={key}
          component="a"
          href={`${startUrl}?returnTo=${encodeURIComponent(returnTo)}`}
          variant="default"
          fullWidth
        >
          Continue with {name}
        </Button>
      ))}
    </Stack>
  )
}
