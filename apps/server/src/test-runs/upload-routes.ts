import { TestReport } from '@fairlead/contract'
import type { AppContext } from '../context.ts'
import type { App } from '../http/app.ts'
import { continueUpload } from '../http/continue-upload.ts'
import { createHangUpSignal } from '../http/hang-up-signal.ts'
import { readReportHeaders } from '../test-results/report-headers.ts'
import { maxReportBytes, uploadTestReport } from './upload.ts'

/** Registered in the scope without body parsers, because the verb streams the body. */
export function addTestReportUploadRoutes(app: App, context: AppContext): void {
  const maxBytes = Math.min(context.config.maxUploadBytes, maxReportBytes)
  app.post(
    '/v1/testReports',
    {
      config: {
        role: 'developer',
        action: 'testReport.upload',
        takes: {
          types: ['application/xml', 'application/json', 'application/zip', 'application/octet-stream'],
          description: 'One test report, or a zip, tar or tar.gz of many; the bytes decide which',
          headers: {
            'X-Service-Application-Alias': {
              required: true,
              description: 'Alias of the target application',
              example: 'lighthouse',
            },
            'X-Service-Branch': { description: 'Branch that was tested', example: 'main' },
            'X-Service-Commit': {
              description: 'Commit that was tested',
              example: '9c1e0f4b7d2a6853e1f0c9b8a7d6e5f4c3b2a190',
            },
            'X-Service-Base-Commit': {
              description: 'Commit whose run this one is compared with',
              example: '4e2d7c1b0a9f8e6d5c4b3a291807f6e5d4c3b2a1',
            },
            'X-Service-CI-Url': {
              description: 'Link to the CI job',
              example: 'https://ci.example.com/lighthouse/runs/9317',
            },
            'X-Service-Run-Key': { description: 'Uploads with equal keys belong to one run', example: 'ci-9317' },
            'X-Service-Run-Attempt': { description: 'Number of the attempt of the run, from 1', example: '1' },
            'X-Service-Shard': { description: 'Which part of the run this is: `2/4`', example: '1/2' },
            'X-Service-Suite': { description: 'Replaces the suites that the reports name', example: 'androidTest' },
            'X-Service-Build-Id': { description: 'Build that was tested', example: '412' },
            'X-Service-Skip-Broken': {
              description: '`true` keeps the other files when one is broken',
              example: 'true',
            },
          },
        },
      },
      schema: {
        tags: ['Test runs'],
        summary: 'Upload test reports',
        errors: [
          'aliasNotFound',
          'unreadableTestReport',
          'unknownBuild',
          'quotaExceeded',
          'idempotencyMismatch',
          'tooManyRequests',
          'overloaded',
          'insufficientStorage',
        ],
        response: { 201: TestReport },
      },
    },
    async (request, reply) => {
      const report = await uploadTestReport(context, request.caller, {
        ...readReportHeaders(request.headers),
        body: continueUpload(request, reply, maxBytes),
        maxBytes,
        signal: createHangUpSignal(reply),
      })
      return reply.code(201).send(report)
    },
  )
}
