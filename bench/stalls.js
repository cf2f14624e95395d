'use strict'
// Measures how long an innocent client waits while another client causes load. The first client
// creates small instances, one after the other; the second client does one thing that costs the
// partition much. Prints the longest wait of the first client for each of these things.
//
//   node bench/stalls.js [name...]       `./dev bench stalls` builds and installs what it needs

const { Raw } = require('../tests/e2e/lib/clients')
const { Server } = require('../tests/e2e/lib/server')
const { catching, definitions, oneTask } = require('../tests/e2e/lib/models')
const { pause, until } = require('../tests/e2e/lib/wait')

const REACH_MS = 300
// Of a signal, which is delivered in small steps, less is wanted.
const REACH_OF_SIGNAL_MS = 100

const flow = (from, to) => `<bpmn:sequenceFlow id="${from}_${to}" sourceRef="${from}" targetRef="${to}" />`
const processOf = (id, body) => definitions(`<bpmn:process id="${id}" isExecutable="true">${body}</bpmn:process>`)

const spinner = processOf(
  'spinner',
  '<bpmn:startEvent id="start" /><bpmn:exclusiveGateway id="in" /><bpmn:exclusiveGateway id="out" default="out_in" />' +
    `<bpmn:endEvent id="end" />${flow('start', 'in')}${flow('in', 'out')}${flow('out', 'in')}` +
    '<bpmn:sequenceFlow id="out_end" sourceRef="out" targetRef="end"><bpmn:conditionExpression>=done</bpmn:conditionExpression></bpmn:sequenceFlow>',
)
const script = (id, expression) =>
  processOf(
    id,
    '<bpmn:startEvent id="start" /><bpmn:scriptTask id="work"><bpmn:extensionElements>' +
      `<zeebe:script expression="${expression}" resultVariable="result" /></bpmn:extensionElements></bpmn:scriptTask>` +
      `<bpmn:endEvent id="end" />${flow('start', 'work')}${flow('work', 'end')}`,
  )
const napping = processOf(
  'napping',
  '<bpmn:startEvent id="start" /><bpmn:intermediateCatchEvent id="nap"><bpmn:timerEventDefinition>' +
    '<bpmn:timeDate>=at</bpmn:timeDate></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>' +
    `<bpmn:endEvent id="end" />${flow('start', 'nap')}${flow('nap', 'end')}`,
)

const listening = definitions(
  '<bpmn:process id="listening" isExecutable="true"><bpmn:startEvent id="start" /><bpmn:intermediateCatchEvent id="hear">' +
    '<bpmn:signalEventDefinition signalRef="go" /></bpmn:intermediateCatchEvent>' +
    `<bpmn:endEvent id="end" />${flow('start', 'hear')}${flow('hear', 'end')}</bpmn:process><bpmn:signal id="go" name="go" />`,
)

class Bench {
  constructor(server) {
    this.server = server
    this.other = new Raw(server.address)
  }

  deploy(name, content) {
    return this.other.call('DeployResource', { resources: [{ name, content: Buffer.from(content) }] })
  }

  create(bpmnProcessId, variables = {}) {
    return this.other.call('CreateProcessInstance', { bpmnProcessId, version: -1, variables: JSON.stringify(variables) })
  }

  async active() {
    const { body } = await this.server.get('/metrics')
    return Number(/^beeline_instances_active\S* (\d+)/m.exec(body)[1])
  }

  // Returns the longest wait of the innocent client in milliseconds, from the beginning of `body`
  // to its end.
  async longestWait(body) {
    const raw = new Raw(this.server.address)
    const create = () => raw.call('CreateProcessInstance', { bpmnProcessId: 'innocent', version: -1 })
    for (let i = 0; i < 50; i++) await create()
    let longest = 0
    let over = false
    const innocent = (async () => {
      while (!over) {
        const began = process.hrtime.bigint()
        await create()
        longest = Math.max(longest, Number(process.hrtime.bigint() - began) / 1e6)
        await pause(2)
      }
    })()
    try {
      await body()
    } finally {
      over = true
    }
    await innocent
    raw.close()
    return longest
  }
}

