import type { Client } from '@fairlead/client'
import { CliError } from '../cli-error.ts'
import type { Io } from '../io.ts'

export type Application = Awaited<ReturnType<Client['applications']['list']>>[number]

/** Finds the application with this alias. Throws `notFound` with the existing aliases. */
export async function requireApplication(io: Io, client: Client, alias: string): Promise<Application> {
  const applications = await client.applications.list({ signal: io.signal })
  return chooseByAlias(applications, alias)
}

function chooseByAlias(applications: readonly Application[], alias: string): Application {
  const application = applications.find((one) => one.alias === alias)
  if (application) return application
  const aliases = applications.map((one) => one.alias)
  throw new CliError('notFound', `No application has the alias "${alias}"`, {
    fix:
      aliases.length === 0
        ? 'Make one: fairlead apps create'
        : `The workspace has: ${listSome(aliases)}. Another one is made by "fairlead apps create".`,
  })
}

/** Finds the application by alias, or without one the only application with this identifier and platform. */
export function chooseApplication(
  applications: readonly Application[],
  alias: string | undefined,
  app: { platform: string; bundleIdentifier: string },
): Application {
  if (alias !== undefined) return chooseByAlias(applications, alias)
  const suiting = applications.find(
    (one) => one.bundleIdentifier === app.bundleIdentifier && one.platform === app.platform,
  )
  if (suiting) return suiting
  throw new CliError('usage', `No application has the identifier ${app.bundleIdentifier} yet`, {
    fix: `Say which one the build is for: --app ${listSome(applications.map((one) => one.alias)) || 'ALIAS'}`,
  })
}

/** Joins the first 20 names and adds the number of the others. */
export function listSome(names: readonly string[]): string {
  const shown = names.slice(0, 20).join(', ')
  return names.length > 20 ? `${shown} and ${names.length - 20} more` : shown
}
