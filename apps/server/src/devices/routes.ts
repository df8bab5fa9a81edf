import { Device, DeviceOfBuild, ExportDevices, Page, UpdateDevice } from '@fairlead/contract'
import { z } from 'zod'
import { requireBuild } from '../builds/find.ts'
import { keepBuild } from '../builds/keep-build.ts'
import type { AppContext } from '../context.ts'
import { requireGroup } from '../distribution-groups/find.ts'
import type { App } from '../http/app.ts'
import { checkExists } from '../http/check-exists.ts'
import { cutPage, sendPage } from '../http/paging.ts'
import { PathId } from '../http/path-id.ts'
import { requireTester } from '../testers/find.ts'
import { listDevicesOfBuild } from './build-devices.ts'
import { type DeviceRecord, toDevice } from './device.ts'
import { exportDevices } from './export.ts'
import { requireDevice } from './find.ts'
import { registerDevice } from './register.ts'
import { removeDevice, renameDevice } from './save.ts'
import { listDeviceRecords } from './store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The device in the path, which a hook has read. */
    device: DeviceRecord
  }
}

const params = z.object({ deviceId: PathId })
const tags = ['Devices']

/** A UDID is personal, so viewers see no devices. */
export function addDeviceRoutes(app: App, context: AppContext): void {
  const { db, config } = context
  const keepDevice = checkExists(
    'deviceId',
    (workspaceId, id) => requireDevice(context, workspaceId, id),
    (request, device) => {
      request.device = device
    },
  )

  app.get(
    '/v1/devices',
    {
      config: { role: 'developer' },
      schema: { tags, summary: 'List the devices of testers', querystring: Page, response: { 200: z.array(Device) } },
    },
    async (request, reply) => {
      const rows = await listDeviceRecords(db, request.caller.workspaceId)
      const page = cutPage(rows, request.query, ({ id }) => id)
      return sendPage(request, reply, config.baseUrl, page).map(toDevice)
    },
  )

  app.get(
    '/v1/devices/export',
    {
      config: { role: 'developer', action: 'device.export' },
      schema: {
        tags,
        summary: 'Export devices as the list that Apple takes',
        operationId: 'exportDevices',
        text: 'text/plain',
        errors: ['buildNotFound', 'distributionGroupNotFound'],
        querystring: ExportDevices,
      },
    },
    async ({ caller: { workspaceId }, query: { missingIn: buildId, distributionGroupId: groupId } }, reply) => {
      const missingIn = buildId === undefined ? undefined : await requireBuild(context, workspaceId, buildId)
      const group = groupId === undefined ? undefined : await requireGroup(context, workspaceId, groupId)
      return reply
        .type('text/plain; charset=utf-8')
        .header('content-disposition', 'attachment; filename="devices.txt"')
        .send(await exportDevices(context, workspaceId, { missingIn, group }))
    },
  )

  app.get(
    '/v1/testers/:testerId/devices',
    {
      config: { role: 'developer' },
      schema: {
        tags,
        summary: 'List the devices of a tester',
        operationId: 'listDevicesOfTester',
        errors: ['testerNotFound'],
        params: z.object({ testerId: PathId }),
        querystring: Page,
        response: { 200: z.array(Device) },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.caller
      const tester = await requireTester(context, workspaceId, request.params.testerId)
      const rows = await listDeviceRecords(db, workspaceId, { testerId: tester.id })
      const page = cutPage(rows, request.query, ({ id }) => id)
      return sendPage(request, reply, config.baseUrl, page).map(toDevice)
    },
  )

  app.get(
    '/v1/builds/:buildId/devices',
    {
      config: { role: 'developer' },
      onRequest: keepBuild(context),
      schema: {
        tags,
        summary: 'Say which devices the profile of a build lists',
        operationId: 'listDevicesOfBuild',
        errors: ['buildNotFound'],
        params: z.object({ buildId: PathId }),
        querystring: Page,
        response: { 200: z.array(DeviceOfBuild) },
      },
    },
    async (request, reply) => {
      const page = cutPage(await listDevicesOfBuild(context, request.build), request.query, (one) => one.deviceId)
      return sendPage(request, reply, config.baseUrl, page)
    },
  )

  app.patch(
    '/v1/devices/:deviceId',
    {
      config: { role: 'developer', action: 'device.update' },
      onRequest: keepDevice,
      schema: {
        tags,
        summary: 'Rename a device',
        operationId: 'updateDevice',
        errors: ['deviceNotFound'],
        params,
        body: UpdateDevice,
        response: { 200: Device },
      },
    },
    ({ device, body }) => renameDevice(context, device, body.name),
  )

  app.delete(
    '/v1/devices/:deviceId',
    {
      config: { role: 'admin', action: 'device.delete' },
      schema: {
        tags,
        summary: 'Delete a device',
        errors: ['deviceNotFound'],
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await removeDevice(context, request.caller.workspaceId, request.params.deviceId)
      return reply.code(204).send()
    },
  )

  app.post(
    '/v1/devices/:deviceId/register',
    {
      config: { role: 'admin', action: 'device.register' },
      onRequest: keepDevice,
      schema: {
        tags,
        summary: 'Register a device at Apple',
        operationId: 'registerDevice',
        errors: ['deviceNotFound', 'noAppStoreConnect'],
        params,
        response: { 202: Device },
      },
    },
    async ({ caller, device }, reply) =>
      reply.code(202).send(await registerDevice(context, caller.workspaceId, device)),
  )
}
