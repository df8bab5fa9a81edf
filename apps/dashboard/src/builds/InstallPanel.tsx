import type { Build } from '@fairlead/contract'
import { Anchor, Stack, Text } from '@mantine/core'
import { CopyField } from '../ui/CopyField.tsx'
import { formatDay } from '../ui/format.ts'
import { LocalAddressNote } from '../ui/LocalAddressNote.tsx'
import { Panel } from '../ui/Panel.tsx'
import { InstallLinkControls } from './InstallLinkControls.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useIsIdle } from '../ui/when-idle.ts'
import classes from './install-panel.module.css'

const qrCodeSize = 124

const placeholder = <span style={{ width: qrCodeSize, height: qrCodeSize }} />

const QrCode = lazyPart(async () => (await import('../ui/QrCode.tsx')).QrCode, placeholder)

/** Shows the link that testers open, as a QR code and as text. */
export function InstallPanel({ build }: { build: Build }) {
  // The script of the code comes after the page, which has to be quick on a slow network.
  const isIdle = useIsIdle()
  return (
    <Panel title="Install link">
      <div className={classes['root']}>
        {isIdle ? (
          <QrCode text={build.installUrl} label="QR code of the install link" size={qrCodeSize} />
        ) : (
          placeholder
        )}
        <Stack gap="xs" className={classes['text']}>
          <Text size="sm" c="dimmed">
            {build.isExpired
              ? `Expired on ${formatDay(build.expirationDate)}. Extend the link, or upload the build again.`
              : `Opens without an account, until ${formatDay(build.expirationDate)}.`}
          </Text>
          <CopyField aria-label="install link" value={build.installUrl} />
          <Anchor href={build.installUrl} target="_blank" rel="noopener" size="sm">
            Open the install page
          </Anchor>
          <InstallLinkControls build={build} />
        </Stack>
        <LocalAddressNote url={build.installUrl} />
      </div>
    </Panel>
  )
}
