import type { Application } from '@fairlead/contract'
import { NativeSelect, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { baseUrlQuery } from './queries.ts'
import { Step } from './Step.tsx'
import { listUploadWays } from './upload-lines.ts'

/** The first build, with the lines that upload it from where the team builds. */
export function UploadStep({ applications, token }: { applications: Application[]; token: string | null }) {
  const { data } = useQuery(baseUrlQuery)
  const [chosen, setChosen] = useState<number>()
  const built = applications.find(({ latestBuild }) => latestBuild !== null)
  const application = applications.find(({ id }) => id === chosen) ?? applications[0]
  const ways =
    application && data ? listUploadWays({ application, baseUrl: data.baseUrl, cliUrl: data.cliUrl, token }) : []
  return (
    <Step
      title="The first build arrives"
      isDone={built !== undefined}
      state={
        built
          ? `${built.name} ${built.latestBuild?.shortVersion} (${built.latestBuild?.version}) is here.`
          : application
            ? 'Waiting for your first build …'
            : 'It needs an application first.'
      }
    >
      {built?.latestBuild && (
        <AnchorLink to="/builds/$buildId" params={{ buildId: built.latestBuild.id }} size="sm">
          Open the build
        </AnchorLink>
      )}
      {applications.length > 1 && (
        <NativeSelect
          label="Application"
          maw="20rem"
          value={application?.id}
          onChange={(event) => setChosen(Number(event.currentTarget.value))}
          data={applications.map(({ id, name, platform }) => ({
            value: String(id),
            label: `${name} (${platform === 'android' ? 'Android' : 'iOS'})`,
          }))}
        />
      )}
      {ways.length > 0 && (
        <Tabs defaultValue={toTabValue(0)} keepMounted={false}>
          <Tabs.List>
            {ways.map(({ name }, place) => (
              <Tabs.Tab key={name} value={toTabValue(place)}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {ways.map(({ name, secrets, file, lines }, place) => (
            <Tabs.Panel key={name} value={toTabValue(place)} pt="sm">
              <Stack gap="xs">
                <Text size="sm">{token === null ? 'Once, with your token:' : 'Once:'}</Text>
                <CodeBlock label={`address and token, ${name}`} code={secrets} />
                <Text size="sm">{file}</Text>
                <CodeBlock label={`the upload, ${name}`} code={lines} />
              </Stack>
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </Step>
  )
}

/** Ids of elements are made of the values, and the names have spaces, which no id may have. */
function toTabValue(place: number): string {
  return `way-${place}`
}
