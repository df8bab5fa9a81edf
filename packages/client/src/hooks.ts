import type {
  CreatedHook,
  CreateHook,
  Hook,
  HookDelivery,
  HookDeliveryWithAttempts,
  Redelivered,
  RedeliverHook,
  RotatedHookSecret,
  RotateHookSecret,
  UpdateHook,
} from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'
import { type Paging, requestPage } from './page.ts'

export type DeliveriesQuery = Paging & {
  state?: HookDelivery['state'] | undefined
  type?: HookDelivery['type'] | undefined
}

export function hooksOf(connection: Connection) {
  const { request, send } = connection
  return {
    list: (options?: CallOptions) => request<Hook[]>('GET', '/v1/hooks', options),
    get: (id: number, options?: CallOptions) => request<Hook>('GET', `/v1/hooks/${id}`, options),
    create: (body: CreateHook, options?: CallOptions) =>
      request<CreatedHook>('POST', '/v1/hooks', { body, ...options }),
    update: (id: number, body: UpdateHook, options?: CallOptions) =>
      request<Hook>('PATCH', `/v1/hooks/${id}`, { body, ...options }),
    delete: (id: number, options?: CallOptions) => send('DELETE', `/v1/hooks/${id}`, options),
    /** The only other answer with a secret than that of `create`. */
    rotateSecret: (id: number, body: RotateHookSecret, options?: CallOptions) =>
      request<RotatedHookSecret>('POST', `/v1/hooks/${id}/rotateSecret`, { body, ...options }),
    test: (id: number, options?: CallOptions) => request<HookDelivery>('POST', `/v1/hooks/${id}/test`, options),
    listDeliveries: (id: number, query: DeliveriesQuery, options?: CallOptions) =>
      requestPage<HookDelivery>(connection, `/v1/hooks/${id}/deliveries`, query, options),
    getDelivery: (id: number, options?: CallOptions) =>
      request<HookDeliveryWithAttempts>('GET', `/v1/hookDeliveries/${id}`, options),
    redeliver: (deliveryId: number, options?: CallOptions) =>
      request<HookDelivery>('POST', `/v1/hookDeliveries/${deliveryId}/redeliver`, options),
    /** Sends each event since a time of which no delivery succeeded. */
    redeliverSince: (id: number, body: RedeliverHook, options?: CallOptions) =>
      request<Redelivered>('POST', `/v1/hooks/${id}/redeliver`, { body, ...options }),
  }
}
