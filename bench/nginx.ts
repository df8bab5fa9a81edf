import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bothCores, type RunningServer, startPinned } from './processes.ts'
import { findFreePort } from '../scripts/free-port.ts'

/** Starts nginx with one worker: PUT writes a file into `folder`, GET sends one. */
export async function startNginx(folder: string): Promise<RunningServer> {
  const port = await findFreePort()
  await mkdir(join(folder, 'files'), { recursive: true })
  const configuration = join(folder, 'nginx.conf')
  await writeFile(
    configuration,
    `daemon off; worker_processes 1; user root; pid ${folder}/nginx.pid; error_log stderr crit;
     events { worker_connections 64; }
     http {
       access_log off; sendfile on; client_max_body_size 0; client_body_temp_path ${folder}/files/.part;
       server { listen 127.0.0.1:${port}; root ${folder}/files; location / { dav_methods PUT; } }
     }`,
  )
  return startPinned(`http://127.0.0.1:${port}`, ['nginx', '-c', configuration], { cores: bothCores })
}
