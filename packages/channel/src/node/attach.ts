import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openSession, type ConnectOptions } from './session.ts'
import type { TestedApp } from './tested-app.ts'

/** Variables for the launch of an app. */
export interface LaunchEnvironment {
  /** To add to the environment of the app: `processArguments.env` of Appium, `env` of a WebdriverIO service. */
  readonly env: Readonly<Record<string, string>>
  /** The same for tools that pass them on through simctl, such as Detox: to add to the environment of the tool. */
  readonly simulatorEnv: Readonly<Record<string, string>>
}

/**
 * Lets another tool launch an app and connects to it.
 *
 * @throws XPCError `timeout`, `connectionLost` or `protocol`, and whatever `launch` throws.
 */
export async function attach(
  launch: (environment: LaunchEnvironment) => unknown,
  options: ConnectOptions = {},
): Promise<TestedApp> {
  using session = openSession()
  const { env } = session
  // simctl gives the app the variables of its own environment that begin so, without the prefix.
  const simulatorEnv = Object.fromEntries(Object.entries(env).map(([name, value]) => [`SIMCTL_CHILD_${name}`, value]))
  await launch({ env, simulatorEnv })
  return await session.connect(options)
}

export interface SimulatorOptions extends ConnectOptions {
  readonly bundleIdentifier: string
  /** Identifier of the simulator; by default the one that is booted. */
  readonly device?: string | undefined
  /** Arguments of the app. */
  readonly args?: readonly string[] | undefined
}

/** Launches an app that is installed in the Simulator, by `xcrun simctl launch`, and connects to it. */
export async function attachSimulator(options: SimulatorOptions): Promise<TestedApp> {
  const { bundleIdentifier, device = 'booted', args = [] } = options
  return await attach(async ({ simulatorEnv }) => {
    const command = ['simctl', 'launch', '--terminate-running-process', device, bundleIdentifier, ...args]
    await promisify(execFile)('xcrun', command, { env: { ...process.env, ...simulatorEnv } })
  }, options)
}
