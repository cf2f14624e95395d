'use strict'
// The workers of the clients: they poll, reconnect and answer as they do for their users.
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { end, exclusive, oneTask, process, service, start } = require('./lib/models')
const { unique, until, within } = require('./lib/wait')

suite('workers of the real clients', {}, ({ check, raw, node, sdk, deploy, server }) => {
  const oneTaskProcess = async (options) => {
    const id = unique('p')
    const type = unique('t')
    await deploy(oneTask(id, type, options))
    return { id, type }
  }
  const withResult = (id, variables) =>
    raw().call('CreateProcessInstanceWithResult', {
      request: { bpmnProcessId: id, version: -1, variables: JSON.stringify(variables) },
      requestTimeout: 50_000,
    })

  for (const [name, connect] of [
    ['zeebe-node', node],
    ['the SDK', sdk],
  ]) {
    check(`${name}: deploy, create, work, result`, async () => {
      const client = connect()
      const id = unique('cycle')
      const type = unique('cycle')
      await client.deployResource({ name: 'cycle.bpmn', process: Buffer.from(oneTask(id, type, { headers: { unit: 'cm' } })) })
      const seen = []
      const worker = client.createWorker({
        taskType: type,
        taskHandler: (job) => {
          seen.push(job)
          return job.complete({ area: job.variables.width * job.variables.height, unit: job.customHeaders.unit })
        },
      })
      const result = await client.createProcessInstanceWithResult({
        bpmnProcessId: id,
        variables: { width: 3, height: 4 },
        requestTimeout: 50_000,
      })
      assert.deepEqual({ ...result.variables }, { width: 3, height: 4, area: 12, unit: 'cm' })
      assert.equal(seen.length, 1)
      await worker.close()
    })

    check(`${name}: a hundred instances, every job once`, async () => {
      const client = connect()
      const { id, type } = await oneTaskProcess()
      const keys = []
      const worker = client.createWorker({
        taskType: type,
        taskHandler: (job) => {
          keys.push(job.key)
          return job.complete({ done: job.variables.n })
        },
      })
      const results = await Promise.all(Array.from({ length: 100 }, (_, n) => withResult(id, { n })))
      results.forEach((result, n) => assert.deepEqual(JSON.parse(result.variables), { n, done: n }))
      assert.equal(new Set(keys).size, 100)
      assert.equal(keys.length, 100)
      await worker.close()
    })

    check(`${name}: a worker that fails uses up the retries and raises an incident`, async () => {
      const client = connect()
      const { id, type } = await oneTaskProcess({ retries: 3 })
      const retries = []
      const worker = client.createWorker({
        taskType: type,
        taskHandler: (job) => {
          retries.push(job.retries)
          return job.fail('not today')
        },
      })
      const { processInstanceKey } = await client.createProcessInstance({ bpmnProcessId: id, variables: {} })
      const incident = await server().record(
        'the incident',
        (r) => r.valueType === 'INCIDENT' && r.intent === 'CREATED' && String(r.value.processInstanceKey) === processInstanceKey,
      )
      assert.equal(incident.value.errorType, 'JOB_NO_RETRIES')
      assert.equal(incident.value.errorMessage, 'not today')
      assert.deepEqual(retries, [3, 2, 1])
      await worker.close()
      await client.cancelProcessInstance(processInstanceKey)
    })
  }

  check('[51] the SDK stream worker runs a full cycle', async () => {
    const client = sdk()
    const { id, type } = await oneTaskProcess()
    // One job waits before the stream exists: the poll beside the stream fetches it.
    const early = withResult(id, { n: 1 })
    const jobs = []
    const stream = await client.streamJobs({
      type,
      worker: 'streamer',
      timeout: 60_000,
      tenantIds: ['<default>'],
      taskHandler: (job) => {
        jobs.push(job)
        return job.complete({ seen: true })
      },
    })
    assert.deepEqual(JSON.parse((await early).variables), { n: 1, seen: true })
    assert.deepEqual(JSON.parse((await withResult(id, { n: 2 })).variables), { n: 2, seen: true })
    assert.equal(jobs.length, 2)
    stream.close()
  })

  check('an order process from end to end', async () => {
    const client = node()
    const id = unique('order')
    const [check_, ship, refuse] = [unique('check'), unique('ship'), unique('refuse')]
    await deploy(
      process(
        id,
        [
          start(),
          service('check', { type: check_, outputs: [['=stock >= quantity', 'available']] }),
          exclusive('in_stock', 'in_stock_to_refuse'),
          service('ship', { type: ship }),
          service('refuse', { type: refuse }),
          end(),
        ],
        [
          ['start', 'check'],
          ['check', 'in_stock'],
          ['in_stock', 'ship', { condition: '=available' }],
          ['in_stock', 'refuse'],
          ['ship', 'end'],
          ['refuse', 'end'],
        ],
      ),
    )
    client.createWorker({ taskType: check_, taskHandler: (job) => job.complete({ stock: 5 }) })
    client.createWorker({ taskType: ship, taskHandler: (job) => job.complete({ shipped: true }) })
    client.createWorker({ taskType: refuse, taskHandler: (job) => job.complete({ shipped: false }) })
    const [small, large] = await Promise.all([withResult(id, { quantity: 2 }), withResult(id, { quantity: 9 })])
    assert.deepEqual(JSON.parse(small.variables), { quantity: 2, available: true, shipped: true })
    assert.deepEqual(JSON.parse(large.variables), { quantity: 9, available: false, shipped: false })
  })

  check('[63] two hundred workers on one connection: commands are still answered', async () => {
    const client = node()
    const types = Array.from({ length: 200 }, () => unique('crowd'))
    for (const taskType of types) client.createWorker({ taskType, taskHandler: (job) => job.complete() })
    const id = unique('crowd')
    await deploy(oneTask(id, types[199]))
    const started = Date.now()
    await within('the answer comes', withResult(id, {}))
    assert.ok(Date.now() - started < 30_000)
    const { clusterSize } = await client.topology()
    assert.equal(clusterSize, 1)
  })

  check('a worker that is closed takes no more jobs', async () => {
    const client = node()
    const { id, type } = await oneTaskProcess()
    const worker = client.createWorker({ taskType: type, taskHandler: (job) => job.complete() })
    await withResult(id, {})
    await worker.close()
    await client.close()
    await raw().call('CreateProcessInstance', { bpmnProcessId: id, version: -1 })
    const job = await until('the job is offered', async () => {
      const { jobs } = await raw().activate({ type, requestTimeout: 2000 })
      return jobs[0]
    })
    await raw().call('CompleteJob', { jobKey: job.key })
  })
})