const THINGS = {
  'a model spins': async (bench) => {
    await bench.deploy('spinner.bpmn', spinner)
    return bench.longestWait(async () => {
      const { processInstanceKey } = await bench.create('spinner', { done: false })
      await pause(3000)
      await bench.other.call('CancelProcessInstance', { processInstanceKey })
    })
  },

  // The worst expression of `./dev bench budget` takes about as long.
  'an expression uses its whole budget': async (bench) => {
    await bench.deploy('long.bpmn', script('long', '=count(for i in 1..3000, j in 1..3000 return i * j)'))
    await bench.deploy('regex.bpmn', script('regex', '=matches(text, &quot;(a*)*b&quot;)'))
    const text = 'a'.repeat(200_000)
    return bench.longestWait(async () => {
      for (let i = 0; i < 5; i++) {
        await bench.create('long')
        await bench.create('regex', { text })
      }
    })
  },

  '100,000 timers are due': async (bench) => {
    const count = 100_000
    await bench.deploy('napping.bpmn', napping)
    const before = await bench.active()
    const at = new Date(Date.now() + 40_000)
    for (let made = 0; made < count; made += 1000) {
      await Promise.all(Array.from({ length: 1000 }, () => bench.create('napping', { at: at.toISOString() })))
    }
    const left = at - Date.now()
    if (left < 0) throw new Error(`the timers were due ${-left} ms before all were made`)
    await pause(left - 500)
    return bench.longestWait(() => until('the timers have fired', async () => (await bench.active()) < before + count / 10, 120_000))
  },

  '100,000 instances receive a signal': async (bench) => {
    const count = 100_000
    await bench.deploy('listening.bpmn', listening)
    const before = await bench.active()
    for (let made = 0; made < count; made += 1000) {
      await Promise.all(Array.from({ length: 1000 }, () => bench.create('listening')))
    }
    return bench.longestWait(async () => {
      await bench.other.call('BroadcastSignal', { signalName: 'go' })
      await until('the instances have ended', async () => (await bench.active()) < before + count / 10, 120_000)
    })
  },

  '30 processes take a message of 3 MB': async (bench) => {
    const processes = 30
    for (let i = 0; i < processes; i++) {
      await bench.deploy(`c${i}.bpmn`, catching(`c${i}`, `t${i}`, 'news'))
      await bench.create(`c${i}`, { order: 'o-1' })
    }
    const variables = JSON.stringify({ text: 'x'.repeat(3_000_000) })
    return bench.longestWait(async () => {
      await bench.other.call('PublishMessage', { name: 'news', correlationKey: 'o-1', timeToLive: 0, variables })
      await pause(2000)
    })
  },

  'one command brings 10,000 variables': async (bench) => {
    await bench.deploy('many.bpmn', oneTask('many', 'many-work'))
    const variables = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`v${i}`, i]))
    return bench.longestWait(async () => {
      for (let i = 0; i < 5; i++) await bench.create('many', variables)
      await pause(500)
    })
  },
}

async function main() {
  const names = process.argv.slice(2)
  let isReached = true
  for (const [name, measure] of Object.entries(THINGS)) {
    if (names.length > 0 && !names.some((part) => name.includes(part))) continue
    const server = new Server({ partitions: 1 })
    await server.start()
    const bench = new Bench(server)
    try {
      await bench.deploy('innocent.bpmn', oneTask('innocent', 'innocent-work'))
      const longest = await measure(bench)
      const reach = name.includes('signal') ? REACH_OF_SIGNAL_MS : REACH_MS
      isReached = isReached && longest <= reach
      console.log(`longest wait while ${name}`.padEnd(59) + `${longest.toFixed(0)} ms`.padStart(14) + `   <= ${reach} ms`)
    } finally {
      bench.other.close()
      await server.stop()
    }
  }
  process.exit(isReached ? 0 : 1)
}

main().catch((error) => {
  console.error(error.stack)
  process.exit(2)
})
