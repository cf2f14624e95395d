'use strict'
// Messages and timers over three partitions, with power failures in between: what was acknowledged
// happens, and happens once.
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { Clients, grpc, refused } = require('./lib/clients')
const { catching, definitions, started } = require('./lib/models')
const { unique, until } = require('./lib/wait')

const PARTITIONS = 3
const partitionOf = (key) => Number(BigInt(key) >> 51n)

const task = (id, type) =>
  `<bpmn:serviceTask id="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="${type}" />` +
  '</bpmn:extensionElements></bpmn:serviceTask>'
const flow = (from, to) => `<bpmn:sequenceFlow id="${from}_${to}" sourceRef="${from}" targetRef="${to}" />`
const timer = (kind, text) => `<bpmn:timerEventDefinition><bpmn:${kind}>${text}</bpmn:${kind}></bpmn:timerEventDefinition>`
const process = (id, body) => `<bpmn:process id="${id}" isExecutable="true">${body}</bpmn:process>`

// start, a duration, one task, end
const sleeping = (id, type, duration) =>
  definitions(
    process(
      id,
      `<bpmn:startEvent id="start" /><bpmn:intermediateCatchEvent id="nap">${timer('timeDuration', duration)}` +
        `</bpmn:intermediateCatchEvent>${task('work', type)}<bpmn:endEvent id="end" />` +
        `${flow('start', 'nap')}${flow('nap', 'work')}${flow('work', 'end')}`,
    ),
  )
// A process with one task, and a timer on it that starts a reminder task repeatedly.
const reminded = (id, type, reminder, cycle) =>
  definitions(
    process(
      id,
      `<bpmn:startEvent id="start" />${task('work', type)}<bpmn:endEvent id="end" />` +
        `<bpmn:boundaryEvent id="remind" attachedToRef="work" cancelActivity="false">${timer('timeCycle', cycle)}` +
        `</bpmn:boundaryEvent>${task('noted', reminder)}${flow('start', 'work')}${flow('work', 'end')}${flow('remind', 'noted')}`,
    ),
  )
// started by a timer, one task, end
const startedByTimer = (id, type, cycle) =>
  definitions(
    process(
      id,
      `<bpmn:startEvent id="start">${timer('timeCycle', cycle)}</bpmn:startEvent>` +
        `${task('work', type)}<bpmn:endEvent id="end" />${flow('start', 'work')}${flow('work', 'end')}`,
    ),
  )

