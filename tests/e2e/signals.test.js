'use strict'
// Signals with real clients: over three partitions, with a power failure between the broadcast and
// the delivery.
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { suite } = require('./lib/suite')
const { refused } = require('./lib/clients')
const { definitions } = require('./lib/models')
const { beeline, ROOT } = require('./lib/server')
const { unique, until } = require('./lib/wait')

const PARTITIONS = 3
const partitionOf = (key) => Number(BigInt(key) >> 51n)

const task = (id, type) =>
  `<bpmn:serviceTask id="${id}"><bpmn:extensionElements><zeebe:taskDefinition type="${type}" />` +
  '</bpmn:extensionElements></bpmn:serviceTask>'
const flow = (from, to) => `<bpmn:sequenceFlow id="${from}_${to}" sourceRef="${from}" targetRef="${to}" />`
const model = (id, signal, body) =>
  definitions(
    `<bpmn:signal id="signal" name="${signal}" /><bpmn:process id="${id}" isExecutable="true">${body}</bpmn:process>`,
  )
const thrown = '<bpmn:signalEventDefinition signalRef="signal" />'

// start, a signal, one task, end
const waiting = (id, type, signal) =>
  model(
    id,
    signal,
    `<bpmn:startEvent id="start" /><bpmn:intermediateCatchEvent id="wait">${thrown}</bpmn:intermediateCatchEvent>` +
      `${task('work', type)}<bpmn:endEvent id="end" />${flow('start', 'wait')}${flow('wait', 'work')}${flow('work', 'end')}`,
  )
// start, one task that a signal interrupts; then another task
const interrupted = (id, type, late, signal) =>
  model(
    id,
    signal,
    `<bpmn:startEvent id="start" />${task('work', type)}<bpmn:endEvent id="end" />` +
      `<bpmn:boundaryEvent id="stop" attachedToRef="work">${thrown}</bpmn:boundaryEvent>${task('clean', late)}` +
      `${flow('start', 'work')}${flow('work', 'end')}${flow('stop', 'clean')}`,
  )
// started by a signal, one task, end
const startedBySignal = (id, type, signal) =>
  model(
    id,
    signal,
    `<bpmn:startEvent id="start">${thrown}</bpmn:startEvent>${task('work', type)}<bpmn:endEvent id="end" />` +
      `${flow('start', 'work')}${flow('work', 'end')}`,
  )
// start, throw a signal, end
const throwing = (id, signal) =>
  model(
    id,
    signal,
    `<bpmn:startEvent id="start" /><bpmn:intermediateThrowEvent id="shout"><bpmn:extensionElements>` +
      `<zeebe:ioMapping><zeebe:input source="=1" target="told" /></zeebe:ioMapping></bpmn:extensionElements>${thrown}` +
      `</bpmn:intermediateThrowEvent><bpmn:endEvent id="end" />${flow('start', 'shout')}${flow('shout', 'end')}`,
  )

