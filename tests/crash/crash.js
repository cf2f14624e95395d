'use strict'
// Power failures under load, against the real binary. Each round drives load with several clients,
// kills the server with SIGKILL at a random moment, starts it again on the same data and checks:
//   - every acknowledged deployment can be instantiated, by key and by version;
//   - every acknowledged completion is final: repeating it is NOT_FOUND, the job never comes back;
//   - every acknowledged instance runs to its end: no instance is lost or stuck.
//   - every deployment is made once on every partition, and in the same order.
// At the end the exported records must agree with the ledger (see audit.js).
//
//   node tests/crash/crash.js [--rounds N] [--seed S] [--partitions N]

const { parseArgs } = require('node:util')
const { Raw, grpc } = require('../e2e/lib/clients')
const { Server, beeline } = require('../e2e/lib/server')
const { end, parallel, process: bpmn, service, start } = require('../e2e/lib/models')
const { pause, until } = require('../e2e/lib/wait')
const { audit } = require('./audit')
const { Ledger } = require('./ledger')

const ELEMENTS = ['left', 'right', 'last']
const ORDER = bpmn(
  'order',
  [start(), parallel('fork'), ...ELEMENTS.slice(0, 2).map((id) => service(id, { type: id })), parallel('join'), service('last', { type: 'last' }), end()],
  [['start', 'fork'], ['fork', 'left'], ['fork', 'right'], ['left', 'join'], ['right', 'join'], ['join', 'last'], ['last', 'end']],
)
// A process that runs to its end without waiting, and differs from round to round.
const straight = (round, n) => bpmn('straight', [start(), end(`end_${round}_${n}`)])

// The codes with which a call may fail when the server dies during it.
const LOST = new Set([grpc.status.UNAVAILABLE, grpc.status.CANCELLED, grpc.status.INTERNAL, grpc.status.UNKNOWN, grpc.status.DEADLINE_EXCEEDED])

