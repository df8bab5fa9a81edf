/**
 * The events, forms and states of hooks that the command line knows. They are listed again, because the schemas of the
 * contract would slow every start; the client's types refuse a value that the API does not have.
 */
export const hookFormats = ['standard', 'slack', 'teams', 'discord', 'googleChat', 'feishu', 'mattermost'] as const

export const hookIncludes = ['installLinks', 'texts', 'people'] as const

export const deliveryStates = ['waiting', 'succeeded', 'failed', 'stopped'] as const

export const hookEvents = [
  'build.uploaded',
  'build.distributed',
  'build.deleted',
  'build.restored',
  'symbols.uploaded',
  'install.recorded',
  'feedback.received',
  'crashGroup.created',
  'crashGroup.regressed',
  'crashGroup.spiked',
  'testRun.completed',
  'testRun.verdictChanged',
  'test.becameFlaky',
  'retention.finished',
  'alert.fired',
  'hook.test',
] as const

export type HookEvent = (typeof hookEvents)[number]
export type HookFormat = (typeof hookFormats)[number]
export type HookInclude = (typeof hookIncludes)[number]
export type DeliveryState = (typeof deliveryStates)[number]
