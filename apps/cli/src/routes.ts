/** All commands by their words. A command is loaded only when it is needed, which keeps the start fast. */
import type { Command } from '@stricli/core'
import type { CliContext } from './context.ts'

type LoadCommand = () => Promise<{ command: Command<CliContext> }>

export interface RouteTree {
  brief: string
  /** The command that runs if only the noun is given. */
  default?: string
  routes: Record<string, LoadCommand | RouteTree>
}

export const routes: RouteTree = {
  brief: 'The command line of Fairlead',
  routes: {
    login: () => import('./commands/login.ts'),
    logout: () => import('./commands/logout.ts'),
    whoami: () => import('./commands/whoami.ts'),
    events: () => import('./commands/events.ts'),
    apps: {
      brief: 'Applications of the workspace',
      default: 'list',
      routes: {
        list: () => import('./commands/apps/list.ts'),
        overview: () => import('./commands/apps/overview.ts'),
        create: () => import('./commands/apps/create.ts'),
        'from-file': () => import('./commands/apps/from-file.ts'),
        rename: () => import('./commands/apps/rename.ts'),
        delete: () => import('./commands/apps/delete.ts'),
      },
    },
    builds: {
      brief: 'Upload, distribute and compare builds',
      routes: {
        upload: () => import('./commands/builds/upload.ts'),
        list: () => import('./commands/builds/list.ts'),
        show: () => import('./commands/builds/show.ts'),
        notes: () => import('./commands/builds/notes.ts'),
        distribute: () => import('./commands/builds/distribute.ts'),
        withdraw: () => import('./commands/builds/withdraw.ts'),
        delete: () => import('./commands/builds/delete.ts'),
        pin: () => import('./commands/builds/pin.ts'),
        unpin: () => import('./commands/builds/unpin.ts'),
        restore: () => import('./commands/builds/restore.ts'),
        download: () => import('./commands/builds/download.ts'),
        diff: () => import('./commands/builds/diff.ts'),
        commits: () => import('./commands/builds/commits.ts'),
      },
    },
    groups: {
      brief: 'Distribution groups',
      default: 'list',
      routes: {
        list: () => import('./commands/groups/list.ts'),
        create: () => import('./commands/groups/create.ts'),
        rename: () => import('./commands/groups/rename.ts'),
        delete: () => import('./commands/groups/delete.ts'),
      },
    },
    links: {
      brief: 'Addresses that always show the newest build',
      default: 'list',
      routes: {
        list: () => import('./commands/links/list.ts'),
        create: () => import('./commands/links/create.ts'),
        extend: () => import('./commands/links/extend.ts'),
        protect: () => import('./commands/links/protect.ts'),
        revoke: () => import('./commands/links/revoke.ts'),
        renew: () => import('./commands/links/renew.ts'),
        delete: () => import('./commands/links/delete.ts'),
        open: () => import('./commands/links/open.ts'),
      },
    },
    devices: {
      brief: 'iPhones and iPads of testers',
      default: 'list',
      routes: {
        list: () => import('./commands/devices/list.ts'),
        export: () => import('./commands/devices/export.ts'),
        rename: () => import('./commands/devices/rename.ts'),
        register: () => import('./commands/devices/register.ts'),
        delete: () => import('./commands/devices/delete.ts'),
        key: {
          brief: 'The key of App Store Connect that devices are registered by',
          default: 'show',
          routes: {
            show: () => import('./commands/devices/key/show.ts'),
            set: () => import('./commands/devices/key/set.ts'),
            delete: () => import('./commands/devices/key/delete.ts'),
          },
        },
      },
    },
    feedback: {
      brief: 'What testers wrote of builds',
      default: 'list',
      routes: {
        list: () => import('./commands/feedback/list.ts'),
        show: () => import('./commands/feedback/show.ts'),
        status: () => import('./commands/feedback/status.ts'),
        delete: () => import('./commands/feedback/delete.ts'),
      },
    },
    hooks: {
      brief: 'Hooks, which tell other systems and chats of events',
      default: 'list',
      routes: {
        list: () => import('./commands/hooks/list.ts'),
        create: () => import('./commands/hooks/create.ts'),
        update: () => import('./commands/hooks/update.ts'),
        test: () => import('./commands/hooks/test.ts'),
        deliveries: () => import('./commands/hooks/deliveries.ts'),
        redeliver: () => import('./commands/hooks/redeliver.ts'),
        rotate: () => import('./commands/hooks/rotate.ts'),
        delete: () => import('./commands/hooks/delete.ts'),
      },
    },
    alerts: {
      brief: 'Alert rules of an application, and what they told of',
      default: 'list',
      routes: {
        list: () => import('./commands/alerts/list.ts'),
        create: () => import('./commands/alerts/create.ts'),
        update: () => import('./commands/alerts/update.ts'),
        delete: () => import('./commands/alerts/delete.ts'),
        fired: () => import('./commands/alerts/fired.ts'),
      },
    },
    retention: {
      brief: 'Rules that remove old builds, and their undoing',
      default: 'show',
      routes: {
        show: () => import('./commands/retention/show.ts'),
        preview: () => import('./commands/retention/preview.ts'),
        set: () => import('./commands/retention/set.ts'),
        run: () => import('./commands/retention/run.ts'),
        runs: () => import('./commands/retention/runs.ts'),
        builds: () => import('./commands/retention/builds.ts'),
        undo: () => import('./commands/retention/undo.ts'),
        trash: () => import('./commands/retention/trash.ts'),
        'empty-trash': () => import('./commands/retention/empty-trash.ts'),
      },
    },
    testers: {
      brief: 'Testers of the workspace and of its groups',
      default: 'list',
      routes: {
        list: () => import('./commands/testers/list.ts'),
        add: () => import('./commands/testers/add.ts'),
        remove: () => import('./commands/testers/remove.ts'),
        status: () => import('./commands/testers/status.ts'),
        remind: () => import('./commands/testers/remind.ts'),
        'renew-link': () => import('./commands/testers/renew-link.ts'),
      },
    },
    tokens: {
      brief: 'API tokens of the workspace',
      default: 'list',
      routes: {
        list: () => import('./commands/tokens/list.ts'),
        create: () => import('./commands/tokens/create.ts'),
        revoke: () => import('./commands/tokens/revoke.ts'),
      },
    },
    members: {
      brief: 'Members of the workspace and their roles',
      default: 'list',
      routes: {
        list: () => import('./commands/members/list.ts'),
        role: () => import('./commands/members/role.ts'),
        remove: () => import('./commands/members/remove.ts'),
        'group-roles': {
          brief: 'Roles that groups of providers give',
          default: 'list',
          routes: {
            list: () => import('./commands/members/group-roles/list.ts'),
            set: () => import('./commands/members/group-roles/set.ts'),
            remove: () => import('./commands/members/group-roles/remove.ts'),
          },
        },
      },
    },
    invitations: {
      brief: 'Open invitations to the workspace',
      default: 'list',
      routes: {
        list: () => import('./commands/invitations/list.ts'),
        create: () => import('./commands/invitations/create.ts'),
        withdraw: () => import('./commands/invitations/withdraw.ts'),
      },
    },
    workspaces: {
      brief: 'The workspace of the token and its settings',
      default: 'show',
      routes: {
        show: () => import('./commands/workspaces/show.ts'),
        update: () => import('./commands/workspaces/update.ts'),
      },
    },
    symbols: {
      brief: 'Symbols, which resolve the frames of crashes',
      routes: {
        upload: () => import('./commands/symbols/upload.ts'),
        list: () => import('./commands/symbols/list.ts'),
        check: () => import('./commands/symbols/check.ts'),
        missing: () => import('./commands/symbols/missing.ts'),
      },
    },
    tests: {
      brief: 'Reports of test runs, and their verdicts',
      routes: {
        run: () => import('./commands/tests/run.ts'),
        upload: () => import('./commands/tests/upload.ts'),
        complete: () => import('./commands/tests/complete.ts'),
        verdict: () => import('./commands/tests/verdict.ts'),
        runs: () => import('./commands/tests/runs.ts'),
        show: () => import('./commands/tests/show.ts'),
        split: () => import('./commands/tests/split.ts'),
        rerun: () => import('./commands/tests/rerun.ts'),
        quarantine: {
          brief: 'Tests whose failures do not fail a run',
          default: 'list',
          routes: {
            list: () => import('./commands/tests/quarantine/list.ts'),
            add: () => import('./commands/tests/quarantine/add.ts'),
            remove: () => import('./commands/tests/quarantine/remove.ts'),
          },
        },
      },
    },
    crashes: {
      brief: 'Crash groups, and the keys that apps send crashes with',
      routes: {
        list: () => import('./commands/crashes/list.ts'),
        show: () => import('./commands/crashes/show.ts'),
        explain: () => import('./commands/crashes/explain.ts'),
        upload: () => import('./commands/crashes/upload.ts'),
        assign: () => import('./commands/crashes/assign.ts'),
        merge: () => import('./commands/crashes/merge.ts'),
        resolve: () => import('./commands/crashes/resolve.ts'),
        ignore: () => import('./commands/crashes/ignore.ts'),
        reopen: () => import('./commands/crashes/reopen.ts'),
        keys: {
          brief: 'The keys that apps send their crashes with',
          default: 'list',
          routes: {
            list: () => import('./commands/crashes/keys/list.ts'),
            create: () => import('./commands/crashes/keys/create.ts'),
            disable: () => import('./commands/crashes/keys/disable.ts'),
            enable: () => import('./commands/crashes/keys/enable.ts'),
          },
        },
      },
    },
    ci: {
      brief: 'What CI tells people about a commit',
      routes: {
        report: () => import('./commands/ci/report.ts'),
      },
    },
    symbolicate: () => import('./commands/symbolicate.ts'),
    retrace: () => import('./commands/retrace.ts'),
    inspect: () => import('./commands/inspect.ts'),
    import: {
      brief: 'Import builds and symbols from another service or a folder',
      routes: {
        appcenter: () => import('./commands/import/appcenter.ts'),
        zealot: () => import('./commands/import/zealot.ts'),
        folder: () => import('./commands/import/folder.ts'),
      },
    },
    api: () => import('./commands/api.ts'),
    open: () => import('./commands/open.ts'),
    completion: () => import('./commands/completion.ts'),
  },
}