// Segments are small, since recovery reads all of the last one.
const OPTIONS = { partitions: PARTITIONS, args: ['--segment-size', '1MiB'] }
suite('flows over partitions, when the power goes', OPTIONS, ({ check, raw, deploy, server }) => {
  const create = (bpmnProcessId, variables = {}) =>
    raw().call('CreateProcessInstance', { bpmnProcessId, version: -1, variables: JSON.stringify(variables) })
  const createAll = async (id, variables) => {
    const answers = await Promise.all(variables.map((each) => create(id, each)))
    return answers.map((answer) => answer.processInstanceKey)
  }
  const publish = (request) => raw().call('PublishMessage', request)
  const powerGoes = async () => {
    await server().kill()
    await server().restart()
  }
  // Activates and completes jobs of the type until `count` jobs were seen; returns them.
  const work = async (type, count) => {
    const jobs = []
    await until(`${count} jobs of ${type}`, async () => {
      const found = await raw().activate({ type, maxJobsToActivate: 100, requestTimeout: 2_000 })
      await Promise.all(found.jobs.map((job) => raw().call('CompleteJob', { jobKey: job.key })))
      jobs.push(...found.jobs)
      return jobs.length >= count
    })
    assert.equal(jobs.length, count)
    return jobs
  }
  const gone = (processInstanceKey) =>
    refused(raw().call('CancelProcessInstance', { processInstanceKey }), 'NOT_FOUND', processInstanceKey)
  // Returns every exported record that matches, each once: after a crash the last ones are exported
  // again.
  const exported = (matches) => {
    const found = new Map()
    for (const record of server().records()) {
      if (matches(record)) found.set(`${record.partitionId}/${record.position}`, record)
    }
    return [...found.values()]
  }
  // Returns how often an event of the type happened in each of the instances.
  const happened = (valueType, intent, elementId, instances) => {
    const counts = new Map(instances.map((key) => [key, 0]))
    const records = exported((record) => record.valueType === valueType && record.intent === intent)
    for (const { value } of records) {
      const element = value.elementId ?? value.targetElementId
      const key = String(value.processInstanceKey)
      if (element === elementId && counts.has(key)) counts.set(key, counts.get(key) + 1)
    }
    return [...counts.values()]
  }

  check('subscriptions on all partitions survive, and each message reaches its instance once', async () => {
    const [id, type, name] = [unique('p'), unique('t'), unique('m')]
    await deploy(catching(id, type, name))
    const orders = Array.from({ length: 30 }, () => unique('order'))
    const instances = await createAll(id, orders.map((order) => ({ order })))
    assert.equal(new Set(instances.map(partitionOf)).size, PARTITIONS)
    await powerGoes()
    // The messages wait for subscriptions that were on their way to another partition when the
    // power failed.
    const timeToLive = 600_000
    await Promise.all(orders.map((correlationKey) => publish({ name, correlationKey, timeToLive, variables: JSON.stringify({ of: correlationKey }) })))
    const jobs = await work(type, orders.length)
    for (const job of jobs) {
      const { order, of } = JSON.parse(job.variables)
      assert.equal(order, of)
    }
    await Promise.all(instances.map(gone))
    await until('the story is exported', () => happened('PROCESS_INSTANCE', 'ELEMENT_COMPLETED', 'end', instances).every((n) => n === 1))
    assert.ok(happened('PROCESS_MESSAGE_SUBSCRIPTION', 'CORRELATED', 'wait', instances).every((n) => n === 1))
  })

  // Each client is closed before the power fails: clients whose server vanished keep node from
  // ending.
  check('zeebe-node and the SDK meet over a crash', async () => {
    const [id, type, name] = [unique('p'), unique('t'), unique('m')]
    await deploy(catching(id, type, name))
    const orders = Array.from({ length: 9 }, () => unique('order'))
    const using = async (body) => {
      const clients = new Clients(server())
      try {
        await body(clients)
      } finally {
        await clients.close()
      }
    }
    await using(async (clients) => {
      const client = clients.node()
      for (const order of orders) await client.createProcessInstance({ bpmnProcessId: id, variables: { order } })
    })
    await powerGoes()
    await using(async (clients) => {
      const client = clients.sdk()
      for (const correlationKey of orders) {
        await client.publishMessage({ name, correlationKey, timeToLive: 600_000, variables: { by: 'sdk' } })
      }
    })
    await powerGoes()
    const done = []
    await using(async (clients) => {
      clients.node({ longPoll: 1_000 }).createWorker({
        taskType: type,
        taskHandler: (job) => {
          done.push(job.variables)
          return job.complete()
        },
      })
      await until('all jobs are done', () => done.length === orders.length)
    })
    assert.ok(done.every((variables) => variables.by === 'sdk'))
    assert.deepEqual(new Set(done.map((variables) => variables.order)), new Set(orders))
  })

  check('buffered messages survive, with their ids', async () => {
    const [id, type, name] = [unique('p'), unique('t'), unique('m')]
    await deploy(catching(id, type, name))
    const orders = Array.from({ length: 9 }, () => unique('order'))
    const message = (correlationKey) => ({ name, correlationKey, timeToLive: 600_000, messageId: 'one' })
    await Promise.all(orders.map((order) => publish(message(order))))
    await powerGoes()
    for (const order of orders) await refused(publish(message(order)), 'ALREADY_EXISTS', "id 'one'")
    await createAll(id, orders.map((order) => ({ order })))
    await work(type, orders.length)
  })

  check('who asks again after a crash loses nothing and doubles nothing', async () => {
    const [id, type, name] = [unique('p'), unique('t'), unique('m')]
    await deploy(catching(id, type, name))
    const orders = Array.from({ length: 90 }, () => unique('order'))
    const instances = await createAll(id, orders.map((order) => ({ order })))
    let open = orders
    let crashes = 0
    for (const power of [true, true, false]) {
      let answers = 0
      const crash = Math.floor(open.length / 3)
      let crashed
      const outcomes = await Promise.allSettled(
        open.map((correlationKey) =>
          publish({ name, correlationKey, timeToLive: 600_000, messageId: 'once' }).then(() => {
            if (!power || ++answers !== crash) return
            crashed = server().kill()
            crashes += 1
          }),
        ),
      )
      open = open.filter((_, i) => {
        const { status, reason } = outcomes[i]
        if (status === 'fulfilled') return false
        if (reason.code === grpc.status.ALREADY_EXISTS) return false
        assert.equal(reason.code, grpc.status.UNAVAILABLE, reason.message)
        return true
      })
      if (!power) break
      await crashed
      if (!server().alive) await server().restart()
      if (open.length === 0) break
    }
    assert.equal(open.length, 0)
    assert.ok(crashes > 0)
    await work(type, orders.length)
    await Promise.all(instances.map(gone))
    await until('the story is exported', () => happened('PROCESS_INSTANCE', 'ELEMENT_COMPLETED', 'end', instances).every((n) => n === 1))
    assert.ok(happened('PROCESS_MESSAGE_SUBSCRIPTION', 'CORRELATED', 'wait', instances).every((n) => n === 1))
  })

  check('one instance for each correlation key, also over a crash', async () => {
    const [id, type, name] = [unique('p'), unique('t'), unique('m')]
    await deploy(started(id, type, name))
    const keys = Array.from({ length: 9 }, () => unique('k'))
    for (const n of [1, 2]) {
      for (const correlationKey of keys) {
        await publish({ name, correlationKey, timeToLive: 600_000, variables: JSON.stringify({ n, correlationKey }) })
      }
    }
    await powerGoes()
    for (const n of [1, 2]) {
      const jobs = await work(type, keys.length)
      const seen = jobs.map((job) => JSON.parse(job.variables))
      assert.ok(seen.every((variables) => variables.n === n))
      assert.deepEqual(new Set(seen.map((variables) => variables.correlationKey)), new Set(keys))
    }
  })

  check('timers fire once, not early, and those that were missed right after the start', async () => {
    const [id, type, cycleId, cycleType, reminder] = [unique('p'), unique('t'), unique('p'), unique('t'), unique('t')]
    await deploy(sleeping(id, type, 'PT1S'))
    await deploy(reminded(cycleId, cycleType, reminder, 'R3/PT0.4S'))
    const naps = await createAll(id, Array(9).fill({}))
    const cycles = await createAll(cycleId, Array(3).fill({}))
    assert.equal(new Set(naps.map(partitionOf)).size, PARTITIONS)
    await powerGoes()
    await work(type, naps.length)
    await work(reminder, cycles.length * 3)
    await work(cycleType, cycles.length)
    await until('all is exported', () => happened('PROCESS_INSTANCE', 'ELEMENT_COMPLETED', 'end', [...naps, ...cycles]).every((n) => n === 1))
    assert.ok(happened('TIMER', 'TRIGGERED', 'nap', naps).every((n) => n === 1))
    assert.ok(happened('TIMER', 'TRIGGERED', 'remind', cycles).every((n) => n === 3))
    const instances = new Set([...naps, ...cycles])
    for (const record of exported(({ valueType, intent }) => valueType === 'TIMER' && intent === 'TRIGGERED')) {
      if (!instances.has(String(record.value.processInstanceKey))) continue
      assert.ok(Number(record.timestamp) >= Number(record.value.dueDate), JSON.stringify(record))
      assert.equal(record.partitionId, partitionOf(record.value.processInstanceKey))
    }
  })

  check('a start timer goes on after a crash, on one partition, until a new version ends it', async () => {
    const [id, type] = [unique('p'), unique('t')]
    await deploy(startedByTimer(id, type, 'R/PT0.3S'))
    for (const power of [true, false]) {
      const { jobs } = await raw().activate({ type, maxJobsToActivate: 1, requestTimeout: 30_000 })
      assert.equal(partitionOf(jobs[0].processInstanceKey), 1)
      if (power) await powerGoes()
    }
    const { version } = await deploy(sleeping(id, type, 'PT0.5S'))
    assert.equal(version, 2)
    await create(id)
    // This waits longer than the old version would have taken to fire.
    await until('the new version has waited', async () => (await raw().activate({ type, requestTimeout: 2_000 })).jobs.some((job) => job.processDefinitionVersion === 2))
    const timers = () => exported(({ valueType, value }) => valueType === 'TIMER' && value.targetElementId === 'start')
    await until('the timer is cancelled', () => timers().some(({ intent }) => intent === 'CANCELED'))
    const { position } = timers().find(({ intent }) => intent === 'CANCELED')
    for (const record of timers()) assert.ok(Number(record.position) <= Number(position), JSON.stringify(record))
  })
})
