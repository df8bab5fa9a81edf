import { RequestError } from '@fairlead/client'
import { Button, Text } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { LockKeyhole, Unplug } from 'lucide-react'
import { useSession } from '../api/session.ts'
import { useDocumentTitle } from './document-title.ts'
import { EmptyState } from './EmptyState.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { ButtonLink } from './links.tsx'
import { MissingScriptError } from './load-script.ts'
import { mayPass } from './may-pass.ts'
import { MissingScript } from './MissingScript.tsx'
import { NotFound } from './NotFound.tsx'
import { roleNames } from './role-names.ts'

/** Replaces a page that could not be loaded. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof RequestError && error.httpStatus === 404) return <NotFound detail={error.detail} />
  if (error instanceof RequestError && error.httpStatus === 403) return <Forbidden />
  if (error instanceof MissingScriptError) return <MissingScript />
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <EmptyState icon={Unplug} title="This page could not be loaded" isPage>
      <ErrorNotice error={error instanceof Error ? error : null} />
      {(!(error instanceof Error) || mayPass(error)) && (
        <Button onClick={retry} variant="default">
          Try again
        </Button>
      )}
    </EmptyState>
  )
}

function Forbidden() {
  const session = useSession()
  useDocumentTitle('Not for your role')
  return (
    <EmptyState icon={LockKeyhole} title="This page is for administrators" isPage>
      <Text c="dimmed">
        {session?.workspace
          ? `In ${session.workspace.name} you are ${roleNames[session.role].toLowerCase()}.`
          : 'Your account is not a member of any workspace.'}
      </Text>
      <ButtonLink to="/applications" variant="default">
        Go to the applications
      </ButtonLink>
    </EmptyState>
  )
}
