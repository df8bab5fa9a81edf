import type { ApiToken, CreateApiToken, CreatedApiToken } from '@fairlead/contract'
import type { Connection } from './connection.ts'

export function apiTokensOf({ request, send }: Connection) {
  return {
    list: () => request<ApiToken[]>('GET', '/v1/apiTokens'),
    create: (body: CreateApiToken) => request<CreatedApiToken>('POST', '/v1/apiTokens', { body }),
    revoke: (id: number) => send('DELETE', `/v1/apiTokens/${id}`),
  }
}