const OPTIONS = { partitions: PARTITIONS, args: ['--segment-size', '1MiB'] }
suite('signals', OPTIONS, ({ check, raw, node, sdk, deploy, server }) => {
  const create = (bpmnProcessId) => raw().call('CreateProcessInstance', { bpmnProcessId, version: -1 })
  const createMany = async (id, count) => {
    const answers = await Promise.all(Array.from({ length: count }, () => create(id)))
    return answers.map((answer) => answer.processInstanceKey)
  }
  const broadcast = (signalName, variables) =>
    raw().call('BroadcastSignal', { signalName, variables: variables && JSON.stringify(variables) })
  const post = (body, where = '/api/workflow/signal') =>
    fetch(`http://127.0.0.1:${server().httpPort}${where}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const counted = async (name, variables) => {
    const answer = await post({ SignalName: name, Variables: variables })
    assert.equal(answer.status, 200)
    return answer.json()
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
  const noJob = async (type) => {
    const { jobs } = await raw().activate({ type, requestTimeout: -1 })
    assert.equal(jobs.length, 0)
  }
  const names = () => ({ id: unique('p'), type: unique('t'), signal: unique('s') })

  check('two workflows wait, one throws, both go on', async () => {
    const { id, type, signal } = names()
    const thrower = unique('p')
    await deploy(waiting(id, type, signal))
    await deploy(throwing(thrower, signal))
    const instances = await createMany(id, 2)
    await raw().call('CreateProcessInstanceWithResult', {
      request: { bpmnProcessId: thrower, version: -1 },
      requestTimeout: 10_000,
    })
    const jobs = await work(type, 2)
    assert.deepEqual(jobs.map((job) => job.processInstanceKey).sort(), instances.sort())
    for (const job of jobs) assert.deepEqual(JSON.parse(job.variables), { told: 1 })
  })

  check('a broadcast counts its receivers on three partitions', async () => {
    const { id, type, signal } = names()
    await deploy(waiting(id, type, signal))
    const instances = await createMany(id, 9)
    assert.deepEqual(new Set(instances.map(partitionOf)), new Set([1, 2, 3]))
    assert.deepEqual(await counted(signal, { x: 1 }), { DeliveredCount: 9 })
    const jobs = await work(type, 9)
    for (const job of jobs) assert.deepEqual(JSON.parse(job.variables), { x: 1 })
    assert.deepEqual(await counted(signal), { DeliveredCount: 0 })
  })

  check('a start event starts one instance, which the answer names', async () => {
    const { id, type, signal } = names()
    await deploy(startedBySignal(id, type, signal))
    for (let i = 0; i < PARTITIONS; ++i) {
      const answer = await counted(signal, { i })
      assert.equal(answer.DeliveredCount, 1)
      const [job] = await work(type, 1)
      assert.deepEqual(answer.WorkflowInstanceIds, [job.processInstanceKey])
    }
  })

  check('BroadcastSignal of the clients answers a key', async () => {
    const { id, type, signal } = names()
    await deploy(waiting(id, type, signal))
    await createMany(id, 4)
    const answer = await broadcast(signal)
    assert.ok(BigInt(answer.key) > 0n)
    assert.equal(answer.tenantId, '<default>')
    await work(type, 4)
    await createMany(id, 3)
    const client = node()
    const byNode = await client.broadcastSignal({ signalName: signal, variables: { by: 'node' } })
    // An open client of zeebe-node never ends its attempts to reconnect after a crash.
    await client.close()
    assert.ok(BigInt(byNode.key) > 0n)
    const jobs = await work(type, 3)
    for (const job of jobs) assert.equal(JSON.parse(job.variables).by, 'node')
  })

  check('a signal that nobody waits for is accepted', async () => {
    assert.ok(BigInt((await broadcast(unique('s'))).key) > 0n)
    assert.deepEqual(await counted(unique('s')), { DeliveredCount: 0 })
  })

  check('what is no signal is refused with the reason', async () => {
    await refused(broadcast(''), 'INVALID_ARGUMENT', 'non-empty name')
    await refused(raw().call('BroadcastSignal', { signalName: 's', variables: '[1]' }), 'INVALID_ARGUMENT')
    for (const [body, says] of [
      ['{}', "Expected a 'SignalName' that is not blank"],
      ['{"SignalName":" "}', "Expected a 'SignalName' that is not blank"],
      ['{"SignalName":"s","Variables":[1]}', 'ARRAY'],
      ['{"SignalName":"s","tenant":"x"}', 'Request property [tenant] cannot be parsed'],
      ['nothing', 'Failed to read request'],
    ]) {
      const answer = await post(body)
      assert.equal(answer.status, 400, body)
      const { error } = await answer.json()
      assert.ok(error.includes(says), error)
    }
  })

  check('the short path and names in any case are the same endpoint', async () => {
    const { id, type, signal } = names()
    await deploy(waiting(id, type, signal))
    await createMany(id, 1)
    const answer = await post({ signalname: signal, variables: { y: 2 } }, '/signal')
    assert.deepEqual(await answer.json(), { DeliveredCount: 1 })
    assert.deepEqual(JSON.parse((await work(type, 1))[0].variables), { y: 2 })
  })

  check('a boundary signal interrupts a task whose worker completes it late', async () => {
    const { id, type, signal } = names()
    const late = unique('t')
    await deploy(interrupted(id, type, late, signal))
    await createMany(id, 1)
    const { jobs } = await raw().activate({ type, requestTimeout: 30_000 })
    assert.equal(jobs.length, 1)
    assert.deepEqual(await counted(signal), { DeliveredCount: 1 })
    await refused(raw().call('CompleteJob', { jobKey: jobs[0].key }), 'NOT_FOUND', jobs[0].key)
    await work(late, 1)
    assert.deepEqual(await counted(signal), { DeliveredCount: 0 })
  })

  check('a crash between broadcast and delivery loses nothing and doubles nothing', async () => {
    const { id, type, signal } = names()
    await deploy(waiting(id, type, signal))
    const instances = await createMany(id, 300)
    // The answer comes when the first partition has committed its part; the others have not yet
    // received the signal, or are about to.
    await broadcast(signal, { x: 1 })
    await server().kill()
    await server().restart()
    const jobs = await work(type, 300)
    assert.deepEqual(new Set(jobs.map((job) => job.processInstanceKey)), new Set(instances))
    await noJob(type)
  })

  check('subscriptions survive a crash', async () => {
    const { id, type, signal } = names()
    await deploy(waiting(id, type, signal))
    await createMany(id, 6)
    await server().kill()
    await server().restart()
    await until('all partitions have recovered', async () => (await counted(unique('s'))).DeliveredCount === 0)
    assert.deepEqual(await counted(signal), { DeliveredCount: 6 })
    await work(type, 6)
  })

  check('events that are waited for are listed', async () => {
    const { id, type, signal } = names()
    const begun = unique('p')
    await deploy(waiting(id, type, signal))
    await deploy(startedBySignal(begun, type, signal))
    const instances = await createMany(id, 6)
    const items = []
    let cursor = ''
    do {
      const answer = await fetch(
        `http://127.0.0.1:${server().httpPort}/api/workflow/events?name=${signal}&limit=2${cursor}`,
      )
      assert.equal(answer.status, 200)
      const page = await answer.json()
      items.push(...page.items)
      cursor = page.cursor && `&cursor=${page.cursor}`
    } while (cursor)
    assert.equal(items.length, 7)
    const starts = items.filter((item) => item.type === 'signal start')
    assert.deepEqual(
      starts.map((item) => item.bpmnProcessId),
      [begun],
    )
    const waits = items.filter((item) => item.type === 'signal')
    assert.deepEqual(waits.map((item) => item.processInstanceKey).sort(), instances.sort())
    for (const item of waits) {
      assert.equal(item.elementId, 'wait')
      assert.equal(item.state, 'OPENED')
    }
    await counted(signal)
    await work(type, 7)
  })

  check('beeline broadcast', async () => {
    const { id, type, signal } = names()
    await deploy(waiting(id, type, signal))
    await createMany(id, 2)
    const ran = await beeline(['broadcast', signal, '--variables', '{"x":1}', '--address', server().address])
    assert.equal(ran.code, 0, ran.stderr)
    assert.match(ran.stdout, new RegExp(`^broadcast signal ${signal} with key \\d+\n$`))
    const jobs = await work(type, 2)
    for (const job of jobs) assert.deepEqual(JSON.parse(job.variables), { x: 1 })
  })

  check('the example of the README: a price list wakes the offers that wait for it', async () => {
    await deploy(fs.readFileSync(path.join(ROOT, 'examples/approval.bpmn'), 'utf8'), 'approval.bpmn')
    await createMany('offer', 3)
    await raw().call('CreateProcessInstance', {
      bpmnProcessId: 'price-list',
      version: -1,
      variables: '{"year":2027,"draft":true}',
    })
    await work('approve-prices', 1)
    let found = []
    await until('three offers are written', async () => {
      const { jobs } = await raw().activate({ type: 'write-offer', maxJobsToActivate: 3, requestTimeout: 2_000 })
      found = found.concat(jobs)
      return found.length === 3
    })
    for (const job of found) assert.deepEqual(JSON.parse(job.variables), { year: 2027 })
    assert.deepEqual(await counted('price-list-withdrawn'), { DeliveredCount: 3 })
    await refused(raw().call('CompleteJob', { jobKey: found[0].key }), 'NOT_FOUND', found[0].key)
    assert.deepEqual(await counted('price-list-approved'), { DeliveredCount: 3 })
    await work('write-offer', 3)
  })
})
