import { RequestError } from '@fairlead/client'
import { Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Unplug } from 'lucide-react'
import { EmptyState } from './EmptyState.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { NotFound } from './NotFound.tsx'

/** Replaces a page that could not be loaded. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof RequestError && error.httpStatus === 404) return <NotFound detail={error.detail} />
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <EmptyState icon={Unplug} title="This page could not be loaded" order={1}>
      <ErrorNotice error={error instanceof Error ? error : null} />
      <Button onClick={retry} variant="default">
        Try again
      </Button>
    </EmptyState>
  )
}
