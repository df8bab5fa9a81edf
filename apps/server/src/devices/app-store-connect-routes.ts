import { AppStoreConnect, SaveAppStoreConnect } from '@fairlead/contract'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { readAppStoreConnect, removeAppStoreConnect, saveAppStoreConnect } from './app-store-connect.ts'

const tags = ['Devices']
const url = '/v1/appStoreConnect'

/** The key by which a workspace registers devices at Apple: administrators only, and nobody is shown the key. */
export function addAppStoreConnectRoutes(app: App, context: AppContext): void {
  app.get(
    url,
    {
      schema: {
        tags,
        summary: 'Say which key of App Store Connect is set',
        operationId: 'getAppStoreConnect',
        errors: ['notFound'],
        response: { 200: AppStoreConnect },
      },
    },
    ({ caller }) => readAppStoreConnect(context, caller.workspaceId),
  )

  app.put(
    url,
    {
      config: { action: 'appStoreConnect.update' },
      schema: {
        tags,
        summary: 'Set the key of App Store Connect, which is tried first',
        operationId: 'saveAppStoreConnect',
        errors: ['appStoreConnectRefused'],
        body: SaveAppStoreConnect,
        response: { 200: AppStoreConnect },
      },
    },
    ({ caller, body }) => saveAppStoreConnect(context, caller, body),
  )

  app.delete(
    url,
    {
      config: { action: 'appStoreConnect.delete' },
      schema: {
        tags,
        summary: 'Delete the key of App Store Connect',
        operationId: 'deleteAppStoreConnect',
        errors: ['notFound'],
        response: { 204: z.undefined() },
      },
    },
    async ({ caller }, reply) => {
      await removeAppStoreConnect(context, caller.workspaceId)
      return reply.code(204).send()
    },
  )
}
