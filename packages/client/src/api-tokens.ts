import type { ApiToken, CreateApiToken, CreatedApiToken } from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'

export function apiTokensOf({ request, send }: Connection) {
  return {
    list: (options?: CallOptions) => request<ApiToken[]>('GET', '/v1/apiTokens', options),
    create: (body: CreateApiToken, options?: CallOptions) =>
      request<CreatedApiToken>('POST', '/v1/apiTokens', { body, ...options }),
    revoke: (id: number, options?: CallOptions) => send('DELETE', `/v1/apiTokens/${id}`, options),
  }
}
