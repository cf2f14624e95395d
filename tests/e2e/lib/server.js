'use strict'
// The real binary, started as a user starts it, with its own data directory and its own ports.

const fs = require('node:fs')
const http = require('node:http')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const { execFile, spawn } = require('node:child_process')
const { DEADLINE_MS, until, within } = require('./wait')

const ROOT = path.resolve(__dirname, '../../..')
const BINARY = process.env.BEELINE_BINARY || path.join(ROOT, 'build/release/beeline')

const scratch = []
function temporaryDirectory() {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'beeline-e2e-'))
  scratch.push(directory)
  return directory
}

const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
  if (process.env.BEELINE_KEEP) return
  for (const directory of scratch) fs.rmSync(directory, { recursive: true, force: true })
})

function freePort() {
  return new Promise((resolve, reject) => {
    const listener = net.createServer()
    listener.once('error', reject)
    listener.listen(0, '127.0.0.1', () => {
      const { port } = listener.address()
      listener.close(() => resolve(port))
    })
  })
}

// Runs the binary to its end; returns { code, stdout, stderr }.
function beeline(args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = execFile(
      BINARY,
      args,
      { timeout: DEADLINE_MS, maxBuffer: 256 * 1024 * 1024, ...options },
      (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') {
          reject(new Error(`beeline ${args.join(' ')} ended by ${error.signal || error.code}\n${stderr}`))
        } else {
          resolve({ code: error ? error.code : 0, stdout, stderr })
        }
      },
    )
    if (options.input !== undefined) child.stdin.end(options.input)
  })
}

class Server {
  constructor(options) {
    this.options = options
    this.dataDirectory = options.dataDirectory || path.join(temporaryDirectory(), 'data')
    this.exportDirectory = `${this.dataDirectory}-export`
    this.log = ''
  }

  // Starts and waits until the server is ready. `args` are further arguments of `beeline serve`.
  static async start(options = {}) {
    const server = new Server(options)
    await server.start()
    return server
  }

  async start() {
    // A free port may be in use before the server binds it; then other ports are tried.
    for (let attempt = 1; ; attempt++) {
      this.grpcPort = this.options.grpcPort || (await freePort())
      this.httpPort = this.options.httpPort || (await freePort())
      this.spawn()
      try {
        await this.ready()
        return
      } catch (error) {
        if (attempt === 5 || !/in use/.test(this.log)) throw error
      }
    }
  }

  spawn() {
    const args = [
      'serve',
      ...['--data', this.dataDirectory],
      ...['--grpc', this.address],
      // `httpHost` is an address to listen on; tests connect to loopback nevertheless.
      ...['--http', `${this.options.httpHost || '127.0.0.1'}:${this.httpPort}`],
      ...['--export-jsonl', this.exportDirectory],
      ...(this.options.partitions ? ['--partitions', String(this.options.partitions)] : []),
      ...(this.options.args || []),
    ]
    this.startedAt = Date.now()
    const child = spawn(BINARY, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...(this.options.env || {}) },
    })
    running.add(child)
    this.child = child
    this.exited = new Promise((resolve) => {
      child.once('error', (error) => {
        this.log += `cannot start ${BINARY}: ${error.message}\n`
        resolve({ code: -1, signal: null })
      })
      child.once('exit', (code, signal) => {
        running.delete(child)
        this.exit = { code, signal }
        resolve(this.exit)
      })
    })
    this.exit = undefined
    const keep = (chunk) => {
      this.log = (this.log + chunk).slice(-4_000_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
  }

  async ready() {
    const gone = this.exited.then(({ code, signal }) => {
      throw new Error(`the server ended (${signal || code}) before it was ready\n${this.log}`)
    })
    gone.catch(() => {})
    const answer = until('the server is ready', async () => {
      const { status } = await this.get('/ready')
      return status === 200
    })
    await Promise.race([answer, gone]).catch((error) => {
      throw new Error(`${error.message}\n${this.log}`)
    })
    this.readyAfterMs = Date.now() - this.startedAt
  }

  get address() {
    return `127.0.0.1:${this.grpcPort}`
  }

  get httpAddress() {
    return `127.0.0.1:${this.httpPort}`
  }

  get alive() {
    return this.exit === undefined
  }

  get(target) {
    return new Promise((resolve, reject) => {
      const request = http.get(
        { host: '127.0.0.1', port: this.httpPort, path: target, agent: false, timeout: 10_000 },
        (response) => {
          let body = ''
          response.on('data', (chunk) => (body += chunk))
          response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }))
          response.on('error', reject)
        },
      )
      request.on('timeout', () => request.destroy(new Error(`no answer to GET ${target}`)))
      request.on('error', reject)
    })
  }

  post(target, body, headers = { 'Content-Type': 'application/json' }) {
    return new Promise((resolve, reject) => {
      const request = http.request(
        {
          host: '127.0.0.1',
          port: this.httpPort,
          path: target,
          method: 'POST',
          agent: false,
          timeout: 30_000,
          headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        },
        (response) => {
          let text = ''
          response.on('data', (chunk) => (text += chunk))
          response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body: text }))
          response.on('error', reject)
        },
      )
      request.on('timeout', () => request.destroy(new Error(`no answer to POST ${target}`)))
      request.on('error', reject)
      request.end(body)
    })
  }

  // Returns the sum of the numbers of /metrics whose line starts with `name`.
  async metric(name) {
    const { body } = await this.get('/metrics')
    let sum
    for (const line of body.split('\n')) {
      const match = /^([a-zA-Z_:]+)(\{[^}]*\})? ([^ ]+)/.exec(line)
      if (match && match[1] === name) sum = (sum || 0) + Number(match[3])
    }
    return sum
  }

  // Ends the process at once: nothing is flushed.
  async kill() {
    this.child.kill('SIGKILL')
    return this.exited
  }

  // Asks the server to stop and waits until it has; returns { code, signal }.
  async stop() {
    if (!this.alive) return this.exit
    this.child.kill('SIGTERM')
    return within('the server stops', this.exited)
  }

  // Starts again on the same data and the same ports.
  async restart() {
    this.spawn()
    await this.ready()
  }

  // Returns every record exported so far, oldest first.
  records() {
    if (!fs.existsSync(this.exportDirectory)) return []
    const records = []
    for (const name of fs.readdirSync(this.exportDirectory).sort()) {
      if (!name.endsWith('.jsonl')) continue
      const text = fs.readFileSync(path.join(this.exportDirectory, name), 'utf8')
      // The last line may be half written.
      for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
        if (line) records.push(JSON.parse(line))
      }
    }
    return records
  }

  // Returns the first exported record that `matches`, as soon as there is one.
  record(what, matches) {
    return until(what, () => this.records().find(matches))
  }

  // Returns the end of the log, for a test that failed.
  tail(lines = 60) {
    return this.log.split('\n').slice(-lines).join('\n')
  }
}

module.exports = { BINARY, ROOT, Server, beeline, freePort, temporaryDirectory }