// A small seeded random generator.
function generator(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

class Load {
  constructor(server, ledger, random, round) {
    Object.assign(this, { server, ledger, random, round })
    this.stopping = false
    this.creating = true
    this.attempts = new Map() // job key -> how often its completion was sent
    this.clients = []
  }

  // A call counts only if it was answered; any error except a lost connection is a failure.
  async attempt(call) {
    try {
      return await call()
    } catch (error) {
      const lost = LOST.has(error.code) && this.stopping
      const busy = error.code === grpc.status.RESOURCE_EXHAUSTED
      if (!lost && !busy) throw error
      return undefined
    }
  }

  async create(client) {
    const answer = await this.attempt(() =>
      client.call('CreateProcessInstance', { bpmnProcessId: 'order', version: -1, variables: `{"n":${Math.floor(this.random() * 1e6)}}` }),
    )
    if (answer) this.ledger.created(answer.processInstanceKey)
  }

  async deploy(client, n) {
    const content = Buffer.from(straight(this.round, n))
    const answer = await this.attempt(() => client.call('DeployResource', { resources: [{ name: 'straight.bpmn', content }] }))
    if (answer) this.ledger.deployed(answer.deployments[0].process)
  }

  async work(client, type) {
    const sentAt = this.ledger.tick()
    const answer = await this.attempt(() =>
      client.activate({ type, maxJobsToActivate: 1 + Math.floor(this.random() * 40), timeout: 1000, requestTimeout: 200 }),
    )
    if (!answer) return
    await Promise.all(
      answer.jobs.map(async (job) => {
        this.ledger.activated(job, sentAt)
        this.attempts.set(job.key, (this.attempts.get(job.key) || 0) + 1)
        try {
          const done = await this.attempt(() => client.call('CompleteJob', { jobKey: job.key, variables: `{"${job.elementId}":true}` }))
          if (done) this.ledger.completed(job)
        } catch (error) {
          if (error.code !== grpc.status.NOT_FOUND) throw error
          this.ledger.notFound(job, this.attempts)
        }
      }),
    )
  }

  // Starts every client; the promise ends when all have stopped.
  run(creators, workersPerType) {
    const loop = async (body) => {
      const client = new Raw(this.server.address)
      this.clients.push(client)
      for (let n = 0; !this.stopping; n++) await body(client, n)
    }
    const loops = []
    for (let i = 0; i < creators; i++) {
      loops.push(loop((client) => (this.creating ? Promise.all([this.create(client), this.create(client), this.create(client)]) : pause(20))))
    }
    if (creators > 0) loops.push(loop((client, n) => (n < 5 ? this.deploy(client, n) : pause(20))))
    for (const type of ELEMENTS) {
      for (let i = 0; i < workersPerType; i++) loops.push(loop((client) => this.work(client, type)))
    }
    this.done = Promise.all(loops).finally(() => {
      for (const client of this.clients) client.close()
    })
    // A failing loop must not be an unhandled rejection before somebody awaits it.
    this.done.catch(() => {})
    return this.done
  }

  async stop() {
    this.stopping = true
    await this.done
  }
}

async function checkAfterRestart(server, ledger, before) {
  const raw = new Raw(server.address)
  try {
    for (const { id, version, key } of ledger.deployments.slice(before.deployments)) {
      const byKey = await raw.call('CreateProcessInstance', { processDefinitionKey: key })
      const byVersion = await raw.call('CreateProcessInstance', { bpmnProcessId: id, version })
      if (byKey.version !== version || byVersion.processDefinitionKey !== key) {
        ledger.wrong.push(`version ${version} of ${id} is not the one that was deployed`)
      }
    }
    const fresh = [...ledger.completions.keys()].slice(before.completions)
    await Promise.all(
      fresh.map((jobKey) =>
        raw.call('CompleteJob', { jobKey }).then(
          () => ledger.wrong.push(`job ${jobKey} could be completed again after the crash`),
          (error) => {
            if (error.code !== grpc.status.NOT_FOUND) throw error
          },
        ),
      ),
    )
  } finally {
    raw.close()
  }
}

// Workers continue until every one of the instances has ended. Only the server knows which have: a
// completion that was sent but not answered before the crash may have been carried out or not.
async function finishAll(server, ledger, random, round, keys) {
  const load = new Load(server, ledger, random, round)
  load.run(0, 1)
  const raw = new Raw(server.address)
  const ended = (elementInstanceKey) =>
    raw.call('SetVariables', { elementInstanceKey, variables: '{}', local: true }).then(
      () => false,
      (error) => {
        if (error.code !== grpc.status.NOT_FOUND) throw error
        return true
      },
    )
  const allEnded = async () => {
    for (const key of keys) await until(`instance ${key} ends`, () => ledger.wrong.length > 0 || ended(key))
  }
  try {
    await Promise.race([allEnded(), load.done])
  } finally {
    await load.stop()
    raw.close()
  }
}

async function playRound(server, ledger, random, round) {
  const before = { deployments: ledger.deployments.length, completions: ledger.completions.size, instances: ledger.instances.size }
  const load = new Load(server, ledger, random, round)
  load.run(3, 1)
  // Waits for a number of answers rather than for a time, so a slow machine is under load too;
  // often the number is small.
  const started = Date.now()
  const heard = ledger.now + Math.floor(random() * random() * 800)
  const enough = until('enough was acknowledged', () => ledger.now >= heard, 4000).catch(() => {})
  await Promise.race([enough.then(() => pause(random() * 15)), load.done])
  const millis = Date.now() - started
  load.stopping = true
  await server.kill()
  await load.done

  // Sometimes the power fails again while the server recovers.
  let again = ''
  if (random() < 0.3) {
    server.spawn()
    const soon = Math.floor(random() * 150)
    await pause(soon)
    await server.kill()
    again = `, again after ${soon} ms of recovery`
  }
  await server.restart()
  await checkAfterRestart(server, ledger, before)
  const fresh = [...ledger.instances].slice(before.instances)
  await finishAll(server, ledger, random, round, fresh)
  return (
    `killed after ${millis} ms${again}: ${ledger.deployments.length - before.deployments} deployments, ` +
    `${fresh.length} instances, ${ledger.completions.size - before.completions} completions acknowledged`
  )
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

async function main() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '20' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      partitions: { type: 'string', default: '1' },
    },
  })
  const seed = Number(values.seed)
  console.log(`seed ${seed} (the load depends on timing too: a seed repeats the choices, not the run)`)
  const random = generator(seed)
  const ledger = new Ledger()
  const count = { passed: 0, failed: 0 }
  // Small segments and frequent checkpoints, so crashes happen during both.
  const server = await Server.start({
    partitions: Number(values.partitions),
    args: ['--segment-size', '1MiB', '--checkpoint-interval', '150ms'],
  })

  const raw = new Raw(server.address)
  await raw.call('DeployResource', { resources: [{ name: 'order.bpmn', content: Buffer.from(ORDER) }] })
  raw.close()

  const step = async (name, body) => {
    let said
    try {
      said = await body()
    } catch (error) {
      ledger.wrong.push(error.stack)
    }
    if (ledger.wrong.length === 0) {
      count.passed += 1
      console.log(`${name}: ok, ${said}`)
    } else {
      count.failed += 1
      console.log(`${name}: FAILED${said ? `, ${said}` : ''}\n  ${ledger.wrong.slice(0, 20).join('\n  ')}`)
      console.log(`--- server log ---\n${server.tail()}\n------------------`)
      ledger.wrong.length = 0
    }
    return server.alive
  }

  for (let round = 1; round <= Number(values.rounds); round++) {
    if (!(await step(`round ${round}`, () => playRound(server, ledger, random, round)))) break
  }
  // A distribution that a crash interrupted is sent again some seconds after the restart.
  await step('distribution', async () => {
    let pending
    for (const end = Date.now() + 60_000; ; await pause(1000)) {
      pending = undistributed(server.records())
      if (pending === 0) return 'every deployment has reached every partition'
      if (Date.now() >= end) break
    }
    ledger.wrong.push(`${pending} deployments have not reached every partition`)
    return undefined
  })
  await step('audit', async () => {
    const exit = await server.stop()
    if (exit.code !== 0) ledger.wrong.push(`the server ended with ${exit.signal || exit.code}`)
    const verified = await beeline(['verify', '--data', server.dataDirectory])
    if (verified.code !== 0) ledger.wrong.push(`verify: ${verified.stdout}${verified.stderr}`)
    return audit(server.records(), ledger)
  })
  console.log(`${count.passed} passed, ${count.failed} failed`)
  process.exit(count.failed === 0 ? 0 : 1)
}

main().catch((error) => {
  console.log(error.stack)
  console.log('0 passed, 1 failed')
  process.exit(1)
})
