/**
 * Loaded before the server of a bench (`--import`): a server as it would be without the addresses of agents. With
 * `BENCH_KEEP_AGENTS` it has them, and its modules are loaded in the same way, which costs memory too.
 */
import { registerHooks } from 'node:module'

registerHooks({
  load: (url, context, load) =>
    url.endsWith('/agents/routes.ts') && process.env.BENCH_KEEP_AGENTS === undefined
      ? { format: 'module', source: 'export function addAgentRoutes() {}', shortCircuit: true }
      : load(url, context),
})
