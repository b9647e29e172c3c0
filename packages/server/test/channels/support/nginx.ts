import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@holdpoint/conformance/free-port'

export interface Proxy {
  port: number
  stop(): Promise<void>
}

/** A real nginx in front of a port, as its packages configure it: it buffers what it proxies. */
export async function startNginx(program: string, upstream: number): Promise<Proxy> {
  for (let attempt = 0; ; attempt++) {
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-nginx-'))
    writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, upstream))
    const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], { stdio: 'ignore' })
    const stop = () =>
      new Promise<void>((resolve) => {
        child.once('exit', () => {
          rmSync(folder, { recursive: true, force: true })
          resolve()
        })
        if (child.exitCode !== null) child.emit('exit')
        else child.kill('SIGTERM')
      })
    if (await answers(port)) return { port, stop }
    // Another process took the port between our check and the start of nginx.
    await stop()
    if (attempt === 3) throw new Error('nginx did not start')
  }
}

const configuration = (folder: string, port: number, upstream: number) => `
daemon off;
master_process off;
pid ${folder}/pid;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://127.0.0.1:${upstream}; }
  }
}
`

async function answers(port: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}
