import type { LoginRequest, Session } from '@fairlead/contract'
import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { client } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Facts } from '../ui/Facts.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Panel } from '../ui/Panel.tsx'
import { roleNames, roles } from '../ui/role-names.ts'
import { When } from '../ui/When.tsx'

const route = getRouteApi('/shell/login')

type Membership = Session['workspaces'][number]

const dayMs = 24 * 60 * 60 * 1000

const lifetimes = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: '', label: 'Never' },
]

/** Lets a person approve or refuse the login of a command line, by the code that it shows. */
export function LoginPage() {
  const { code: given } = route.useSearch()
  const session = useSession()
  const [code, setCode] = useState(given)
  const find = useMutation({ mutationFn: (userCode: string) => client.logins.find({ userCode }) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    find.mutate(code)
  }
  return (
    <>
      <PageHeader
        title="Log in a command line"
        description="fairlead login --web shows a code in a terminal. Approve only the code of your own terminal."
      />
      {find.data && session?.workspace ? (
        <Decision code={code} login={find.data} workspaces={session.workspaces} first={session.workspace} />
      ) : (
        <Panel title="Which code does the terminal show?">
          <form onSubmit={submit}>
            <Stack maw="24rem">
              <TextInput
                label="Code"
                required
                maxLength={40}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
              />
              <ErrorNotice error={find.error} />
              <Group>
                <Button type="submit" loading={find.isPending}>
                  Continue
                </Button>
              </Group>
            </Stack>
          </form>
        </Panel>
      )}
    </>
  )
}

interface DecisionProps {
  code: string
  login: LoginRequest
  workspaces: Membership[]
  first: Membership
}

function Decision({ code, login, workspaces, first }: DecisionProps) {
  const [workspaceId, setWorkspaceId] = useState(first.id)
  const [wanted, setWanted] = useState(first.role)
  const [days, setDays] = useState('90')
  const own = workspaces.find(({ id }) => id === workspaceId)?.role ?? 'viewer'
  const allowed = roles.slice(0, roles.indexOf(own) + 1)
  const role = allowed.includes(wanted) ? wanted : own
  const approve = useMutation({
    mutationFn: () =>
      client.logins.approve({
        userCode: code,
        workspaceId,
        role,
        expirationDate: days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString(),
      }),
  })
  const refuse = useMutation({ mutationFn: () => client.logins.refuse({ userCode: code }) })
  if (approve.isSuccess) {
    return (
      <Panel title="Approved">
        <Text role="status">
          The terminal on {login.name} goes on within a few seconds. You can close this page. The token is under API
          tokens, where an administrator can revoke it; fairlead logout ends it, too.
        </Text>
      </Panel>
    )
  }
  if (refuse.isSuccess) {
    return (
      <Panel title="Refused">
        <Text role="status">The terminal on {login.name} gets no token.</Text>
      </Panel>
    )
  }
  return (
    <Panel title="Is this your terminal?">
      <Stack>
        <Facts
          facts={[
            ['Code', code.toUpperCase()],
            ['Computer', login.name],
            ['Address', login.address],
            ['Program', login.userAgent],
            ['Asked', <When key="asked" date={login.createdDate} />],
          ]}
        />
        <Alert icon={<TriangleAlert size={18} />} title="Did somebody send you this code or link?">
          Then refuse it: whoever asked would get into your workspace in your name. The computer states its name itself.
        </Alert>
        <NativeSelect
          label="Workspace"
          data={workspaces.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(workspaceId)}
          onChange={(event) => setWorkspaceId(Number(event.currentTarget.value))}
        />
        <NativeSelect
          label="Role"
          data={allowed.map((one) => ({ value: one, label: roleNames[one] }))}
          value={role}
          onChange={(event) => {
            const chosen = allowed.find((one) => one === event.currentTarget.value)
            if (chosen) setWanted(chosen)
          }}
        />
        <NativeSelect
          label="Expires"
          data={lifetimes}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <ErrorNotice error={approve.error ?? refuse.error} />
        <Group>
          <Button loading={approve.isPending} disabled={refuse.isPending} onClick={() => approve.mutate()}>
            Approve
          </Button>
          <Button
            variant="default"
            loading={refuse.isPending}
            disabled={approve.isPending}
            onClick={() => refuse.mutate()}
          >
            Refuse
          </Button>
        </Group>
      </Stack>
    </Panel>
  )
}
