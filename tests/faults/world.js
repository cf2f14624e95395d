'use strict'
// The real binary on a disk that fails (shim.cc), clients that use it, and a ledger of the answers
// that they received. The ledger never asks the server; check() compares the server with it.

const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const { Raw, grpc } = require('../e2e/lib/clients')
const { BINARY, Server, beeline, temporaryDirectory } = require('../e2e/lib/server')
const { end, process: bpmn, service, start } = require('../e2e/lib/models')
const { pause, until } = require('../e2e/lib/wait')

const SHIM = process.env.BEELINE_FAULTS_SHIM || path.join(path.dirname(BINARY), 'libbeeline_faults.so')

const ORDER = bpmn('order', [start(), service('work', { type: 'work' }), end()])
const straight = (round) => bpmn('straight', [start(), end(`end_${round}`)])

// The codes with which a call may end when the disk or the server fails during it: nothing was
// promised.
const UNPROMISED = new Set([
  grpc.status.UNAVAILABLE,
  grpc.status.CANCELLED,
  grpc.status.INTERNAL,
  grpc.status.UNKNOWN,
  grpc.status.DEADLINE_EXCEEDED,
  grpc.status.RESOURCE_EXHAUSTED,
])

class Ledger {
  constructor() {
    this.instances = new Set() // keys of instances whose creation was acknowledged
    this.completions = new Map() // job key -> instance key, for acknowledged completions
    this.ended = new Set() // instances of those jobs
    this.sent = new Set() // keys of jobs and of their instances whose completion was sent, answered or not
    this.deployments = [] // { key, version }
    this.wrong = []
  }
}

class World {
  constructor({ random, partitions, faults = '' }) {
    this.random = random
    this.ledger = new Ledger()
    this.base = temporaryDirectory()
    this.root = path.join(this.base, 'disk')
    this.socket = path.join(this.base, 'control')
    fs.mkdirSync(this.root)
    if (!fs.existsSync(SHIM)) throw new Error(`${SHIM} is not there; build the target beeline_faults_shim`)
    this.alwaysFaults = faults
    this.server = new Server({
      dataDirectory: path.join(this.root, 'data'),
      partitions,
      // Small segments and frequent checkpoints, so faults happen during both.
      args: ['--segment-size', '1MiB', '--checkpoint-interval', '100ms', '--export-flush-interval', '50ms', '--export-file-size', '256KiB', '--resend-tick', '100ms', '--resend-interval', '200ms', '--resend-interval-max', '1s'],
      env: this.environment(''),
    })
  }

  environment(faults) {
    return {
      LD_PRELOAD: SHIM,
      BEELINE_FAULTS_ROOT: this.root,
      BEELINE_FAULTS_SOCKET: this.socket,
      BEELINE_FAULTS: [this.alwaysFaults, faults].filter(Boolean).join(';'),
    }
  }

  async start() {
    await this.server.start()
    await this.withClient((raw) => raw.call('DeployResource', { resources: [{ name: 'order.bpmn', content: Buffer.from(ORDER) }] }))
  }

  async withClient(body) {
    const raw = new Raw(this.server.address)
    try {
      return await body(raw)
    } finally {
      raw.close()
    }
  }

  // Sends a command to the shim. A process that loses its power does not answer.
  command(line) {
    return new Promise((resolve, reject) => {
      let answer = ''
      const connection = net.createConnection(this.socket)
      connection.on('data', (chunk) => (answer += chunk))
      connection.on('error', () => {})
      connection.on('close', () => {
        if (answer === 'ok\n' || answer === '') resolve(answer)
        else reject(new Error(`${line}: ${answer}`))
      })
      connection.on('connect', () => connection.write(`${line}\n`))
    })
  }

  // Starts again and waits until the server is ready.
  async restart(faults = '') {
    this.server.options.env = this.environment(faults)
    await this.server.restart()
  }

  // Starts a server that must end by itself; returns what it printed, or nothing if the server
  // became ready.
  async refusal() {
    this.server.options.env = this.environment('')
    this.server.log = ''
    this.server.spawn()
    const exited = this.server.exited.then(() => true)
    const ready = until('the server is ready', async () => {
      if (!this.server.alive) return true
      return (await this.server.get('/ready').catch(() => ({}))).status === 200
    }).then(() => !this.server.alive)
    return (await Promise.race([exited, ready])) ? this.server.log : undefined
  }

  verify() {
    return beeline(['verify', '--data', this.server.dataDirectory])
  }

  // Returns the files of the disk whose path (below the root) matches.
  files(pattern) {
    return fs
      .readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath || entry.path, entry.name))
      .filter((name) => pattern.test(name))
      .sort()
  }

  // Runs `body` on a disk that is restored afterwards. The server must not run.
  async onCopy(body) {
    const kept = `${this.root}.kept`
    fs.cpSync(this.root, kept, { recursive: true })
    try {
      return await body()
    } finally {
      if (this.server.alive) await this.server.kill()
      fs.rmSync(this.root, { recursive: true, force: true })
      fs.renameSync(kept, this.root)
    }
  }
}

// Clients at work: they create instances and complete the jobs of some of them.
class Load {
  constructor(world) {
    this.world = world
    this.ledger = world.ledger
    this.heard = 0
    this.refused = 0 // RESOURCE_EXHAUSTED
    this.stopping = false
  }

  async attempt(call) {
    try {
      const answer = await call()
      this.heard += 1
      return answer
    } catch (error) {
      if (!UNPROMISED.has(error.code)) throw error
      if (error.code === grpc.status.RESOURCE_EXHAUSTED) this.refused += 1
      await pause(5)
      return undefined
    }
  }

