'use strict'
// Several partitions: all of them know a deployment, instances are spread over them, and workers
// get the jobs of all.
const assert = require('node:assert/strict')
const { suite } = require('./lib/suite')
const { refused } = require('./lib/clients')
const { oneTask } = require('./lib/models')
const { unique, until } = require('./lib/wait')

const PARTITIONS = 3
const partitionOf = (key) => Number(BigInt(key) >> 51n)
// Returns how many of the keys belong to each partition: { 1: 10, 2: 10, 3: 10 }.
const spread = (keys) => {
  const counts = {}
  for (const key of keys) counts[partitionOf(key)] = (counts[partitionOf(key)] || 0) + 1
  return counts
}
const EVEN = { 1: 10, 2: 10, 3: 10 }

const create = (raw, request) => raw.call('CreateProcessInstance', { version: -1, ...request })
const createMany = async (raw, id, count = 30) => {
  const answers = await Promise.all(Array.from({ length: count }, () => create(raw, { bpmnProcessId: id })))
  return answers.map((answer) => answer.processInstanceKey)
}

suite('partitions', { partitions: PARTITIONS }, ({ check, raw, node, deploy, server }) => {
  check('[68] keys say which partition made them', async () => {
    const type = unique('t')
    const definition = await deploy(oneTask(unique('p'), type))
    assert.equal(partitionOf(definition.processDefinitionKey), 1)
    const instances = await createMany(raw(), definition.bpmnProcessId, 6)
    assert.deepEqual(spread(instances), { 1: 2, 2: 2, 3: 2 })
    const { jobs } = await raw().activate({ type, maxJobsToActivate: 6, requestTimeout: 10_000 })
    assert.deepEqual(spread(jobs.map((job) => job.key)), { 1: 2, 2: 2, 3: 2 })
    for (const job of jobs) assert.equal(partitionOf(job.key), partitionOf(job.processInstanceKey))
    const records = await until('the jobs are exported', () => {
      const found = server().records().filter((record) => record.valueType === 'JOB' && record.intent === 'CREATED' && record.value.type === type)
      return found.length === 6 && found
    })
    for (const record of records) assert.equal(record.partitionId, partitionOf(record.key))
  })

  check('[69] instances are spread evenly, and one poll brings the jobs of all partitions', async () => {
    const id = unique('p')
    const type = unique('t')
    await deploy(oneTask(id, type))
    assert.deepEqual(spread(await createMany(raw(), id)), EVEN)
    const { jobs } = await raw().activate({ type, maxJobsToActivate: 30, requestTimeout: 10_000 })
    assert.deepEqual(spread(jobs.map((job) => job.key)), EVEN)
    await Promise.all(jobs.map((job) => raw().call('CompleteJob', { jobKey: job.key })))
    await refused(raw().call('CompleteJob', { jobKey: jobs[0].key }), 'NOT_FOUND', 'no such job was found')
  })

  check('a deployment is answered once every partition has it', async () => {
    for (let i = 0; i < 10; i++) {
      const id = unique('p')
      const { processDefinitionKey } = await deploy(oneTask(id, 't'))
      for (let n = 0; n < PARTITIONS; n++) {
        assert.equal((await create(raw(), { bpmnProcessId: id })).processDefinitionKey, processDefinitionKey)
      }
    }
    const finished = await until('the distribution is exported', () => {
      const found = server().records().filter((record) => record.valueType === 'COMMAND_DISTRIBUTION' && record.intent === 'FINISHED')
      return found.length >= 10 && found
    })
    assert.ok(finished.every((record) => record.partitionId === 1))
  })

  check('what no partition knows is NOT_FOUND', async () => {
    for (let n = 0; n < PARTITIONS; n++) {
      await refused(create(raw(), { bpmnProcessId: 'nobody' }), 'NOT_FOUND', "process ID 'nobody', but none found")
    }
  })

  check('a worker of zeebe-node works on the jobs of all partitions', async () => {
    const id = unique('p')
    const type = unique('t')
    await deploy(oneTask(id, type))
    const seen = []
    const worker = node().createWorker({
      taskType: type,
      taskHandler: (job) => {
        seen.push(job.key)
        return job.complete()
      },
    })
    try {
      await createMany(raw(), id)
      await until('all jobs are done', () => seen.length === 30)
    } finally {
      await worker.close()
    }
    assert.deepEqual(spread(seen), EVEN)
  })

  check('a stream brings the jobs of all partitions', async () => {
    const id = unique('p')
    const type = unique('t')
    await deploy(oneTask(id, type))
    const stream = raw().openStream({ type })
    try {
      await createMany(raw(), id)
      await until('all jobs came', () => stream.jobs.length === 30)
    } finally {
      stream.cancel()
    }
    const keys = stream.jobs.map((job) => job.key)
    assert.deepEqual(spread(keys), EVEN)
    await Promise.all(keys.map((jobKey) => raw().call('CompleteJob', { jobKey })))
  })
})

// Segments are small, since recovery reads all of the last one. There are no workers: those of
// zeebe-node would keep this program from ending after their server was killed.
const POWER = { partitions: PARTITIONS, args: ['--segment-size', '1MiB'] }
suite('partitions, when the power goes', POWER, ({ check, raw, deploy, server }) => {
  check('all of it survives a crash', async () => {
    const id = unique('p')
    const type = unique('t')
    await deploy(oneTask(id, type))
    const before = await createMany(raw(), id)
    await server().kill()
    await server().restart()
    assert.deepEqual(spread(before), EVEN)
    const after = await createMany(raw(), id)
    assert.equal(new Set([...before, ...after]).size, 60)
    const done = []
    while (done.length < 60) {
      const { jobs } = await raw().activate({ type, maxJobsToActivate: 60, requestTimeout: 10_000 })
      assert.ok(jobs.length > 0)
      await Promise.all(jobs.map((job) => raw().call('CompleteJob', { jobKey: job.key })))
      done.push(...jobs.map((job) => job.processInstanceKey))
    }
    assert.deepEqual(new Set(done), new Set([...before, ...after]))
    await Promise.all(
      done.map((processInstanceKey) =>
        refused(raw().call('CancelProcessInstance', { processInstanceKey }), 'NOT_FOUND', processInstanceKey),
      ),
    )
  })
})
