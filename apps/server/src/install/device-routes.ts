import { ApiError } from '@fairlead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { createDeviceProfile } from '../devices/profile.ts'
import { receiveDevice, requireChallenge } from '../devices/receive.ts'
import type { App } from '../http/app.ts'
import { findTesterOfLink, findTesterOfPage, type LinkedTesterRecord } from '../testers/find.ts'
import { chooseLanguage } from './language.ts'
import { requireLinkedBuild } from './linked-build.ts'
import { toShownText } from './shown-text.ts'

/** A message of a device is about 5 KiB. */
const messageLimit = 64 * 1024

const ofPage = z.object({ personal: z.string() })
const ofLink = z.object({ secret: z.string(), tester: z.string() })
const ofChallenge = z.object({ challenge: z.string() })

/**
 * Adds the addresses by which a tester's iPhone tells its UDID: the profile that asks for it, and the address that the
 * device sends its answer to.
 */
export function addDeviceAddresses(app: App, context: AppContext): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: messageLimit }, (_request, body, done) =>
    done(null, body),
  )

  const sendProfile = (request: FastifyRequest, reply: FastifyReply, tester: LinkedTesterRecord) => {
    const { title, text } = chooseLanguage(request.headers).words.devices.profile
    const organization = toShownText(tester.workspace_name)
    const profile = createDeviceProfile(context, tester, { name: title, organization, description: text })
    return reply
      .type('application/x-apple-aspen-config')
      .header('content-disposition', 'attachment; filename="device.mobileconfig"')
      .header('cache-control', 'no-store')
      .send(profile)
  }

  const pageSchema = { hide: true, params: ofPage }
  app.get('/testers/:personal/device.mobileconfig', { schema: pageSchema }, async (request, reply) => {
    const tester = await findTesterOfPage(context, request.params.personal)
    if (!tester) throw new ApiError('testerPageNotFound')
    return sendProfile(request, reply, tester)
  })

  const linkSchema = { hide: true, params: ofLink }
  app.get('/install/:secret/for/:tester/device.mobileconfig', { schema: linkSchema }, async (request, reply) => {
    const build = await requireLinkedBuild(context, request.params.secret)
    const tester = await findTesterOfLink(context, build, request.params.tester)
    if (!tester) throw new ApiError('installLinkNotFound')
    return sendProfile(request, reply, tester)
  })

  app.post(
    '/devices/:challenge',
    {
      bodyLimit: messageLimit,
      // The verb records it, as the tester's action.
      config: { action: null },
      schema: { hide: true, params: ofChallenge },
      async onRequest(request) {
        const { challenge } = ofChallenge.parse(request.params)
        await requireChallenge(context, challenge)
      },
    },
    async (request, reply) => {
      const message = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const { challenge } = request.params
      const url = await receiveDevice(context, challenge, { message, address: request.ip })
      // iOS opens the page after this status only, and says of any other that the installation has failed.
      return reply.header('cache-control', 'no-store').redirect(url, 301)
    },
  )
}
