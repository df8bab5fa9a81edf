import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const installLinkQuery = (buildId: number) =>
  queryOptions({
    queryKey: ['builds', buildId, 'install-link'],
    queryFn: () => client.security.getInstallLink(buildId),
  })