  async create(raw) {
    const text = 'x'.repeat(Math.floor(this.world.random() * 3000))
    const answer = await this.attempt(() => raw.call('CreateProcessInstance', { bpmnProcessId: 'order', version: -1, variables: JSON.stringify({ text }) }))
    if (!answer) return
    const key = answer.processInstanceKey
    if (this.ledger.instances.has(key)) this.ledger.wrong.push(`instance ${key} was created twice`)
    this.ledger.instances.add(key)
  }

  async work(raw, share) {
    const answer = await this.attempt(() => raw.activate({ type: 'work', maxJobsToActivate: 20, timeout: 1000, requestTimeout: 100 }))
    if (!answer) return
    await Promise.all(answer.jobs.map((job) => (this.world.random() < share ? this.complete(raw, job) : undefined)))
  }

  async complete(raw, job) {
    if (this.ledger.completions.has(job.key)) {
      this.ledger.wrong.push(`job ${job.key} was activated after its completion had been acknowledged`)
    }
    const wasSent = this.ledger.sent.has(job.key)
    this.ledger.sent.add(job.key).add(job.processInstanceKey)
    try {
      if (!(await this.attempt(() => raw.call('CompleteJob', { jobKey: job.key })))) return
      this.ledger.ended.add(job.processInstanceKey)
      this.ledger.completions.set(job.key, job.processInstanceKey)
    } catch (error) {
      if (error.code !== grpc.status.NOT_FOUND) throw error
      if (!wasSent) this.ledger.wrong.push(`job ${job.key} was given out but is not there, and nobody completed it`)
    }
  }

  run({ creators = 2, share = 0.5 } = {}) {
    const loop = async (body) => {
      const raw = new Raw(this.world.server.address)
      try {
        while (!this.stopping) await body(raw)
      } finally {
        raw.close()
      }
    }
    const loops = [loop((raw) => this.work(raw, share))]
    for (let i = 0; i < creators; i++) loops.push(loop((raw) => Promise.all([this.create(raw), this.create(raw), this.create(raw)])))
    this.done = Promise.all(loops)
    // A failing loop must not be an unhandled rejection before somebody awaits it.
    this.done.catch(() => {})
    return this
  }

  // Waits until `heard` calls were answered, at most `millis`.
  async until(heard, millis = 3000) {
    const enough = until('enough was answered', () => this.heard >= heard || !this.world.server.alive, millis).catch(() => {})
    await Promise.race([enough, this.done])
  }

  async stop() {
    this.stopping = true
    await this.done
  }
}

// Returns whether the instance exists.
function isActive(raw, elementInstanceKey) {
  return raw.call('SetVariables', { elementInstanceKey, variables: '{}', local: true }).then(
    () => true,
    (error) => {
      if (error.code !== grpc.status.NOT_FOUND) throw error
      return false
    },
  )
}

// Deploys a process that differs from round to round.
async function deploy(world, round) {
  const content = Buffer.from(straight(round))
  const answer = await world.withClient((raw) => raw.call('DeployResource', { resources: [{ name: 'straight.bpmn', content }] }))
  const { processDefinitionKey, version } = answer.deployments[0].process
  world.ledger.deployments.push({ key: processDefinitionKey, version })
}

// Compares the server with what it acknowledged: everything since `before`, and some of what is
// older.
async function check(world, before) {
  const { ledger, random } = world
  const instances = [...ledger.instances]
  const older = instances.slice(0, before.instances).filter(() => random() * before.instances < 20)
  await world.withClient(async (raw) => {
    await Promise.all(
      [...older, ...instances.slice(before.instances)].map(async (key) => {
        const active = await isActive(raw, key)
        if (active && ledger.ended.has(key)) ledger.wrong.push(`instance ${key} is there, though the completion of its job was acknowledged`)
        if (!active && !ledger.sent.has(key)) ledger.wrong.push(`instance ${key} was acknowledged, but is lost`)
      }),
    )
    await Promise.all(
      [...ledger.completions.keys()].slice(before.completions).map((jobKey) =>
        raw.call('CompleteJob', { jobKey }).then(
          () => ledger.wrong.push(`job ${jobKey} could be completed again`),
          (error) => {
            if (error.code !== grpc.status.NOT_FOUND) throw error
          },
        ),
      ),
    )
    for (const { key, version } of ledger.deployments.slice(before.deployments)) {
      const answer = await raw.call('CreateProcessInstance', { processDefinitionKey: key })
      if (answer.version !== version) ledger.wrong.push(`the deployment with key ${key} has version ${answer.version}, not ${version}`)
    }
  })
}

// Workers continue until every acknowledged instance has ended.
async function finishAll(world) {
  const load = new Load(world).run({ creators: 0, share: 1 })
  const allEnded = world.withClient(async (raw) => {
    for (const key of world.ledger.instances) {
      await until(`instance ${key} ends`, async () => world.ledger.wrong.length > 0 || !(await isActive(raw, key)))
    }
  })
  await Promise.race([allEnded, load.done])
  await load.stop()
  // A distribution that a fault interrupted is sent again.
  await until('every deployment has reached every partition', () => undistributed(world.server.records()) === 0)
}

// Returns how many distributions have begun and not ended.
function undistributed(records) {
  const open = new Set()
  for (const { valueType, intent, key } of records) {
    if (valueType !== 'COMMAND_DISTRIBUTION') continue
    if (intent === 'STARTED') open.add(key)
    if (intent === 'FINISHED') open.delete(key)
  }
  return open.size
}

module.exports = { Load, World, check, deploy, finishAll, grpc }
