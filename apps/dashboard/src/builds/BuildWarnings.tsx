import type { Build } from '@fairlead/contract'
import { Alert, List } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'

interface BuildWarningsProps {
  build: Pick<Build, 'warnings' | 'isInstallable'>
  mb?: string
}

/** Says what prevents the installation of a build, or may prevent it; the install page says the same. */
export function BuildWarnings({ build: { warnings, isInstallable }, mb = '0' }: BuildWarningsProps) {
  if (warnings.length === 0) return null
  return (
    <Alert
      color={isInstallable ? 'orange' : 'red'}
      icon={<TriangleAlert size={18} />}
      title={isInstallable ? 'This may prevent the installation' : 'This build cannot be installed'}
      mb={mb}
    >
      <List size="sm">
        {warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
