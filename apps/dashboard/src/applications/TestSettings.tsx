import { Button, Stack, Text, Textarea } from '@mantine/core'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, queryClient } from '../api/client.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell, tellFailure } from '../ui/tell.ts'

const badgeQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'badge'],
    queryFn: () => client.tests.getBadge(applicationId),
  })

const codeOwnersQuery = (applicationId: number) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'codeOwners'],
    queryFn: () => client.tests.getCodeOwners(applicationId),
  })

/** The settings of an application that are about its tests: the badge and the CODEOWNERS file. */
export function TestSettings({ applicationId }: { applicationId: number }) {
  return (
    <>
      <BadgePanel applicationId={applicationId} />
      <OwnersPanel applicationId={applicationId} />
    </>
  )
}

function BadgePanel({ applicationId }: { applicationId: number }) {
  const { data: badge, error } = useQuery(badgeQuery(applicationId))
  const reload = () => queryClient.invalidateQueries(badgeQuery(applicationId))
  const create = useMutation({
    mutationFn: () => client.tests.createBadge(applicationId),
    onSuccess: reload,
    onError: tellFailure,
  })
  const revoke = useMutation({
    mutationFn: () => client.tests.revokeBadge(applicationId),
    onSuccess: reload,
    onError: tellFailure,
  })
  const url = badge?.url ?? null
  return (
    <Panel title="Badge">
      <Stack gap="sm" align="flex-start">
        <ErrorNotice error={error} />
        <Text size="sm" c="dimmed">
          An image that shows the last test run of the default branch to everyone who knows its address. With{' '}
          <code>?branch=release</code> at its end, it shows another branch.
        </Text>
        {url === null ? (
          <Button variant="default" loading={create.isPending} disabled={!badge} onClick={() => create.mutate()}>
            Create an address
          </Button>
        ) : (
          <>
            <img src={new URL(url).pathname} alt="The badge as it is now" height={20} />
            <CopyField label="Address of the badge" value={url} w="100%" maw="44rem" />
            <Button variant="default" loading={revoke.isPending} onClick={() => revoke.mutate()}>
              Revoke the address
            </Button>
          </>
        )}
      </Stack>
    </Panel>
  )
}

function OwnersPanel({ applicationId }: { applicationId: number }) {
  const { data: owners, error } = useQuery(codeOwnersQuery(applicationId))
  return (
    <Panel title="Owners of tests">
      <ErrorNotice error={error} />
      {owners && <OwnersForm key={owners.updatedDate} applicationId={applicationId} content={owners.content} />}
    </Panel>
  )
}

function OwnersForm({ applicationId, content }: { applicationId: number; content: string }) {
  const [text, setText] = useState(content)
  const save = useMutation({
    mutationFn: () => client.tests.replaceCodeOwners(applicationId, text),
    onSuccess: async () => {
      await queryClient.invalidateQueries(codeOwnersQuery(applicationId))
      tell('The owners are saved')
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack gap="sm" align="flex-start">
        <Textarea
          w="100%"
          label="CODEOWNERS"
          description="Tests get the owners of the last pattern that matches their file, if their report names it."
          placeholder="/src/cart/ @shop/cart"
          autosize
          minRows={4}
          maxRows={16}
          spellCheck={false}
          maxLength={500_000}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
        <ErrorNotice error={save.error} />
        <Button type="submit" loading={save.isPending} disabled={text === content}>
          Save the owners
        </Button>
      </Stack>
    </form>
  )
}
