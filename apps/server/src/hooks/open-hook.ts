import type { Config } from '../config.ts'
import { decryptSecret } from '../secrets/encrypt.ts'
import type { HookRow } from './store.ts'

/** A hook whose address and secrets can be read. */
export interface OpenHook extends Omit<HookRow, 'url' | 'secret' | 'old_secret' | 'feishu_secret'> {
  url: string
  secret: string
  old_secret: string | null
  feishu_secret: string | null
}

/** @throws {UnreadableSecretError} */
export function openHook(config: Pick<Config, 'secretsKeys'>, row: HookRow): OpenHook {
  const { old_secret: old, feishu_secret: feishu } = row
  return {
    ...row,
    url: decryptSecret(config, 'hooks.url', row.url),
    secret: decryptSecret(config, 'hooks.secret', row.secret),
    old_secret: old === null ? null : decryptSecret(config, 'hooks.old_secret', old),
    feishu_secret: feishu === null ? null : decryptSecret(config, 'hooks.feishu_secret', feishu),
  }
}
